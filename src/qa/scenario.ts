import type { Lab } from './lab.ts'
import type { ProcessUse } from './processes.ts'

/** How a step, a check or a scenario ended. */
export type Status = 'pass' | 'fail' | 'skip'

/** Something that must be true of the evidence. */
export interface Check<Evidence> {
  readonly id: string
  /** What is true where it holds, as a sentence without a full stop. */
  readonly title: string
  /** What is wrong, in words; null where it holds. Pure. */
  readonly judge: (evidence: Evidence) => string | null
}

/** One row of the payload table: what a model was sent about tools, in UTF-8 bytes. */
export interface PayloadRow {
  readonly lane: string
  /** Tools in the catalogue of the fake plugin. */
  readonly catalogue: number
  readonly declaredTools: number
  readonly toolBytes: number
  readonly systemPromptBytes: number
  readonly requestBytes: number
}

/** What one lane took, from the start of its Gateway to the end: wall time in milliseconds, and what the Gateway used of the machine. */
export interface LaneTime extends ProcessUse {
  readonly lane: string
  readonly wallMs: number
}

/** What a scenario needs to know besides what its lab gives it. */
export interface ScenarioSettings {
  /** Tools in the large catalogue of the Tool Search scenario. */
  readonly tools: number
  /** Lanes that may run at the same time. */
  readonly lanesAtOnce: number
}

/** Variables of the tester. */
export type Variables = Readonly<Record<string, string | undefined>>

/** A scenario as its author writes it. */
export interface ScenarioSpec<Evidence> {
  readonly id: string
  /** What it proves, in one line. */
  readonly title: string
  /** Milliseconds after which it is given up. */
  readonly limitMs: number
  /** Why this machine cannot run it; null where it can. Asked before anything is started. */
  readonly skip?: (env: Variables) => Promise<string | null>
  /** Drives real processes and collects what they did; a JSON value, without secrets. */
  readonly drive: (lab: Lab, settings: ScenarioSettings) => Promise<Evidence>
  readonly checks: readonly Check<Evidence>[]
  readonly payload?: (evidence: Evidence) => readonly PayloadRow[]
  /** What each lane took; a scenario that has this runs before the others and without them. */
  readonly times?: (evidence: Evidence) => readonly LaneTime[]
}

/** What was found out in one run of a scenario. */
export interface Findings {
  readonly evidence: unknown
  readonly checks: readonly { readonly id: string; readonly title: string; readonly problem: string | null }[]
  readonly payload: readonly PayloadRow[]
  readonly times: readonly LaneTime[]
}

/** A scenario as the suite runs it. */
export interface Scenario {
  readonly id: string
  readonly title: string
  readonly limitMs: number
  /** Whether its times count, so that nothing may run beside it. */
  readonly isMeasured: boolean
  readonly checks: readonly { readonly id: string; readonly title: string }[]
  /** Why this machine cannot run it, or null. */
  skip(env: Variables): Promise<string | null>
  run(lab: Lab, settings: ScenarioSettings): Promise<Findings>
}

/** Makes a scenario of its parts: it is driven first and judged afterwards, by its evidence alone, so that every check can be shown to fail. */
export function defineScenario<Evidence>(spec: ScenarioSpec<Evidence>): Scenario {
  const { id, title, limitMs, checks } = spec
  return {
    id,
    title,
    limitMs,
    isMeasured: spec.times !== undefined,
    checks: checks.map((check) => ({ id: check.id, title: check.title })),
    skip: async (env) => (await spec.skip?.(env)) ?? null,
    async run(lab, settings) {
      const evidence = await spec.drive(lab, settings)
      return {
        evidence,
        checks: checks.map((check) => ({ id: check.id, title: check.title, problem: check.judge(evidence) })),
        payload: spec.payload?.(evidence) ?? [],
        times: spec.times?.(evidence) ?? [],
      }
    },
  }
}
