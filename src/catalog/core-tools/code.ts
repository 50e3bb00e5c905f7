import type { CoreToolSpecs } from './spec.ts'

const specs: CoreToolSpecs = {
  code_execution: {
    parameters: {
      type: 'object',
      properties: {
        code: {
          type: 'string',
          minLength: 1,
          description:
            'Body of an async JavaScript function. It has the language and console, no files, network, timers or tools; what it returns is the answer.',
        },
        timeoutMs: {
          type: 'integer',
          minimum: 1000,
          maximum: 60_000,
          description: 'Milliseconds it may take; 10000 unless told.',
        },
      },
      required: ['code'],
      additionalProperties: false,
    },
    risk: 'low',
  },
}

/** Input of the tool that runs a snippet. */
export function codeTools(): CoreToolSpecs {
  return specs
}
