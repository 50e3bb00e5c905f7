import type { RanScenario, ScenarioResult } from './run-scenario.ts'
import type { Findings, LaneTime, PayloadRow, Scenario, ScenarioSettings, Status } from './scenario.ts'

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

/** The model of every mock provider. */
export const primaryModel = 'mock/mock-model'

/** When a suite ran, in milliseconds since 1970, and how long by a clock that only goes forward. */
export interface SuiteTimes {
  readonly startedAt: number
  readonly finishedAt: number
  readonly wallMs: number
}

/** What is told of a suite beside its scenarios. */
export interface SuiteFacts {
  readonly scenarios: readonly Scenario[]
  readonly settings: ScenarioSettings
  readonly concurrency: number
  readonly version: string
  readonly providerMode: string
}

/** Sums up the scenarios of a suite; `empty` are wall times of empty starts of Node, in milliseconds. Pure but for the names of Node and platform. */
export function summarize(
  ran: readonly RanScenario[],
  { scenarios, settings, concurrency, version, providerMode }: SuiteFacts,
  { startedAt, finishedAt, wallMs }: SuiteTimes,
  empty: readonly number[],
): SuiteSummary {
  const emptyNodeMs = round(median(empty))
  const results = ran.map(({ result }) => result)
  const count = (status: Status): number => results.filter((each) => each.status === status).length
  const of = <Row>(rows: (findings: Findings) => readonly Row[]): readonly (Row & { scenario: string })[] =>
    ran.flatMap(({ result, findings }) =>
      findings === null ? [] : rows(findings).map((row) => ({ ...row, scenario: result.id })),
    )
  return {
    scenarios: results,
    counts: {
      total: results.length,
      passed: count('pass'),
      skipped: count('skip'),
      failed: count('fail'),
    },
    metrics: {
      wallMs,
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
      finishedAt: new Date(finishedAt).toISOString(),
      providerMode,
      primaryModel,
      concurrency,
      tools: settings.tools,
      scenarioIds: scenarios.map(({ id }) => id),
      version,
      node: process.versions.node,
      platform: process.platform,
    },
  }
}

function sharesOf({ result, findings }: RanScenario): readonly LaneShare[] {
  const lanes = findings?.times.length ?? 0
  return lanes === 0 ? [] : [{ scenario: result.id, lanes, wallMs: round(result.wallMs / lanes) }]
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
