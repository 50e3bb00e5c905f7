import { keywords } from './schema-keywords.ts'
import { isRecord } from './source.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * Types as Python, Java and Google's function declarations name them. Tools written by hand often carry them; each has one JSON type it
 * can mean, so the tool need not be lost. `any` is no type in JSON Schema: it leaves the value free.
 */
const jsonTypes: Readonly<Record<string, string | null>> = {
  any: null,
  arraylist: 'array',
  bool: 'boolean',
  dict: 'object',
  double: 'number',
  float: 'number',
  hashmap: 'object',
  int: 'integer',
  list: 'array',
  long: 'integer',
  map: 'object',
  set: 'array',
  str: 'string',
  tuple: 'array',
  array: 'array',
  boolean: 'boolean',
  integer: 'integer',
  null: 'null',
  number: 'number',
  object: 'object',
  string: 'string',
}

const deepest = 64
const mostSchemas = 20_000

/** The same schema with foreign type names replaced by the JSON types they mean; unknown names stay, so that the check still finds them. */
export function withJsonTypes(schema: Schema): Schema {
  let room = mostSchemas
  const convert = (value: unknown, depth: number): unknown => {
    if (!isRecord(value) || depth > deepest || room === 0) return value
    room -= 1
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
        if (key === 'type' && typeof item === 'string') {
          const name = item.toLowerCase()
          const type = Object.hasOwn(jsonTypes, name) ? jsonTypes[name] : item
          return type === null ? [] : [[key, type]]
        }
        return [[key, within(keywords.get(key)?.kind, item, depth + 1)]]
      }),
    )
  }
  const within = (kind: string | undefined, item: unknown, depth: number): unknown => {
    if (kind === undefined || kind === 'value') return item
    if (Array.isArray(item)) return item.map((member: unknown) => convert(member, depth))
    const isMap = kind === 'schema-map' || kind === 'pattern-map' || kind === 'dependencies'
    if (!isMap || !isRecord(item)) return convert(item, depth)
    return Object.fromEntries(Object.entries(item).map(([name, member]) => [name, convert(member, depth)]))
  }
  const converted = convert(schema, 0)
  return isRecord(converted) ? converted : schema
}
