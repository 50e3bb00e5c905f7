import type { Config, PluginEntry } from '../config/types.ts'
import type { Path } from '../kernel/path.ts'
import { diagnostic } from '../plugins/diagnostic.ts'
import type { InstalledPlugin } from '../plugins/discover.ts'
import { acceptsNothing } from '../plugins/no-settings.ts'
import type { Locate } from '../policy/report.ts'

/** Whether two texts are the same plugin id. */
export const samePlugin = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** What `plugins.entries` says of a plugin, and under which key. */
export function entryOf(
  config: Config,
  id: string,
): { readonly key: string; readonly entry: PluginEntry | undefined } {
  const entries = config.plugins?.entries ?? {}
  const key = Object.keys(entries).find((name) => samePlugin(name, id)) ?? id
  return { key, entry: Object.hasOwn(entries, key) ? entries[key] : undefined }
}

/** Checks the settings of a plugin that is not switched off: with wrong ones its code is never run, so its tools are unavailable. */
export async function withSettings(
  plugin: InstalledPlugin,
  config: Config,
  locate: Locate,
): Promise<InstalledPlugin> {
  const schema = plugin.manifest?.configSchema
  const { key, entry } = entryOf(config, plugin.id)
  if (schema === undefined || plugin.problem !== null || plugin.shadowedBy !== null) return plugin
  if (entry?.enabled === false || (entry?.config === undefined && acceptsNothing(schema))) return plugin
  const { settingsOf } = await import('../plugins/load.ts')
  const base: Path = ['plugins', 'entries', key, 'config']
  const checked = await settingsOf(plugin, entry?.config, (path) => locate([...base, ...path]))
  if (!('faults' in checked)) return plugin
  const [first] = checked.faults
  return {
    ...plugin,
    problem: first?.finding.message ?? null,
    ...(first?.path && { problemPath: [...base, ...first.path] }),
    diagnostics: [...plugin.diagnostics, ...checked.faults.map(({ finding }) => diagnostic(finding))],
  }
}
