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

/** Where the value of a wrong key belongs, or the keys it may be a misspelling of. */
function nearKeys(node: SchemaNode, key: string, edition: EditionId): { place?: string; near: string[] } {
  const misplaced = node['x-misplaced'] ?? {}
  const place = Object.hasOwn(misplaced, key) ? misplaced[key] : undefined
  if (place !== undefined) return { place, near: [] }
  const keys = Object.entries(node.properties ?? {})
    .filter(([, child]) => child['x-edition'] === undefined || child['x-edition'] === edition)
    .map(([name]) => name)
  const near = suggest(key, keys)
  const same = near.find((name) => name.toLowerCase() === key.toLowerCase())
  return { near: same === undefined ? near : [same] }
}

function hintText(node: SchemaNode, { place, near }: { place?: string; near: string[] }): string {
  if (place !== undefined) {
    const isBeside = Object.hasOwn(node.properties ?? {}, place)
    return isBeside ? `; write ${quote(place)} instead` : `; it belongs in ${place}`
  }
  return near.length === 0 ? '' : `; did you mean ${either(near.map((key) => `"${key}"`))}?`
}

/** Refuses a key of an object that has only the keys of the schema. */
export function unknownKey(node: SchemaNode, key: string, path: Path, { edition, findings }: Walk): void {
  const hint = nearKeys(node, key, edition)
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
  const hint = nearKeys(node, key, walk.edition)
  if (!top && hint.place === undefined) {
    const slip = node['x-slips'] === true ? slipOf(key, namesOf(node), holder) : null
    if (slip === null) return
    hint.near = [slip]
  }
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
