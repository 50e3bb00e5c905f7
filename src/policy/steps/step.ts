import type { Tool } from '../../catalog/types.ts'
import type { Path } from '../../kernel/path.ts'
import type { Effect, StepId, TraceEntry } from '../types.ts'

/** One step of the pipeline, compiled for a session. */
export interface Step {
  readonly id: StepId
  check(tool: Tool, key: string): TraceEntry
}

/** What hides a tool, before it becomes a trace entry. */
export interface Objection {
  readonly effect: Effect
  readonly rule: string | null
  readonly reason: string
  readonly path: Path | null
}

export function passed(step: StepId, reason: string): TraceEntry {
  return { step, outcome: 'pass', list: step, rule: null, reason, path: null }
}

export function skipped(step: StepId, reason: string): TraceEntry {
  return { step, outcome: 'skipped', list: step, rule: null, reason, path: null }
}

export function objected(step: StepId, objection: Objection, list: string = step): TraceEntry {
  return {
    step,
    outcome: objection.effect,
    list,
    rule: objection.rule,
    reason: objection.reason,
    path: objection.path,
  }
}

/** A gate's objection; `rule` names what is missing, in a form a script can match. */
export function gate(rule: string, reason: string, path: Path | null = null): Objection {
  return { effect: 'gate', rule, reason, path }
}

/** The objection of a defect found while the inventory was built; a tool may have one for each of several steps. */
export function defectOf(tool: Tool, step: StepId): Objection | null {
  const defect =
    tool.defect?.step === step ? tool.defect : tool.otherDefects?.find((each) => each.step === step)
  return defect ? gate(defect.rule, defect.reason, defect.path ?? null) : null
}

/** Builds a step out of a function that objects or not. */
export function stepOf(
  id: StepId,
  reason: string,
  judge: (tool: Tool, key: string) => Objection | null,
): Step {
  const pass = passed(id, reason)
  return {
    id,
    check: (tool, key) => {
      const objection = judge(tool, key)
      return objection ? objected(id, objection) : pass
    },
  }
}
