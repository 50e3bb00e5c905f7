import { showName } from '../kernel/untrusted-text.ts'
import type { PluginDiagnostic } from '../plugins/diagnostic.ts'
import type { InstalledPlugin, PluginOrigin } from '../plugins/discover.ts'
import type { HidingStep } from '../policy/explain.ts'
import { pluginObjection } from '../policy/steps/plugin.ts'
import type { View } from '../policy/view.ts'
import type { Case } from './case.ts'
import { samePlugin } from './plugin-settings.ts'

/** A plugin as `plugins list` has it. */
export interface PluginItem {
  readonly id: string
  readonly name: string
  readonly version: string | null
  /** Who says that the plugin is there: a place on this machine, the config alone, or an inventory. */
  readonly origin: PluginOrigin | 'config' | 'inventory'
  /** Its folder. */
  readonly path: string | null
  readonly enabled: boolean
  /** `disabled` by config, its own default or a slot; `invalid`: it cannot run; `shadowed`: another one has its id; `not-installed`: only config names it. */
  readonly status: 'enabled' | 'disabled' | 'invalid' | 'shadowed' | 'not-installed'
  /** Why it is off, as `tools explain` says it of its tools. */
  readonly off: HidingStep | null
  /** How many tools it declares. */
  readonly tools: number
  readonly diagnostics: readonly PluginDiagnostic[]
}

/** The answer of `plugins list`. */
export interface PluginList {
  readonly items: readonly PluginItem[]
  /** What is wrong with the places where plugins are looked for. */
  readonly diagnostics: readonly PluginDiagnostic[]
}

/** Lists every plugin that is installed or that the config names, in order of precedence, the latter last. */
export async function listPlugins(each: Case): Promise<PluginList> {
  const view = await each.view()
  return { items: pluginItems(each, view), diagnostics: each.discovered?.plugins?.diagnostics ?? [] }
}

/** Every plugin with what its session's policy says of it as a whole. */
export function pluginItems(each: Case, view: View): PluginItem[] {
  const installed = each.discovered?.plugins?.plugins ?? []
  const others = view.inventory.plugins.filter(
    ({ id }) => !installed.some((plugin) => samePlugin(plugin.id, id)),
  )
  return [
    ...installed.map((plugin) => installedItem(each, view, plugin)),
    ...others.map((info) => {
      const off = objectionTo(each, view, info.id)
      const isKnown = each.inventory !== null || info.tools.length > 0
      return {
        id: info.id,
        name: info.name ?? info.id,
        version: null,
        origin: each.inventory === null ? ('config' as const) : ('inventory' as const),
        path: null,
        enabled: off === null,
        status: statusOf(off, isKnown ? 'enabled' : 'not-installed'),
        off,
        tools: info.tools.length,
        diagnostics: [],
      }
    }),
  ]
}

function installedItem(each: Case, view: View, plugin: InstalledPlugin): PluginItem {
  const off = plugin.shadowedBy === null ? objectionTo(each, view, plugin.id) : shadowedBy(plugin.shadowedBy)
  return {
    id: plugin.id,
    name: plugin.manifest?.name ?? plugin.id,
    version: plugin.manifest?.version ?? null,
    origin: plugin.origin,
    path: plugin.folder,
    enabled: off === null,
    status: plugin.shadowedBy === null ? statusOf(off, 'enabled') : 'shadowed',
    off,
    tools: plugin.manifest?.tools.length ?? 0,
    diagnostics: plugin.diagnostics,
  }
}

/** What an objection makes of a plugin. */
export function statusOf(off: HidingStep | null, otherwise: PluginItem['status']): PluginItem['status'] {
  if (off === null) return otherwise
  return off.rule === 'plugin invalid' ? 'invalid' : 'disabled'
}

function shadowedBy(folder: string): HidingStep {
  const reason = `the plugin in ${showName(folder, 200)} has this id and comes first`
  return { step: 'plugin', effect: 'gate', rule: 'plugin shadowed', reason, location: null }
}

/** Why a plugin as a whole is off, in the words of `tools explain`. */
export function objectionTo(each: Case, view: View, id: string): HidingStep | null {
  const objection = pluginObjection(view.policy.input, id)
  if (objection === null) return null
  const { effect, rule, reason, path } = objection
  return { step: 'plugin', effect, rule, reason, location: path && each.locate(path) }
}
