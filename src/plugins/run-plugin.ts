import { pathToFileURL } from 'node:url'
import { showName } from '../kernel/untrusted-text.ts'
import type { Logger, PluginEntry } from './authoring.ts'
import { serveAuthoringModule } from './authoring-module.ts'
import type { Backend } from './backends.ts'
import { causeOf, placeOf } from './code-error.ts'
import { diagnostic, type Finding, type PluginDiagnostic } from './diagnostic.ts'
import type { InstalledPlugin } from './discover.ts'
import type { Hooks } from './hooks.ts'
import { withinLimit } from './limit.ts'
import { openRegistrations, type ToolRegistration } from './registrations.ts'
import { hostPlugin } from './strays.ts'

/** Milliseconds that importing the code of a plugin, and then its `register`, may take. */
export const loadLimitMs = 5000

export interface RunOptions {
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
  readonly backends: readonly Backend[]
  readonly diagnostics: readonly PluginDiagnostic[]
}

/** A plugin whose code did not run, or not to its end. */
export function notLoaded(plugin: InstalledPlugin, findings: readonly Finding[]): LoadedPlugin {
  return {
    plugin,
    loaded: false,
    tools: [],
    hooks: { before_tool_call: [], after_tool_call: [] },
    backends: [],
    diagnostics: findings.map((finding) => diagnostic(finding)),
  }
}

/**
 * Runs the code of a plugin whose settings are as its schema wants them: imports its entry and calls `register`. Never throws; a plugin
 * that fails in any way is not loaded and its diagnostics say why. Code that blocks the thread blocks the caller.
 */
export async function runPlugin(
  plugin: InstalledPlugin,
  config: Readonly<Record<string, unknown>>,
  options: RunOptions,
): Promise<LoadedPlugin> {
  const file = plugin.entry ?? plugin.manifestFile
  const broken = (kind: 'code' | 'entry', message: string, thrown?: unknown): LoadedPlugin => {
    const location = placeOf(thrown, plugin.folder)
    return notLoaded(plugin, [{ kind, severity: 'error', message, file, location }])
  }

  if (plugin.problem !== null) return broken('entry', plugin.problem)
  if (plugin.entry === null) return broken('entry', 'it has no code')
  const limitMs = options.limitMs ?? loadLimitMs

  hostPlugin(plugin)
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

  const registrations = openRegistrations(plugin, config, options.logger)
  options.onPhase?.('register')
  try {
    await withinLimit(() => entry.register(registrations.api), limitMs, 'it')
  } catch (error) {
    return broken('code', `register failed: ${causeOf(error)}`, error)
  } finally {
    registrations.close()
  }
  const { tools, hooks, backends, diagnostics } = registrations
  const named =
    entry.id === plugin.id
      ? []
      : [diagnostic({ kind: 'code', severity: 'warning', message: idMismatch(entry.id, plugin.id), file })]
  return { plugin, loaded: true, tools, hooks, backends, diagnostics: [...named, ...diagnostics] }
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
