import type { JsonSchema } from '../types.ts'
import type { EditionId } from '../edition.ts'
import type { CoreToolSpecs } from './spec.ts'

const text = (description: string, more: object = {}) => ({ type: 'string', description, ...more })
const closed = (properties: Readonly<Record<string, object>>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const date = { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }
const handles = (description: string) => ({
  type: 'array',
  description,
  items: { type: 'string', minLength: 1, maxLength: 50 },
  minItems: 1,
  maxItems: 10,
})

/** Inputs of the web tools in an edition. */
export function webTools(_edition: EditionId): CoreToolSpecs {
  return {
    web_search: {
      parameters: closed(
        {
          query: text('What to search for.', { minLength: 1, maxLength: 1000 }),
          count: { type: 'integer', description: 'Results wanted.', minimum: 1, maximum: 20 },
          country: text('Country to search from: two letters, such as DE.', { pattern: '^[A-Za-z]{2}$' }),
          language: text('Language of results, such as de or pt-BR.', {
            pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})?$',
          }),
          freshness: {
            type: 'string',
            enum: ['day', 'week', 'month', 'year'],
            description: 'Only pages that are not older.',
          },
        },
        ['query'],
      ),
      executionMode: 'parallel',
      risk: 'low',
    },
    web_fetch: {
      parameters: closed(
        {
          url: text('Address of a page or file: http or https.', { minLength: 1, maxLength: 8192 }),
          extractMode: {
            type: 'string',
            enum: ['markdown', 'text'],
            description: 'Form of the content of a page; markdown unless told.',
          },
          maxChars: { type: 'integer', description: 'Most characters wanted.', minimum: 100 },
        },
        ['url'],
      ),
      executionMode: 'parallel',
      risk: 'low',
    },
    x_search: {
      parameters: closed(
        {
          query: text('What to find in posts on X.', { minLength: 1, maxLength: 2000 }),
          allowed_x_handles: handles('Only posts of these accounts.'),
          excluded_x_handles: handles('No posts of these accounts; not together with allowed_x_handles.'),
          from_date: text('First day, as YYYY-MM-DD.', date),
          to_date: text('Last day, as YYYY-MM-DD.', date),
          enable_image_understanding: { type: 'boolean', description: 'Look at images in posts.' },
          enable_video_understanding: { type: 'boolean', description: 'Look at videos in posts.' },
        },
        ['query'],
      ),
      executionMode: 'parallel',
      risk: 'low',
    },
  }
}
