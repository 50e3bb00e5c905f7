import type { EditionId } from '../../kernel/edition-id.ts'
import type { Path } from '../../kernel/path.ts'
import { suggest } from '../../kernel/suggest.ts'
import { isRecord } from '../path-value.ts'
import { namesOf, slipOf } from '../near-key.ts'
import type { SchemaNode } from '../schema-node.ts'
import { either, quote } from './describe.ts'
import type { Findings } from './findings.ts'
import { lints } from './lints.ts'

/** What every check of one report shares. */
export interface Walk {
  readonly edition: EditionId
  readonly findings: Findings
}

interface Hint {
  readonly place?: string | undefined
  readonly near: readonly string[]
}

/** Where the value of a wrong key belongs, where that is known. */
function placeOf({ 'x-misplaced': misplaced = {} }: SchemaNode, key: string): string | undefined {
  return Object.hasOwn(misplaced, key) ? misplaced[key] : undefined
}

/** The keys that a wrong one may be a misspelling of. */
function nearKeys(node: SchemaNode, key: string, edition: EditionId): string[] {
  const keys = Object.entries(node.properties ?? {})
    .filter(([, child]) => child['x-edition'] === undefined || child['x-edition'] === edition)
    .map(([name]) => name)
  const near = suggest(key, keys)
  const same = near.find((name) => name.toLowerCase() === key.toLowerCase())
  return same === undefined ? near : [same]
}

function hintOn(node: SchemaNode, key: string, edition: EditionId): Hint {
  const place = placeOf(node, key)
  return { place, near: place === undefined ? nearKeys(node, key, edition) : [] }
}

/** The hint on a key of an object that may have more of other programs; null where it is probably one of those, which most are. */
function slipHint(node: SchemaNode, key: string, holder: object): Hint | null {
  const place = placeOf(node, key)
  if (place !== undefined) return { place, near: [] }
  const slip = node['x-slips'] === true ? slipOf(key, namesOf(node), holder) : null
  return slip === null ? null : { near: [slip] }
}

function hintText(node: SchemaNode, { place, near }: Hint): string {
  if (place !== undefined) {
    const isBeside = Object.hasOwn(node.properties ?? {}, place)
    return isBeside ? `; write ${quote(place)} instead` : `; it belongs in ${place}`
  }
  return near.length === 0 ? '' : `; did you mean ${either(near.map((key) => `"${key}"`))}?`
}

/** Refuses a key of an object that has only the keys of the schema. */
export function unknownKey(node: SchemaNode, key: string, path: Path, { edition, findings }: Walk): void {
  const hint = hintOn(node, key, edition)
  findings.error([...path, key], {
    message: `unknown key ${quote(key)}${hintText(node, hint)}`,
    suggestion: hint.place ?? hint.near[0],
  })
}

/** A key the schema does not know in an object that may have more: silent, unless it is a known mistake or a slip, or stands at the top. */
export function remarkKey(
  node: SchemaNode,
  key: string,
  holder: Readonly<Record<string, unknown>>,
  path: Path,
  walk: Walk,
): void {
  const top = path.length === 0
  const hint = top ? hintOn(node, key, walk.edition) : slipHint(node, key, holder)
  if (hint === null) return
  walk.findings.warn([...path, key], {
    id: 'unknown-key',
    severity: 'warning',
    message: `unknown ${top ? 'section' : 'key'}, not read${hintText(node, hint)}`,
  })
  if (hint.place === 'mcp.servers') remarkServers(holder[key], [...path, key], walk)
}

/** Servers in the wrong section still get their own remarks, so that moving them is the last step. */
function remarkServers(servers: unknown, path: Path, { findings }: Walk): void {
  if (!isRecord(servers)) return
  for (const [name, server] of Object.entries(servers)) {
    if (isRecord(server)) lints['mcp-server']?.(server, [...path, name], findings)
  }
}
