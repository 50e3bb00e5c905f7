import { expect, test } from 'vitest'
import { searchParameters } from '../../../src/tool-search/parameters.ts'

test('names, descriptions and listed values, nested ones too', () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Where' },
      unit: { enum: ['celsius', 'fahrenheit', 3] },
      stops: { type: 'array', items: { type: 'object', properties: { street: { type: 'string' } } } },
      tags: { type: 'array', items: { enum: ['a', 'b'] } },
      when: { anyOf: [{ properties: { day: {} } }, { type: 'null' }] },
    },
  }
  expect(searchParameters(schema)).toEqual([
    { name: 'city', description: 'Where' },
    { name: 'unit', values: ['celsius', 'fahrenheit'] },
    { name: 'stops' },
    { name: 'street' },
    { name: 'tags', values: ['a', 'b'] },
    { name: 'when' },
    { name: 'day' },
  ])
})

test.each([[undefined], [null], ['text'], [[]], [{ properties: 7 }], [{}]])('%j has none', (schema) => {
  expect(searchParameters(schema)).toEqual([])
})

test('a schema that contains itself or is huge is read in bounds', () => {
  const self: Record<string, unknown> = {}
  self['properties'] = { again: self }
  expect(searchParameters(self).length).toBeLessThan(10)
  const wide = { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`p${at}`, {}])) }
  expect(searchParameters(wide)).toHaveLength(64)
})
