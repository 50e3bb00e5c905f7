import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

const text = (description: string, more: object = {}) => ({ type: 'string', description, ...more })
const whole = (description: string, minimum: number, maximum: number) => ({
  type: 'integer',
  description,
  minimum,
  maximum,
})
const ref = { minLength: 2, maxLength: 20 }

/** Inputs of the browser tool in an edition. */
export function browserTools(_edition: EditionId): CoreToolSpecs {
  return {
    browser: {
      parameters: {
        type: 'object',
        properties: {
          action: {
            type: 'string',
            enum: [
              'status',
              'start',
              'stop',
              'tabs',
              'open',
              'navigate',
              'focus',
              'close',
              'snapshot',
              'screenshot',
              'act',
              'console',
              'pdf',
            ],
            description:
              'open: a new tab; navigate: the current one; snapshot: what the page says, with refs of its elements for act.',
          },
          url: text('http or https address, for open and navigate.', { maxLength: 8192 }),
          tab: text('Tab such as t1; the current one unless told.', { pattern: '^t[0-9]{1,6}$' }),
          kind: {
            type: 'string',
            enum: ['click', 'type', 'press', 'hover', 'select', 'fill', 'wait'],
            description: 'What act does.',
          },
          ref: text('Element of the last snapshot, such as e12.', ref),
          text: text('Text to type, or to wait for.', { maxLength: 20_000 }),
          key: text('Key to press, such as Enter or Control+a.', { maxLength: 40 }),
          values: {
            type: 'array',
            description: 'Options to select, by value or label.',
            items: { type: 'string', maxLength: 1000 },
            maxItems: 50,
          },
          fields: {
            type: 'array',
            description: 'Fields to fill at once.',
            items: {
              type: 'object',
              properties: {
                ref: text('Element of the last snapshot.', ref),
                value: text('Its new text.', { maxLength: 20_000 }),
              },
              required: ['ref', 'value'],
              additionalProperties: false,
            },
            minItems: 1,
            maxItems: 50,
          },
          submit: { type: 'boolean', description: 'Press Enter after typing.' },
          doubleClick: { type: 'boolean', description: 'Click twice.' },
          button: { type: 'string', enum: ['left', 'right', 'middle'], description: 'Mouse button.' },
          timeMs: whole('Milliseconds to wait.', 0, 30_000),
          timeoutMs: whole('Milliseconds the action may take.', 100, 120_000),
          fullPage: { type: 'boolean', description: 'The whole page instead of what is in view.' },
          format: {
            type: 'string',
            enum: ['png', 'jpeg'],
            description: 'Of the screenshot; png unless told.',
          },
          maxChars: whole('Most characters of the snapshot.', 200, 200_000),
          limit: whole('Most lines of the console.', 1, 200),
        },
        required: ['action'],
        additionalProperties: false,
      },
      executionMode: 'sequential',
      risk: 'high',
    },
  }
}
