import type { Tool } from '../../catalog/types.ts'
import { mcpPluginId, toolKey } from '../../catalog/names.ts'
import { compileGlob } from '../../kernel/glob.ts'
import type { Target } from './target.ts'

const sameId = (left: string | undefined, right: string): boolean =>
  left !== undefined && left.trim().toLowerCase() === right.trim().toLowerCase()

/** Other tools of the plugin; for an MCP tool the other servers as `<server>__*` and the other tools of its own. */
function siblings(target: Target, pluginId: string): string[] {
  const { tool, view } = target
  const others = view.inventory.tools.filter(
    (each) => sameId(each.pluginId, pluginId) && each.name !== tool.name,
  )
  return pluginId === mcpPluginId ? byServer(target, others, () => true) : others.map((each) => each.name)
}

/** Names MCP tools by `<server>__*` where a whole other server is meant, and one by one where not. */
function byServer(target: Target, tools: readonly Tool[], covers: (name: string) => boolean): string[] {
  const { view, tool } = target
  const names: string[] = []
  for (const server of view.inventory.servers) {
    const prefix = `${server.safeName}__`
    const own = view.inventory.tools.filter((each) => each.mcpSafeServer === server.safeName)
    const chosen = tools.filter((each) => each.mcpSafeServer === server.safeName)
    const isOther = server.safeName !== tool.mcpSafeServer
    // The pattern stands for tools the server may offer later, too, as the entry it replaces did.
    if (isOther && chosen.length === own.length && covers(`${prefix}tool`.toLowerCase()))
      names.push(`${prefix}*`)
    else names.push(...chosen.map((each) => each.name))
  }
  return names
}

function allPlugins(target: Target): string[] {
  const own = target.tool.pluginId
  const ids = new Set(target.view.inventory.tools.flatMap((each) => each.pluginId ?? []))
  return [...ids].flatMap((id) => (own !== undefined && sameId(id, own) ? siblings(target, id) : [id]))
}

function matched(target: Target, glob: string): string[] {
  const { view, tool, matcher } = target
  const pattern = compileGlob(glob)
  const own = matcher.key(tool)
  const tools = view.inventory.tools.filter((each) => pattern(matcher.key(each)) && matcher.key(each) !== own)
  const listed = new Set(tools.map((each) => matcher.key(each)))
  const catalogued = view.edition.tools.map(({ id }) => id).filter((id) => pattern(id) && id !== own)
  return [
    ...tools.filter((each) => each.source !== 'mcp').map((each) => each.name),
    ...catalogued.filter((id) => !listed.has(id)),
    ...byServer(target, tools, pattern),
    ...coveredPlugins(target, glob, listed),
  ]
}

/** A pattern may deny plugins by their ids (ruling 8): those it takes no tool of by name, and of the tool's own plugin the other tools. */
function coveredPlugins(target: Target, glob: string, listed: ReadonlySet<string>): string[] {
  const { view, tool, matcher } = target
  const names = new Map<string, string[]>()
  for (const each of view.inventory.tools) {
    if (each.source !== 'plugin' || each.pluginId === undefined) continue
    if (!matcher.coversPluginId(glob, each.pluginId) || listed.has(matcher.key(each))) continue
    names.set(each.pluginId, [...(names.get(each.pluginId) ?? []), each.name])
  }
  return [...names].flatMap(([id, unmatched]) =>
    sameId(tool.pluginId, id)
      ? unmatched.filter((name) => name !== tool.name)
      : view.inventory.tools.some((each) => sameId(each.pluginId, id) && listed.has(matcher.key(each)))
        ? unmatched
        : [id],
  )
}

/** What a deny entry takes away besides the tool, as entries that could stand in its place; null where that cannot be written down (`*`). */
export function remainderOf(target: Target, text: string): readonly string[] | null {
  const { view, tool, matcher } = target
  const name = toolKey(text, view.edition)
  const own = matcher.key(tool)
  if (/^\*+$/.test(name)) return null
  if (matcher.isPluginId(name)) {
    const members = sameId(tool.pluginId, name) ? siblings(target, name) : []
    // In a deny list the id means a tool of that very name, too (ruling 9).
    return sameId(tool.pluginId, name) ? members : [name]
  }
  if (name === 'group:plugins') return allPlugins(target)
  const { groups, policyRenames } = view.edition
  const members = Object.hasOwn(groups, name)
    ? groups[name]!
    : Object.hasOwn(policyRenames, name)
      ? policyRenames[name]!
      : null
  if (members) return members.filter((each) => each !== own && !sameId(tool.pluginId, each))
  return name.includes('*') ? matched(target, name) : []
}
