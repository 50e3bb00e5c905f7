import { isRecord } from '../catalog/source.ts'

/** Bounds of the text of one schema. */
export interface TextLimits {
  readonly chars: number
  /** Properties of one object. */
  readonly properties: number
  /** Levels below the root. */
  readonly depth: number
  /** Members of one union. */
  readonly members: number
  /** Whether bounds of numbers are told in comments. */
  readonly constraints: boolean
}

/** A type in words; `complete` is false where the schema says more than the text. */
export interface TypeText {
  readonly text: string
  readonly complete: boolean
}

const longestKey = 128
const mostValues = 8
const longestValues = 96

/** Keywords which a type cannot express. */
const untold = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'patternProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependentSchemas',
  'dependencies',
  'if',
  'then',
  'else',
  'prefixItems',
] as const
/** Keywords that give a schema a shape of its own beside a union. */
const shapes = ['type', 'properties', 'items', 'enum', 'const', 'required', 'additionalProperties'] as const

const anything: TypeText = { text: 'unknown', complete: true }
const untellable: TypeText = { text: 'unknown', complete: false }
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

type Schema = Readonly<Record<string, unknown>>

/** Writes JSON Schemas as TypeScript-like types, within bounds in time and length whatever the schema (tool search facts §1.7). */
export class SchemaText {
  readonly #limits: TextLimits

  constructor(limits: TextLimits) {
    this.#limits = limits
  }

  write(schema: unknown): TypeText {
    return this.#schema(schema, 0)
  }

  #schema(schema: unknown, depth: number): TypeText {
    if (typeof schema === 'boolean') return schema ? anything : { text: 'never', complete: true }
    if (!isRecord(schema) || depth > this.#limits.depth) return untellable
    const { text, complete } = this.#shape(schema, depth)
    const told = complete && untold.every((keyword) => schema[keyword] === undefined)
    return { text: schema['nullable'] === true ? alternatives([text, 'null']) : text, complete: told }
  }

  #shape(schema: Schema, depth: number): TypeText {
    const { anyOf, oneOf, type } = schema
    const union = anyOf ?? oneOf
    if (union !== undefined) {
      const mixed = (anyOf !== undefined && oneOf !== undefined) || has(schema, shapes)
      if (!mixed) return this.#union(union, depth)
      return has(schema, shapes) ? { text: this.#own(schema, type, depth).text, complete: false } : untellable
    }
    return this.#own(schema, type, depth)
  }

  #union(members: unknown, depth: number): TypeText {
    // Counted before anything is read: the list may be as long as its author likes.
    if (!Array.isArray(members) || members.length === 0 || members.length > this.#limits.members) {
      return untellable
    }
    const texts = members.map((member: unknown) => this.#schema(member, depth + 1))
    return {
      text: alternatives(texts.map(({ text }) => text)),
      complete: texts.every(({ complete }) => complete),
    }
  }

  /** The type of a schema without its alternatives; listed values tell more than `type`, which stands in where they cannot be told. */
  #own(schema: Schema, type: unknown, depth: number): TypeText {
    const values =
      schema['const'] === undefined
        ? schema['enum']
        : Object.hasOwn(schema, 'enum')
          ? null
          : [schema['const']]
    if (values !== undefined) {
      const text = literals(values)
      return text === null
        ? { text: this.#kinds(schema, type, depth).text, complete: false }
        : { text, complete: true }
    }
    return this.#kinds(schema, type, depth)
  }

  #kinds(schema: Schema, type: unknown, depth: number): TypeText {
    if (!Array.isArray(type)) return this.#kind(schema, type, depth)
    if (type.length === 0 || type.length > this.#limits.members) return untellable
    const texts = type.map((kind: unknown) => this.#kind(schema, kind, depth))
    return {
      text: alternatives(texts.map(({ text }) => text)),
      complete: texts.every(({ complete }) => complete),
    }
  }

  #kind(schema: Schema, kind: unknown, depth: number): TypeText {
    switch (kind) {
      case 'string':
      case 'boolean':
      case 'null':
        return { text: kind, complete: true }
      case 'number':
      case 'integer':
        return { text: `number${this.#limits.constraints ? bounds(schema, kind) : ''}`, complete: true }
      case 'array':
        return this.#array(schema['items'], depth)
      case 'object':
        return this.#object(schema, depth)
      case undefined:
        if (schema['properties'] !== undefined) return this.#object(schema, depth)
        return schema['items'] === undefined ? anything : this.#array(schema['items'], depth)
      default:
        return untellable
    }
  }

  #array(items: unknown, depth: number): TypeText {
    const { text, complete } = items === undefined ? anything : this.#schema(items, depth + 1)
    return { text: `Array<${text}>`, complete }
  }

  #object(schema: Schema, depth: number): TypeText {
    const { properties, additionalProperties: more } = schema
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const closed = more === false
    if (!isRecord(properties)) {
      return closed && required.length === 0
        ? { text: '{}', complete: true }
        : { text: '{ ... }', complete: false }
    }
    const { keys, needed, omitted } = this.#keys(properties, required)
    const extra = omitted || more === true || isRecord(more) || schema['patternProperties'] !== undefined
    const list = this.#list(keys, needed, properties, extra, depth)
    return { text: list.text, complete: list.complete && closed && !extra }
  }

  /** The properties that are shown: required ones first, each group in order; a map of any size costs one look at each key. */
  #keys(
    properties: Schema,
    required: readonly unknown[],
  ): { keys: readonly string[]; needed: ReadonlySet<unknown>; omitted: boolean } {
    const needed = new Set(required)
    const most = this.#limits.properties
    const first: string[] = []
    const second: string[] = []
    let count = 0
    let found = 0
    for (const key in properties) {
      if (!Object.hasOwn(properties, key)) continue
      count += 1
      if (needed.has(key)) found += 1
      if (key.length <= longestKey) insert(needed.has(key) ? first : second, key, most)
    }
    const keys = [...first, ...second].slice(0, most)
    return { keys, needed, omitted: count > keys.length || needed.size > found }
  }

  #list(
    keys: readonly string[],
    needed: ReadonlySet<unknown>,
    properties: Schema,
    extra: boolean,
    depth: number,
  ): TypeText {
    const parts: string[] = []
    let length = '{  }'.length
    let complete = true
    let cut = extra
    for (const [at, key] of keys.entries()) {
      const type = this.#schema(properties[key], depth + 1)
      const part = `${identifier.test(key) ? key : JSON.stringify(key)}${needed.has(key) ? '' : '?'}: ${type.text}`
      const rest = extra || at + 1 < keys.length ? '; ...'.length : 0
      const next = length + part.length + (at === 0 ? 0 : '; '.length)
      if (next + rest > this.#limits.chars) {
        cut = true
        break
      }
      parts.push(part)
      length = next
      complete &&= type.complete
    }
    if (cut) parts.push('...')
    return { text: parts.length === 0 ? '{}' : `{ ${parts.join('; ')} }`, complete: complete && !cut }
  }
}

function has(schema: Schema, keywords: readonly string[]): boolean {
  return keywords.some((keyword) => schema[keyword] !== undefined)
}

/** Puts a key in its place in a sorted list and drops the last one beyond the bound. */
function insert(sorted: string[], key: string, most: number): void {
  const last = sorted.at(-1)
  if (sorted.length === most && last !== undefined && inOrder(last, key)) return
  let at = sorted.length
  while (at > 0 && !inOrder(sorted[at - 1] ?? '', key)) at -= 1
  sorted.splice(at, 0, key)
  if (sorted.length > most) sorted.pop()
}

const plainKey = /^[\w$]*$/

/** Whether two keys stand in the order of the locale; loading the collation tables would cost more than all else here, and identifiers do without. */
function inOrder(a: string, b: string): boolean {
  if (!plainKey.test(a) || !plainKey.test(b)) return a.localeCompare(b, 'en') <= 0
  const [left, right] = [sortKey(a), sortKey(b)]
  return left === right ? a >= b : left < right
}

/** Letter case last, underscores before everything else. */
function sortKey(key: string): string {
  return key.toLowerCase().replaceAll('_', ' ')
}

/** A union without repeats. */
function alternatives(texts: readonly string[]): string {
  return [...new Set(texts.flatMap((text) => (text === '' ? [] : [text])))].join(' | ')
}

/** Listed values as literals; null where they are too many, too long or no plain values. */
function literals(values: unknown): string | null {
  if (!Array.isArray(values) || values.length === 0 || values.length > mostValues) return null
  const texts = new Set<string>()
  for (const value of values) {
    if (typeof value === 'string' ? value.length > longestValues : !isPlain(value)) return null
    texts.add(JSON.stringify(value))
  }
  const text = [...texts].join(' | ')
  return text.length > longestValues ? null : text
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
}

const comparisons = [
  ['minimum', '>='],
  ['exclusiveMinimum', '>'],
  ['maximum', '<='],
  ['exclusiveMaximum', '<'],
] as const

/** What a number must be, as a comment behind its type. */
function bounds(schema: Schema, kind: 'number' | 'integer'): string {
  const said = kind === 'integer' ? ['integer'] : []
  for (const [keyword, sign] of comparisons) {
    const bound = schema[keyword]
    if (typeof bound === 'number') said.push(`${sign} ${bound}`)
  }
  return said.length === 0 ? '' : ` /* ${said.join(', ')} */`
}
