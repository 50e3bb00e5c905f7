import { isRecord } from '../catalog/source.ts'
import type { Location, Path } from '../kernel/path.ts'
import type { Finding } from './diagnostic.ts'
import type { InstalledPlugin } from './discover.ts'
import { leavesNothing } from './no-settings.ts'
import { notLoaded, runPlugin, type LoadedPlugin, type RunOptions } from './run-plugin.ts'

export type { LoadedPlugin } from './run-plugin.ts'

export interface LoadOptions extends RunOptions {
  /** `plugins.entries.<id>.config`. */
  readonly config: unknown
}

/** Checks the settings of a plugin against its `configSchema` and runs its code. Never throws; else as `runPlugin`. `probePlugin` does it in a thread. */
export async function loadPlugin(plugin: InstalledPlugin, options: LoadOptions): Promise<LoadedPlugin> {
  const checked = await runnableSettings(plugin, options.config)
  if ('faults' in checked)
    return notLoaded(
      plugin,
      checked.faults.map(({ finding }) => finding),
    )
  return runPlugin(plugin, checked.config, options)
}

/** The settings with which a plugin may run, or what is wrong with them; one that cannot run for another reason says so itself. */
export async function runnableSettings(plugin: InstalledPlugin, given: unknown): Promise<Settings> {
  return plugin.problem !== null || plugin.entry === null ? { config: {} } : settingsOf(plugin, given)
}

/** What is wrong with the settings of a plugin; the path below them is null where it is their schema that is wrong. */
export interface SettingsFault {
  readonly finding: Finding
  readonly path: Path | null
}

/** The settings of a plugin as its code gets them, or what is wrong with them. */
export type Settings =
  | { readonly config: Readonly<Record<string, unknown>> }
  | { readonly faults: readonly SettingsFault[] }

/** The settings of a plugin as its code gets them, or what is wrong with them; `locate` finds the place of a path below `plugins.entries.<id>.config`. */
export async function settingsOf(
  plugin: InstalledPlugin,
  given: unknown,
  locate: (path: Path) => Location | null = () => null,
): Promise<Settings> {
  const config = given ?? {}
  const schema = plugin.manifest?.configSchema
  const fault = (message: string, path: Path | null): SettingsFault => ({
    finding: {
      kind: 'config',
      severity: 'error',
      message,
      file: plugin.manifestFile,
      location: path && locate(path),
    },
    path,
  })
  if (!isRecord(config)) return { faults: [fault(`plugins.entries.${plugin.id}.config is no object`, [])] }
  if (schema === undefined) return { config: structuredClone(config) }
  // Most plugins have no settings, and the schema library costs more than the rest of their start.
  if (Object.keys(config).length === 0 && leavesNothing(schema)) return { config: {} }
  const { checkPluginConfig } = await import('./config-check.ts')
  const check = checkPluginConfig(schema, config)
  if ('config' in check) return { config: isRecord(check.config) ? check.config : {} }
  if ('schemaProblem' in check) {
    return { faults: [fault(`configSchema cannot be used: ${check.schemaProblem}`, null)] }
  }
  return {
    faults: check.issues.map(({ path, message }) => fault(`plugins.entries.${plugin.id}: ${message}`, path)),
  }
}
