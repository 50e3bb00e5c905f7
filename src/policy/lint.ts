import { findAgent } from '../config/agents.ts'
import { formatPath, type Notice } from '../kernel/path.ts'
import { alsoAllowGrantsNothing, alsoAllowReplaced } from './lint/also-allow.ts'
import { deadRules } from './lint/dead-rules.ts'
import { emptyAllow } from './lint/empty-allow.ts'
import type { Finding, Rule, Scan } from './lint/finding.ts'
import { hiddenSections } from './lint/hidden-sections.ts'
import { createNames } from './lint/names.ts'
import { noCallableTools } from './lint/no-tools.ts'
import { partialWriteDeny } from './lint/partial-write-deny.ts'
import { pluginGlobs } from './lint/plugin-globs.ts'
import { pluginsAllow } from './lint/plugins-allow.ts'
import { profileOutsiders } from './lint/profile-outsiders.ts'
import { scopesOf } from './lint/scopes.ts'
import { senderKeysLiftDefault, untypedSenderKeys } from './lint/sender-keys.ts'
import { shadowedRules } from './lint/shadowed-rules.ts'
import { unknownEntries } from './lint/unknown-entries.ts'
import { matcherOf, type Matcher } from './matcher.ts'
import type { Locate } from './report.ts'
import type { View } from './view.ts'

const rules: readonly Rule[] = [
  noCallableTools,
  unknownEntries,
  emptyAllow,
  profileOutsiders,
  alsoAllowReplaced,
  alsoAllowGrantsNothing,
  pluginGlobs,
  deadRules,
  shadowedRules,
  untypedSenderKeys,
  senderKeysLiftDefault,
  partialWriteDeny,
  pluginsAllow,
  hiddenSections,
]

function pluginTools(view: View, matcher: Matcher): Map<string, string[]> {
  const owned = new Map<string, string[]>()
  for (const tool of view.inventory.tools) {
    if (tool.pluginId === undefined) continue
    for (const id of [tool.pluginId.trim().toLowerCase(), 'group:plugins']) {
      const keys = owned.get(id)
      if (keys) keys.push(matcher.key(tool))
      else owned.set(id, [matcher.key(tool)])
    }
  }
  return owned
}

function scanOf(view: View): Scan {
  const matcher = matcherOf(view.edition, view.inventory)
  return {
    view,
    agent: findAgent(view.config, view.context.agentId),
    matcher,
    pluginTools: pluginTools(view, matcher),
    scopes: scopesOf(view.config, view.context.agentId),
    names: createNames(view),
  }
}

function findings(view: View): Finding[] {
  const scan = scanOf(view)
  return rules.flatMap((rule) => rule(scan))
}

/** A list of nothing but mistakes is told by its first ones. */
const mostPerList = 20

const keyOf = ({ id, path, message }: Finding): string => JSON.stringify([id, path ?? message])

/** The list an entry's finding stands for; null for a finding about anything else. */
const listOf = ({ id, path }: Finding): string | null =>
  path && typeof path.at(-1) === 'number' ? JSON.stringify([id, path.slice(0, -1)]) : null

/** Each finding once, and of one kind in one list only the first ones and how many follow. */
function condensed(found: readonly Finding[]): Finding[] {
  const unique = new Map<string, Finding>()
  const totals = new Map<string, number>()
  for (const finding of found) {
    if (unique.has(keyOf(finding))) continue
    unique.set(keyOf(finding), finding)
    const list = listOf(finding)
    if (list !== null) totals.set(list, (totals.get(list) ?? 0) + 1)
  }
  const told = new Map<string, number>()
  return [...unique.values()].flatMap((finding) => {
    const list = listOf(finding)
    if (list === null || !finding.path) return [finding]
    const number = (told.get(list) ?? 0) + 1
    told.set(list, number)
    if (number <= mostPerList) return [finding]
    if (number > mostPerList + 1) return []
    const place = formatPath(finding.path.slice(0, -1))
    const more = (totals.get(list) ?? 0) - mostPerList
    return [{ ...finding, message: `${more} more entries of ${place} are of this kind (${finding.id})` }]
  })
}

function notices(found: readonly Finding[], locate: Locate): Notice[] {
  return condensed(found).map(({ path, ...finding }) => ({ ...finding, location: path && locate(path) }))
}

/** What is odd about the policy of one session, judged from config and inventory; at most one notice per entry and id (contract §4). */
export function lint(view: View, locate: Locate): Notice[] {
  return notices(findings(view), locate)
}

/** Whether a finding is about something that agents share, so that it must hold for each of them. */
function isShared({ id, path }: Finding): boolean {
  return id !== 'no-callable-tools' && path?.[0] !== 'agents'
}

/** The same for the sessions of several agents of one config: each notice once, and one on a shared entry only if it holds for every agent. */
export function lintConfig(views: readonly View[], locate: Locate): Notice[] {
  const found = views.map(findings)
  const counts = new Map<string, number>()
  for (const each of found) {
    for (const text of new Set(each.map(keyOf))) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const kept = found
    .flat()
    .filter((finding) => !isShared(finding) || counts.get(keyOf(finding)) === views.length)
  return notices(kept, locate)
}
