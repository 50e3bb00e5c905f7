import { toolKey } from '../../catalog/names.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import { findProviderMatches } from '../layers/scopes.ts'
import type { Layer } from '../types.ts'
import { atomsOf, coverageOf } from './coverage.ts'
import { quoted, type Finding, type Rule, type Scan } from './finding.ts'
import type { Scope } from './scopes.ts'

const layerOf = (scan: Scan, step: Layer['step']): Layer | undefined =>
  scan.view.policy.layers.find((layer) => layer.step === step)

/** Whether naming the tool in a configured list has an effect of its own: it selects plugin tools, or opens a gate. */
function selects(scan: Scan, entry: string): boolean {
  const { view, names } = scan
  const { edition, inventory, config } = view
  const name = toolKey(entry, edition)
  const { names: atoms, glob } = atomsOf(scan, entry, 'allow')
  // A lone * names nothing for the gates; a group means its tools there, even if a plugin has its name.
  const gates = name === '*' ? null : scan.matcher.plainList([{ text: entry, path: null }])
  if (edition.id === '2026.7' && gates?.has('update_plan')) return true
  const lean =
    scan.agent?.config.experimental?.localModelLean ?? config.agents?.defaults?.experimental?.localModelLean
  if (lean === true && edition.leanDeny.some((each) => gates?.has(each))) return true
  const restricts = view.policy.layers.some((layer) => layer.allow !== null && !layer.implicitAllowAll)
  const picked = inventory.tools.some((tool) => {
    if (tool.source !== 'plugin' || (!tool.optional && !restricts)) return false
    const byName = atoms.includes(scan.matcher.key(tool)) && glob === null && !isCoreGroup(scan, name)
    return byName || glob === '*'
  })
  if (picked) return true
  // A plugin whose tools nothing lists may have an optional one of this name.
  const isCore =
    isCoreGroup(scan, name) || edition.tools.some(({ id, plugin }) => id === name && plugin === undefined)
  return names.opaquePlugins.length > 0 && !isCore && (glob === null || glob === '*')
}

function isCoreGroup(scan: Scan, name: string): boolean {
  return scan.matcher.isGroup(name) && name !== 'group:plugins'
}

/** Whether the mere presence of an alsoAllow keeps plugin tools that no allow list names (policy facts §4.2). */
function keepsPluginTools(scan: Scan): boolean {
  const restricts = scan.view.policy.layers.some((layer) => layer.allow !== null && !layer.implicitAllowAll)
  const isKept = scan.view.decisions.some(
    ({ tool, verdict }) => tool.source === 'plugin' && !tool.optional && verdict === 'visible',
  )
  return restricts && isKept
}

/** As `tell`, for a list that alone lets everything through. */
function tellOpen(
  scan: Scan,
  scope: Scope,
  entries: readonly string[],
  idle: readonly number[],
  why: string,
): Finding[] {
  return idle.length === entries.length && keepsPluginTools(scan) ? [] : tell(scope, entries, idle, why)
}

/** One notice for a whole list that grants nothing, or one per idle entry. */
function tell(scope: Scope, entries: readonly string[], idle: readonly number[], why: string): Finding[] {
  const path = [...scope.path, 'alsoAllow']
  const finding = (what: string, at: Finding['path']): Finding => ({
    id: 'also-allow-grants-nothing',
    severity: 'info',
    message: `${what} grants nothing: ${why}`,
    path: at,
  })
  if (idle.length === 0) return []
  if (idle.length === entries.length) return [finding(`${formatPath(path)} (${quoted(entries)})`, path)]
  return idle.map((index) =>
    finding(`${JSON.stringify(entries[index]?.trim())} in ${formatPath(path)}`, [...path, index]),
  )
}

function idleEntries(scan: Scan, entries: readonly string[], isIdle: (entry: string) => boolean): number[] {
  return entries.flatMap((entry, index) => {
    const fact = scan.names.fact(entry)
    const isTold = fact.kind === 'blank' || (fact.kind === 'unknown' && fact.sure)
    return !isTold && isIdle(entry) ? [index] : []
  })
}

/** alsoAllow of `tools` or an agent: it adds to the profile in force and to nothing else. */
function baseScope(scan: Scan, scope: Scope, entries: readonly string[]): Finding[] {
  const layer = layerOf(scan, 'tools.profile')
  const replaced = !scope.own && scan.agent?.config.tools?.alsoAllow !== undefined
  if (replaced && layer) return []
  const own = (layer?.allow ?? []).filter(({ path }) => path === null).map(({ text }) => text)
  const cover = coverageOf(scan, own, 'allow')
  const idle = idleEntries(scan, entries, (entry) => (!layer || cover.all(entry)) && !selects(scan, entry))
  const why = layer
    ? `profile ${layer.profile} includes it already`
    : 'it adds to a profile, and none is set; without a profile nothing is restricted'
  return tellOpen(scan, scope, entries, idle, why)
}

const providerOf = (key: unknown): string => String(key).trim().toLowerCase().split('/', 1)[0] ?? ''

/** alsoAllow of one provider key: it adds to the profile of that provider, which may stand at the agent or at a model of it. */
function providerScope(scan: Scan, scope: Scope, entries: readonly string[]): Finding[] {
  const provider = providerOf(scope.path.at(-1))
  const maps = [scan.view.config.tools?.byProvider, scan.agent?.config.tools?.byProvider]
  const hasProfile = maps.some((map) =>
    Object.entries(map ?? {}).some(([key, policy]) => providerOf(key) === provider && policy.profile),
  )
  if (hasProfile) return []
  const idle = idleEntries(scan, entries, (entry) => !selects(scan, entry))
  return tellOpen(scan, scope, entries, idle, 'it adds to a profile of this provider, and none is set there')
}

/** alsoAllow for a sender or group: there is no profile at that level. */
function bareScope(scan: Scan, scope: Scope, entries: readonly string[]): Finding[] {
  const idle = idleEntries(scan, entries, (entry) => !selects(scan, entry))
  const what = scope.kind === 'sender' ? 'a sender' : 'a group'
  return tellOpen(
    scan,
    scope,
    entries,
    idle,
    `${what} has no profile to add to, and alsoAllow alone restricts nothing`,
  )
}

/** alsoAllow of the sandbox: it adds to the allow list, which may be open or have it already, and lifts the built-in deny. */
function sandboxScope(scan: Scan, scope: Scope, entries: readonly string[]): Finding[] {
  const own = scan.agent?.config.tools?.sandbox?.tools
  const global = scan.view.config.tools?.sandbox?.tools
  if (!scope.own && own?.alsoAllow) return []
  const allow = own?.allow ?? global?.allow
  const builtInDeny = (own?.deny ?? global?.deny) ? [] : scan.view.edition.sandbox.deny
  const lifts = (entry: string): boolean =>
    builtInDeny.some(scan.matcher.plainList([{ text: entry, path: null }]).has)
  const isOpen = allow?.length === 0
  const cover = coverageOf(scan, allow ?? scan.view.edition.sandbox.allow, 'allow')
  const idle = idleEntries(
    scan,
    entries,
    (entry) => (isOpen || cover.all(entry)) && !lifts(entry) && !selects(scan, entry),
  )
  const why = isOpen
    ? 'an empty sandbox allow list lets everything through already'
    : `the ${allow ? '' : 'built-in '}sandbox allow list has it already`
  return tell(scope, entries, idle, why)
}

/** alsoAllow for subagents: exact names lift the built-in deny, in edition 2026.7 only. */
function subagentScope(scan: Scan, scope: Scope, entries: readonly string[]): Finding[] {
  const { edition } = scan.view
  if (!edition.subagent.explicitAllowLifts) {
    return tell(
      scope,
      entries,
      [...entries.keys()],
      `in edition ${edition.id} nothing lifts what subagents are denied`,
    )
  }
  const liftable = new Set([...edition.subagent.always, ...edition.subagent.leafOnly])
  const idle = idleEntries(
    scan,
    entries,
    (entry) => !liftable.has(toolKey(entry, edition)) && !selects(scan, entry),
  )
  return tell(scope, entries, idle, 'it only lifts what subagents are denied by default, by exact name')
}

/** alsoAllow entries without an effect. */
export const alsoAllowGrantsNothing: Rule = (scan) =>
  scan.scopes.flatMap((scope) => {
    const entries = scope.policy.alsoAllow ?? []
    if (entries.length === 0) return []
    switch (scope.kind) {
      case 'tools':
      case 'agent':
        return baseScope(scan, scope, entries)
      case 'provider':
        return providerScope(scan, scope, entries)
      case 'sandbox':
        return sandboxScope(scan, scope, entries)
      case 'subagents':
        return subagentScope(scan, scope, entries)
      default:
        return bareScope(scan, scope, entries)
    }
  })

/** An agent's alsoAllow, or that of its provider key, which drops global grants its profile would need. */
export const alsoAllowReplaced: Rule = (scan) => {
  const { agent, view } = scan
  if (!agent) return []
  const base = {
    own: { list: agent.config.tools?.alsoAllow, path: [...agent.path, 'tools'] },
    global: { list: view.config.tools?.alsoAllow, path: ['tools'] },
  }
  const matches = findProviderMatches(view.policy.input, agent)
  const provider = matches.agent &&
    matches.global && {
      own: { list: matches.agent.policy.alsoAllow, path: matches.agent.path },
      global: { list: matches.global.policy.alsoAllow, path: matches.global.path },
    }
  return [
    ...replacement(scan, agent.id, 'tools.profile', base.own, base.global),
    ...(provider
      ? replacement(scan, agent.id, 'tools.byProvider.profile', provider.own, provider.global)
      : []),
  ]
}

interface AlsoAllow {
  readonly list: readonly string[] | undefined
  /** Place of the scope that holds it. */
  readonly path: Path
}

function replacement(
  scan: Scan,
  agentId: string,
  step: Layer['step'],
  own: AlsoAllow,
  global: AlsoAllow,
): Finding[] {
  const layer = layerOf(scan, step)
  if (!own.list || !layer) return []
  const cover = coverageOf(
    scan,
    (layer.allow ?? []).map(({ text }) => text),
    'allow',
  )
  const gone = (global.list ?? []).filter(
    (entry) => toolKey(entry, scan.view.edition) !== '' && !cover.all(entry),
  )
  if (gone.length === 0) return []
  const path = [...own.path, 'alsoAllow']
  const other = formatPath([...global.path, 'alsoAllow'])
  return [
    {
      id: 'also-allow-replaced',
      severity: 'warning',
      message: `${formatPath(path)} replaces ${other}, so ${quoted(gone)} ${gone.length === 1 ? 'is' : 'are'} not added to profile ${layer.profile} for agent ${agentId}; repeat what it needs`,
      path,
    },
  ]
}
