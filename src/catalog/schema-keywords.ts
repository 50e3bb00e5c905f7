import { isRecord } from './source.ts'

type Shape = (value: unknown) => boolean

/** What stands behind a keyword: a value of some shape, or schemas. */
export type Keyword =
  | { readonly kind: 'value'; readonly shape: Shape; readonly expected: string }
  | {
      readonly kind:
        | 'schema'
        | 'schemas'
        | 'schema-or-schemas'
        | 'schema-map'
        | 'pattern-map'
        | 'dependencies'
    }

const text: Shape = (value) => typeof value === 'string'
const flag: Shape = (value) => typeof value === 'boolean'
const number: Shape = (value) => typeof value === 'number' && Number.isFinite(value)
const positive: Shape = (value) => typeof value === 'number' && value > 0 && Number.isFinite(value)
const count: Shape = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0
const typeNames: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
])
const types: Shape = (value) =>
  Array.isArray(value)
    ? value.length > 0 && value.every((item) => typeNames.has(item)) && allDifferent(value)
    : typeNames.has(value)

/** Whether a value is a list of different strings. */
export function isNameList(value: unknown): boolean {
  return Array.isArray(value) && value.every(text) && allDifferent(value)
}

function allDifferent(items: readonly unknown[]): boolean {
  return items.length < 2 || new Set(items).size === items.length
}

/** Whether a text is a regular expression, with the `u` flag or, as many servers write them, without. */
export function isPattern(source: string): boolean {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags) instanceof RegExp
    } catch {
      // The next flags may take it: `u` refuses escapes that mean nothing.
    }
  }
  return false
}

const value = (shape: Shape, expected: string): Keyword => ({ kind: 'value', shape, expected })
const aNumber = value(number, 'a number')
const aCount = value(count, 'a whole number from 0')
const aText = value(text, 'a string')
const aSchema: Keyword = { kind: 'schema' }
const aList: Keyword = { kind: 'schemas' }
const aMap: Keyword = { kind: 'schema-map' }

/** Keywords of JSON Schema drafts 6 to 2020-12 whose value can be wrong. Annotations are missing on purpose: a wrong `title` harms no call. */
export const keywords: ReadonlyMap<string, Keyword> = new Map([
  ['type', value(types, 'a JSON type or a list of them')],
  ['required', value(isNameList, 'a list of different strings')],
  [
    'dependentRequired',
    value((item) => isRecord(item) && Object.values(item).every(isNameList), 'lists of strings by name'),
  ],
  ['enum', value((item) => Array.isArray(item) && item.length > 0, 'a list with at least one value')],
  ['minimum', aNumber],
  ['maximum', aNumber],
  ['exclusiveMinimum', aNumber],
  ['exclusiveMaximum', aNumber],
  ['multipleOf', value(positive, 'a number above 0')],
  ['minLength', aCount],
  ['maxLength', aCount],
  ['minItems', aCount],
  ['maxItems', aCount],
  ['minContains', aCount],
  ['maxContains', aCount],
  ['minProperties', aCount],
  ['maxProperties', aCount],
  ['uniqueItems', value(flag, 'true or false')],
  ['pattern', value((item) => typeof item === 'string' && isPattern(item), 'a regular expression')],
  ['format', aText],
  ['$id', aText],
  ['$anchor', aText],
  ['$dynamicAnchor', aText],
  ['$ref', aText],
  ['$dynamicRef', aText],
  ['additionalItems', aSchema],
  ['additionalProperties', aSchema],
  ['contains', aSchema],
  ['contentSchema', aSchema],
  ['else', aSchema],
  ['if', aSchema],
  ['not', aSchema],
  ['propertyNames', aSchema],
  ['then', aSchema],
  ['unevaluatedItems', aSchema],
  ['unevaluatedProperties', aSchema],
  ['items', { kind: 'schema-or-schemas' }],
  ['allOf', aList],
  ['anyOf', aList],
  ['oneOf', aList],
  ['prefixItems', aList],
  ['$defs', aMap],
  ['definitions', aMap],
  ['dependentSchemas', aMap],
  ['properties', aMap],
  ['patternProperties', { kind: 'pattern-map' }],
  ['dependencies', { kind: 'dependencies' }],
])
