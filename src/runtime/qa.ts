import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Env } from '../config/env.ts'
import { chooseScenarios, scenarios } from '../qa/scenarios/all.ts'
import type { SuiteEvent } from '../qa/run-scenario.ts'
import { runSuite } from '../qa/suite.ts'
import type { SuiteResult } from '../qa/summary.ts'

/** What `openclaw qa suite` is asked for. */
export interface SuiteRequest {
  /** Ids; empty means all. */
  readonly scenarios: readonly string[]
  readonly providerMode: string
  readonly tools: number
  readonly concurrency: number | undefined
  readonly outputDir: string | undefined
  readonly env: Env
  readonly cwd: string
  readonly version: string
  readonly signal: AbortSignal
  readonly onEvent: (event: SuiteEvent) => void
}

/** One scenario as `qa list` prints it. */
export interface ListedScenario {
  readonly id: string
  readonly title: string
  readonly checks: readonly { readonly id: string; readonly title: string }[]
}

/** Gateways that run at the same time unless told. */
const mostAtOnce = 4

/** The scenarios that there are. */
export function listScenarios(): { readonly items: readonly ListedScenario[] } {
  return { items: scenarios.map(({ id, title, checks }) => ({ id, title, checks })) }
}

/** Runs scenarios with this very program; reports go to a new folder below the working directory unless told. USAGE for an unknown scenario or a folder that cannot be written. */
export async function runQaSuite(request: SuiteRequest): Promise<SuiteResult> {
  const { cwd, outputDir, concurrency, tools, scenarios: ids, ...rest } = request
  const chosen = chooseScenarios(ids)
  const [, script = ''] = process.argv
  const atOnce = concurrency ?? Math.min(mostAtOnce, availableParallelism())
  return runSuite({
    ...rest,
    scenarios: chosen,
    settings: { tools, lanesAtOnce: atOnce },
    concurrency: Math.min(atOnce, chosen.length),
    outputDir: resolve(cwd, outputDir ?? join('.artifacts', 'qa-e2e', stamp(Date.now()))),
    tempDir: tmpdir(),
    program: { node: process.execPath, script },
    clock: Date.now,
  })
}

/** A moment as a name of a folder. */
function stamp(time: number): string {
  return `${new Date(time).toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}`
}
