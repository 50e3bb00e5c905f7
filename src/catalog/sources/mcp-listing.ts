import { hasHiddenCharacters, showName } from '../../kernel/untrusted-text.ts'
import type { InventoryNotices } from '../notices.ts'
import { isRecord, type ServerSource } from '../source.ts'
import type { ToolDefect } from '../types.ts'
import type { Claims } from './claims.ts'
import { compareText, exposedNames } from './mcp-names.ts'

const longestRawName = 512
const shownNames = 10

/** One tool as its server listed it, with the name a model sees. */
export interface ListedTool {
  readonly rawName: string
  readonly name: string
  readonly own: Readonly<Record<string, unknown>>
  /** Why the tool is quarantined for its name, or null. */
  readonly nameDefect: ToolDefect | null
}

/** What a server listed, by raw name; nameless and repeated tools are left out, unusable and changed names are told. */
export function listedTools(
  server: ServerSource,
  safeName: string,
  claims: Claims,
  notices: InventoryNotices,
): readonly ListedTool[] {
  const who = `MCP server "${showName(server.name)}"`
  const raw = new Map<string, Readonly<Record<string, unknown>>>()
  let nameless = 0
  for (const item of server.tools) {
    const own = isRecord(item) ? item : { name: item }
    const name = own['name']
    if (typeof name !== 'string' || name.trim() === '') nameless++
    else if (raw.has(name)) {
      notices.warn('duplicate-id', `${who} lists the tool "${showName(name)}" twice; the first one counts`)
    } else raw.set(name, own)
  }
  // Sorted, so that the names given to look-alikes do not depend on the order of the list.
  const rawNames = [...raw.keys()].toSorted(compareText)
  const { names, changed } = exposedNames(safeName, rawNames, claims)
  const listed = rawNames.map((rawName, index): ListedTool => {
    const own = raw.get(rawName) ?? {}
    return { rawName, name: names[index] ?? '', own, nameDefect: nameDefect(rawName) }
  })
  if (nameless > 0) notices.warn('invalid-tool', `${who}: ${count(nameless)} without a name left out`)
  tellNames(who, listed, changed, notices)
  return listed
}

function nameDefect(rawName: string): ToolDefect | null {
  if (rawName.length > longestRawName) {
    const reason = `its name is longer than ${longestRawName} characters`
    return { step: 'mcp', rule: 'invalid-tool', reason }
  }
  if (!hasHiddenCharacters(rawName)) return null
  return { step: 'mcp', rule: 'invalid-tool', reason: 'its name has invisible or control characters' }
}

/** Names what is offered under another name or not at all, and how many tools are not concerned. */
function tellNames(
  who: string,
  listed: readonly ListedTool[],
  changed: readonly number[],
  notices: InventoryNotices,
): void {
  const renamed: string[] = []
  const rejected: string[] = []
  for (const index of changed) {
    const tool = listed[index]
    if (tool === undefined) continue
    const shown = `"${showName(tool.rawName, 40)}"`
    if (tool.nameDefect === null) renamed.push(`${shown} as ${tool.name}`)
    else rejected.push(`${shown} (${tool.name})`)
  }
  if (rejected.length > 0) {
    const rest = others(listed.length - rejected.length)
    notices.warn('invalid-tool', `${who}: unusable names, unavailable: ${some(rejected)}${rest}`)
  }
  if (renamed.length > 0) {
    const rest = others(listed.length - renamed.length - rejected.length)
    notices.inform('invalid-tool', `${who}: offered under other names: ${some(renamed)}${rest}`)
  }
}

function count(tools: number): string {
  return tools === 1 ? '1 tool' : `${tools} tools`
}

function others(tools: number): string {
  return tools === 0 ? '' : `; ${count(tools)} not concerned`
}

/** The first few of many items, and how many more there are. */
export function some(items: readonly string[]): string {
  const more = items.length - shownNames
  return items.slice(0, shownNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
