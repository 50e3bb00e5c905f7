import type { ControlName } from '../catalog/controls.ts'
import type { JsonSchema } from '../catalog/types.ts'
import { toolSearchLimits } from './settings.ts'

/** What the model reads about a control. */
export interface ControlSchema {
  readonly description: string
  readonly parameters: JsonSchema
}

/** Most queries of one batch and most hits over all of them (tool search facts §1.1). */
export const batchLimits = { queries: 16, hits: 50, queryBytes: 512 } as const

const limit = {
  type: 'integer',
  minimum: 1,
  maximum: toolSearchLimits.maxSearchLimit.max,
  description: 'Most hits to return.',
} as const

const selector = {
  type: 'string',
  minLength: 1,
  description: 'Exact tool id from a search, or a unique tool name.',
} as const

/** Schemas of the controls: the same bytes whatever the catalogue, so that a prompt cache holds. */
export const controlSchemas: Readonly<Record<ControlName, ControlSchema>> = {
  tool_search_code: {
    description: [
      'Find and use tools by running a short JavaScript program. It is the body of an async function: use await, return a JSON value.',
      'openclaw.tools.search(query, { limit }) resolves to hits [{ id, name, description, input }], best first.',
      'openclaw.tools.describe(id) resolves to one tool with its full input schema in parameters.',
      'openclaw.tools.call(id, args) runs it and resolves to { tool, result: { content, details } }; errors are thrown.',
      'Search with a few words for what you want to do; describe a tool before the first call; await every call.',
      'Several calls may run at once with Promise.all. console.log lines come back as logs. No network, files, timers or modules.',
    ].join('\n'),
    parameters: {
      type: 'object',
      properties: { code: { type: 'string', minLength: 1, description: 'Body of an async function.' } },
      required: ['code'],
      additionalProperties: false,
    },
  },
  tool_search: {
    description:
      'Search the tools you may use; the request holds only some of them. Returns hits [{ id, name, description, input }], best first. Use a few words for what you want to do, or an exact tool name.',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What you want to do, or a tool name.' },
        limit,
        queries: {
          type: 'array',
          minItems: 1,
          maxItems: batchLimits.queries,
          description: 'Several searches at once, in place of query.',
          items: {
            type: 'object',
            properties: { query: { type: 'string', minLength: 1 }, limit },
            required: ['query'],
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
  },
  tool_describe: {
    description: 'Show one tool with its full input schema. Do this before the first call of a tool.',
    parameters: {
      type: 'object',
      properties: { id: selector },
      required: ['id'],
      additionalProperties: false,
    },
  },
  tool_call: {
    description:
      'Call one tool. Returns { tool, result }. Arguments go into args, as tool_describe shows them.',
    parameters: {
      type: 'object',
      properties: {
        id: selector,
        args: { type: 'object', description: 'Arguments of the tool.', additionalProperties: true },
      },
      required: ['id'],
      additionalProperties: true,
    },
  },
}
