import { cleanLine } from '../kernel/untrusted-text.ts'
import { followPointer, referenceProblem } from './schema-references.ts'
import { largestSchemaBytes, SchemaWalk, type SchemaNode } from './schema-walk.ts'
import { isRecord } from './source.ts'

/** The schema in the form in which it may be sent to a model, or why the tool is quarantined. */
export type SchemaVerdict = { readonly schema: SchemaNode } | { readonly problem: string }

const noProperties: SchemaNode = Object.freeze({ type: 'object', properties: Object.freeze({}) })

/**
 * Judges an input schema (ruling 16) without a schema library, so that the verdict is the same on the hot path and in a call:
 * no object, wrong keyword values, unresolvable or external references, more than 256 KiB or 64 levels are problems.
 * A missing root `type` means object, missing `properties` means none; `{}` or no schema at all is a tool without parameters.
 */
export function checkInputSchema(schema: unknown): SchemaVerdict {
  if (schema === undefined) return { schema: noProperties }
  if (!isRecord(schema)) return { problem: 'its input schema is not an object' }
  const walk = new SchemaWalk()
  const problem =
    walk.run(schema) ??
    tooLarge(schema, walk.size) ??
    (walk.references.length > 0 ? referenceProblem(schema) : null)
  if (problem !== null) return { problem: cleanLine(problem, 240) }
  if (schema['type'] !== 'object' && !describesObject(schema, schema, new Set()))
    return { problem: 'its input schema does not describe an object' }
  return { schema: withRoot(schema) }
}

function withRoot(schema: SchemaNode): SchemaNode {
  const { type, properties } = schema
  if (type !== undefined && properties !== undefined) return schema
  if (Object.keys(schema).length === (type === undefined ? 0 : 1)) return noProperties
  return { ...schema, type: type ?? 'object', properties: properties ?? {} }
}

/** The walk counts characters and undercounts escapes, so large schemas are measured exactly. */
function tooLarge(schema: SchemaNode, size: number): string | null {
  if (size * 6 <= largestSchemaBytes) return null
  const bytes = Buffer.byteLength(JSON.stringify(schema))
  return bytes > largestSchemaBytes
    ? `its input schema is larger than ${largestSchemaBytes / 1024} KiB`
    : null
}

/** Whether what the schema accepts is an object: said by `type`, by every branch, or not denied at all. */
function describesObject(schema: unknown, root: SchemaNode, seen: Set<SchemaNode>): boolean {
  if (!isRecord(schema)) return false
  if (seen.has(schema)) return true
  seen.add(schema)
  const { type, $ref } = schema
  if (type !== undefined) return type === 'object' || (Array.isArray(type) && type.includes('object'))
  const target =
    typeof $ref === 'string' && $ref.startsWith('#/') ? followPointer(root, $ref.slice(1)) : undefined
  if (target !== undefined && !describesObject(target, root, seen)) return false
  return ['allOf', 'anyOf', 'oneOf'].every((key) => {
    const branches = schema[key]
    return !Array.isArray(branches) || branches.every((branch) => describesObject(branch, root, seen))
  })
}
