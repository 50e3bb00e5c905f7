import type { EditionId } from '../kernel/edition-id.ts'
import { formatPath, type Path, type Segment } from '../kernel/path.ts'
import { suggest } from '../kernel/suggest.ts'
import { configSchema } from './generated/config-schema.ts'
import { meets } from './meets.ts'
import { describeExpected, resolve } from './report/describe.ts'
import type { SchemaNode } from './schema-node.ts'

/** What the schema says about one path. */
export interface SchemaInfo {
  readonly kind:
    | 'object'
    | 'record'
    | 'list'
    | 'string'
    | 'number'
    | 'integer'
    | 'boolean'
    | 'null'
    | 'choice'
    | 'union'
    | 'any'
  /** What is accepted, in words. */
  readonly expected: string
  /** The allowed values of a choice; also those of a union's members. */
  readonly values: readonly unknown[]
  /** What applies at run time while the path is unset, in this edition; undefined when nothing does or another path decides. */
  readonly default: unknown
  /** The path whose value applies to an agent that leaves this one unset, or null. */
  readonly inheritedFrom: Path | null
  readonly description: string
  /** Free keys, such as the ids under `agents.entries`. */
  readonly isRecord: boolean
  readonly isList: boolean
  /** False inside sections that are accepted as they are: the path may be right, nobody here knows. */
  readonly known: boolean
  readonly sensitive: boolean
  /** The only edition that reads this key, or null for both. */
  readonly edition: string | null
  /** Keys of an object, sorted as in the schema. */
  readonly keys: readonly string[]
}

const anything: SchemaNode = {}

function kindOf(node: SchemaNode): SchemaInfo['kind'] {
  if (node.anyOf) return 'union'
  if (node.enum) return 'choice'
  switch (node.type) {
    case 'object':
      return node.properties || typeof node.additionalProperties !== 'object' ? 'object' : 'record'
    case 'array':
      return 'list'
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return node.type
    default:
      return 'any'
  }
}

/** A union stands for its members: a path goes on in whichever has the key. */
function alternatives(node: SchemaNode): SchemaNode[] {
  const here = resolve(node, configSchema)
  return here.anyOf ? here.anyOf.flatMap(alternatives) : [here]
}

const isIndex = (segment: Segment): boolean => typeof segment === 'number' || /^(?:0|[1-9]\d*)$/.test(segment)

/** The node one step down, `anything` in open sections, null where nothing may be. */
function step(node: SchemaNode, segment: Segment): SchemaNode | null {
  let found: SchemaNode | null = null
  for (const { type, enum: values, properties, additionalProperties, items } of alternatives(node)) {
    if (type === 'array' && isIndex(segment)) return items ?? anything
    if (type === undefined && !values) found = anything
    if (type !== 'object') continue
    const key = String(segment)
    const child = properties && Object.hasOwn(properties, key) ? properties[key] : undefined
    if (child) return isRefused(child) ? null : child
    if (typeof additionalProperties === 'object') return additionalProperties
    if (additionalProperties === true && node !== configSchema) found = anything
  }
  return found
}

function isRefused(node: SchemaNode): boolean {
  return node.not !== undefined && Object.keys(node.not).length === 0
}

function nodeAt(path: Path): SchemaNode | null {
  let node: SchemaNode | null = configSchema
  for (const segment of path) {
    node = node && step(node, segment)
    if (!node) return null
  }
  return node
}

/** What the schema says at a path, or null when no config can have it. */
export function schemaAt(path: Path, edition: EditionId): SchemaInfo | null {
  const node = nodeAt(path)
  if (!node) return null
  const here = resolve(node, configSchema)
  const members = alternatives(here)
  const kind = kindOf(here)
  const inheritedFrom = inherited(path)
  return {
    kind,
    expected: describeExpected(here, configSchema),
    values: members.flatMap((member) => member.enum ?? []),
    default: inheritedFrom ? undefined : defaultOf(here, edition),
    inheritedFrom,
    description: here.description ?? '',
    isRecord: kind === 'record',
    isList: kind === 'list',
    known: Object.keys(here).length > 0,
    sensitive: here['x-sensitive'] === true,
    edition: here['x-edition'] ?? null,
    keys: members.flatMap((member) => keysOf(member, edition)),
  }
}

/** Whether a value may stand at a path in this edition; null where the schema does not know the path. */
export function accepts(path: Path, value: unknown, edition: EditionId): boolean | null {
  const node = nodeAt(path)
  return node && meets(node, value, edition, configSchema)
}

/** Where an agent's unset setting comes from; its own allow, deny, byProvider and toolsBySender narrow the global ones and come from nowhere. */
function inherited(path: Path): Path | null {
  const [root, roster, , section, key] = path
  if (root !== 'agents' || (roster !== 'list' && roster !== 'entries') || section === undefined) return null
  if (section !== 'tools') return atDefaults(path.slice(3))
  return key === undefined || ownLists.has(key) ? null : path.slice(3)
}

const ownLists: ReadonlySet<Segment> = new Set(['allow', 'deny', 'byProvider', 'toolsBySender'])

function atDefaults(rest: Path): Path | null {
  const path = ['agents', 'defaults', ...rest]
  const node = nodeAt(path)
  return node && Object.keys(node).length > 0 ? path : null
}

/** The run-time default of a node in an edition. */
export function defaultOf(node: SchemaNode, edition: EditionId): unknown {
  return node['x-defaults'] ? node['x-defaults'][edition] : node.default
}

function keysOf({ properties = {} }: SchemaNode, edition: EditionId): string[] {
  return Object.entries(properties)
    .filter(([, child]) => !isRefused(child) && (child['x-edition'] ?? edition) === edition)
    .map(([key]) => key)
}

/** Paths that an unknown path may be a misspelling of, best first, at most three. */
export function suggestKeys(path: Path, edition: EditionId): string[] {
  let length = 0
  while (length < path.length && nodeAt(path.slice(0, length + 1))) length += 1
  const parent = nodeAt(path.slice(0, length))
  const wrong = path[length]
  if (!parent || wrong === undefined) return []
  const members = alternatives(parent)
  for (const { 'x-misplaced': places = {} } of members) {
    const place = Object.hasOwn(places, wrong) ? places[wrong] : undefined
    if (place !== undefined) return [place]
  }
  const near = suggest(
    String(wrong),
    members.flatMap((member) => keysOf(member, edition)),
  )
  return near.map((key) => formatPath([...path.slice(0, length), key]))
}

/** Every run-time default of an edition by path; `*` stands for a record's key, `[]` for an entry of a list. Agents have none of their own: they inherit. */
export function runtimeDefaults(edition: EditionId): ReadonlyMap<string, unknown> {
  const defaults = new Map<string, unknown>()
  const visit = (node: SchemaNode, place: string): void => {
    const here = resolve(node, configSchema)
    if ((here['x-edition'] ?? edition) !== edition || here.title === 'Agent') return
    const value = defaultOf(here, edition)
    if (value !== undefined && place !== '') defaults.set(place, value)
    for (const member of alternatives(here)) {
      for (const [key, child] of Object.entries(member.properties ?? {})) {
        visit(child, place === '' ? key : `${place}.${key}`)
      }
      if (typeof member.additionalProperties === 'object') visit(member.additionalProperties, `${place}.*`)
      if (member.items) visit(member.items, `${place}[]`)
    }
  }
  visit(configSchema, '')
  return defaults
}
