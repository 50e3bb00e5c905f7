import { toolKey } from '../../catalog/names.ts'
import { formatPath } from '../../kernel/path.ts'
import type { Finding, Rule, Scan } from './finding.ts'
import { listed } from './finding.ts'
import { listsOf, type ListRef, type Scope } from './scopes.ts'

function didYouMean(near: readonly string[]): string {
  return near.length > 0 ? `; did you mean ${listed(near)}?` : ''
}

/** In deny lists a pattern is compared with plugin ids and with `group:plugins`, too, so `group:*` takes every plugin tool away. */
function deniesPlugin(scan: Scan, entry: string): boolean {
  return scan.view.inventory.plugins.some(({ id }) => scan.matcher.coversPluginId(entry, id))
}

function unknownEntry(entry: string, index: number, list: ListRef, scan: Scan): Finding[] {
  const fact = scan.names.fact(entry)
  if (fact.kind !== 'unknown' || (list.name === 'deny' && deniesPlugin(scan, entry))) return []
  // Tools of plugins that nothing lists can have any name, so only what looks like a slip is worth a word.
  if (!fact.sure && fact.near.length === 0) return []
  const hedge = fact.sure ? '' : ` (tools of ${listed(scan.names.opaquePlugins)} are not known here)`
  return [
    {
      id: 'unknown-entry',
      severity: fact.sure ? 'warning' : 'info',
      message: `${JSON.stringify(entry.trim())} in ${formatPath(list.path)} selects nothing: ${fact.why}${didYouMean(fact.near)}${hedge}`,
      path: [...list.path, index],
    },
  ]
}

/** An entry for a tool the session cannot have; a deny of it is only told where a renamed tool makes it idle. */
function absentEntry(entry: string, index: number, list: ListRef, scan: Scan): Finding[] {
  const fact = scan.names.fact(entry)
  const idleDeny = list.name === 'deny' && !(fact.kind === 'absent' && fact.renamed)
  if (idleDeny) return []
  const finding = (why: string, severity: Finding['severity']): Finding => ({
    id: 'unavailable-entry',
    severity,
    message: `${JSON.stringify(entry.trim())} in ${formatPath(list.path)} is known but does nothing here: ${why}`,
    path: [...list.path, index],
  })
  if (fact.kind === 'absent') return [finding(fact.why, fact.renamed ? 'warning' : 'info')]
  const key = toolKey(entry, scan.view.edition)
  const decision = scan.view.decisions.find(({ tool }) => tool.name === key)
  const gate = decision?.trace[decision.decisive]
  if (decision?.verdict !== 'unavailable' || gate?.outcome !== 'gate') return []
  return gate.step === 'capability' || gate.step === 'plugin' ? [finding(gate.reason, 'info')] : []
}

/** What the Gateway serves to callers outside; whether such a tool can exist in a session is not its concern. */
function gatewayLists({ view }: Scan): ListRef[] {
  const tools = view.config.gateway?.tools
  if (tools === undefined) return []
  const scope: Scope = { kind: 'tools', path: ['gateway', 'tools'], policy: tools, own: false }
  return listsOf(scope)
}

/** A Gateway's lists know neither patterns nor groups (gateway facts §1.7), so a deny of one denies nothing. */
function gatewayEntry(entry: string, index: number, list: ListRef, scan: Scan): Finding[] {
  if (!/[*]|^\s*group:/i.test(entry)) return unknownEntry(entry, index, list, scan)
  return [
    {
      id: 'unknown-entry',
      severity: 'warning',
      message: `${JSON.stringify(entry.trim())} in ${formatPath(list.path)} selects nothing: names of single tools count here, patterns and groups do not`,
      path: [...list.path, index],
    },
  ]
}

/** Entries that select nothing, told apart from names of tools that merely cannot exist here. */
export const unknownEntries: Rule = (scan) => [
  ...scan.scopes
    .flatMap(listsOf)
    .flatMap((list) =>
      list.entries.flatMap((entry, index) => [
        ...unknownEntry(entry, index, list, scan),
        ...absentEntry(entry, index, list, scan),
      ]),
    ),
  ...gatewayLists(scan).flatMap((list) =>
    list.entries.flatMap((entry, index) => gatewayEntry(entry, index, list, scan)),
  ),
]
