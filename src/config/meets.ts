import type { EditionId } from '../kernel/edition-id.ts'
import { slipOf } from './near-key.ts'
import type { SchemaNode } from './schema-node.ts'

/** The type of a value in JSON Schema's words; `integer` is not told apart from `number`. */
export function kindOf(
  value: unknown,
): 'null' | 'array' | 'object' | 'string' | 'number' | 'boolean' | 'other' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  return kind === 'object' || kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'other'
}

/** Whether a value is of a JSON Schema type. */
export function isOfType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : kindOf(value) === type
}

const patterns = new Map<string, RegExp>()

/** The compiled form of a `pattern` keyword. */
export function patternOf(source: string): RegExp {
  const known = patterns.get(source)
  if (known) return known
  const pattern = new RegExp(source, 'u')
  patterns.set(source, pattern)
  return pattern
}

/**
 * Whether a value meets a schema of this edition; nodes marked for another edition refuse every value.
 * Understands the keywords of `SchemaNode` only. Allocates nothing: it runs at every start, where compiled Ajv code costs five times as much.
 */
export function meets(node: SchemaNode, value: unknown, edition: EditionId, root: SchemaNode): boolean {
  if (node['x-edition'] !== undefined && node['x-edition'] !== edition) return false
  if (node.$ref !== undefined && !meets(definition(node.$ref, root), value, edition, root)) return false
  if (node.type !== undefined && !isOfType(value, node.type)) return false
  if (node.enum !== undefined && !node.enum.includes(value)) return false
  if (node.not !== undefined && meets(node.not, value, edition, root)) return false
  if (node.anyOf !== undefined && !meetsOne(node.anyOf, value, edition, root)) return false
  if (node.allOf !== undefined) {
    for (const part of node.allOf) if (!meets(part, value, edition, root)) return false
  }
  if (typeof value === 'number') {
    return value >= (node.minimum ?? -Infinity) && value <= (node.maximum ?? Infinity)
  }
  if (typeof value === 'string') return node.pattern === undefined || patternOf(node.pattern).test(value)
  if (typeof value !== 'object' || value === null) return true
  return Array.isArray(value)
    ? meetsList(node, value, edition, root)
    : meetsObject(node, value, edition, root)
}

/** The definition a `$ref` names. */
export function definition(ref: string, root: SchemaNode): SchemaNode {
  const found = root.$defs?.[ref.slice('#/$defs/'.length)]
  if (!found) throw new Error(`the config schema has no ${ref}`)
  return found
}

function meetsOne(
  members: readonly SchemaNode[],
  value: unknown,
  edition: EditionId,
  root: SchemaNode,
): boolean {
  for (const member of members) if (meets(member, value, edition, root)) return true
  return false
}

function meetsList(
  node: SchemaNode,
  list: readonly unknown[],
  edition: EditionId,
  root: SchemaNode,
): boolean {
  if (list.length < (node.minItems ?? 0)) return false
  if (node.items === undefined) return true
  for (const item of list) if (!meets(node.items, item, edition, root)) return false
  return true
}

function meetsObject(node: SchemaNode, value: object, edition: EditionId, root: SchemaNode): boolean {
  if (node.required !== undefined) {
    for (const key of node.required) if (own(value, key) === undefined) return false
  }
  const { properties, additionalProperties, 'x-near': near } = node
  if (properties === undefined && additionalProperties === undefined) return true
  for (const key in value) {
    const entry = own(value, key)
    if (entry === undefined) continue
    const child =
      properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : additionalProperties
    if (child === false) return false
    if (child === undefined && near !== undefined && slipOf(key, near, value) !== null) return false
    if (typeof child === 'object' && !meets(child, entry, edition, root)) return false
  }
  return true
}

/** The own value of a key; undefined, as code may write it, counts as absent. */
function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key as keyof typeof value] : undefined
}
