import type { InventorySource, PluginSource } from '../catalog/source.ts'
import type { Notice } from '../kernel/path.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { Logger, Tool, ToolContext } from '../plugins/authoring.ts'
import { joinBackends, type Backends } from '../plugins/backends.ts'
import type { PluginDiagnostic } from '../plugins/diagnostic.ts'
import { orderHooks, type Hooks } from '../plugins/hooks.ts'
import { loadPlugin, type LoadedPlugin } from '../plugins/load.ts'
import { withoutCode } from '../plugins/probe-thread.ts'
import { sessionTools } from '../plugins/session-tools.ts'
import { pluginObjection } from '../policy/steps/plugin.ts'
import type { View } from '../policy/view.ts'
import type { Case } from './case.ts'
import { entryOf, samePlugin } from './plugin-settings.ts'
import { tryPlugin } from './plugin-trial.ts'
import { toolContext } from './tool-context.ts'

/** Plugins whose code runs in this process, for one session. */
export interface LivePlugins {
  /** What their code registers, in place of what their manifests declare. */
  readonly sources: ReadonlyMap<string, Partial<PluginSource>>
  /** Of all of them, in the order in which they run. */
  readonly hooks: Hooks
  /** Channels, model providers and the like that they bring. */
  readonly backends: Backends
  tool(pluginId: string, name: string): Tool | undefined
  readonly notices: readonly Notice[]
}

/** Runs the code of every plugin that is on, whether or not a session has tools of it: its hooks see every call. One that fails costs its own tools and hooks. */
export async function loadCode(each: Case, view: View, logger: Logger): Promise<readonly LoadedPlugin[]> {
  const installed = each.discovered?.plugins?.plugins ?? []
  const on = installed.filter(
    ({ id, shadowedBy, problem }) =>
      shadowedBy === null && problem === null && pluginObjection(view.policy.input, id) === null,
  )
  const failed = await Promise.all(on.map((plugin) => tryPlugin(each, view, plugin)))
  return Promise.all(
    on.map(
      (plugin, at) =>
        failed[at] ?? loadPlugin(plugin, { config: entryOf(each.config, plugin.id).entry?.config, logger }),
    ),
  )
}

interface Made {
  readonly source: Partial<PluginSource>
  readonly tools: ReadonlyMap<string, Tool>
  readonly diagnostics: readonly PluginDiagnostic[]
}

/** Makes the tools of loaded plugins for one session. */
export async function makeLive(loaded: readonly LoadedPlugin[], context: ToolContext): Promise<LivePlugins> {
  const made = await Promise.all(
    loaded.map(async (each) => ({
      id: each.plugin.id,
      hooks: each.hooks,
      ...(await makeOne(each, context)),
    })),
  )
  const clashes: Notice[] = []
  const backends = joinBackends(
    loaded.map(({ plugin, backends: own }) => ({ id: plugin.id, backends: own })),
    (id, { kind, id: name }, owner) => {
      const message = `plugin "${showName(id)}": its ${kind} ${name} is left out: plugin "${showName(owner)}" has one of that name`
      clashes.push({ id: 'name-conflict', severity: 'warning', message, location: null })
    },
  )
  const tools = new Map(made.map((plugin) => [plugin.id.toLowerCase(), plugin.tools]))
  return {
    sources: new Map(made.map(({ id, source }) => [id, source])),
    hooks: orderHooks(made.map(({ hooks }) => hooks)),
    tool: (pluginId, name) => tools.get(pluginId.toLowerCase())?.get(name),
    backends,
    notices: [...made.flatMap(({ id, diagnostics }) => noticesOf(id, diagnostics)), ...clashes],
  }
}

/** Runs the code of plugins for the one session that is asked about. */
export async function loadPlugins(each: Case, view: View, logger: Logger): Promise<LivePlugins> {
  return makeLive(await loadCode(each, view, logger), toolContext(each, view.context))
}

async function makeOne(loaded: LoadedPlugin, context: ToolContext): Promise<Made> {
  if (!loaded.loaded) {
    const problem = loaded.diagnostics.find(({ severity }) => severity === 'error')?.message
    const source = { problem: problem ?? 'its code fails' }
    return { source, tools: new Map(), diagnostics: loaded.diagnostics }
  }
  const made = await sessionTools(loaded, context)
  const tools = new Map<string, Tool>()
  const declared: unknown[] = []
  for (const { tool, optional } of made.tools) {
    const plain = plainOf(tool, optional)
    if (plain === null) continue
    tools.set(plain.name.trim(), tool)
    declared.push(plain)
  }
  const unregistered = (loaded.plugin.manifest?.tools ?? []).filter(
    (name) => ![...tools.keys()].some((own) => own.toLowerCase() === name.trim().toLowerCase()),
  )
  return {
    source: { tools: declared, unregistered },
    tools,
    diagnostics: [...loaded.diagnostics, ...made.diagnostics],
  }
}

// Most tools are the same objects in every session, and a server opens many.
const plain = new WeakMap<Tool, ReturnType<typeof withoutCode>>()

function plainOf(tool: Tool, optional: boolean): ReturnType<typeof withoutCode> {
  const known = plain.get(tool)
  if (known !== undefined && (known === null || (known.optional === true) === optional)) return known
  const made = withoutCode(tool, optional)
  plain.set(tool, made)
  return made
}

function noticesOf(id: string, diagnostics: readonly PluginDiagnostic[]): Notice[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ message, location, file }) => ({
      id: 'plugin-invalid',
      severity: 'warning',
      message: `plugin "${showName(id)}": ${message}${location === null ? ` (${file})` : ''}`,
      location,
    }))
}

/** What was discovered, with what the code of plugins says in place of their manifests. */
export function withLivePlugins(source: InventorySource, live: LivePlugins): InventorySource {
  const plugins = source.plugins.map((plugin) => {
    const key = [...live.sources.keys()].find((id) => samePlugin(id, plugin.id))
    return { ...plugin, ...(key === undefined ? {} : live.sources.get(key)) }
  })
  return { ...source, plugins }
}
