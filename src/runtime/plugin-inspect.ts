import type { InventorySource, PluginSource } from '../catalog/source.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { InstalledPlugin } from '../plugins/discover.ts'
import { probePlugin, type PluginProbe } from '../plugins/probe.ts'
import { skillsIn } from '../plugins/skills.ts'
import type { HidingStep } from '../policy/explain.ts'
import { hiddenTool } from '../policy/report.ts'
import type { Exposure, View } from '../policy/view.ts'
import type { Case } from './case.ts'
import { objectionTo, pluginItems, statusOf, type PluginItem } from './plugin-list.ts'
import { entryOf, samePlugin } from './plugin-settings.ts'
import { toolContext } from './tool-context.ts'

/** A tool of a plugin in the session asked about. */
export interface PluginToolItem {
  readonly name: string
  readonly description: string
  readonly optional: boolean
  readonly verdict: 'visible' | 'deferred' | 'hidden' | 'unavailable'
  readonly exposure: Exposure | null
  readonly decidedBy: HidingStep | null
}

/** The answer of `plugins inspect`. */
export interface PluginInspection extends Omit<PluginItem, 'tools'> {
  readonly description: string | null
  readonly manifest: string | null
  readonly entry: string | null
  readonly agentId: string
  readonly sessionKey: string
  readonly configSchema: unknown
  readonly tools: readonly PluginToolItem[]
  readonly skills: readonly { readonly name: string; readonly file: string }[]
  /** What its code did; null unless it was run. */
  readonly runtime: null | Pick<PluginProbe, 'loaded' | 'hooks' | 'backends' | 'output'>
}

/** Says all about one plugin in one session; runs its code only when asked to and only if it is on. PLUGIN_INVALID for an id that nobody knows. */
export async function inspectPlugin(
  each: Case,
  asked: string,
  options: { readonly runtime: boolean; readonly signal: AbortSignal },
): Promise<PluginInspection> {
  const view = await each.view()
  const items = pluginItems(each, view)
  const item = items.find((known) => samePlugin(known.id, asked) && known.status !== 'shadowed')
  if (item === undefined) throw unknownPlugin(asked, items)
  const plugin = each.discovered?.plugins?.plugins.find(
    ({ id, shadowedBy }) => shadowedBy === null && samePlugin(id, asked),
  )
  const about = {
    ...item,
    description: plugin?.manifest?.description ?? null,
    manifest: plugin?.manifestFile ?? null,
    entry: plugin?.entry ?? null,
    agentId: view.context.agentId,
    sessionKey: view.context.sessionKey,
    configSchema: plugin?.manifest?.configSchema ?? null,
    skills: plugin === undefined ? [] : skillsOf(plugin),
  }
  if (plugin === undefined) return { ...about, tools: toolsOf(each, view, item.id, []), runtime: null }

  const declared = plugin.manifest?.tools ?? []
  if (!options.runtime || item.off !== null)
    return { ...about, tools: toolsOf(each, view, item.id, declared), runtime: null }

  const probe = await probePlugin(plugin, {
    config: entryOf(each.config, plugin.id).entry?.config,
    context: toolContext(each, view.context),
    signal: options.signal,
  })
  const live = each.rediscover(view, withProbe(each, plugin, probe))
  const off = objectionTo(each, live, plugin.id)
  const { loaded, hooks, backends, output } = probe
  return {
    ...about,
    enabled: off === null,
    status: statusOf(off, item.status),
    off,
    tools: toolsOf(each, live, item.id, declared, loaded ? probe.tools : undefined),
    diagnostics: [...item.diagnostics, ...probe.diagnostics],
    runtime: { loaded, hooks, backends, output },
  }
}

function unknownPlugin(asked: string, items: readonly PluginItem[]): OpenClawError {
  const suggestions = suggest(
    asked,
    items.map(({ id }) => id),
  )
  return new OpenClawError(
    'PLUGIN_INVALID',
    `no plugin "${asked}" is installed here or named in the config`,
    {
      hints: [...suggestions.map((id) => `openclaw plugins inspect ${id}`), 'openclaw plugins list'],
      data: { id: asked, suggestions },
    },
  )
}

/** What was discovered, with what the code of one plugin really registers in place of what its manifest declares. */
function withProbe(
  each: Case,
  plugin: InstalledPlugin,
  { loaded, tools, diagnostics }: PluginProbe,
): InventorySource {
  const source = each.discovered?.source ?? {
    plugins: [],
    servers: [],
    client: [],
    channel: [],
    providers: {},
  }
  const problem = diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'its code fails'
  const told: Partial<PluginSource> = loaded ? { tools } : { problem }
  return {
    ...source,
    plugins: source.plugins.map((other) => (other.id === plugin.id ? { ...other, ...told } : other)),
  }
}

function skillsOf(plugin: InstalledPlugin): PluginInspection['skills'] {
  const places = plugin.skillFolders.map((folder) => ({ folder, writer: 'plugin' as const }))
  const found = new Map(skillsIn(places, ['plugin']).map(({ name, file }) => [name, file]))
  return [...found].map(([name, file]) => ({ name, file })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The tools of a plugin in a session, with the declared ones that the inventory does not have; `registered` is what its code said, if it ran. */
function toolsOf(
  each: Case,
  view: View,
  id: string,
  declared: readonly string[],
  registered?: PluginProbe['tools'],
): PluginToolItem[] {
  const own = view.decisions.filter(
    ({ tool }) => tool.source === 'plugin' && samePlugin(tool.pluginId ?? '', id),
  )
  const items = own.map((decision): PluginToolItem => {
    const { tool, verdict } = decision
    const exposure = view.exposure(tool)
    const hidden = hiddenTool(decision, each.locate)
    return {
      name: tool.name,
      description: tool.description,
      optional: tool.optional === true,
      verdict: verdict === 'visible' && exposure === 'deferred' ? 'deferred' : verdict,
      exposure,
      decidedBy: hidden && {
        step: hidden.step,
        effect: hidden.effect,
        rule: hidden.rule,
        reason: hidden.reason,
        location: hidden.location,
      },
    }
  })
  const present = new Set(items.map(({ name }) => name.toLowerCase()))
  const absent = declared.filter((name) => !present.has(name.trim().toLowerCase()))
  return [
    ...items,
    ...absent.map((name) => absentTool(view, name, registered?.every((tool) => tool.name !== name) === true)),
  ]
}

/** A declared tool that the inventory does not have: the code does not register it, or somebody else has its name. */
function absentTool(view: View, name: string, isUnregistered: boolean): PluginToolItem {
  const holder = view.inventory.tools.find((tool) => tool.name.toLowerCase() === name.trim().toLowerCase())
  const owner = holder?.source === 'plugin' ? `the plugin ${holder.pluginId}` : 'a built-in tool'
  const [rule, reason] = isUnregistered
    ? ['not registered', 'its code does not register it in this session']
    : ['name-conflict', `${owner} has that name`]
  return {
    name: showName(name),
    description: '',
    optional: false,
    verdict: 'unavailable',
    exposure: null,
    decidedBy: { step: 'plugin', effect: 'gate', rule, reason, location: null },
  }
}
