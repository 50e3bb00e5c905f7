import { OpenClawError } from '../kernel/errors.ts'
import { Lab } from './lab.ts'
import type { Processes, Program } from './processes.ts'
import type { Findings, Scenario, ScenarioSettings, Status } from './scenario.ts'
import { describeError, Steps, type StepResult } from './steps.ts'

/** What happens while a suite runs, in order. */
export type SuiteEvent =
  | { readonly type: 'begin'; readonly scenarios: readonly { readonly id: string; readonly title: string }[] }
  | { readonly type: 'scenario-begin'; readonly id: string }
  | { readonly type: 'step-begin'; readonly id: string; readonly name: string }
  | { readonly type: 'step-end'; readonly id: string; readonly step: StepResult }
  | { readonly type: 'scenario-end'; readonly id: string; readonly result: ScenarioResult }

/** How one scenario ended; times in milliseconds. */
export interface ScenarioResult {
  readonly id: string
  readonly name: string
  readonly status: Status
  readonly startedAt: string
  readonly wallMs: number
  /** What was done, then what was judged. */
  readonly steps: readonly StepResult[]
  /** What is wrong, all of it, of one that failed; why, of one that was skipped. */
  readonly details?: string
}

/** A scenario that was run, with what it found out. */
export interface RanScenario {
  readonly result: ScenarioResult
  readonly findings: Findings | null
  readonly secrets: readonly string[]
}

/** What every scenario of a suite is run with. */
export interface ScenarioOptions {
  readonly settings: ScenarioSettings
  readonly program: Program
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly onEvent: (event: SuiteEvent) => void
}

/** Runs one scenario in its lab, within its time; what goes wrong is part of the answer. */
export async function runScenario(
  scenario: Scenario,
  options: ScenarioOptions,
  processes: Processes,
  root: string,
): Promise<RanScenario> {
  const { id, title, limitMs } = scenario
  const { onEvent, program, version, env, settings, clock } = options
  const begun = performance.now()
  const startedAt = new Date(clock()).toISOString()
  onEvent({ type: 'scenario-begin', id })
  const skipped = await scenario.skip(env)
  if (skipped !== null) {
    const wallMs = Math.round(performance.now() - begun)
    const result = {
      id,
      name: title,
      status: 'skip',
      startedAt,
      wallMs,
      steps: [],
      details: skipped,
    } as const
    onEvent({ type: 'scenario-end', id, result })
    return { result, findings: null, secrets: [] }
  }
  const limit = new AbortController()
  const timer = setTimeout(
    () => limit.abort(new OpenClawError('TIMEOUT', `${id} took longer than ${limitMs} ms`)),
    limitMs,
  )
  const signal = AbortSignal.any([options.signal, limit.signal])
  const steps = new Steps(
    {
      onBegin: (name) => onEvent({ type: 'step-begin', id, name }),
      onEnd: (step) => onEvent({ type: 'step-end', id, step }),
    },
    signal,
  )
  const lab = new Lab({ root, program, version, env, processes, steps, signal })
  let findings: Findings | null = null
  const problems: string[] = []
  try {
    findings = await scenario.run(lab, settings)
    for (const { title: name, problem } of findings.checks) {
      steps.add({
        name,
        ms: 0,
        ...(problem === null ? { status: 'pass' } : { status: 'fail', details: problem }),
      })
      if (problem !== null) problems.push(`${name}: ${problem}`)
    }
  } catch (error) {
    problems.push(describeError(error))
  }
  clearTimeout(timer)
  try {
    await lab.close()
  } catch (error) {
    problems.push(`cleaning up: ${describeError(error)}`)
  }
  const result: ScenarioResult = {
    id,
    name: title,
    status: problems.length === 0 ? 'pass' : 'fail',
    startedAt,
    wallMs: Math.round(performance.now() - begun),
    steps: steps.results,
    ...(problems.length > 0 && { details: problems.join('\n') }),
  }
  onEvent({ type: 'scenario-end', id, result })
  return { result, findings, secrets: lab.secrets }
}
