import { SchemaIndex, SchemaWalk, type SchemaNode, type SchemaReference } from './schema-walk.ts'
import { isRecord } from './source.ts'

type Target = SchemaNode | boolean

/** Why the references of a schema cannot be followed: external, leading nowhere or to something broken, or in a circle that never ends; null if they can. */
export function referenceProblem(schema: SchemaNode): string | null {
  const index = new SchemaIndex()
  const walk = new SchemaWalk(index)
  walk.run(schema)
  const targets = new Map<SchemaNode, SchemaNode[]>()
  // The list grows while it is read: a target outside the usual places is a schema that nobody has checked yet.
  for (const reference of walk.references) {
    const target = resolve(reference, index)
    if (target === 'external') return `its input schema has an external $ref: ${reference.target}`
    if (target === undefined)
      return `its input schema does not compile: $ref leads nowhere: ${reference.target}`
    if (typeof target === 'boolean') continue
    const others = targets.get(reference.from)
    if (others === undefined) targets.set(reference.from, [target])
    else others.push(target)
    if (index.visited.has(target)) continue
    const problem = walk.run(target, reference.resource)
    if (problem !== null) return `${problem} in ${reference.target}`
  }
  return isEndless(index.visited, targets)
    ? 'its input schema does not compile: its references form a circle'
    : null
}

function resolve(reference: SchemaReference, index: SchemaIndex): Target | 'external' | undefined {
  const hash = reference.target.indexOf('#')
  const base = hash < 0 ? reference.target : reference.target.slice(0, hash)
  const resource = base === '' ? reference.resource : index.resources.get(base)
  if (resource === undefined) return 'external'
  const fragment = hash < 0 ? '' : reference.target.slice(hash + 1)
  if (fragment === '') return resource
  if (!fragment.startsWith('/')) return index.anchors.get(resource)?.get(fragment)
  return followPointer(resource, fragment)
}

/** What a JSON pointer (`/a/b`, in the form it has behind `#`) leads to, where that can be a schema. */
export function followPointer(root: SchemaNode, pointer: string): Target | undefined {
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

const listsInPlace = ['allOf', 'anyOf', 'oneOf']
const mapsInPlace = ['dependentSchemas', 'dependencies']
const singlesInPlace = ['not', 'if', 'then', 'else']

/** Subschemas that are asked about the same value as the schema itself. */
function inPlace(schema: SchemaNode): SchemaNode[] {
  const lists = listsInPlace.map((key) => schema[key])
  const maps = mapsInPlace.map((key) => schema[key])
  return [
    ...singlesInPlace.map((key) => schema[key]),
    ...lists.flatMap((list) => (Array.isArray(list) ? list : [])),
    ...maps.flatMap((map) => (isRecord(map) ? Object.values(map) : [])),
  ].filter(isRecord)
}

/** Whether some schema, asked about a value, asks itself about the same value again: no validator comes back from that. */
function isEndless(
  schemas: ReadonlySet<SchemaNode>,
  targets: ReadonlyMap<SchemaNode, readonly SchemaNode[]>,
): boolean {
  const finished = new Set<SchemaNode>()
  const entered = new Set<SchemaNode>()
  for (const start of targets.keys()) {
    const stack = schemas.has(start) ? [start] : []
    for (let schema = stack.at(-1); schema !== undefined; schema = stack.at(-1)) {
      if (entered.has(schema)) {
        finished.add(schema)
        stack.pop()
        continue
      }
      entered.add(schema)
      for (const next of [...inPlace(schema), ...(targets.get(schema) ?? [])]) {
        if (finished.has(next)) continue
        if (entered.has(next)) return true
        stack.push(next)
      }
    }
  }
  return false
}
