import { expect, test } from 'vitest'
import { checkInputSchema } from '../../../src/catalog/schema-check.ts'
import { withJsonTypes } from '../../../src/catalog/foreign-types.ts'
import { inventoryOf } from './inventories.ts'

test('types of Python and Java become the JSON types they mean', () => {
  const schema = {
    type: 'dict',
    properties: {
      a: { type: 'str', default: { type: 'str' } },
      b: { type: 'list', items: { type: 'float' } },
      c: { type: 'any' },
      d: { anyOf: [{ type: 'int' }, { type: 'Boolean' }] },
      type: { type: 'HashMap', enum: [{ type: 'str' }] },
    },
  }
  const converted = {
    type: 'object',
    properties: {
      a: { type: 'string', default: { type: 'str' } },
      b: { type: 'array', items: { type: 'number' } },
      c: {},
      d: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
      type: { type: 'object', enum: [{ type: 'str' }] },
    },
  }
  expect(withJsonTypes(schema)).toEqual(converted)
  expect(checkInputSchema(withJsonTypes(schema))).toEqual({ schema: converted })
})

test('other names stay wrong, and a deep or endless schema ends', () => {
  expect(withJsonTypes({ type: 'strin', properties: { a: { type: 'constructor' } } })).toEqual({
    type: 'strin',
    properties: { a: { type: 'constructor' } },
  })
  const loop: Record<string, unknown> = { type: 'dict' }
  loop['items'] = loop
  expect(withJsonTypes(loop)).toMatchObject({ type: 'object' })
})

test('a plugin tool keeps its place, a server is held to the standard', () => {
  const parameters = { type: 'object', properties: { n: { type: 'float' } } }
  const { tools } = inventoryOf({
    plugins: {
      p: [
        { name: 'own', parameters },
        { name: 'worse', parameters: { type: 'object', properties: { n: { type: 'flote' } } } },
      ],
    },
    mcp: { m: [{ name: 'theirs', inputSchema: parameters }] },
  })
  const of = (name: string) => tools.find((tool) => tool.name === name)
  expect(of('own')).toMatchObject({ parameters: { properties: { n: { type: 'number' } } } })
  expect(of('own')).not.toHaveProperty('defect')
  expect(of('worse')).toMatchObject({ defect: { step: 'schema' } })
  expect(of('m__theirs')).toMatchObject({ defect: { step: 'schema' } })
})
