import { compileGlob } from '../../kernel/glob.ts'
import type { Path } from '../../kernel/path.ts'
import type { TraceEntry } from '../types.ts'
import type { Edit } from './edits.ts'
import { remainderOf } from './remainder.ts'
import { entryFor, listAt, set, type Target } from './target.ts'

/** More entries than this would be a worse config than the pattern they replace. */
const mostMembers = 50
/** Up to here single edits keep the comments of the list; beyond, one edit writes the whole list. */
const mostSingleEdits = 3

const unset = (path: Path, value: unknown): Edit => ({ op: 'unset', path, value })

/** Removes list entries, from the highest index down, so that the edits can be made one after the other. */
function removal(listPath: Path, list: readonly string[], indexes: readonly number[]): Edit[] {
  return indexes.toSorted((a, b) => b - a).map((index) => unset([...listPath, index], list[index]))
}

/** Puts other entries in the place of some. */
function replacement(
  listPath: Path,
  list: readonly string[],
  indexes: readonly number[],
  members: readonly string[],
): Edit[] {
  const kept = list.filter((_, index) => !indexes.includes(index))
  const fresh = [...new Set(members)].filter((member) => !kept.includes(member))
  if (fresh.length + indexes.length - 1 > mostSingleEdits) return [set(listPath, [...kept, ...fresh])]
  const places = indexes.toSorted((a, b) => a - b)
  const [first, ...rest] = fresh
  if (first === undefined) return removal(listPath, list, indexes)
  return [
    set([...listPath, places[0]!], first),
    ...rest.map((value): Edit => ({ op: 'append', path: listPath, value })),
    ...removal(listPath, list, places.slice(1)),
  ]
}

/** Ways to keep a deny list from hiding the tool: without the entries that match it, or with the rest of what they deny in their place. */
export function denyAlternatives(target: Target, entry: TraceEntry): Edit[][] {
  const { path } = entry
  if (!path) return []
  const listPath = path.slice(0, -1)
  const list = listAt(target, listPath)
  const { tool, matcher, view } = target
  const blamed = path.at(-1)
  const indexes = list.flatMap((text, index) => {
    const covers =
      view.policy.matches(text, tool, 'deny') ||
      (entry.step === 'plugin' && tool.pluginId !== undefined && matcher.coversPluginId(text, tool.pluginId))
    return covers || index === blamed ? [index] : []
  })
  const remainders = indexes.map((index) => remainderOf(target, list[index]!))
  const members = remainders.includes(null) ? null : remainders.flatMap((each) => each ?? [])
  const plain = removal(listPath, list, indexes)
  if (members === null) return [plain, ...onlyThisTool(target, listPath, plain)]
  if (members.length === 0 || members.length > mostMembers) return [plain]
  return [plain, replacement(listPath, list, indexes, members)]
}

/** Deny everything turned into: allow this tool only. An alsoAllow may not stand beside that list and adds to nothing there. */
function onlyThisTool(target: Target, listPath: Path, plain: readonly Edit[]): Edit[][] {
  const scope = listPath.slice(0, -1)
  if (listPath.at(-1) !== 'deny') return []
  const also = [...scope, 'alsoAllow']
  const old = listAt(target, also)
  const first = old.length > 0 ? [unset(also, old)] : []
  return [[...first, set([...scope, 'allow'], [entryFor(target)]), ...plain]]
}

/** Ways to keep an MCP server's `toolFilter.exclude` from leaving the tool out. */
export function excludeAlternatives(target: Target, path: Path): Edit[][] {
  const { tool, view } = target
  const listPath = path.slice(0, -1)
  const list = listAt(target, listPath)
  const raw = tool.mcpToolName ?? tool.name
  const spellings = (name: string, exposed: string): string[] => [
    name,
    exposed,
    `${tool.mcpSafeServer ?? ''}__${name}`,
    `${tool.mcpServer ?? ''}__${name}`,
  ]
  const matches = (text: string, name: string, exposed: string): boolean =>
    spellings(name, exposed).some(compileGlob(text.trim()))
  const indexes = list.flatMap((text, index) => (matches(text, raw, tool.name) ? [index] : []))
  const others = view.inventory.tools.filter(
    (each) => each.mcpServer === tool.mcpServer && each.name !== tool.name,
  )
  const members = others.flatMap((each) => {
    const name = each.mcpToolName ?? each.name
    return indexes.some((index) => matches(list[index]!, name, each.name)) ? [name] : []
  })
  const plain = removal(listPath, list, indexes)
  if (members.length === 0 || members.length > mostMembers) return [plain]
  return [plain, replacement(listPath, list, indexes, members)]
}
