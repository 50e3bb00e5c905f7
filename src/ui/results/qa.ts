import { Type } from 'typebox'
import type { SuiteResult } from '../../qa/summary.ts'
import type { ListedScenario } from '../../runtime/qa.ts'
import { count, ms, nullable, open, text, texts, time, word, type Promised } from './kit.ts'

const scenario = open({ id: text, title: text, checks: Type.Array(open({ id: text, title: text })) })

/** `qa list --json` (contract §8). */
export const list = open({ items: Type.Array(scenario) })

const status = word('pass', 'fail', 'skip')
const ratio = Type.Number({ description: 'How many empty starts of Node it took.' })

/** `qa suite --json` (contract §8). */
export const suite = open({
  scenarios: Type.Array(
    open({
      id: text,
      name: text,
      status,
      startedAt: time,
      wallMs: ms,
      steps: Type.Array(open({ name: text, status, ms, details: Type.Optional(text) })),
      details: Type.Optional(text),
    }),
  ),
  counts: open({ total: count, passed: count, skipped: count, failed: count }),
  metrics: open({
    wallMs: ms,
    emptyNodeMs: ms,
    lanes: Type.Array(
      open({
        scenario: text,
        lane: text,
        wallMs: ms,
        cpuMs: nullable(ms),
        peakBytes: nullable(count),
        timesEmptyNode: ratio,
      }),
    ),
    perLane: Type.Array(open({ scenario: text, lanes: count, wallMs: ms, timesEmptyNode: ratio })),
  }),
  payload: Type.Array(
    open({
      scenario: text,
      lane: text,
      catalogue: count,
      declaredTools: count,
      toolBytes: count,
      systemPromptBytes: count,
      requestBytes: count,
    }),
  ),
  run: open({
    startedAt: time,
    finishedAt: time,
    providerMode: text,
    primaryModel: text,
    concurrency: count,
    tools: count,
    scenarioIds: texts,
    version: text,
    node: text,
    platform: text,
  }),
  outputDir: text,
  files: open({ report: text, summary: text, evidence: text }),
})

type Holds<_Result extends Wanted, Wanted> = true
export type QaResultsHold = [
  Holds<ListedScenario, Promised<typeof scenario>>,
  Holds<SuiteResult, Promised<typeof suite>>,
]
