import type { InventorySource } from '../catalog/source.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Env } from '../config/env.ts'
import type { Config } from '../config/types.ts'
import type { Notice } from '../kernel/path.ts'
import type { Discovery as ServerDiscovery } from '../mcp/discovery.ts'
import type { PluginDiscovery } from '../plugins/discover.ts'
import type { Locate } from '../policy/report.ts'
import { findPlugins, pluginNotices, pluginSources } from './installed-plugins.ts'
import { findServers, serverNotices, type DialOptions } from './mcp-servers.ts'

/** What discovery may look at. */
export interface DiscoveryInput {
  readonly loaded: LoadedConfig
  /** The validated config of the question, changes for this answer included. */
  readonly config: Config
  readonly locate: Locate
  /** What relative paths of a config on standard input start from. */
  readonly cwd: string
  readonly env: Env
  /** Absent: no MCP server may be started or dialled. */
  readonly dial?: DialOptions | undefined
}

/** What is installed or configured on this machine besides the built-in tools; an `--inventory` file stands in for all of it. */
export interface Discovery {
  readonly source: InventorySource
  readonly notices: readonly Notice[]
  /** Null where nothing says where plugins could be. */
  readonly plugins: PluginDiscovery | null
  /** Null where no MCP server is configured, or none was ever asked. */
  readonly servers: ServerDiscovery | null
}

/** Finds out what exists without running foreign code, and without dialling anything unless told to; null where there is nothing to look at, which costs three look-ups of a file name. */
export async function discover(input: DiscoveryInput): Promise<Discovery | null> {
  const [plugins, servers] = await Promise.all([findPlugins(input), findServers(input)])
  if (plugins === null && servers === null) return null
  return {
    source: {
      plugins: plugins === null ? [] : pluginSources(plugins),
      servers: servers?.servers ?? [],
      client: [],
      channel: [],
      providers: {},
    },
    notices: [
      ...(plugins === null ? [] : pluginNotices(plugins)),
      ...(servers === null ? [] : serverNotices(servers, input)),
    ],
    plugins,
    servers,
  }
}
