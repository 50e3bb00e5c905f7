import { describe, expect, test } from 'vitest'
import type { SuiteEvent } from '../../../src/qa/run-scenario.ts'
import { afterEvent } from '../../../src/ui/qa-rows.ts'
import { eventLine } from '../../../src/ui/qa-progress.ts'
import { plainTheme } from '../../../src/ui/theme.ts'

const events: readonly SuiteEvent[] = [
  {
    type: 'begin',
    scenarios: [
      { id: 'one', title: 'One' },
      { id: 'two', title: 'Two' },
    ],
  },
  { type: 'scenario-begin', id: 'one' },
  { type: 'step-begin', id: 'one', name: 'it starts' },
  { type: 'step-end', id: 'one', step: { name: 'it starts', status: 'pass', ms: 12 } },
  { type: 'step-begin', id: 'one', name: 'It is even' },
  {
    type: 'step-end',
    id: 'one',
    step: { name: 'It is even', status: 'fail', ms: 0, details: 'it is 7\nand odd' },
  },
  {
    type: 'scenario-end',
    id: 'one',
    result: {
      id: 'one',
      name: 'One',
      status: 'fail',
      startedAt: '',
      wallMs: 1_234,
      steps: [],
      details: 'it is 7',
    },
  },
]

test('everybody but a person at a terminal reads lines', () => {
  const lines = events.flatMap((event) => eventLine(event, plainTheme) ?? [])
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "2 scenarios
    one ✓ it starts  12 ms
    one ✗ It is even
        it is 7
        and odd
    one failed in 1.2 s: it is 7"
  `)
})

describe('the live view', () => {
  test('has one row for each scenario', () => {
    const shown = events.map((_, at) =>
      events
        .slice(0, at + 1)
        .reduce<ReturnType<typeof afterEvent>>(afterEvent, [])
        .map(({ id, state, text, done, problems }) => [id, state, text, done, ...problems].join(' | ')),
    )
    expect(shown.map(([first]) => first)).toMatchInlineSnapshot(`
      [
        "one | waiting |  | 0",
        "one | running |  | 0",
        "one | running | it starts | 0",
        "one | running | it starts | 1",
        "one | running | It is even | 1",
        "one | running | It is even | 2 | It is even: it is 7",
        "one | fail | 1.2 s | 2 | It is even: it is 7",
      ]
    `)
    expect(new Set(shown.map(([, second]) => second))).toEqual(new Set(['two | waiting |  | 0']))
  })
})
