import { toolKey } from '../../catalog/names.ts'
import type { ToolPolicy } from '../../config/types.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import { parseSenderKey } from '../layers/sender.ts'
import { coverageOf } from './coverage.ts'
import { quoted, type Finding, type Rule, type Scan } from './finding.ts'
import { listNames } from './list-names.ts'
import { groupRefs, senderMaps } from './scopes.ts'

function shadowed(message: string, path: Path, severity: Finding['severity'] = 'warning'): Finding {
  return { id: 'shadowed-rule', severity, message, path }
}

/** Entries of `old` that `next` does not repeat. */
function lost(scan: Scan, old: readonly string[], next: readonly string[], kind: 'allow' | 'deny'): string[] {
  const cover = coverageOf(scan, next, kind)
  return old.filter((entry) => toolKey(entry, scan.view.edition) !== '' && !cover.all(entry))
}

/** What is lost when one policy is used instead of another, in words; null when nothing is. */
function loss(
  scan: Scan,
  old: ToolPolicy | null | undefined,
  next: ToolPolicy | null | undefined,
): string | null {
  const denies = lost(scan, old?.deny ?? [], next?.deny ?? [], 'deny')
  if (denies.length > 0) return `its deny ${quoted(denies)} does not apply`
  const hadAllow = (old?.allow ?? []).length > 0
  const hasAllow = (next?.allow ?? []).length > 0
  return hadAllow && !hasAllow ? 'its allow list does not apply' : null
}

/** Groups keys by the form in which they are compared; groups of one are left out. */
function sameKeys(keys: readonly string[], formOf: (key: string) => string | null): string[][] {
  const byForm = new Map<string, string[]>()
  for (const key of keys) {
    const form = formOf(key)
    if (form !== null) byForm.set(form, [...(byForm.get(form) ?? []), key])
  }
  return [...byForm.values()].filter((group) => group.length > 1)
}

const providerForm = (key: string): string => key.trim().toLowerCase()
const senderForm = (key: string): string => JSON.stringify(parseSenderKey(key))

/** byProvider maps: spellings of one key, and model keys that stand in for their provider's key. */
function providerKeys(scan: Scan): Finding[] {
  const tools = scan.view.config.tools
  const { agent } = scan
  const maps = [
    { map: tools?.byProvider, path: ['tools', 'byProvider'] as Path },
    { map: agent?.config.tools?.byProvider, path: [...(agent?.path ?? []), 'tools', 'byProvider'] as Path },
  ]
  return maps.flatMap(({ map = {}, path }) => {
    const keys = Object.keys(map)
    const doubled = sameKeys(keys, providerForm).flatMap((group) => {
      const used = group.find((key) => key === providerForm(key)) ?? group[0]!
      return group
        .filter((key) => key !== used)
        .map((key) =>
          shadowed(`${formatPath([...path, key])} is never used: ${JSON.stringify(used)} is the same key`, [
            ...path,
            key,
          ]),
        )
    })
    const models = keys.flatMap((key) => {
      const form = providerForm(key)
      const slash = form.indexOf('/', 1)
      const owner = slash < 0 ? undefined : keys.find((each) => providerForm(each) === form.slice(0, slash))
      if (owner === undefined) return []
      const profile =
        map[owner]?.profile && !map[key]?.profile ? `its profile ${map[owner]?.profile} does not apply` : null
      const what = loss(scan, map[owner], map[key]) ?? profile
      if (what === null) return []
      const place = formatPath([...path, key])
      return [
        shadowed(
          `${place} is used instead of ${formatPath([...path, owner])}, not on top of it: ${what} to this model`,
          [...path, key],
        ),
      ]
    })
    return [...doubled, ...models]
  })
}

/** An agent's sandbox lists replace the global ones, and a configured deny replaces the built-in one. */
function sandboxLists(scan: Scan): Finding[] {
  const { view, agent } = scan
  const global = view.config.tools?.sandbox?.tools
  const own = agent?.config.tools?.sandbox?.tools
  const base: Path = ['tools', 'sandbox', 'tools']
  const ownBase: Path = [...(agent?.path ?? []), ...base]
  const replaced = listNames.flatMap((name) => {
    const next = own?.[name]
    const old = global?.[name]
    if (!next || !old) return []
    const gone = lost(scan, old, next, name === 'deny' ? 'deny' : 'allow')
    if (gone.length === 0) return []
    return [
      shadowed(
        `${formatPath([...ownBase, name])} replaces ${formatPath([...base, name])}: ${quoted(gone)} ${gone.length === 1 ? 'does' : 'do'} not apply to this agent; repeat what it needs`,
        [...ownBase, name],
      ),
    ]
  })
  const deny = own?.deny ?? global?.deny
  if (!deny) return replaced
  const gone = lost(scan, view.edition.sandbox.deny, deny, 'deny').filter((name) =>
    view.edition.tools.some(({ id }) => id === name),
  )
  if (gone.length === 0) return replaced
  const opensAll = (own?.allow ?? global?.allow)?.length === 0
  const message = `${formatPath([...(own?.deny ? ownBase : base), 'deny'])} replaces the built-in sandbox deny list: ${quoted(gone)} ${gone.length === 1 ? 'is' : 'are'} no longer denied there`
  return [
    ...replaced,
    shadowed(message, [...(own?.deny ? ownBase : base), 'deny'], opensAll ? 'warning' : 'info'),
  ]
}

/** An agent's toolsBySender match ends the search, so the global map is not asked any more. */
function agentSenders(scan: Scan): Finding[] {
  const { agent, view } = scan
  const own = agent?.config.tools?.toolsBySender ?? {}
  const global = view.config.tools?.toolsBySender ?? {}
  if (!agent) return []
  return Object.keys(own).flatMap((key) => {
    const isStar = key.trim() === '*'
    const hidden = Object.keys(global).filter((each) => {
      const falls = isStar || senderForm(each) === senderForm(key) || each.trim() === '*'
      return falls && loss(scan, global[each], own[key]) !== null
    })
    if (hidden.length === 0) return []
    const path = [...agent.path, 'tools', 'toolsBySender', key]
    return [
      shadowed(
        `${formatPath(path)} ends the search for a sender it matches: ${quoted(hidden)} in tools.toolsBySender ${hidden.length === 1 ? 'does' : 'do'} not apply to them`,
        path,
      ),
    ]
  })
}

/** Two spellings of one sender: the first one counts. */
function doubledSenders(scan: Scan): Finding[] {
  const { config, context } = scan.view
  return senderMaps(config, context.agentId).flatMap(({ path, map }) => {
    const form = (key: string): string | null => {
      const parsed = map[key] ? parseSenderKey(key) : null
      return parsed && JSON.stringify([parsed.type, parsed.channel, parsed.value])
    }
    return sameKeys(Object.keys(map), form).flatMap(([used, ...others]) =>
      others.map((key) =>
        shadowed(`${formatPath([...path, key])} is never used: ${JSON.stringify(used)} is the same sender`, [
          ...path,
          key,
        ]),
      ),
    )
  })
}

/** A group's own policy stands in for that of "*", a sender's entry for the group's tools, an account's groups for the channel's. */
function groupPolicies(scan: Scan): Finding[] {
  return groupRefs(scan.view.config).flatMap(({ path, groups: all, replaces }) => {
    const star = all['*']
    const found: Finding[] = []
    for (const [key, group] of Object.entries(all)) {
      if (!group) continue
      const place = [...path, key]
      const fallback = star?.tools ?? star?.toolsBySender?.['*']
      const what = key === '*' || !group.tools ? null : loss(scan, fallback, group.tools)
      if (what !== null) {
        found.push(
          shadowed(
            `${formatPath([...place, 'tools'])} is used instead of the policy of the group "*": ${what} here`,
            [...place, 'tools'],
          ),
        )
      }
      for (const [sender, policy] of Object.entries(group.toolsBySender ?? {})) {
        const gone = policy && group.tools ? loss(scan, group.tools, policy) : null
        if (gone === null) continue
        const at = [...place, 'toolsBySender', sender]
        found.push(
          shadowed(
            `${formatPath(at)} is used instead of ${formatPath([...place, 'tools'])}: ${gone} to this sender`,
            at,
          ),
        )
      }
    }
    const hasPolicy = Object.values(replaces?.groups ?? {}).some(
      (group) => group?.tools ?? group?.toolsBySender,
    )
    if (replaces && hasPolicy && Object.keys(all).length > 0) {
      found.push(
        shadowed(
          `${formatPath(path)} replaces ${formatPath(replaces.path)} for this account: policies there do not apply`,
          path,
        ),
      )
    }
    return found
  })
}

/** Settings that a more specific one replaces as a whole, where that loses something. */
export const shadowedRules: Rule = (scan) => [
  ...providerKeys(scan),
  ...sandboxLists(scan),
  ...agentSenders(scan),
  ...doubledSenders(scan),
  ...groupPolicies(scan),
]
