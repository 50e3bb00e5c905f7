import { isSupplied, toolKey } from '../../catalog/names.ts'
import { formatPath } from '../../kernel/path.ts'
import { parseSenderKey } from '../layers/sender.ts'
import { atomsOf, coverageOf } from './coverage.ts'
import type { Finding, Rule, Scan } from './finding.ts'
import { listsOf, senderMaps, type ListRef, type Scope } from './scopes.ts'

const quote = (entry: string): string => JSON.stringify(entry.trim())

/** Whether dropping the entry from an allow list could matter although another one covers it: plugin tools and gated tools must be named. */
function mustBeNamed(scan: Scan, scope: Scope, entry: string): boolean {
  const { edition } = scan.view
  // Exact names in the lists for subagents lift built-in denies, groups and patterns do not (policy facts §5.5).
  const lifted = scope.kind === 'subagents' ? [...edition.subagent.always, ...edition.subagent.leafOnly] : []
  const gated = ['update_plan', ...edition.leanDeny, ...lifted]
  const { names, glob } = atomsOf(scan, entry, 'allow')
  // A lone star selects plugin tools, no other pattern does.
  if (glob === '*') return true
  const named = scan.matcher.plainList([{ text: entry, path: null }])
  if (gated.some(named.has)) return true
  return names.some((name) => {
    const tool = edition.tools.find(({ id }) => id === name)
    return !tool || isSupplied(tool)
  })
}

/** Entries of one list that repeat or narrow another entry of it. */
function repeated(scan: Scan, list: ListRef): Finding[] {
  const kind = list.name === 'deny' ? 'deny' : 'allow'
  const cover = coverageOf(scan, list.entries, kind)
  const seen = new Set<string>()
  return list.entries.flatMap((entry, index): Finding[] => {
    const name = toolKey(entry, scan.view.edition)
    if (name === '') return []
    const dead = (why: string): Finding[] => [
      {
        id: 'dead-rule',
        severity: 'info',
        message: `${quote(entry)} in ${formatPath(list.path)} changes nothing: ${why}`,
        path: [...list.path, index],
      },
    ]
    if (seen.has(name)) return dead('the list has it already')
    seen.add(name)
    if (scan.names.fact(entry).kind !== 'known' || (kind === 'allow' && mustBeNamed(scan, list.scope, entry)))
      return []
    const at = cover.whole(entry, index)
    const by = list.entries[at]
    if (by === undefined || toolKey(by, scan.view.edition) === name) return []
    // Two entries that cover each other are one rule written twice: only the second is told.
    if (at > index && coverageOf(scan, [entry], kind).all(by)) return []
    // A plugin id lets tools into the sandbox but does not lift the built-in deny.
    const isPlugin = scan.pluginTools.has(toolKey(by, scan.view.edition))
    if (list.scope.kind === 'sandbox' && kind === 'allow' && isPlugin) return []
    return dead(`${quote(by)} in the same list covers it`)
  })
}

/** Deny entries below the global scope that name what `tools.deny` takes away from every session. */
function deniedAlready(scan: Scan, scopes: readonly Scope[]): Finding[] {
  const global = scan.view.config.tools?.deny ?? []
  if (global.length === 0) return []
  const cover = coverageOf(scan, global, 'deny')
  return scopes.flatMap((scope) => {
    // Removing the last entry of a sandbox deny would bring the built-in one back, so none of it is idle.
    if (scope.kind === 'tools' || scope.kind === 'sandbox') return []
    return (scope.policy.deny ?? []).flatMap((entry, index): Finding[] => {
      const by = global[cover.whole(entry)]
      if (by === undefined) return []
      return [
        {
          id: 'dead-rule',
          severity: 'info',
          message: `${quote(entry)} in ${formatPath([...scope.path, 'deny'])} changes nothing: ${quote(by)} in tools.deny already denies it everywhere`,
          path: [...scope.path, 'deny', index],
        },
      ]
    })
  })
}

interface Denial {
  readonly place: string
  readonly list: readonly string[]
  readonly cover: ReturnType<typeof coverageOf>
}

function denial(scan: Scan, list: readonly string[] | undefined, place: string): Denial[] {
  return list && list.length > 0 ? [{ place, list, cover: coverageOf(scan, list, 'deny') }] : []
}

const ownDenial = (scan: Scan, scope: Scope): Denial[] =>
  denial(scan, scope.policy.deny, formatPath([...scope.path, 'deny']))

/** The sandbox deny in force: the agent's, else the global one, whichever allow list it meets. */
function sandboxDenial(scan: Scan): Denial[] {
  const sandbox = scan.scopes.filter(({ kind, policy }) => kind === 'sandbox' && policy.deny)
  const inForce = sandbox.find(({ own }) => own) ?? sandbox[0]
  return inForce ? ownDenial(scan, inForce) : []
}

/** Allow and alsoAllow entries that a deny of the same session always beats. */
function deniedAnyway(scan: Scan, scopes: readonly Scope[]): Finding[] {
  const global = denial(scan, scan.view.config.tools?.deny, 'tools.deny')
  const { agent } = scan
  const own = agent
    ? denial(scan, agent.config.tools?.deny, formatPath([...agent.path, 'tools', 'deny']))
    : []
  return scopes.flatMap((scope) => {
    const isBase = scope.kind === 'tools' || scope.kind === 'agent'
    const denials = [
      ...(isBase ? [] : scope.kind === 'sandbox' ? sandboxDenial(scan) : ownDenial(scan, scope)),
      // The agent's deny beats global lists only for this agent, so it makes just the agent's own entries dead.
      ...(scope.own ? own : []),
      ...global,
    ]
    return listsOf(scope)
      .filter(({ name }) => name !== 'deny')
      .flatMap((list) =>
        list.entries.flatMap((entry, index): Finding[] => {
          // Allowing write allows apply_patch, too; denying write denies only itself.
          const impliesPatch = coverageOf(scan, [entry], 'allow').all('write')
          const hit = denials
            .filter(({ cover }) => !impliesPatch || cover.all('apply_patch'))
            .map(({ place, list: denied, cover }) => ({ place, by: denied[cover.whole(entry)] }))
            .find(({ by }) => by !== undefined)
          if (hit?.by === undefined) return []
          return [
            {
              id: 'dead-rule',
              severity: 'warning',
              message: `${quote(entry)} in ${formatPath(list.path)} lets nothing through: ${quote(hit.by)} in ${hit.place} denies it, and deny wins over every allow and alsoAllow`,
              path: [...list.path, index],
            },
          ]
        }),
      )
  })
}

/** toolsBySender keys that no sender can match. */
function matchless(scan: Scan): Finding[] {
  const { config, context } = scan.view
  return senderMaps(config, context.agentId).flatMap(({ path, map }) =>
    Object.keys(map).flatMap((key): Finding[] =>
      parseSenderKey(key)
        ? []
        : [
            {
              id: 'dead-rule',
              severity: 'warning',
              message: `the sender key ${quote(key)} in ${formatPath(path)} can never match: write channel:<channel>:<id>, id:<id>, e164:<number>, username:<name>, name:<name> or *`,
              path: [...path, key],
            },
          ],
    ),
  )
}

function deadPlugin(what: string, path: Finding['path']): Finding {
  const message = `${what} changes nothing: plugins.deny names the plugin, and deny wins`
  return { id: 'dead-rule', severity: 'warning', message, path }
}

/** Plugins that are switched on in one place and off in another that wins. */
function deniedPlugins(scan: Scan): Finding[] {
  const { plugins } = scan.view.config
  const deny = new Set((plugins?.deny ?? []).map((id) => id.trim().toLowerCase()))
  const denied = (id: string): boolean => deny.has(id.trim().toLowerCase())
  return [
    ...(plugins?.allow ?? []).flatMap((id, index) =>
      denied(id) ? [deadPlugin(`${quote(id)} in plugins.allow`, ['plugins', 'allow', index])] : [],
    ),
    ...Object.entries(plugins?.entries ?? {}).flatMap(([id, entry]) => {
      const path = ['plugins', 'entries', id, 'enabled']
      return entry.enabled === true && denied(id) ? [deadPlugin(`${formatPath(path)}: true`, path)] : []
    }),
  ]
}

/** Entries that can never change an answer; a deny inside a narrow allow list counts as precaution, not as dead. */
export const deadRules: Rule = (scan) => [
  ...deniedAnyway(scan, scan.scopes),
  ...scan.scopes.flatMap(listsOf).flatMap((list) => repeated(scan, list)),
  ...deniedAlready(scan, scan.scopes),
  ...matchless(scan),
  ...deniedPlugins(scan),
]
