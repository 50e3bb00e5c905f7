import { toolKey } from '../../catalog/names.ts'
import type { Tool } from '../../catalog/types.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import { type Matcher } from '../matcher.ts'
import type { Entry, Layer, PolicyInput, TraceEntry } from '../types.ts'
import { defectOf, gate, objected, passed, skipped, type Objection, type Step } from './step.ts'

const sameId = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** Why a plugin as a whole gives no tools, from `plugins.*` and the inventory; null when it is on. */
export function pluginObjection(input: PolicyInput, pluginId: string): Objection | null {
  const plugins = input.config.plugins
  if (plugins?.enabled === false)
    return gate('plugins.enabled', 'plugins are switched off', ['plugins', 'enabled'])
  const denied = plugins?.deny?.findIndex((id) => sameId(id, pluginId)) ?? -1
  if (denied >= 0) {
    const path: Path = ['plugins', 'deny', denied]
    return { effect: 'deny', rule: pluginId, reason: `plugins.deny names the plugin ${pluginId}`, path }
  }
  const allow = plugins?.allow ?? []
  if (allow.length > 0 && !allow.some((id) => sameId(id, pluginId))) {
    return {
      effect: 'not-allowed',
      rule: null,
      reason: `plugins.allow does not name the plugin ${pluginId}`,
      path: ['plugins', 'allow'],
    }
  }
  const entry = Object.keys(plugins?.entries ?? {}).find((id) => sameId(id, pluginId))
  if (entry !== undefined && plugins?.entries?.[entry]?.enabled === false) {
    return gate('plugin disabled', `the plugin ${pluginId} is disabled`, [
      'plugins',
      'entries',
      entry,
      'enabled',
    ])
  }
  const known = input.inventory.plugins.find((plugin) => sameId(plugin.id, pluginId))
  if (known?.enabled === false) {
    const why = known.offByDefault ? 'off by default: plugins.entries has to enable it' : 'disabled'
    return gate('plugin disabled', `the plugin ${pluginId} is ${why}`)
  }
  if (known?.slot !== undefined) {
    const chosen = Object.hasOwn(plugins?.slots ?? {}, known.slot) ? plugins?.slots?.[known.slot] : null
    if (chosen !== null && chosen !== undefined && !sameId(chosen, pluginId)) {
      const who = chosen === 'none' ? 'is none' : `names the plugin ${chosen}`
      const reason = `plugins.slots.${known.slot} ${who}; ${pluginId} works only in that slot`
      return gate('plugin slot', reason, ['plugins', 'slots', known.slot])
    }
  }
  if (known?.problem === undefined) return null
  const reason = `the plugin ${pluginId} cannot run: ${known.problem}`
  return gate('plugin invalid', reason, known.problemPath ?? null)
}

/** The union of all lists in force, which decides what plugin tools are built at all (policy facts §4.2, ruling 8). */
interface Selection {
  readonly names: ReadonlySet<string>
  /** Some scope has only alsoAllow, so plugin tools that are not optional stay. */
  readonly defaults: boolean
  readonly deny: readonly Entry[]
  /** The first allow list a user could widen. */
  readonly path: Path | null
}

function allowEntries(layer: Layer): readonly Entry[] {
  // A profile counts with its own list only; its alsoAllow counts through the scope that holds it.
  if (layer.profile !== undefined) return (layer.allow ?? []).filter((entry) => entry.path === null)
  if (layer.implicitAllowAll) return (layer.allow ?? []).slice(1)
  return layer.allow ?? []
}

function selectionOf(input: PolicyInput, layers: readonly Layer[]): Selection {
  const names = new Set<string>()
  for (const layer of layers) {
    for (const entry of allowEntries(layer)) {
      const name = toolKey(entry.text, input.edition)
      if (name !== '') names.add(name)
    }
  }
  return {
    names,
    defaults: layers.some((layer) => layer.implicitAllowAll),
    deny: layers.flatMap((layer) => layer.deny),
    path: layers.find((layer) => layer.allow && layer.allowPath)?.allowPath ?? null,
  }
}

function selectObjection(tool: Tool, key: string, pluginId: string, selection: Selection): Objection | null {
  const { names } = selection
  const named =
    names.has('*') || names.has('group:plugins') || names.has(pluginId.trim().toLowerCase()) || names.has(key)
  if (named || (!tool.optional && (names.size === 0 || selection.defaults))) return null
  const reason = tool.optional
    ? `it is an optional tool of the plugin ${pluginId}: an allow list must name it, the plugin, group:plugins or *`
    : `the allow lists in force name neither it, its plugin ${pluginId}, group:plugins nor * (globs and core groups do not select plugin tools)`
  return { effect: 'not-allowed', rule: null, reason, path: selection.path }
}

/** The plugin step and what it needs to give way: a tool that a later list hides too is reported there (ruling 7). */
export interface PluginStep extends Step {
  /** Replaces an objection that only repeats what a later list says. */
  settle(entry: TraceEntry, hiddenByLists: boolean): TraceEntry
}

export function pluginStep(input: PolicyInput, layers: readonly Layer[], matcher: Matcher): PluginStep {
  const selection = selectionOf(input, layers)
  const notPlugin = skipped('plugin', 'not a plugin tool')
  const pass = passed('plugin', 'its plugin is enabled and the lists select it')
  const repeated = skipped('plugin', 'the lists do not select it; the step that also hides it reports it')
  const yields = new WeakSet<TraceEntry>()
  const verdicts = new Map<string, Objection | null>()
  const denials = new Map<string, Objection | null>()

  const whole = (id: string): Objection | null => {
    let verdict = verdicts.get(id)
    if (verdict === undefined) verdicts.set(id, (verdict = pluginObjection(input, id)))
    return verdict
  }
  const denial = (id: string): Objection | null => {
    let verdict = denials.get(id)
    if (verdict === undefined) {
      const entry = selection.deny.find((each) => matcher.coversPluginId(each.text, id))
      const place = entry?.path ? formatPath(entry.path.slice(0, -1)) : 'a built-in deny list'
      verdict = entry
        ? {
            effect: 'deny',
            rule: entry.text.trim(),
            reason: `${JSON.stringify(entry.text.trim())} in ${place} covers the whole plugin ${id}`,
            path: entry.path,
          }
        : null
      denials.set(id, verdict)
    }
    return verdict
  }

  return {
    id: 'plugin',
    check: (tool, key) => {
      if (tool.source !== 'plugin' || tool.pluginId === undefined) return notPlugin
      const off = whole(tool.pluginId)
      if (off) return objected('plugin', off)
      const defect = defectOf(tool, 'plugin')
      if (defect) return objected('plugin', defect)
      const objection = denial(tool.pluginId) ?? selectObjection(tool, key, tool.pluginId, selection)
      if (!objection) return pass
      const entry = objected('plugin', objection)
      yields.add(entry)
      return entry
    },
    settle: (entry, hiddenByLists) => (hiddenByLists && yields.has(entry) ? repeated : entry),
  }
}
