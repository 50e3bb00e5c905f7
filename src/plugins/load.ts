import { pathToFileURL } from 'node:url'
import { isRecord } from '../catalog/source.ts'
import type { Location, Path } from '../kernel/path.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { Logger, PluginEntry } from './authoring.ts'
import { serveAuthoringModule } from './authoring-module.ts'
import { causeOf, placeOf } from './code-error.ts'
import { diagnostic, type Finding, type PluginDiagnostic } from './diagnostic.ts'
import type { InstalledPlugin } from './discover.ts'
import type { Hooks } from './hooks.ts'
import { withinLimit } from './limit.ts'
import { leavesNothing } from './no-settings.ts'
import { openRegistrations, type ToolRegistration } from './registrations.ts'

/** Milliseconds that importing the code of a plugin, and then its `register`, may take. */
export const loadLimitMs = 5000

export interface LoadOptions {
  /** `plugins.entries.<id>.config`. */
  readonly config: unknown
  readonly logger: Logger
  readonly limitMs?: number
  /** Told before each phase, so that a watcher knows in which one the code got stuck. */
  readonly onPhase?: (phase: 'import' | 'register') => void
}

/** A plugin whose code has run: what it registered, or nothing and why. */
export interface LoadedPlugin {
  readonly plugin: InstalledPlugin
  readonly loaded: boolean
  readonly tools: readonly ToolRegistration[]
  readonly hooks: Hooks
  readonly diagnostics: readonly PluginDiagnostic[]
}

/**
 * Runs the code of a plugin: imports its entry, checks its settings against `configSchema` and calls `register`. Never throws; a plugin
 * that fails in any way is not loaded and its diagnostics say why. Code that blocks the thread blocks the caller: `probePlugin` does not.
 */
export async function loadPlugin(plugin: InstalledPlugin, options: LoadOptions): Promise<LoadedPlugin> {
  const file = plugin.entry ?? plugin.manifestFile
  const fail = (...findings: Finding[]): LoadedPlugin => ({
    plugin,
    loaded: false,
    tools: [],
    hooks: { before_tool_call: [], after_tool_call: [] },
    diagnostics: findings.map((finding) => diagnostic(finding)),
  })
  const broken = (kind: 'code' | 'entry', message: string, thrown?: unknown): LoadedPlugin =>
    fail({ kind, severity: 'error', message, file, location: placeOf(thrown, plugin.folder) })

  if (plugin.problem !== null) return broken('entry', plugin.problem)
  if (plugin.entry === null) return broken('entry', 'it has no code')
  const limitMs = options.limitMs ?? loadLimitMs

  const config = await settingsOf(plugin, options.config)
  if ('faults' in config) return fail(...config.faults.map(({ finding }) => finding))

  options.onPhase?.('import')
  let exported: unknown
  try {
    serveAuthoringModule()
    const url = pathToFileURL(plugin.entry).href
    exported = await withinLimit(() => import(/* @vite-ignore */ url), limitMs, 'it')
  } catch (error) {
    return broken('code', `the code cannot be imported: ${causeOf(error)}`, error)
  }

  const entry = entryOf(exported)
  if (entry === null)
    return broken(
      'code',
      'the code has no default export with a register function; write export default definePluginEntry({ id, register(api) { … } })',
    )

  const registrations = openRegistrations(plugin, config.config, options.logger)
  options.onPhase?.('register')
  try {
    await withinLimit(() => entry.register(registrations.api), limitMs, 'it')
  } catch (error) {
    return broken('code', `register failed: ${causeOf(error)}`, error)
  } finally {
    registrations.close()
  }
  const { tools, hooks, diagnostics } = registrations
  const named =
    entry.id === plugin.id
      ? []
      : [diagnostic({ kind: 'code', severity: 'warning', message: idMismatch(entry.id, plugin.id), file })]
  return { plugin, loaded: true, tools, hooks, diagnostics: [...named, ...diagnostics] }
}

function idMismatch(said: unknown, id: string): string {
  const own = typeof said === 'string' ? `the id ${showName(said)}` : 'no id'
  return `the code gives ${own}; the manifest says ${id}, and that counts`
}

/** The entry among a module's exports; code that was compiled to CommonJS has its default export one level down. */
function entryOf(
  exported: unknown,
  depth = 0,
): (Pick<PluginEntry, 'register'> & { readonly id?: unknown }) | null {
  if (typeof exported !== 'object' || exported === null) return null
  if (isEntry(exported)) return exported
  const inner = 'default' in exported ? exported.default : undefined
  return depth < 2 ? entryOf(inner, depth + 1) : null
}

function isEntry(value: object): value is PluginEntry {
  return 'register' in value && typeof value.register === 'function'
}

/** What is wrong with the settings of a plugin; the path below them is null where it is their schema that is wrong. */
export interface SettingsFault {
  readonly finding: Finding
  readonly path: Path | null
}

type Settings =
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
