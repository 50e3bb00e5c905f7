import type { InventorySource } from '../catalog/source.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { Config } from '../config/types.ts'
import type { Notice } from '../kernel/path.ts'
import type { PluginDiscovery } from '../plugins/discover.ts'
import type { Locate } from '../policy/report.ts'
import { findPlugins, pluginNotices, pluginSources } from './installed-plugins.ts'

/** What discovery may look at. */
export interface DiscoveryInput {
  readonly loaded: LoadedConfig
  /** The validated config of the question, changes for this answer included. */
  readonly config: Config
  readonly locate: Locate
  /** What relative paths of a config on standard input start from. */
  readonly cwd: string
}

/** What is installed or configured on this machine besides the built-in tools; an `--inventory` file stands in for all of it. */
export interface Discovery {
  readonly source: InventorySource
  readonly notices: readonly Notice[]
  /** Null where nothing says where plugins could be. */
  readonly plugins: PluginDiscovery | null
}

/** Finds out what exists without running foreign code or dialing anything; null where there is nothing to look at, which costs two look-ups of a file name. */
export async function discover(input: DiscoveryInput): Promise<Discovery | null> {
  const plugins = await findPlugins(input)
  if (plugins === null) return null
  return {
    source: { plugins: pluginSources(plugins), servers: [], client: [], channel: [], providers: {} },
    notices: pluginNotices(plugins),
    plugins,
  }
}
