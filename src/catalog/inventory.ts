import type { Config } from '../config/types.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { knownPlugins } from './declared.ts'
import type { Edition } from './edition.ts'
import { InventoryNotices } from './notices.ts'
import { resolveProviders } from './providers.ts'
import type { InventorySource, ServerSource } from './source.ts'
import { channelTools } from './sources/channel.ts'
import { Claims } from './sources/claims.ts'
import { clientTools } from './sources/client.ts'
import { coreTools } from './sources/core.ts'
import { compareText, safeServerNames } from './sources/mcp-names.ts'
import { mcpTools } from './sources/mcp.ts'
import { pluginTools } from './sources/plugin.ts'
import type { Inventory, McpServerInfo, Providers, Tool } from './types.ts'

export interface InventoryOptions {
  readonly edition: Edition
  readonly config: Config
  /** A parsed `--inventory` file; it replaces discovery and what config alone would declare. */
  readonly file?: InventorySource
  /** What discovery found on this machine. */
  readonly discovered?: InventorySource
  /** Whose models count for provider-backed tools; without one only what every agent shares. */
  readonly agentId?: string
}

/**
 * Everything that could exist in a session of this config, before any policy: one entry per tool name, frozen, built-in tools in
 * catalogue order, then plugin, channel, MCP and client tools by name. Pure; without file and discovery only what config names is known.
 */
export function buildInventory({ edition, config, file, discovered, agentId }: InventoryOptions): Inventory {
  const source = file ?? discovered
  const providers = resolveProviders(config, source?.providers ?? {}, agentId)
  if (source === undefined) return build({ edition, config }, providers)
  const key = JSON.stringify([
    edition.id,
    providers,
    config.plugins?.entries,
    config.plugins?.slots,
    config.mcp,
  ])
  const last = built.get(source)
  if (last?.key === key) return last.inventory
  const inventory = build({ edition, config, ...(file ? { file } : { discovered: source }) }, providers)
  built.set(source, { key, inventory })
  return inventory
}

/** The last inventory of each source: fixes and diffs judge thousands of tools again under configs that differ in policy only. */
const built = new WeakMap<InventorySource, { readonly key: string; readonly inventory: Inventory }>()

function build(options: InventoryOptions, providers: Required<Providers>): Inventory {
  const { edition, config, file } = options
  const source = file ?? options.discovered
  const notices = new InventoryNotices()
  const claims = new Claims(edition)

  const plugins = knownPlugins(options).map((plugin) =>
    pluginTools(plugin, { edition, config, claims, notices }),
  )
  const core = coreTools(edition, providers).filter((tool) => claims.takeOwn(tool.name))
  const channel = channelTools(source?.channel ?? [], edition, claims, notices)
  const servers = allServers(source?.servers ?? [], config)
  const safeNames = safeServerNames(servers.map((server) => server.name))
  const mcp = servers.map((server) => {
    const safeName = safeNames.get(server.name) ?? server.name
    if (server.listed === null) return unlistedServer(server.name, safeName)
    return mcpTools(server.listed, safeName, { config, claims, notices })
  })
  const client = clientTools(source?.client ?? [], edition, claims, notices)
  if (file === undefined) tellUnlisted(servers, config, notices)

  const tools = [
    ...core,
    ...byName(plugins.flatMap((plugin) => plugin.tools)),
    ...byName(channel),
    ...byName(mcp.flatMap((server) => server.tools)),
    ...byName(client),
  ]
  return Object.freeze({
    tools: Object.freeze(tools.map((tool) => Object.freeze(tool))),
    plugins: Object.freeze(plugins.map((plugin) => Object.freeze(plugin.info))),
    servers: Object.freeze(mcp.map((server) => Object.freeze(server.info))),
    providers: Object.freeze(providers),
    notices: Object.freeze(notices.all()),
  })
}

function byName(tools: readonly Tool[]): Tool[] {
  return tools.toSorted((a, b) => compareText(a.name, b.name))
}

interface KnownServer {
  readonly name: string
  /** Null for a server that only config names. */
  readonly listed: ServerSource | null
}

function allServers(listed: readonly ServerSource[], config: Config): readonly KnownServer[] {
  const servers = new Map<string, KnownServer>()
  for (const name of Object.keys(config.mcp?.servers ?? {})) servers.set(name, { name, listed: null })
  for (const server of listed) servers.set(server.name, { name: server.name, listed: server })
  return [...servers.values()].toSorted((a, b) => compareText(a.name, b.name))
}

function unlistedServer(name: string, safeName: string): { info: McpServerInfo; tools: Tool[] } {
  return { info: { name, safeName, status: 'unknown', toolCount: 0 }, tools: [] }
}

/** Says of which configured servers no tool list is known: their tools are missing from every answer. */
function tellUnlisted(servers: readonly KnownServer[], config: Config, notices: InventoryNotices): void {
  const names = servers.flatMap(({ name, listed }) =>
    listed === null && config.mcp?.servers?.[name]?.enabled !== false ? [`"${showName(name)}"`] : [],
  )
  if (names.length === 0) return
  const which =
    names.length === 1 ? `MCP server ${names[0]}` : `${names.length} MCP servers (${names.join(', ')})`
  const message = `no tool list of ${which} has been seen, so their tools are missing here; openclaw mcp probe asks, --inventory FILE can supply one`
  notices.inform('mcp-stale', names.length === 1 ? message.replace('their tools', 'its tools') : message)
}
