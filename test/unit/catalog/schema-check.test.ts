import { describe, expect, test } from 'vitest'
import { checkInputSchema } from '../../../src/catalog/schema-check.ts'

const verdict = (schema: unknown): string => {
  const found = checkInputSchema(schema)
  return 'problem' in found ? found.problem : 'ok'
}
const of = (property: unknown): object => ({ type: 'object', properties: { a: property } })

function nested(levels: number, wrap: (inner: object) => object): object {
  let schema: object = {}
  for (let level = 0; level < levels; level++) schema = wrap(schema)
  return schema
}

describe('accepted', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty object', {}],
    ['no type', { properties: { q: { type: 'string' } } }],
    ['a type list with object', { type: ['object', 'null'] }],
    [
      'only alternatives',
      {
        oneOf: [{ type: 'object' }, { properties: {} }, { $ref: '#/$defs/x' }],
        $defs: { x: { type: 'object' } },
      },
    ],
    ['a root reference', { $ref: '#/definitions/In', definitions: { In: { type: 'object' } } }],
    ['a tree', of({ type: 'array', items: { $ref: '#/properties/a' } })],
    ['a schema that contains itself', of({ $ref: '#' })],
    ['an anchor', { ...of({ $ref: '#point' }), $defs: { p: { $anchor: 'point' } } }],
    ['an old anchor', { ...of({ $ref: '#point' }), definitions: { p: { $id: '#point' } } }],
    [
      'a resource of its own',
      {
        ...of({ $ref: 'https://x.test/p#/$defs/q' }),
        $defs: { p: { $id: 'https://x.test/p', $defs: { q: {} } } },
      },
    ],
    ['a pointer with escapes', { ...of({ $ref: '#/$defs/a~1b%20c~0d' }), $defs: { 'a/b c~d': {} } }],
    [
      'a reference into an unknown keyword',
      { ...of({ $ref: '#/shapes/x' }), shapes: { x: { type: 'string' } } },
    ],
    [
      'a property called $ref',
      of({ properties: { $ref: { type: 'string' }, type: { type: 'string' }, required: {} } }),
    ],
    [
      'a $ref inside values',
      of({ enum: [{ $ref: 'https://x.test' }], default: { $ref: 'y' }, const: { type: 'nope' } }),
    ],
    [
      'old and new words',
      of({ items: [{ type: 'string' }], additionalItems: false, dependencies: { a: ['b'], c: {} } }),
    ],
    ['a format nobody knows', of({ type: 'string', format: 'iban' })],
    ['careless annotations', of({ title: 5, examples: 'x', readOnly: 'no', description: null })],
    ['a pattern with needless escapes', of({ type: 'string', pattern: '^[\\w\\-]+\\@$' })],
    ['undefined keywords', of({ type: 'string', minLength: undefined })],
    ['63 levels', nested(31, (inner) => ({ properties: { a: inner } }))],
    ['200 KiB', of({ description: 'x'.repeat(200 * 1024) })],
  ])('%s', (_name, schema) => {
    expect(verdict(schema)).toBe('ok')
  })
})

describe('quarantined', () => {
  const bad: readonly [string, unknown][] = [
    ['null', null],
    ['a text', 'object'],
    ['a list', []],
    ['true', true],
    ['a schema of texts', { type: 'string' }],
    ['a schema of lists or numbers', { type: ['array', 'number'] }],
    ['alternatives that are no objects', { anyOf: [{ type: 'object' }, { type: 'string' }] }],
    ['alternatives by reference', { oneOf: [{ $ref: '#/$defs/x' }], $defs: { x: { type: 'string' } } }],
    ['an unknown type', of({ type: 'strin' })],
    ['no type in the list', of({ type: [] })],
    ['a type twice', of({ type: ['string', 'string'] })],
    ['required as a flag', of({ required: true })],
    ['properties as a list', { type: 'object', properties: ['a'] }],
    ['a property that is no schema', of('string')],
    ['no alternatives', of({ anyOf: [] })],
    ['an alternative that is no schema', of({ oneOf: [{}, null] })],
    ['an empty enum', of({ enum: [] })],
    ['a negative length', of({ minLength: -1 })],
    ['an old exclusive bound', of({ exclusiveMinimum: true })],
    ['a step of zero', of({ multipleOf: 0 })],
    ['a broken pattern', of({ pattern: '(' })],
    ['a broken property pattern', { type: 'object', patternProperties: { '[': {} } }],
    ['a dependency that is neither', of({ dependencies: { a: 5 } })],
    ['an external reference', of({ $ref: 'https://x.test/s.json' })],
    ['a file reference', of({ $ref: './s.json#/a' })],
    ['an external dynamic reference', of({ $dynamicRef: 'https://x.test/s.json' })],
    ['a reference that leads nowhere', of({ $ref: '#/$defs/none' })],
    ['an anchor that is not there', of({ $ref: '#none' })],
    [
      'a reference to what is no schema',
      { ...of({ $ref: '#/$defs/x/type' }), $defs: { x: { type: 'string' } } },
    ],
    ['a schema that is itself', { $ref: '#' }],
    [
      'references in a circle',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    ['a circle through alternatives', of({ anyOf: [{ type: 'null' }, { not: { $ref: '#/properties/a' } }] })],
    ['a reference into what is broken', { ...of({ $ref: '#/shapes/x' }), shapes: { x: { type: 'nope' } } }],
    ['65 levels', nested(32, (inner) => ({ properties: { a: inner } }))],
    ['10,000 levels', nested(10_000, (inner) => ({ items: inner }))],
    ['65 levels of values', of({ default: nested(63, (inner) => ({ a: inner })) })],
    ['more than 256 KiB', of({ description: 'x'.repeat(256 * 1024) })],
    ['more than 256 KiB in bytes only', of({ description: 'ü'.repeat(140 * 1024) })],
    ['more than 256 KiB when escaped', of({ description: '\u0001'.repeat(50 * 1024) })],
  ]

  test('each with its reason', () => {
    expect(bad.map(([name, schema]) => `${name}: ${verdict(schema)}`).join('\n')).toMatchInlineSnapshot(`
      "null: its input schema is not an object
      a text: its input schema is not an object
      a list: its input schema is not an object
      true: its input schema is not an object
      a schema of texts: its input schema does not describe an object
      a schema of lists or numbers: its input schema does not describe an object
      alternatives that are no objects: its input schema does not describe an object
      alternatives by reference: its input schema does not describe an object
      an unknown type: its input schema does not compile: type must be a JSON type or a list of them (at /properties/a/type)
      no type in the list: its input schema does not compile: type must be a JSON type or a list of them (at /properties/a/type)
      a type twice: its input schema does not compile: type must be a JSON type or a list of them (at /properties/a/type)
      required as a flag: its input schema does not compile: required must be a list of different strings (at /properties/a/required)
      properties as a list: its input schema does not compile: properties must be an object of schemas (at /properties)
      a property that is no schema: its input schema does not compile: a schema must be an object, true or false (at /properties/a)
      no alternatives: its input schema does not compile: anyOf must be a list of schemas (at /properties/a/anyOf)
      an alternative that is no schema: its input schema does not compile: a schema must be an object, true or false (at /properties/a/oneOf/1)
      an empty enum: its input schema does not compile: enum must be a list with at least one value (at /properties/a/enum)
      a negative length: its input schema does not compile: minLength must be a whole number from 0 (at /properties/a/minLength)
      an old exclusive bound: its input schema does not compile: exclusiveMinimum must be a number (at /properties/a/exclusiveMinimum)
      a step of zero: its input schema does not compile: multipleOf must be a number above 0 (at /properties/a/multipleOf)
      a broken pattern: its input schema does not compile: pattern must be a regular expression (at /properties/a/pattern)
      a broken property pattern: its input schema does not compile: the name is not a regular expression (at /patternProperties/[)
      a dependency that is neither: its input schema does not compile: a schema must be an object, true or false (at /properties/a/dependencies/a)
      an external reference: its input schema has an external $ref: https://x.test/s.json
      a file reference: its input schema has an external $ref: ./s.json#/a
      an external dynamic reference: its input schema has an external $ref: https://x.test/s.json
      a reference that leads nowhere: its input schema does not compile: $ref leads nowhere: #/$defs/none
      an anchor that is not there: its input schema does not compile: $ref leads nowhere: #none
      a reference to what is no schema: its input schema does not compile: $ref leads nowhere: #/$defs/x/type
      a schema that is itself: its input schema does not compile: its references form a circle
      references in a circle: its input schema does not compile: its references form a circle
      a circle through alternatives: its input schema does not compile: its references form a circle
      a reference into what is broken: its input schema does not compile: type must be a JSON type or a list of them (at /type) in #/shapes/x
      65 levels: its input schema is nested deeper than 64 levels
      10,000 levels: its input schema is nested deeper than 64 levels
      65 levels of values: its input schema is nested deeper than 64 levels
      more than 256 KiB: its input schema is larger than 256 KiB
      more than 256 KiB in bytes only: its input schema is larger than 256 KiB
      more than 256 KiB when escaped: its input schema is larger than 256 KiB"
    `)
  })

  test('a schema that contains itself as a value', () => {
    const loop: Record<string, unknown> = { type: 'object' }
    loop['properties'] = { a: loop }
    expect(verdict(loop)).toBe('its input schema is nested deeper than 64 levels')
  })
})

// Every definition refers to all that follow it: few schemas, very many ways through them.
const later = (index: number): object[] =>
  Array.from({ length: 59 - index }, (_, step) => ({ $ref: `#/$defs/d${index + step + 1}` }))

test('the work is bounded for schemas that share parts or name one place in many ways', () => {
  let shared: object = { type: 'string' }
  for (let level = 0; level < 60; level++) shared = { anyOf: [shared, shared] }
  expect(verdict(of(shared))).toMatch(/larger than|deeper than/)

  const spellings = Array.from({ length: 4000 }, (_, index) => ({
    $ref: `#/x/%61${'/b'.repeat(index % 20)}`,
  }))
  let deep: object = { type: 'string' }
  for (let level = 0; level < 20; level++) deep = { b: deep, note: 'n'.repeat(500) }
  expect(verdict({ type: 'object', allOf: spellings, x: { a: deep } })).toBe('ok')

  const cross = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`d${index}`, { type: 'object', allOf: [{}, ...later(index)] }]),
  )
  expect(verdict({ $ref: '#/$defs/d0', $defs: cross })).toBe('ok')
})

test('the given schema is not changed', () => {
  const schema = Object.freeze({ properties: Object.freeze({}) })
  expect(checkInputSchema(schema)).toEqual({ schema: { type: 'object', properties: {} } })
})
