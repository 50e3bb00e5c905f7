import { expect, test } from 'vitest'
import { checkPluginConfig } from '../../../src/plugins/config-check.ts'

const schema = {
  type: 'object',
  properties: {
    apiKey: { type: 'string' },
    limit: { type: 'integer', default: 100, maximum: 1000 },
    servers: {
      type: 'array',
      items: { type: 'object', properties: { url: { type: 'string', format: 'uri' } } },
    },
  },
  required: ['apiKey'],
  additionalProperties: false,
}

test('defaults are filled in, in a copy', () => {
  const given = Object.freeze({ apiKey: 'k' })
  expect(checkPluginConfig(schema, given)).toEqual({ config: { apiKey: 'k', limit: 100 } })
  expect(given).toEqual({ apiKey: 'k' })
})

test('every issue has a path and says what is wrong, never the value', () => {
  expect(checkPluginConfig(schema, { apiKey: 5, limit: 'SECRET', servers: [{ url: 1 }], 'odd key': 1 }))
    .toMatchInlineSnapshot(`
    {
      "issues": [
        {
          "message": "config["odd key"] is not known",
          "path": [
            "odd key",
          ],
        },
        {
          "message": "config.apiKey must be string",
          "path": [
            "apiKey",
          ],
        },
        {
          "message": "config.limit must be integer",
          "path": [
            "limit",
          ],
        },
        {
          "message": "config.servers[0].url must be string",
          "path": [
            "servers",
            0,
            "url",
          ],
        },
      ],
    }
  `)
  expect(checkPluginConfig(schema, {})).toMatchInlineSnapshot(`
    {
      "issues": [
        {
          "message": "config.apiKey is missing",
          "path": [],
        },
      ],
    }
  `)
})

test('a reference to a secret stands for a string', () => {
  const reference = { source: 'env', provider: 'default', id: 'KEY' }
  expect(checkPluginConfig(schema, { apiKey: reference })).toEqual({
    config: { apiKey: reference, limit: 100 },
  })
})

test.each<[string, Record<string, unknown>, unknown]>([
  [
    'an older dialect',
    { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
    { config: {} },
  ],
  [
    'a newer dialect',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', prefixItems: [{}] },
    { config: {} },
  ],
  ['unknown keywords', { type: 'object', 'x-order': 1 }, { config: {} }],
  ['an unknown type', { type: 'objekt' }, { schemaProblem: expect.stringContaining('type') }],
  [
    'a reference outside itself',
    { $ref: 'https://example.org/x.json' },
    { schemaProblem: expect.stringContaining('https://example.org/x.json') },
  ],
  [
    'a broken pattern',
    { properties: { a: { pattern: '(' } } },
    { schemaProblem: expect.stringContaining('(') },
  ],
])('%s', (_what, given, expected) => {
  expect(checkPluginConfig(given, {})).toEqual(expected)
})
