import type { Edition } from '../../catalog/edition.ts'
import type { InventorySource } from '../../catalog/source.ts'
import { agentIds } from '../../config/agents.ts'
import type { LoadedConfig, LoadOptions } from '../../config/load.ts'
import { getIn } from '../../config/path-value.ts'
import type { Config } from '../../config/types.ts'
import type { Path } from '../../kernel/path.ts'
import { diffViews, isSame, type SessionDiff } from '../../policy/diff.ts'
import { shownStep, type Locate } from '../../policy/report.ts'
import type { Decision } from '../../policy/types.ts'
import type { View } from '../../policy/view.ts'
import { discover } from '../discovery.ts'
import { openView } from '../open-view.ts'

/** A tool that the edit made visible as far as it goes, and that something else still hides. */
export interface StillHidden {
  readonly agentId: string
  readonly name: string
  /** The step that hid it before, and the one that does now. */
  readonly was: string
  readonly step: string
  readonly reason: string
  readonly location: ReturnType<Locate>
}

/** What an edit did to the tools of the main session of every agent it can concern. */
export interface Effects {
  readonly sessions: readonly SessionDiff[]
  readonly stillHidden: readonly StillHidden[]
  /** Agents beyond the first ones that were judged. */
  readonly unjudged: number
}

export interface Side {
  readonly config: Config
  readonly edition: Edition
  readonly loaded: LoadedConfig
}

/** A side with the plugins that are installed under it and the tools that its servers were last seen with. */
interface Found extends Side {
  readonly discovered: InventorySource | null
}

async function find(side: Side, { cwd, env }: Pick<LoadOptions, 'cwd' | 'env'>): Promise<Found> {
  const { config, loaded } = side
  const found = await discover({ loaded, config, locate: loaded.locate, cwd, env })
  return { ...side, discovered: found?.source ?? null }
}

function viewOf({ config, edition, discovered }: Found, agentId: string): View {
  return openView({ config, edition, request: { agentId }, entry: undefined, inventory: null, discovered })
}

/** Whether what hid a tool no longer does: its step lets the tool through, or its entry is gone from the list. */
function isLifted(was: Decision, now: Decision, config: Config): boolean {
  if (now.decisive !== was.decisive) return now.decisive > was.decisive
  const first = was.trace[was.decisive]
  if (first?.rule == null || !first.path || first.rule === now.trace[now.decisive]?.rule) return false
  const list = getIn(config, first.path.slice(0, -1))
  return Array.isArray(list) && !list.includes(first.rule)
}

/** Tools that the edit would have made visible, had nothing else hidden them. */
function stillHidden(before: View, after: View, { loaded: { locate } }: Side): StillHidden[] {
  const old = new Map(before.decisions.map((decision) => [decision.tool.name, decision]))
  return after.decisions.flatMap((now): StillHidden[] => {
    const was = old.get(now.tool.name)
    const entry = now.trace[now.decisive]
    const first = was?.trace[was.decisive]
    if (!was || !entry || !first || now.verdict === 'visible' || was.verdict === 'visible') return []
    if (!isLifted(was, now, after.config)) return []
    return [
      {
        agentId: after.context.agentId,
        name: now.tool.name,
        was: shownStep(first),
        step: shownStep(entry),
        reason: entry.reason,
        location: entry.path ? locate(entry.path) : null,
      },
    ]
  })
}

/** Largest number of agents an edit is judged for; `tools diff --all-agents` has no limit. */
const judged = 25

/** The agents that edits of these paths can concern: one where only its own entry changed, else all. */
function concerned(before: Config, after: Config, paths: readonly Path[]): Set<string> {
  const all = new Set([...agentIds(before), ...agentIds(after)])
  const own = new Set<string>()
  for (const path of paths) {
    const [section, roster, key] = path
    const isEntry = section === 'agents' && key !== undefined && (roster === 'entries' || roster === 'list')
    if (!isEntry) return all
    for (const config of [before, after]) {
      const id = roster === 'entries' ? key : getIn(config, ['agents', 'list', key, 'id'])
      if (id !== undefined) own.add(String(id).trim())
    }
  }
  // Whoever moves up in a list is another agent at the same place, so a change of the roster concerns all.
  return own.size > 0 && [...own].every((id) => all.has(id)) ? own : all
}

/** Judges the main session of each agent before and after an edit, with what is on this machine; sessions that stay the same are left out. */
export async function effectsOf(
  before: Side,
  after: Side,
  paths: readonly Path[],
  machine: Pick<LoadOptions, 'cwd' | 'env'>,
): Promise<Effects> {
  const [earlier, later] = await Promise.all([find(before, machine), find(after, machine)])
  const [old, now] = [new Set(agentIds(before.config)), new Set(agentIds(after.config))]
  const ids = [...concerned(before.config, after.config, paths)]
  const sessions: SessionDiff[] = []
  const hidden: StillHidden[] = []
  for (const agentId of ids.slice(0, judged)) {
    const was = old.has(agentId) ? viewOf(earlier, agentId) : null
    const is = now.has(agentId) ? viewOf(later, agentId) : null
    const present = is ?? was
    if (present === null) continue
    const diff = diffViews(present.context, was, is)
    if (!isSame(diff)) sessions.push(diff)
    if (was !== null && is !== null) hidden.push(...stillHidden(was, is, after))
  }
  return { sessions, stillHidden: hidden, unjudged: Math.max(ids.length - judged, 0) }
}
