import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../config/make-directory.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { Lab } from './lab.ts'
import { inParallel } from './parallel.ts'
import { Processes, type Program } from './processes.ts'
import { renderReport, withoutSecrets } from './report.ts'
import type { Findings, LaneTime, PayloadRow, Scenario, ScenarioSettings, Status } from './scenario.ts'
import { describeError, Steps, type StepResult } from './steps.ts'

export interface SuiteOptions {
  readonly scenarios: readonly Scenario[]
  readonly settings: ScenarioSettings
  /** Scenarios that run at the same time. */
  readonly concurrency: number
  /** Folder of the reports; made where it is not there. */
  readonly outputDir: string
  /** Folder below which scenarios get their homes. */
  readonly tempDir: string
  readonly program: Program
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly providerMode: string
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly onEvent: (event: SuiteEvent) => void
}

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

/** A lane against an empty start of the same Node in the same run. */
export interface LaneRatio extends LaneTime {
  readonly scenario: string
  readonly timesEmptyNode: number
}

/** What a lane took of the wall time of its scenario. */
export interface LaneShare {
  readonly scenario: string
  readonly lanes: number
  readonly wallMs: number
}

/** What came of a suite: the content of qa-suite-summary.json. */
export interface SuiteSummary {
  readonly scenarios: readonly ScenarioResult[]
  readonly counts: {
    readonly total: number
    readonly passed: number
    readonly skipped: number
    readonly failed: number
  }
  readonly metrics: {
    readonly wallMs: number
    /** Median wall time of `node -e 0`. */
    readonly emptyNodeMs: number
    readonly lanes: readonly LaneRatio[]
    /** Wall time of a whole scenario shared out among its lanes, some of which run at the same time. */
    readonly perLane: readonly (LaneShare & { readonly timesEmptyNode: number })[]
  }
  readonly payload: readonly (PayloadRow & { readonly scenario: string })[]
  readonly run: {
    readonly startedAt: string
    readonly finishedAt: string
    readonly providerMode: string
    readonly primaryModel: string
    readonly concurrency: number
    readonly tools: number
    readonly scenarioIds: readonly string[]
    readonly version: string
    readonly node: string
    readonly platform: string
  }
}

/** The summary with the files that were written. */
export interface SuiteResult extends SuiteSummary {
  readonly outputDir: string
  readonly files: { readonly report: string; readonly summary: string; readonly evidence: string }
}

interface Ran {
  readonly result: ScenarioResult
  readonly findings: Findings | null
  readonly secrets: readonly string[]
}

/** The model of every mock provider. */
export const primaryModel = 'mock/mock-model'

/**
 * Runs scenarios and writes qa-suite-report.md, qa-suite-summary.json and qa-evidence.json. A scenario that fails is part of the answer;
 * no process and no temporary file outlives this call, or this program. Throws USAGE where the folder of the reports cannot be made, and
 * the signal's reason.
 */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const { scenarios, settings, signal, clock, onEvent, outputDir } = options
  makeFolder(outputDir)
  const processes = new Processes()
  const tempRoot = mkdtempSync(join(options.tempDir, 'openclaw-qa-'))
  const letGo = onDeath(() => {
    processes.killAll()
    rmSync(tempRoot, { recursive: true, force: true })
  })
  const startedAt = clock()
  const begun = performance.now()
  try {
    onEvent({ type: 'begin', scenarios: scenarios.map(({ id, title }) => ({ id, title })) })
    const inOrder = (some: readonly Scenario[], concurrency: number): Promise<readonly Ran[]> =>
      inParallel(some, concurrency, (scenario) =>
        runScenario(scenario, options, processes, join(tempRoot, scenario.id)),
      )
    const empty = await emptyStarts(processes, options, tempRoot)
    const measured = await inOrder(
      scenarios.filter(({ isMeasured }) => isMeasured),
      1,
    )
    empty.push(...(await emptyStarts(processes, options, tempRoot)))
    const others = scenarios.filter(({ isMeasured }) => !isMeasured)
    const found = [...measured, ...(await inOrder(others, options.concurrency))]
    signal.throwIfAborted()
    const ran = scenarios.flatMap(({ id }) => found.find(({ result }) => result.id === id) ?? [])
    const emptyNodeMs = round(median(empty))
    const results = ran.map(({ result }) => result)
    const count = (status: Status): number => results.filter((each) => each.status === status).length
    const of = <Row>(rows: (findings: Findings) => readonly Row[]): readonly (Row & { scenario: string })[] =>
      ran.flatMap(({ result, findings }) =>
        findings === null ? [] : rows(findings).map((row) => ({ ...row, scenario: result.id })),
      )
    const summary: SuiteSummary = {
      scenarios: results,
      counts: {
        total: results.length,
        passed: count('pass'),
        skipped: count('skip'),
        failed: count('fail'),
      },
      metrics: {
        wallMs: Math.round(performance.now() - begun),
        emptyNodeMs,
        lanes: of(({ times }) => times).map((time) => ({
          ...time,
          timesEmptyNode: round(time.wallMs / emptyNodeMs),
        })),
        perLane: ran.flatMap(sharesOf).map((share) => ({
          ...share,
          timesEmptyNode: round(share.wallMs / emptyNodeMs),
        })),
      },
      payload: of(({ payload }) => payload),
      run: {
        startedAt: new Date(startedAt).toISOString(),
        finishedAt: new Date(clock()).toISOString(),
        providerMode: options.providerMode,
        primaryModel,
        concurrency: options.concurrency,
        tools: settings.tools,
        scenarioIds: scenarios.map(({ id }) => id),
        version: options.version,
        node: process.versions.node,
        platform: process.platform,
      },
    }
    return writeReports(summary, ran, outputDir)
  } finally {
    await processes.endAll()
    await rm(tempRoot, { recursive: true, force: true, maxRetries: 3 })
    letGo()
  }
}

async function runScenario(
  scenario: Scenario,
  options: SuiteOptions,
  processes: Processes,
  root: string,
): Promise<Ran> {
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

function makeFolder(outputDir: string): void {
  try {
    makeDirectory(outputDir, 0o777)
  } catch (error) {
    throw new OpenClawError('USAGE', `--output-dir: cannot make ${outputDir}: ${describeError(error)}`, {
      hints: ['name a folder that can be written'],
    })
  }
}

function writeReports(summary: SuiteSummary, ran: readonly Ran[], outputDir: string): SuiteResult {
  const files = {
    report: join(outputDir, 'qa-suite-report.md'),
    summary: join(outputDir, 'qa-suite-summary.json'),
    evidence: join(outputDir, 'qa-evidence.json'),
  }
  const secrets = ran.flatMap((each) => each.secrets)
  const evidence = {
    run: summary.run,
    scenarios: Object.fromEntries(ran.map(({ result, findings }) => [result.id, findings?.evidence ?? null])),
  }
  const json = (value: unknown): string => withoutSecrets(`${JSON.stringify(value, null, 2)}\n`, secrets)
  try {
    writeFileSync(files.summary, json(summary))
    writeFileSync(files.evidence, json(evidence))
    writeFileSync(files.report, withoutSecrets(renderReport(summary), secrets))
  } catch (error) {
    throw new OpenClawError('USAGE', `--output-dir: cannot write a report: ${describeError(error)}`)
  }
  return { ...summary, outputDir, files }
}

function sharesOf({ result, findings }: Ran): readonly LaneShare[] {
  const lanes = findings?.times.length ?? 0
  return lanes === 0 ? [] : [{ scenario: result.id, lanes, wallMs: round(result.wallMs / lanes) }]
}

/** Wall times of a few empty starts, one after the other. */
async function emptyStarts(
  processes: Processes,
  { program, env, signal }: SuiteOptions,
  cwd: string,
): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < 3; run++) {
    signal.throwIfAborted()
    const begun = performance.now()
    await processes.start(program.node, ['-e', '0'], { env, cwd }).ended
    times.push(performance.now() - begun)
  }
  return times
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** Has work done when this process dies by itself or by a signal that it can notice; returns how to call that off. */
function onDeath(work: () => void): () => void {
  const signals = ['SIGTERM', 'SIGHUP'] as const
  const handlers = signals.map((name) => {
    const handler = (): void => {
      work()
      process.kill(process.pid, name)
    }
    process.once(name, handler)
    return { name, handler }
  })
  process.once('exit', work)
  return () => {
    process.off('exit', work)
    for (const { name, handler } of handlers) process.off(name, handler)
  }
}
