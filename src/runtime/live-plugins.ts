import type { InventorySource, PluginSource } from '../catalog/source.ts'
import type { Notice } from '../kernel/path.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { Logger, Tool } from '../plugins/authoring.ts'
import type { PluginDiagnostic } from '../plugins/diagnostic.ts'
import type { InstalledPlugin } from '../plugins/discover.ts'
import { orderHooks, type Hooks } from '../plugins/hooks.ts'
import { loadPlugin } from '../plugins/load.ts'
import { withoutCode } from '../plugins/probe-thread.ts'
import { sessionTools } from '../plugins/session-tools.ts'
import { pluginObjection } from '../policy/steps/plugin.ts'
import type { View } from '../policy/view.ts'
import type { Case } from './case.ts'
import { entryOf, samePlugin } from './plugin-settings.ts'
import { toolContext } from './tool-context.ts'

/** Plugins whose code runs in this process, for one session. */
export interface LivePlugins {
  /** What their code registers, in place of what their manifests declare. */
  readonly sources: ReadonlyMap<string, Partial<PluginSource>>
  /** Of all of them, in the order in which they run. */
  readonly hooks: Hooks
  tool(pluginId: string, name: string): Tool | undefined
  readonly notices: readonly Notice[]
}

interface Loaded {
  readonly id: string
  readonly source: Partial<PluginSource>
  readonly tools: ReadonlyMap<string, Tool>
  readonly hooks: Hooks
  readonly diagnostics: readonly PluginDiagnostic[]
}

const noHooks: Hooks = { before_tool_call: [], after_tool_call: [] }

/** Runs the code of every plugin that is on, whether or not the session has tools of it: its hooks see every call. One that fails costs its own tools and hooks. */
export async function loadPlugins(each: Case, view: View, logger: Logger): Promise<LivePlugins> {
  const installed = each.discovered?.plugins?.plugins ?? []
  const on = installed.filter(
    ({ id, shadowedBy, problem }) =>
      shadowedBy === null && problem === null && pluginObjection(view.policy.input, id) === null,
  )
  const loaded = await Promise.all(on.map((plugin) => loadOne(each, view, plugin, logger)))
  const tools = new Map(loaded.map((plugin) => [plugin.id.toLowerCase(), plugin.tools]))
  return {
    sources: new Map(loaded.map(({ id, source }) => [id, source])),
    hooks: orderHooks(loaded.map(({ hooks }) => hooks)),
    tool: (pluginId, name) => tools.get(pluginId.toLowerCase())?.get(name),
    notices: loaded.flatMap(({ id, diagnostics }) => noticesOf(id, diagnostics)),
  }
}

async function loadOne(each: Case, view: View, plugin: InstalledPlugin, logger: Logger): Promise<Loaded> {
  const { id } = plugin
  const { entry } = entryOf(each.config, id)
  const loaded = await loadPlugin(plugin, { config: entry?.config, logger })
  if (!loaded.loaded) {
    const problem = loaded.diagnostics.find(({ severity }) => severity === 'error')?.message
    const source = { problem: problem ?? 'its code fails' }
    return { id, source, tools: new Map(), hooks: noHooks, diagnostics: loaded.diagnostics }
  }
  const made = await sessionTools(loaded, toolContext(each, view))
  const tools = new Map<string, Tool>()
  const declared: unknown[] = []
  for (const { tool, optional } of made.tools) {
    const plain = withoutCode(tool, optional)
    if (plain === null) continue
    tools.set(plain.name.trim(), tool)
    declared.push(plain)
  }
  return {
    id,
    source: { tools: declared },
    tools,
    hooks: loaded.hooks,
    diagnostics: [...loaded.diagnostics, ...made.diagnostics],
  }
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
