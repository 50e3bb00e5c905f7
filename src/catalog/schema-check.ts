import { cleanLine } from '../kernel/untrusted-text.ts'
import { largestSchemaBytes, SchemaIndex, SchemaWalk, type SchemaReference } from './schema-walk.ts'
import { isRecord } from './source.ts'
import type { JsonSchema } from './types.ts'

type Node = Readonly<Record<string, unknown>>

/** The schema in the form in which it may be sent to a model, or why the tool is quarantined. */
export type SchemaVerdict = { readonly schema: Node } | { readonly problem: string }

const noProperties: Node = Object.freeze({ type: 'object', properties: Object.freeze({}) })

/**
 * Judges an input schema (ruling 16) without a schema library, so that the verdict is the same on the hot path and in a call:
 * no object, wrong keyword values, unresolvable or external references, more than 256 KiB or 64 levels are problems.
 * A missing root `type` means object, missing `properties` means none; `{}` or no schema at all is a tool without parameters.
 */
export function checkInputSchema(schema: unknown): SchemaVerdict {
  if (schema === undefined) return { schema: noProperties }
  if (!isRecord(schema)) return { problem: 'its input schema is not an object' }
  const walk = new SchemaWalk()
  const problem = walk.run(schema) ?? tooLarge(schema, walk.size) ?? referenceProblem(schema, walk)
  if (problem !== null) return { problem: cleanLine(problem, 240) }
  if (schema['type'] !== 'object' && !describesObject(schema, schema, new Set()))
    return { problem: 'its input schema does not describe an object' }
  return { schema: withRoot(schema) }
}

function withRoot(schema: Node): Node {
  const { type, properties } = schema
  if (type !== undefined && properties !== undefined) return schema
  if (Object.keys(schema).length === (type === undefined ? 0 : 1)) return noProperties
  return { ...schema, type: type ?? 'object', properties: properties ?? {} }
}

/** The walk counts characters and undercounts escapes, so large schemas are measured exactly. */
function tooLarge(schema: Node, size: number): string | null {
  if (size * 6 <= largestSchemaBytes) return null
  const bytes = Buffer.byteLength(JSON.stringify(schema))
  return bytes > largestSchemaBytes
    ? `its input schema is larger than ${largestSchemaBytes / 1024} KiB`
    : null
}

function referenceProblem(schema: Node, first: SchemaWalk): string | null {
  if (first.references.length === 0) return null
  const index = new SchemaIndex()
  const walk = new SchemaWalk(index)
  walk.run(schema)
  // The list grows while it is read: a target outside the usual places is a schema that nobody has checked yet.
  for (const reference of walk.references) {
    const found = resolve(reference, index)
    if (found === 'external') return `its input schema has an external $ref: ${reference.target}`
    if (found === undefined)
      return `its input schema does not compile: $ref leads nowhere: ${reference.target}`
    if (typeof found === 'boolean' || index.visited.has(found)) continue
    const problem = walk.run(found, reference.resource)
    if (problem !== null) return problem
  }
  return null
}

function resolve(reference: SchemaReference, index: SchemaIndex): JsonSchema | 'external' | undefined {
  const hash = reference.target.indexOf('#')
  const base = hash < 0 ? reference.target : reference.target.slice(0, hash)
  const resource = base === '' ? reference.resource : index.resources.get(base)
  if (resource === undefined) return 'external'
  const fragment = hash < 0 ? '' : reference.target.slice(hash + 1)
  if (fragment === '') return resource
  if (!fragment.startsWith('/')) return index.anchors.get(resource)?.get(fragment)
  return follow(resource, fragment)
}

/** What a JSON pointer leads to, where that can be a schema. */
function follow(root: Node, pointer: string): JsonSchema | undefined {
  let value: unknown = root
  for (const part of pointer.slice(1).split('/')) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return isRecord(value) || typeof value === 'boolean' ? value : undefined
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Whether what the schema accepts is an object: said by `type`, by every branch, or not denied at all. */
function describesObject(schema: unknown, root: Node, seen: Set<Node>): boolean {
  if (!isRecord(schema)) return false
  if (seen.has(schema)) return true
  seen.add(schema)
  const { type, $ref } = schema
  if (type !== undefined) return type === 'object' || (Array.isArray(type) && type.includes('object'))
  const target = typeof $ref === 'string' && $ref.startsWith('#/') ? follow(root, $ref.slice(1)) : undefined
  if (target !== undefined && !describesObject(target, root, seen)) return false
  return ['allOf', 'anyOf', 'oneOf'].every((key) => {
    const branches = schema[key]
    return !Array.isArray(branches) || branches.every((branch) => describesObject(branch, root, seen))
  })
}
