import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onDeath } from './on-death.ts'
import { inParallel } from './parallel.ts'
import { Processes } from './processes.ts'
import { makeFolder, writeReports } from './report-files.ts'
import { runScenario, type RanScenario, type ScenarioOptions } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'
import { summarize, type SuiteResult } from './summary.ts'

export interface SuiteOptions extends ScenarioOptions {
  readonly scenarios: readonly Scenario[]
  /** Scenarios that run at the same time. */
  readonly concurrency: number
  /** Folder of the reports; made where it is not there. */
  readonly outputDir: string
  /** Folder below which scenarios get their homes. */
  readonly tempDir: string
  readonly providerMode: string
}

/**
 * Runs scenarios and writes qa-suite-report.md, qa-suite-summary.json and qa-evidence.json. A scenario that fails is part of the answer;
 * no process and no temporary file outlives this call, or this program. Throws USAGE where the folder of the reports cannot be made, and
 * the signal's reason.
 */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const { scenarios, signal, clock, onEvent, outputDir } = options
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
    const inOrder = (some: readonly Scenario[], concurrency: number): Promise<readonly RanScenario[]> =>
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
    const times = { startedAt, finishedAt: clock(), wallMs: Math.round(performance.now() - begun) }
    return writeReports(summarize(ran, options, times, empty), ran, outputDir)
  } finally {
    await processes.endAll()
    await rm(tempRoot, { recursive: true, force: true, maxRetries: 3 })
    letGo()
  }
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
