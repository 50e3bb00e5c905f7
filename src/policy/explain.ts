import type { ToolSource } from '../catalog/types.ts'
import type { Config } from '../config/types.ts'
import type { Location } from '../kernel/path.ts'
import { missingFields } from './explain/missing.ts'
import { nearTools, otherKind, unknownNote, type NameKind } from './explain/other-kind.ts'
import { resolveTool, type ResolvedTool } from './explain/resolve-name.ts'
import { wordsFor } from './explain/words.ts'
import { findFixes, type Fix } from './fixes.ts'
import { hides, shownStep, type Locate } from './report.ts'
import type { Decision, Effect, StepId, TraceEntry } from './types.ts'
import type { Exposure, Reopen, View } from './view.ts'

/** One step that hides the tool; `step` names the list for steps that have lists (contract §4). */
export interface HidingStep {
  readonly step: string
  readonly effect: Effect
  readonly rule: string | null
  readonly reason: string
  readonly location: Location | null
}

/** One step of the pipeline as it judged the tool. */
export interface TraceLine {
  readonly step: StepId
  readonly outcome: TraceEntry['outcome']
  readonly rule: string | null
  readonly reason: string
  readonly location: Location | null
}

/** The answer of `tools explain --json` (contract §4); `tool` is the tool's own name, `asked` what the user wrote where that differs. */
export interface ExplainResult {
  readonly tool: string
  readonly asked?: string
  readonly known: boolean
  readonly source: ToolSource | null
  readonly verdict: 'visible' | 'deferred' | 'hidden' | 'unavailable' | 'unknown'
  readonly exposure: Exposure | null
  readonly decidedBy: HidingStep | null
  readonly trace: readonly TraceLine[]
  readonly alsoHiddenBy: readonly HidingStep[]
  readonly missing: readonly string[]
  readonly fixes: readonly Fix[]
  readonly suggestions: readonly string[]
  /** What an unknown name is instead. */
  readonly isA?: NameKind
  /** How the model reaches a deferred tool. */
  readonly toolSearch?: string
  readonly notes: readonly string[]
  /** What the tool lacks on this machine before it can do its work; policy has nothing to do with it. */
  readonly needs?: { readonly needs: string; readonly path: string | null; readonly hints: readonly string[] }
}

/** What explaining needs beside the view; `skills` are the names of the skills in reach, `isValid` judges a changed config. */
export interface ExplainOptions {
  readonly reopen: Reopen
  readonly locate: Locate
  readonly skills?: readonly string[]
  readonly isValid?: (config: Config) => boolean
}

function hidingStep(entry: TraceEntry, locate: Locate): HidingStep[] {
  if (entry.outcome === 'pass' || entry.outcome === 'skipped') return []
  return [
    {
      step: shownStep(entry),
      effect: entry.outcome,
      rule: entry.rule,
      reason: entry.reason,
      location: entry.path && locate(entry.path),
    },
  ]
}

const searchControls: Readonly<Record<string, string>> = {
  code: 'the model calls it from code it hands to tool_search_code',
  tools: 'the model finds it with tool_search and calls it through tool_call',
  directory: 'the model sees its name in the tool directory and calls it through tool_call',
}

function deferredWords(view: View): string {
  const how = searchControls[view.toolSearch.mode ?? 'tools'] ?? searchControls['tools']
  return `Tool Search keeps its schema out of the request; ${how}`
}

/** The steps that hide a tool, the deciding one first. */
export function hidingSteps(decision: Decision): readonly TraceEntry[] {
  return decision.decisive < 0 ? [] : decision.trace.slice(decision.decisive).filter(hides)
}

/** The verdict on one tool and the steps behind it: what an answer about many sessions needs of each. */
export type Verdict = Pick<ExplainResult, 'verdict' | 'exposure' | 'decidedBy' | 'alsoHiddenBy'>

function verdictOn(view: View, { decision, absent }: ResolvedTool, locate: Locate): Verdict {
  const [first, ...later] = hidingSteps(decision)
  const exposure = absent || first ? null : view.exposure(decision.tool)
  return {
    verdict: decision.verdict === 'visible' && exposure === 'deferred' ? 'deferred' : decision.verdict,
    exposure,
    decidedBy: (first && hidingStep(first, locate)[0]) ?? null,
    alsoHiddenBy: later.flatMap((entry) => hidingStep(entry, locate)),
  }
}

/** Judges one name in one session without trace, words and fixes, which cost a hundred times as much; null for a name that is no tool here. */
export function judgeTool(view: View, name: string, locate: Locate): Verdict | null {
  const resolved = resolveTool(view, name)
  return resolved && verdictOn(view, resolved, locate)
}

function explainKnown(
  view: View,
  asked: string,
  resolved: ResolvedTool,
  options: ExplainOptions,
): ExplainResult {
  const { decision, alias } = resolved
  const { tool } = decision
  const { locate } = options
  const verdict = verdictOn(view, resolved, locate)
  return {
    tool: tool.name,
    ...(asked !== tool.name && { asked }),
    known: true,
    source: tool.source,
    ...verdict,
    trace: decision.trace.map((entry) => ({
      step: entry.step,
      outcome: entry.outcome,
      rule: entry.rule,
      reason: entry.reason,
      location: entry.path && locate(entry.path),
    })),
    missing: missingFields(view, decision),
    fixes: verdict.decidedBy ? findFixes(view, decision, options) : [],
    suggestions: [],
    ...(verdict.verdict === 'deferred' && { toolSearch: deferredWords(view) }),
    notes: [
      ...(alias ? [`${asked.trim()} is another name of ${tool.name}`] : []),
      ...wordsFor(view, decision),
    ],
  }
}

/** Explains one name in one session: the verdict, the deciding entry, the whole trace, what is missing and verified fixes (contract §4). */
export function explainTool(view: View, name: string, options: ExplainOptions): ExplainResult {
  const resolved = resolveTool(view, name)
  if (resolved) return explainKnown(view, name, resolved, options)
  const other = otherKind(view, name, options.skills ?? [])
  const suggestions = other?.suggestions ?? nearTools(view, name)
  return {
    tool: name,
    known: false,
    source: null,
    verdict: 'unknown',
    exposure: null,
    decidedBy: null,
    trace: [],
    alsoHiddenBy: [],
    missing: [],
    fixes: [],
    suggestions,
    ...(other && { isA: other.isA }),
    notes: [other?.note ?? unknownNote(view, name, suggestions.length > 0)].filter((note) => note !== null),
  }
}
