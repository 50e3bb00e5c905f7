import { describe, expect, test } from 'vitest'
import type { Tool } from '../../../src/catalog/types.ts'
import { inputHint, outputHint } from '../../../src/tool-search/hints.ts'

const tool = (schemas: Partial<Tool>): Tool => ({
  name: 't',
  label: 't',
  description: '',
  source: 'plugin',
  pluginId: 'p',
  ...schemas,
})
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more })
const closed = (properties: object, more: object = {}): object =>
  object(properties, { additionalProperties: false, ...more })
const input = (schema: unknown, edition: '2026.7' | '2026.9' = '2026.7'): string =>
  inputHint(tool({ parameters: schema as NonNullable<Tool['parameters']> }), edition)
const output = (schema: unknown, edition: '2026.7' | '2026.9' = '2026.7'): string | undefined =>
  outputHint(tool({ outputSchema: schema as NonNullable<Tool['outputSchema']> }), edition)
const a = (schema: unknown): object => object({ a: schema }, { required: ['a'] })

describe('input', () => {
  test.each([
    [
      'required before optional, both in order',
      object({ z: { type: 'string' }, B: { type: 'boolean' }, a: { type: 'null' } }, { required: ['z'] }),
      '{ z: string; a?: null; B?: boolean }',
    ],
    [
      'underscores first',
      object({ ab: {}, a_b: {}, a1: {} }),
      '{ a_b?: unknown; a1?: unknown; ab?: unknown }',
    ],
    ['integers', a({ type: 'integer', minimum: 1 }), '{ a: number }'],
    ['arrays', a({ type: 'array', items: { type: 'string' } }), '{ a: Array<string> }'],
    ['arrays of anything', a({ type: 'array' }), '{ a: Array<unknown> }'],
    ['a constant', a({ const: 'x' }), '{ a: "x" }'],
    ['an enum without repeats', a({ enum: ['x', 1, null, true, 'x'] }), '{ a: "x" | 1 | null | true }'],
    ['eight values', a({ enum: [1, 2, 3, 4, 5, 6, 7, 8] }), '{ a: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 }'],
    ['nine values', a({ type: 'integer', enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] }), '{ a: number }'],
    ['long values', a({ type: 'string', enum: ['x'.repeat(60), 'y'.repeat(60)] }), '{ a: string }'],
    ['values that are objects', a({ enum: [{}] }), '{ a: unknown }'],
    ['several types', a({ type: ['string', 'null'] }), '{ a: string | null }'],
    ['nullable', a({ type: 'string', nullable: true }), '{ a: string | null }'],
    [
      'a union',
      a({ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'integer' }] }),
      '{ a: string | number }',
    ],
    [
      'four members',
      a({ oneOf: [{ const: 1 }, { const: 2 }, { const: 3 }, { const: 4 }] }),
      '{ a: 1 | 2 | 3 | 4 }',
    ],
    [
      'five members',
      a({ oneOf: [{ const: 1 }, { const: 2 }, { const: 3 }, { const: 4 }, { const: 5 }] }),
      '{ a: unknown }',
    ],
    [
      'a union beside a type',
      a({ type: 'string', anyOf: [{ minLength: 1 }, { maxLength: 2 }] }),
      '{ a: string }',
    ],
    ['two unions', a({ anyOf: [{ type: 'string' }], oneOf: [{ type: 'string' }] }), '{ a: unknown }'],
    ['anything', a({}), '{ a: unknown }'],
    ['nothing', a(false), '{ a: never }'],
    ['a reference', a({ $ref: '#/$defs/x' }), '{ a: unknown }'],
    [
      'nested',
      a(closed({ b: { type: 'array', items: a({ type: 'string' }) } })),
      '{ a: { b?: Array<{ a: string }> } }',
    ],
    [
      'odd keys',
      object({ 'a b': {}, größe: {}, '1': {} }),
      '{ "1"?: unknown; "a b"?: unknown; größe?: unknown }',
    ],
    ['more allowed', object({ a: {} }, { additionalProperties: true }), '{ a?: unknown; ... }'],
    [
      'more allowed by schema',
      object({ a: {} }, { additionalProperties: { type: 'string' } }),
      '{ a?: unknown; ... }',
    ],
    ['required and undescribed', object({ a: {} }, { required: ['a', 'b'] }), '{ a: unknown; ... }'],
    ['no parameters', object({}), '{}'],
    ['closed and empty', { type: 'object', additionalProperties: false }, '{}'],
    ['no property list', { type: 'object', required: ['a'] }, '{ ... }'],
    ['open without a list', a({ type: 'object' }), '{ a: { ... } }'],
    ['too deep', a(a(a(a(a({ type: 'string' }))))), '{ a: { a: { a: { a: { a: unknown } } } } }'],
    ['a key of 129 characters', object({ ['k'.repeat(129)]: {}, a: {} }), '{ a?: unknown; ... }'],
    ['not a type', a({ type: 'strin' }), '{ a: unknown }'],
    ['no schema object', 7, 'unknown'],
  ])('%s', (_, schema, text) => {
    expect(input(schema)).toBe(text)
  })

  test('is bounded in properties and in characters', () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`k${String(at).padStart(2, '0')}`, {}]),
    )
    expect(input(object(many))).toBe(
      `{ ${Array.from({ length: 16 }, (_, at) => `k${String(at).padStart(2, '0')}?: unknown`).join('; ')}; ... }`,
    )
    const long = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`${'x'.repeat(40)}${at}`, {}]))
    const text = input(object(long))
    expect(text).toMatch(/^\{ .*; \.\.\. \}$/)
    expect(text.length).toBeLessThanOrEqual(300)
    expect(input({ enum: ['x'.repeat(90)] }).length).toBeLessThan(100)
  })

  test('required keys come first out of a hundred thousand', () => {
    const huge = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, {}]))
    expect(input(object(huge, { required: ['k99999'] }))).toMatch(
      /^\{ k99999: unknown; k0\?: unknown; .*; \.\.\. \}$/,
    )
  })

  test('edition 2026.9 tells the bounds of numbers and takes five members', () => {
    const count = a({ type: 'integer', minimum: 1, exclusiveMaximum: 9 })
    expect(input(count, '2026.9')).toBe('{ a: number /* integer, >= 1, < 9 */ }')
    expect(input(a({ type: 'number' }), '2026.9')).toBe('{ a: number }')
    expect(input(a({ anyOf: [1, 2, 3, 4, 5].map((value) => ({ const: value })) }), '2026.9')).toBe(
      '{ a: 1 | 2 | 3 | 4 | 5 }',
    )
  })

  test('shows no control or bidi characters', () => {
    expect(input(object({ '\u202Ekcatta': { const: '\u009Bx\u001B[31m' } }))).toBe(
      '{ "\\u{202e}kcatta"?: "\\u{9b}x\\u001b[31m" }',
    )
  })

  test('a schema that contains itself ends', () => {
    const loop: Record<string, unknown> = { type: 'object' }
    loop['properties'] = { again: loop, either: { anyOf: [loop, loop] } }
    expect(input(loop).length).toBeLessThanOrEqual(300)
  })
})

describe('output', () => {
  test.each([
    ['a closed object', closed({ id: { type: 'string' } }, { required: ['id'] }), '{ id: string }'],
    ['a list', { type: 'array', items: { type: 'number' } }, 'Array<number>'],
    ['anything', {}, 'unknown'],
    ['an open object', object({ id: { type: 'string' } }), undefined],
    ['an open object inside', closed({ a: object({}) }), undefined],
    ['a reference', closed({ a: { $ref: '#' } }), undefined],
    ['a conditional', { type: 'string', if: {}, else: {} }, undefined],
    ['a tuple', { type: 'array', prefixItems: [{}] }, undefined],
    ['an undescribed required key', closed({}, { required: ['a'] }), undefined],
    ['too many members', { anyOf: [1, 2, 3, 4, 5].map((value) => ({ const: value })) }, undefined],
    ['a long key', closed({ ['k'.repeat(129)]: {} }), undefined],
    ['no schema', 'text', undefined],
  ])('%s', (_, schema, text) => {
    expect(output(schema)).toBe(text)
  })

  test('20 properties are told, 21 are not; edition 2026.9 tells 22', () => {
    const wide = (count: number): object =>
      closed(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, { type: 'null' }])))
    expect([20, 21].map((count) => output(wide(count)) !== undefined)).toEqual([true, false])
    expect([22, 23].map((count) => output(wide(count), '2026.9') !== undefined)).toEqual([true, false])
  })

  test('a text beyond the limit is left out', () => {
    const long = (count: number): object =>
      closed(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${'k'.repeat(60)}${at}`, {}])))
    expect(output(long(11))?.length).toBeLessThanOrEqual(850)
    expect(output(long(12))).toBeUndefined()
  })
})

describe('strangers', () => {
  const trap: Readonly<Record<string, unknown>> = new Proxy(
    {},
    {
      get: () => {
        throw new Error('read')
      },
      ownKeys: () => {
        throw new Error('listed')
      },
      has: () => {
        throw new Error('asked')
      },
      getOwnPropertyDescriptor: () => {
        throw new Error('described')
      },
    },
  )

  test.each(['mcp', 'client'] as const)('schemas of %s tools are never walked', (source) => {
    const strange = { ...tool({ parameters: trap, outputSchema: trap }), source }
    expect(inputHint(strange, '2026.7')).toBe('unknown')
    expect(outputHint(strange, '2026.9')).toBeUndefined()
  })

  test('the members of an oversized union are not looked at', () => {
    const members = new Proxy(Array.from({ length: 1_000_000 }), {
      get: (list, key) => {
        if (key === 'length' || key === Symbol.toStringTag) return Reflect.get(list, key)
        throw new Error(`read ${String(key)}`)
      },
    })
    expect(input(a({ anyOf: members }))).toBe('{ a: unknown }')
    expect(input(a({ enum: members }))).toBe('{ a: unknown }')
    expect(input(a({ type: members }))).toBe('{ a: unknown }')
  })
})
