import { isRecord } from './source.ts'

/** Bounds of an input schema (ruling 16). */
export const largestSchemaBytes = 256 * 1024
export const deepestSchema = 64

/** A schema that is an object. */
export type SchemaNode = Readonly<Record<string, unknown>>

/** A reference with the schema and the schema resource it stands in. */
export interface SchemaReference {
  readonly target: string
  readonly from: SchemaNode
  readonly resource: SchemaNode
}

type Shape = (value: unknown) => boolean

const text: Shape = (value) => typeof value === 'string'
const flag: Shape = (value) => typeof value === 'boolean'
const number: Shape = (value) => typeof value === 'number' && Number.isFinite(value)
const positive: Shape = (value) => typeof value === 'number' && value > 0 && Number.isFinite(value)
const count: Shape = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0
const names: Shape = (value) =>
  Array.isArray(value) && value.every(text) && new Set(value).size === value.length
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

/** Keywords whose value is no schema, with what it must be. Annotations are missing on purpose: a wrong `title` harms no call. */
const values: ReadonlyMap<string, readonly [Shape, string]> = new Map(
  Object.entries<readonly [Shape, string]>({
    type: [types, 'a JSON type or a list of them'],
    required: [names, 'a list of different strings'],
    dependentRequired: [
      (value) => isRecord(value) && Object.values(value).every(names),
      'lists of strings by name',
    ],
    enum: [(value) => Array.isArray(value) && value.length > 0, 'a list with at least one value'],
    minimum: [number, 'a number'],
    maximum: [number, 'a number'],
    exclusiveMinimum: [number, 'a number'],
    exclusiveMaximum: [number, 'a number'],
    multipleOf: [positive, 'a number above 0'],
    minLength: [count, 'a whole number from 0'],
    maxLength: [count, 'a whole number from 0'],
    minItems: [count, 'a whole number from 0'],
    maxItems: [count, 'a whole number from 0'],
    minContains: [count, 'a whole number from 0'],
    maxContains: [count, 'a whole number from 0'],
    minProperties: [count, 'a whole number from 0'],
    maxProperties: [count, 'a whole number from 0'],
    uniqueItems: [flag, 'true or false'],
    pattern: [(value) => typeof value === 'string' && isPattern(value), 'a regular expression'],
    format: [text, 'a string'],
    $id: [text, 'a string'],
    $anchor: [text, 'a string'],
    $dynamicAnchor: [text, 'a string'],
    $ref: [text, 'a string'],
    $dynamicRef: [text, 'a string'],
  }),
)

type Content =
  | 'schema'
  | 'schemas'
  | 'schema-or-schemas'
  | 'schema-map'
  | 'pattern-map'
  | 'schema-or-names-map'
  | 'data'

const contents: ReadonlyMap<string, Content> = new Map([
  ...withContent('schema', [
    'additionalItems',
    'additionalProperties',
    'contains',
    'contentSchema',
    'else',
    'if',
    'not',
    'propertyNames',
    'then',
    'unevaluatedItems',
    'unevaluatedProperties',
  ]),
  ...withContent('schema-or-schemas', ['items']),
  ...withContent('schemas', ['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  ...withContent('schema-map', ['$defs', 'definitions', 'dependentSchemas', 'properties']),
  ...withContent('pattern-map', ['patternProperties']),
  ...withContent('schema-or-names-map', ['dependencies']),
])

function withContent(content: Content, keywords: readonly string[]): [string, Content][] {
  return keywords.map((keyword) => [keyword, content])
}

function allDifferent(items: readonly unknown[]): boolean {
  return items.length < 2 || new Set(items).size === items.length
}

function isPattern(source: string): boolean {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags) instanceof RegExp
    } catch {
      // Many servers escape characters that the `u` flag does not let them escape; the second try is for those.
    }
  }
  return false
}

/** Where the references of a schema can lead: schemas seen as such, resources by `$id`, and each resource's anchors. */
export class SchemaIndex {
  readonly visited = new Set<SchemaNode>()
  readonly resources = new Map<string, SchemaNode>()
  readonly anchors = new Map<SchemaNode, Map<string, SchemaNode>>()

  add(schema: SchemaNode, resource: SchemaNode): void {
    this.visited.add(schema)
    const { $id, $anchor, $dynamicAnchor } = schema
    if (schema === resource && typeof $id === 'string') this.resources.set($id.replace(/#$/, ''), schema)
    const plainId = typeof $id === 'string' && $id.startsWith('#') ? $id.slice(1) : undefined
    for (const name of [$anchor, $dynamicAnchor, plainId]) {
      if (typeof name === 'string') this.#anchorsOf(resource).set(name, schema)
    }
  }

  #anchorsOf(resource: SchemaNode): Map<string, SchemaNode> {
    const known = this.anchors.get(resource)
    if (known !== undefined) return known
    const fresh = new Map<string, SchemaNode>()
    this.anchors.set(resource, fresh)
    return fresh
  }
}

const doesNotCompile = 'its input schema does not compile'

/** Walks a schema once: measures it, checks what every keyword needs, collects references. Work and depth are bounded whatever the input. */
export class SchemaWalk {
  readonly references: SchemaReference[] = []
  /** Size in characters of JSON, a little below the truth. */
  size = 0
  readonly #index: SchemaIndex | null
  readonly #path: (string | number)[] = []
  #problem: string | null = null

  constructor(index: SchemaIndex | null = null) {
    this.#index = index
  }

  /** The first thing that is wrong with the schema, with its place in it, or null. */
  run(schema: SchemaNode, resource: SchemaNode = schema): string | null {
    this.#problem = null
    this.size = 0
    this.#path.length = 0
    this.#schema(schema, resource, 1)
    return this.#problem
  }

  #fail(reason: string): void {
    this.#problem ??= this.#path.length === 0 ? reason : `${reason} (at ${placeOf(this.#path)})`
  }

  /** Whether there is room for a value of this size and depth. */
  #fits(size: number, depth: number): boolean {
    this.size += size
    if (this.size > largestSchemaBytes) {
      this.#problem ??= `its input schema is larger than ${largestSchemaBytes / 1024} KiB`
    } else if (depth > deepestSchema) {
      this.#problem ??= `its input schema is nested deeper than ${deepestSchema} levels`
    }
    return this.#problem === null
  }

  #schema(value: unknown, outer: SchemaNode, depth: number): void {
    if (typeof value === 'boolean') return void this.#fits(4, 0)
    if (!isRecord(value)) return this.#fail(`${doesNotCompile}: a schema must be an object, true or false`)
    if (!this.#fits(1, depth) || this.#index?.visited.has(value) === true) return
    const id = value['$id']
    const resource = typeof id === 'string' && !id.startsWith('#') ? value : outer
    this.#index?.add(value, resource)
    for (const key of Object.keys(value)) {
      const item = value[key]
      if (item === undefined) continue
      if (!this.#fits(key.length + 3, 0)) return
      this.#path.push(key)
      this.#keyword(value, key, item, resource, depth + 1)
      this.#path.pop()
    }
  }

  #keyword(from: SchemaNode, key: string, value: unknown, resource: SchemaNode, depth: number): void {
    const known = values.get(key)
    if (known !== undefined) {
      const [shape, expected] = known
      if (!shape(value)) return this.#fail(`${doesNotCompile}: ${key} must be ${expected}`)
      if (key === '$ref' || key === '$dynamicRef')
        this.references.push({ target: String(value), from, resource })
      return this.#data(value, depth)
    }
    const content = contents.get(key)
    if (content === undefined) return this.#data(value, depth)
    if (content === 'schema' || (content === 'schema-or-schemas' && !Array.isArray(value))) {
      return this.#schema(value, resource, depth)
    }
    if (content === 'schemas' || content === 'schema-or-schemas') {
      return this.#schemas(key, value, resource, depth)
    }
    this.#map(content, key, value, resource, depth)
  }

  #schemas(key: string, value: unknown, resource: SchemaNode, depth: number): void {
    if (!Array.isArray(value) || value.length === 0) {
      return this.#fail(`${doesNotCompile}: ${key} must be a list of schemas`)
    }
    for (let index = 0; index < value.length && this.#fits(1, depth); index++) {
      this.#path.push(index)
      this.#schema(value[index], resource, depth + 1)
      this.#path.pop()
    }
  }

  #map(content: Content, key: string, value: unknown, resource: SchemaNode, depth: number): void {
    if (!isRecord(value)) return this.#fail(`${doesNotCompile}: ${key} must be an object of schemas`)
    for (const name of Object.keys(value)) {
      if (!this.#fits(name.length + 3, depth)) return
      const item = value[name]
      this.#path.push(name)
      if (content === 'pattern-map' && !isPattern(name)) {
        this.#fail(`${doesNotCompile}: the name is not a regular expression`)
      } else if (content === 'schema-or-names-map' && names(item)) this.#data(item, depth + 1)
      else this.#schema(item, resource, depth + 1)
      this.#path.pop()
    }
  }

  /** Values are only measured: what stands in an `enum`, a `default` or an unknown keyword is no schema. */
  #data(value: unknown, depth: number): void {
    if (typeof value === 'string') return void this.#fits(value.length + 2, 0)
    if (typeof value !== 'object' || value === null) return void this.#fits(4, 0)
    if (!this.#fits(1, depth)) return
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length && this.#fits(1, 0); index++)
        this.#data(value[index], depth + 1)
      return
    }
    for (const key of Object.keys(value)) {
      if (!this.#fits(key.length + 3, 0)) return
      this.#data(Reflect.get(value, key), depth + 1)
    }
  }
}

function placeOf(path: readonly (string | number)[]): string {
  const pointer = path.map((segment) => `/${segment}`).join('')
  return pointer.length > 80 ? `${pointer.slice(0, 79)}…` : pointer
}
