import { showName } from '../kernel/untrusted-text.ts'
import { isControlTool } from './controls.ts'
import type { CatalogTool, Edition } from './edition.ts'
import { mcpPluginId } from './names.ts'
import { compareText } from './sources/mcp-names.ts'
import type { Inventory, Tool, ToolSource } from './types.ts'

/** A tool as `tools catalog` lists it (contract §5). */
export interface CatalogToolResult {
  readonly id: string
  readonly label: string
  readonly description: string
  readonly source: ToolSource
  readonly pluginId?: string
  readonly mcpServer?: string
  readonly channelId?: string
  readonly optional?: boolean
  readonly risk?: 'low' | 'medium' | 'high'
  readonly tags?: readonly string[]
  /** Built-in profiles whose own list has the tool; `full` has every one and is not named. */
  readonly defaultProfiles: readonly string[]
  /** False for a built-in name that nothing on this machine provides; absent otherwise. */
  readonly installed?: false
}

export interface CatalogGroup {
  readonly id: string
  readonly label: string
  readonly source: ToolSource
  readonly pluginId?: string
  readonly tools: readonly CatalogToolResult[]
}

export interface CatalogResult {
  readonly agentId: string
  readonly edition: string
  readonly profiles: readonly { readonly id: string; readonly label: string }[]
  readonly groups: readonly CatalogGroup[]
}

/**
 * Everything that could exist, no policy applied: built-in tools by section in catalogue order, then one group per plugin
 * (`plugin:<id>`), channel, MCP server and the client, groups by label and tools by name. Names of the catalogue that nothing
 * provides are listed in their section with `installed: false`.
 */
export function catalogResult(inventory: Inventory, edition: Edition, agentId: string): CatalogResult {
  const profilesOf = profileIndex(edition)
  const result = (tool: Tool): CatalogToolResult => toolResult(tool, profilesOf)
  const groups: CatalogGroup[] = [...sections(inventory, edition, result)]
  for (const source of ['plugin', 'channel', 'mcp', 'client'] as const) {
    groups.push(...ownerGroups(inventory, source, result))
  }
  return {
    agentId,
    edition: edition.id,
    profiles: Object.keys(edition.profiles).map((id) => ({ id, label: id[0]?.toUpperCase() + id.slice(1) })),
    groups,
  }
}

type ProfilesOf = (tool: Tool) => readonly string[]

function profileIndex(edition: Edition): ProfilesOf {
  const catalogued = new Map(edition.tools.map((tool) => [tool.id, tool.profiles]))
  const servers = Object.entries(edition.profiles).flatMap(([id, list]) =>
    list.includes(mcpPluginId) ? [id] : [],
  )
  return (tool) => {
    if (tool.source === 'mcp') return servers
    return catalogued.get(tool.name) ?? (edition.id === '2026.7' ? [] : (tool.profiles ?? []))
  }
}

function toolResult(tool: Tool, profilesOf: ProfilesOf): CatalogToolResult {
  const { name: id, label, description, source, pluginId, mcpServer, channelId, optional, risk, tags } = tool
  return {
    id,
    label,
    description,
    source,
    ...(pluginId !== undefined && { pluginId }),
    ...(mcpServer !== undefined && { mcpServer }),
    ...(channelId !== undefined && { channelId }),
    ...(optional !== undefined && { optional }),
    ...(risk !== undefined && { risk }),
    ...(tags !== undefined && { tags }),
    defaultProfiles: profilesOf(tool),
  }
}

/** Section of a built-in tool that the catalogue of this edition does not have. */
const sectionOfOthers = 'media'

/** Controls exist only with Tool Search, so they stand behind everything that can exist without it. */
const controlSection = { id: 'tool-search', label: 'Tool Search' }

function sections(
  inventory: Inventory,
  edition: Edition,
  result: (tool: Tool) => CatalogToolResult,
): readonly CatalogGroup[] {
  const core = new Map(
    inventory.tools.filter((tool) => tool.source === 'core').map((tool) => [tool.name, tool]),
  )
  const provided = new Set(inventory.tools.map((tool) => tool.name))
  const bySection = new Map<string, CatalogToolResult[]>(edition.sections.map(({ id }) => [id, []]))
  for (const tool of edition.tools) {
    const present = core.get(tool.id)
    core.delete(tool.id)
    if (present !== undefined) bySection.get(tool.section)?.push(result(present))
    else if (!provided.has(tool.id)) bySection.get(tool.section)?.push(missing(tool))
  }
  bySection.set(controlSection.id, [])
  for (const tool of core.values()) {
    const section = isControlTool(tool) ? controlSection.id : sectionOfOthers
    bySection.get(section)?.push(result(tool))
  }
  return [...edition.sections, controlSection].flatMap(({ id, label }): CatalogGroup[] => {
    const tools = bySection.get(id) ?? []
    return tools.length === 0 ? [] : [{ id, label, source: 'core', tools }]
  })
}

function missing(tool: CatalogTool): CatalogToolResult {
  return {
    id: tool.id,
    label: tool.id,
    description: tool.description,
    source: 'core',
    ...(tool.plugin !== undefined && { pluginId: tool.plugin }),
    defaultProfiles: tool.profiles,
    installed: false,
  }
}

function ownerGroups(
  inventory: Inventory,
  source: 'plugin' | 'channel' | 'mcp' | 'client',
  result: (tool: Tool) => CatalogToolResult,
): readonly CatalogGroup[] {
  const byOwner = new Map<string, Tool[]>()
  for (const tool of inventory.tools) {
    if (tool.source !== source) continue
    const owner = ownerOf(tool)
    const tools = byOwner.get(owner)
    if (tools === undefined) byOwner.set(owner, [tool])
    else tools.push(tool)
  }
  const named = new Map(inventory.plugins.map((plugin) => [plugin.id, plugin.name ?? plugin.id]))
  return [...byOwner]
    .map(([owner, tools]) => ({
      id: source === 'client' ? 'client' : `${source}:${owner}`,
      label: labelOf(tools[0]) ?? named.get(owner) ?? owner,
      source,
      ...(source === 'plugin' && { pluginId: owner }),
      tools: tools.map(result),
    }))
    .toSorted((a, b) => compareText(a.label.toLowerCase(), b.label.toLowerCase()))
}

function labelOf(tool: Tool | undefined): string | undefined {
  if (tool?.source === 'client') return 'Client tools'
  return tool?.mcpServer === undefined ? undefined : showName(tool.mcpServer)
}

function ownerOf(tool: Tool): string {
  return tool.mcpSafeServer ?? tool.pluginId ?? tool.channelId ?? 'client'
}
