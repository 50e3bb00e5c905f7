import type { Config } from '../config/types.ts'
import { formatPath } from '../kernel/path.ts'
import { resolveTool } from './explain/resolve-name.ts'
import {
  otherProfiles,
  profileAlternatives,
  sandboxAlternatives,
  subagentAlternatives,
} from './fixes/allow.ts'
import { denyAlternatives } from './fixes/deny.ts'
import { applyEdits, commandOf, createsConflict, type Edit } from './fixes/edits.ts'
import {
  capabilityAlternatives,
  leanAlternatives,
  mcpAlternatives,
  ownerAlternatives,
  pluginAlternatives,
  toolSearchAlternatives,
} from './fixes/gates.ts'
import { append, entryFor, targetOf, type Target } from './fixes/target.ts'
import { hides } from './report.ts'
import type { Decision, TraceEntry } from './types.ts'
import type { Reopen, View } from './view.ts'

/** A change of the config after which the tool is visible, as `tools explain` prints it (contract §4). */
export interface Fix {
  readonly edits: readonly { readonly op: Edit['op']; readonly path: string; readonly value: unknown }[]
  /** One command line per edit, to be run in this order. */
  readonly commands: readonly string[]
  readonly verified: true
  /** Names of other tools that become visible, too. */
  readonly alsoReveals: readonly string[]
  readonly alsoHides: readonly string[]
}

const isProfile = (entry: TraceEntry): boolean =>
  entry.step === 'tools.profile' || entry.step === 'tools.byProvider.profile'

/** Ways to keep one step from hiding the tool; none for what no config entry decides. `last` adds another profile. */
function alternatives(target: Target, entry: TraceEntry, last: boolean): Edit[][] {
  switch (entry.step) {
    case 'capability':
      return capabilityAlternatives(target, entry)
    case 'plugin':
      return entry.outcome === 'deny' && entry.path?.[0] !== 'plugins'
        ? denyAlternatives(target, entry)
        : pluginAlternatives(target, entry)
    case 'model-runtime':
      return leanAlternatives(target, entry)
    case 'tools.profile':
    case 'tools.byProvider.profile':
      return [...profileAlternatives(target, entry), ...(last ? otherProfiles(target, entry) : [])]
    case 'tools':
    case 'tools.byProvider':
    case 'agent.tools':
    case 'agent.tools.byProvider':
    case 'group.tools':
    case 'sender':
      if (entry.outcome === 'deny') return denyAlternatives(target, entry)
      return entry.path ? [[append(entry.path, entryFor(target))]] : []
    case 'sandbox.tools':
      return entry.path && entry.outcome === 'deny'
        ? denyAlternatives(target, entry)
        : sandboxAlternatives(target)
    case 'owner':
      return ownerAlternatives(target)
    case 'subagent':
      return entry.path && entry.outcome === 'deny'
        ? denyAlternatives(target, entry)
        : subagentAlternatives(target)
    case 'mcp':
      return mcpAlternatives(target, entry)
    case 'tool-search':
      return toolSearchAlternatives(target)
    default:
      return []
  }
}

/** The config after some edits, and what they were. */
interface State {
  readonly edits: readonly Edit[]
  readonly config: Config
}

interface Candidate extends State {
  readonly reveals: readonly string[]
  readonly hides: readonly string[]
}

/** How many changed configs are judged, and how many steps one fix may touch, before the search ends. */
const mostStates = 60
const mostSteps = 7
const mostCandidates = 8
const mostFixes = 3

export interface FixOptions {
  readonly reopen: Reopen
  /** Judges a changed config; without it only the clash of allow and alsoAllow is looked for. */
  readonly isValid?: (config: Config) => boolean
}

function visibleNames(view: View): Set<string> {
  return new Set(view.decisions.flatMap(({ tool, verdict }) => (verdict === 'visible' ? [tool.name] : [])))
}

/** Applies one way out; null when it leads to no valid config. */
function advance(state: State, edits: readonly Edit[], options: FixOptions): State | null {
  const config = applyEdits(state.config, edits)
  const all = [...state.edits, ...edits]
  // A value that is written twice was a wrong turn.
  const isAgain = ({ op, path }: Edit): boolean =>
    op === 'set' && edits.some((edit) => edit.op !== 'append' && formatPath(edit.path) === formatPath(path))
  if (state.edits.some(isAgain)) return null
  if (createsConflict(config, all) || options.isValid?.(config) === false) return null
  return { edits: all, config }
}

/** Follows every way out of the step that hides the tool, step by step, until it is visible. */
function search(view: View, decision: Decision, options: FixOptions, last: boolean): Candidate[] {
  const before = visibleNames(view)
  const name = decision.tool.name
  const found: Candidate[] = []
  let level: State[] = [{ edits: [], config: view.config }]
  let judged = 0
  for (let step = 0; step <= mostSteps && level.length > 0; step++) {
    const next: State[] = []
    for (const state of level) {
      if (judged >= mostStates || found.length >= mostCandidates) return found
      const changed = state.edits.length === 0 ? view : options.reopen({ config: state.config })
      judged++
      const now = state.edits.length === 0 ? decision : resolveTool(changed, name)?.decision
      if (now?.verdict === 'visible') {
        const after = visibleNames(changed)
        found.push({
          ...state,
          reveals: [...after].filter((each) => each !== name && !before.has(each)).toSorted(),
          hides: [...before].filter((each) => !after.has(each)).toSorted(),
        })
        continue
      }
      const entry = now?.trace[now.decisive]
      if (!now || !entry) continue
      for (const edits of alternatives(targetOf(changed, now.tool), entry, last)) {
        const advanced = advance(state, edits, options)
        if (advanced) next.push(advanced)
      }
    }
    level = next
  }
  return found
}

const cost = (candidate: Candidate): number => candidate.reveals.length + candidate.hides.length

const keysOf = (candidate: Candidate): string[] => candidate.edits.map((edit) => JSON.stringify(edit))

/** Drops what does more than it must: another candidate changes fewer tools, or does with a part of the edits. */
function smallest(candidates: readonly Candidate[]): Candidate[] {
  const least = Math.min(...candidates.map(cost))
  const best = candidates.filter((candidate) => cost(candidate) === least)
  const kept = best.filter((candidate, index) => {
    const own = keysOf(candidate)
    return !best.some((other, at) => {
      const keys = keysOf(other)
      const isPart = keys.every((key) => own.includes(key))
      return at !== index && isPart && (keys.length < own.length || at < index)
    })
  })
  return kept.toSorted((a, b) => a.edits.length - b.edits.length).slice(0, mostFixes)
}

/** The smallest config edits after which a hidden tool is visible, each re-evaluated, at most 3, smallest first; none where config cannot help (contract §4). */
export function findFixes(view: View, decision: Decision, options: FixOptions): Fix[] {
  const target = targetOf(view, decision.tool)
  const hiding = decision.trace.filter(hides)
  // A step no edit can open makes every other edit useless.
  if (hiding.length === 0 || hiding.some((entry) => alternatives(target, entry, true).length === 0)) return []
  const found = search(view, decision, options, false)
  // Another profile is only worth a look where nothing smaller is exact.
  const isExact = found.some((candidate) => cost(candidate) === 0)
  if (!isExact && hiding.some(isProfile)) found.push(...search(view, decision, options, true))
  return smallest(found).map((candidate) => ({
    edits: candidate.edits.map(({ op, path, value }) => ({ op, path: formatPath(path), value })),
    commands: candidate.edits.map(commandOf),
    verified: true,
    alsoReveals: candidate.reveals,
    alsoHides: candidate.hides,
  }))
}
