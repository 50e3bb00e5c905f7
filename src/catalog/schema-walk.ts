import { isNameList, isPattern, keywords } from './schema-keywords.ts'
import { isRecord } from './source.ts'

/** Bounds of an input schema (ruling 16). */
export const largestSchemaBytes = 256 * 1024
const deepestSchema = 64

/** A schema that is an object. */
export type SchemaNode = Readonly<Record<string, unknown>>

/** A reference with the schema and the schema resource it stands in. */
export interface SchemaReference {
  readonly target: string
  readonly from: SchemaNode
  readonly resource: SchemaNode
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
  #problem: string | null = null
  /** Where the problem is, innermost key first; written on the way out, so that a good schema pays nothing for it. */
  #place: (string | number)[] | null = null

  constructor(index: SchemaIndex | null = null) {
    this.#index = index
  }

  /** The first thing that is wrong with the schema, with its place in it, or null. */
  run(schema: SchemaNode, resource: SchemaNode = schema): string | null {
    this.#problem = null
    this.#place = null
    this.size = 0
    this.#schema(schema, resource, 1)
    return (this.#place ?? []).length === 0
      ? this.#problem
      : `${this.#problem} (at ${pointerOf(this.#place ?? [])})`
  }

  #fail(reason: string): void {
    this.#problem = reason
    this.#place = []
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
      this.#keyword(value, key, item, resource, depth + 1)
      if (this.#problem !== null) return void this.#place?.push(key)
    }
  }

  #keyword(from: SchemaNode, key: string, value: unknown, resource: SchemaNode, depth: number): void {
    const keyword = keywords.get(key)
    if (keyword === undefined) return this.#data(value, depth)
    switch (keyword.kind) {
      case 'value':
        if (!keyword.shape(value)) return this.#fail(`${doesNotCompile}: ${key} must be ${keyword.expected}`)
        if (key === '$ref' || key === '$dynamicRef') {
          this.references.push({ target: String(value), from, resource })
        }
        return this.#data(value, depth)
      case 'schema':
        return this.#schema(value, resource, depth)
      case 'schemas':
        return this.#schemas(key, value, resource, depth)
      case 'schema-or-schemas':
        if (Array.isArray(value)) return this.#schemas(key, value, resource, depth)
        return this.#schema(value, resource, depth)
      default:
        return this.#map(keyword.kind, key, value, resource, depth)
    }
  }

  #schemas(key: string, value: unknown, resource: SchemaNode, depth: number): void {
    if (!Array.isArray(value) || value.length === 0) {
      return this.#fail(`${doesNotCompile}: ${key} must be a list of schemas`)
    }
    for (let index = 0; index < value.length && this.#fits(1, depth); index++) {
      this.#schema(value[index], resource, depth + 1)
      if (this.#problem !== null) return void this.#place?.push(index)
    }
  }

  #map(
    kind: 'schema-map' | 'pattern-map' | 'dependencies',
    key: string,
    value: unknown,
    resource: SchemaNode,
    depth: number,
  ): void {
    if (!isRecord(value)) return this.#fail(`${doesNotCompile}: ${key} must be an object of schemas`)
    for (const name of Object.keys(value)) {
      if (!this.#fits(name.length + 3, depth)) return
      const item = value[name]
      if (kind === 'pattern-map' && !isPattern(name)) {
        this.#fail(`${doesNotCompile}: the name is not a regular expression`)
      } else if (kind === 'dependencies' && isNameList(item)) this.#data(item, depth + 1)
      else this.#schema(item, resource, depth + 1)
      if (this.#problem !== null) return void this.#place?.push(name)
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

function pointerOf(place: readonly (string | number)[]): string {
  const pointer = place
    .toReversed()
    .map((key) => `/${key}`)
    .join('')
  return pointer.length > 80 ? `${pointer.slice(0, 79)}…` : pointer
}
