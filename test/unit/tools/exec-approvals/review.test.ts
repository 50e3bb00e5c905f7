import { describe, expect, test } from 'vitest'
import {
  readReview,
  type CommandReviewer,
  type ReviewQuestion,
} from '../../../../src/tools/exec-approvals/review.ts'
import { gateHome, type GateHomeOptions } from '../../../helpers/command-gate.ts'

/** A machine in mode auto, with a reviewer that gives this answer. */
async function auto(answer: string | CommandReviewer, exec: object = {}, more: GateHomeOptions = {}) {
  const asked: ReviewQuestion[] = []
  const told: string[] = []
  const home = await gateHome({
    session: { config: { tools: { exec: { mode: 'auto', ...exec } } } },
    approvals: { agents: { main: { allowlist: [{ pattern: 'git' }] } } },
    tell: (text) => void told.push(text),
    services: {
      commandReviewer: async (question, signal) => {
        asked.push(question)
        return typeof answer === 'string' ? answer : answer(question, signal)
      },
    },
    ...more,
  })
  return { home, asked, told }
}

const yes = '{"decision":"allow","reason":"only reads"}'

describe('mode auto', () => {
  test('asks a model for what no entry allows, once in a while for the same command', async () => {
    const { home, asked, told } = await auto(yes, { reviewer: { model: 'openai/small' } })
    expect(await home.judge('git status')).toEqual({ verdict: 'run' })
    expect(asked).toEqual([])
    for (let times = 0; times < 3; times++) expect(await home.judge('whoami')).toEqual({ verdict: 'run' })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.model).toBe('openai/small')
    expect(JSON.parse(asked[0]?.text ?? '')).toEqual({
      command: 'whoami',
      workdir: home.workdir,
      notes: ['/usr/bin/whoami: it is not on the allowlist'],
    })
    expect(told).toEqual(['a reviewing model allowed whoami: only reads'])
    await home.judge('whoami -x')
    expect(asked).toHaveLength(2)
  })

  test.each([
    ['it would rather ask', '{"decision":"ask","reason":"sends data"}'],
    ['it says something else', 'allow'],
    ['it says more than that', `Sure! ${yes}`],
    ['it decides what nobody asked', '{"decision":"yes"}'],
    ['it says nothing', ''],
  ])('asks a person where %s', async (_what, answer) => {
    const { home } = await auto(answer)
    expect(await home.judge('whoami')).toMatchObject({ verdict: 'ask' })
  })

  test('tells the person what the model said', async () => {
    const { home } = await auto('{"decision":"ask","reason":"sends data"}')
    const verdict = await home.judge('whoami')
    expect(verdict).toMatchObject({
      wanted: { description: expect.stringContaining('sends data') as string },
    })
  })

  test('asks a person where the model fails or takes too long', async () => {
    const failing = await auto(() => Promise.reject(new Error('no key')))
    expect(await failing.home.judge('whoami')).toMatchObject({ verdict: 'ask' })
    const slow = await auto(() => new Promise(() => {}), { reviewer: { timeoutMs: 20 } })
    expect(await slow.home.judge('whoami')).toMatchObject({ verdict: 'ask' })
    const none = await auto(yes, {}, { services: {} })
    expect(await none.home.judge('whoami')).toMatchObject({ verdict: 'ask' })
  })

  test('shows the model nothing with characters that cannot be seen', async () => {
    const { home, asked } = await auto(yes)
    expect(await home.judge('whoami \u202e')).toMatchObject({ verdict: 'ask' })
    expect(asked).toEqual([])
  })

  test('asks no model where a person is to be asked every time, or nobody', async () => {
    const always = await auto(yes, {}, { approvals: { defaults: { ask: 'always' } } })
    expect(await always.home.judge('whoami')).toMatchObject({ verdict: 'ask' })
    const denied = await auto(yes, {}, { approvals: { defaults: { security: 'deny' } } })
    expect(await denied.home.judge('whoami')).toMatchObject({ verdict: 'deny' })
    const asking = await auto(yes, { mode: 'ask' })
    expect(await asking.home.judge('whoami')).toMatchObject({ verdict: 'ask' })
    expect([always, denied, asking].flatMap(({ asked }) => asked)).toEqual([])
  })
})

test.each([
  [yes, { allows: true, reason: 'only reads' }],
  ['```json\n{"decision":"ask"}\n```', { allows: false, reason: '' }],
  ['[]', null],
  ['{"decision":["allow"]}', null],
])('the answer %j', (answer, review) => {
  expect(readReview(answer)).toEqual(review)
})
