import { editions } from '../../catalog/edition.ts'
import { mcpPluginId } from '../../catalog/names.ts'
import { suggest } from '../../kernel/suggest.ts'
import { normalizeChannel } from '../layers/sender.ts'
import type { View } from '../view.ts'
import { foreignNames, renamedTo } from './foreign-names.ts'
import { outsideOpenclaw } from './openclaw-group.ts'

/** What a name is when it is no tool of this session. */
export type NameKind =
  | 'group'
  | 'pattern'
  | 'profile'
  | 'plugin'
  | 'mcp-server'
  | 'skill'
  | 'other-edition'
  | 'other-product'
  | 'channel'

/** A name that is something else than a tool, told in words. */
export interface OtherKind {
  readonly isA: NameKind
  readonly note: string
  /** Tools the user may have meant, at most 3. */
  readonly suggestions: readonly string[]
}

const shown = 8

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none that are known here'
  const more = names.length - shown
  return more > 0 ? `${names.slice(0, shown).join(', ')} and ${more} more` : names.join(', ')
}

const same = (left: string, right: string): boolean =>
  left.trim().toLowerCase() === right.trim().toLowerCase()

/** Names of the tools that a group stands for; null for what is no group. */
function groupMembers(
  view: View,
  name: string,
): { readonly id: string; readonly members: readonly string[] } | null {
  const lower = name.trim().toLowerCase()
  for (const id of lower.startsWith('group:') ? [lower] : [`group:${lower}`]) {
    if (id === 'group:plugins') {
      return {
        id,
        members: view.inventory.tools.filter((tool) => tool.pluginId !== undefined).map((tool) => tool.name),
      }
    }
    if (Object.hasOwn(view.edition.groups, id)) return { id, members: view.edition.groups[id]! }
  }
  return null
}

const isGroupName = (name: string): boolean => /^\s*group:/i.test(name)

function asGroup(view: View, name: string): OtherKind | null {
  const group = groupMembers(view, name)
  if (!group) return null
  const extra =
    group.id === 'group:openclaw'
      ? `; it is not every tool: ${outsideOpenclaw(view.edition)} are outside`
      : ''
  return {
    isA: 'group',
    note: `${group.id} is a group, not a tool. Its members: ${listed(group.members)}${extra}`,
    suggestions: group.members.slice(0, 3),
  }
}

function asProfile(view: View, name: string): OtherKind | null {
  const id = name.trim().toLowerCase()
  if (!Object.hasOwn(view.edition.profiles, id)) return null
  const members = view.edition.profiles[id]!
  const what = members.includes('*') ? 'It allows every tool' : `It allows: ${listed(members)}`
  return { isA: 'profile', note: `${id} is a profile (tools.profile), not a tool. ${what}`, suggestions: [] }
}

function asPattern(view: View, name: string): OtherKind | null {
  const text = name.trim()
  if (!text.includes('*') || isGroupName(text)) return null
  const names = view.inventory.tools
    .filter((tool) => view.policy.matches(text, tool, 'deny'))
    .map((tool) => tool.name)
  return {
    isA: 'pattern',
    note: `${text} is a pattern for lists, not a tool. It matches: ${listed(names)}`,
    suggestions: [],
  }
}

/** A plugin that is not here, of which the catalogue or the config knows. */
function asAbsentPlugin(view: View, name: string): OtherKind | null {
  const { plugins } = view.config
  const tools = view.edition.tools.flatMap(({ id, plugin }) =>
    plugin !== undefined && same(plugin, name) ? [id] : [],
  )
  const isNamed = [...(plugins?.allow ?? []), ...(plugins?.deny ?? [])].some((id) => same(id, name))
  if (tools.length === 0 && !isNamed) return null
  return {
    isA: 'plugin',
    note: `${name.trim()} is a plugin, not a tool, and is not here. Its tools: ${listed(tools)}`,
    suggestions: tools.slice(0, 3),
  }
}

function asPlugin(view: View, name: string): OtherKind | null {
  const known = view.inventory.plugins.find(({ id }) => same(id, name))
  const configured = Object.keys(view.config.plugins?.entries ?? {}).find((id) => same(id, name))
  const id = known?.id ?? configured ?? (same(name, mcpPluginId) ? mcpPluginId : undefined)
  if (id === undefined) return asAbsentPlugin(view, name)
  const tools = view.inventory.tools.filter((tool) => tool.pluginId !== undefined && same(tool.pluginId, id))
  const names = tools.map((tool) => tool.name)
  const what =
    id === mcpPluginId ? `${id} stands for the tools of all MCP servers` : `${id} is a plugin, not a tool`
  return { isA: 'plugin', note: `${what}. Its tools: ${listed(names)}`, suggestions: names.slice(0, 3) }
}

function asServer(view: View, name: string): OtherKind | null {
  const server = view.inventory.servers.find((each) => same(each.name, name) || same(each.safeName, name))
  const configured = Object.keys(view.config.mcp?.servers ?? {}).find((id) => same(id, name))
  const id = server?.name ?? configured
  if (id === undefined) return null
  const names = view.inventory.tools.filter((tool) => tool.mcpServer === id).map((tool) => tool.name)
  const prefix = `${server?.safeName ?? id}__`
  return {
    isA: 'mcp-server',
    note: `${id} is an MCP server, not a tool. Its tools are named ${prefix}<tool>: ${listed(names)}`,
    suggestions: names.slice(0, 3),
  }
}

function asSkill(view: View, name: string, skills: readonly string[]): OtherKind | null {
  const id = skills.find((each) => same(each, name))
  if (id === undefined) return null
  const read = view.decisions.find(({ tool }) => tool.name === 'read')
  const note = `${id} is a skill, not a tool: instructions (SKILL.md) that the model reads with the tool read`
  return { isA: 'skill', note, suggestions: read ? ['read'] : [] }
}

function asChannel(view: View, name: string): OtherKind | null {
  const id = normalizeChannel(name)
  const configured = Object.keys(view.config.channels ?? {}).some((each) => normalizeChannel(each) === id)
  const isTool = view.edition.tools.some((tool) => tool.id === id)
  const builtIn = !isTool && view.edition.sandbox.deny.includes(id)
  if (!configured && !builtIn) return null
  return {
    isA: 'channel',
    note: `${id} is a channel, not a tool; the model writes to channels with the tool message`,
    suggestions: ['message'],
  }
}

function asOtherEdition(view: View, name: string): OtherKind | null {
  const id = name.trim().toLowerCase()
  const has = (each: string): boolean => view.edition.tools.some((tool) => tool.id === each)
  const renamed = renamedTo(id, has)
  if (renamed !== null) {
    return {
      isA: 'other-edition',
      note: `${id} is called ${renamed} in edition ${view.edition.id}`,
      suggestions: [renamed],
    }
  }
  const other = Object.values(editions).find(
    (edition) => edition.id !== view.edition.id && edition.tools.some((tool) => tool.id === id),
  )
  return other
    ? {
        isA: 'other-edition',
        note: `${id} is a tool of edition ${other.id}; edition ${view.edition.id} does not have it`,
        suggestions: [],
      }
    : null
}

function asForeign(view: View, name: string): OtherKind | null {
  const id = name.trim().toLowerCase()
  if (!Object.hasOwn(foreignNames, id)) return null
  const here = foreignNames[id]!.filter((each) => view.edition.tools.some((tool) => tool.id === each))
  const instead = here.length > 0 ? `; here its work is done by ${here.join(' or ')}` : ''
  return {
    isA: 'other-product',
    note: `${name.trim()} is a tool name of other products${instead}`,
    suggestions: here.slice(0, 3),
  }
}

/** Says what a name is that no tool of this session has: a group, pattern, profile, plugin, server, skill, channel, or a name of another edition or product. */
export function otherKind(view: View, name: string, skills: readonly string[]): OtherKind | null {
  return (
    (isGroupName(name) ? asGroup(view, name) : null) ??
    asPattern(view, name) ??
    asPlugin(view, name) ??
    asServer(view, name) ??
    asSkill(view, name, skills) ??
    asOtherEdition(view, name) ??
    asProfile(view, name) ??
    asForeign(view, name) ??
    asGroup(view, name) ??
    asChannel(view, name)
  )
}

const withoutPrefix = (group: string): string => group.replace(/^\s*group:/i, '')

/** Names near an unknown one, at most 3: tools of the session first, then of the catalogue; groups for a group. */
export function nearTools(view: View, name: string): readonly string[] {
  if (isGroupName(name)) {
    const groups = [...Object.keys(view.edition.groups), 'group:plugins'].map(withoutPrefix)
    return suggest(withoutPrefix(name), groups, 3).map((group) => `group:${group}`)
  }
  const text = name.trim().replace(/^(?:openclaw:[^:]*|mcp:[^:]*|client:client):/i, '')
  const names = [
    ...view.inventory.tools.map((tool) => tool.name),
    ...view.edition.tools.map((tool) => tool.id),
  ]
  return suggest(text, names, 3)
}

/** Says why an unknown name may still be a tool somewhere: a server or plugin that has not told its tools; null when nothing is in the dark, or when the name is near a known one. */
export function unknownNote(view: View, name: string, isNear: boolean): string | null {
  const lower = name.trim().toLowerCase()
  const server = view.inventory.servers.find(({ safeName }) =>
    lower.startsWith(`${safeName.toLowerCase()}__`),
  )
  if (server) {
    const count = server.toolCount === 1 ? '1 tool' : `${server.toolCount} tools`
    return `the MCP server ${server.name} has ${count}, none of this name`
  }
  if (isGroupName(name)) {
    return lower.includes('*') ? 'patterns are never compared with group names' : 'there is no such group'
  }
  const prefix = /^(?!__)(.+?)__./.exec(name.trim())?.[1]
  if (prefix !== undefined)
    return `it looks like a tool of an MCP server, but mcp.servers has no server ${prefix}`
  const opaque = view.inventory.plugins.filter(({ enabled, tools }) => enabled && tools.length === 0)
  // Plugins put their own word in front of their tools, so such a name is no slip, however near another one is.
  const isTheirs = opaque.some(({ id }) => lower.startsWith(`${id.toLowerCase().split(/[-_]/, 1)[0]}_`))
  return opaque.length > 0 && lower !== '' && (isTheirs || !isNear)
    ? `which tools come with ${listed(opaque.map(({ id }) => id))} is not known here; --inventory FILE can declare them`
    : null
}
