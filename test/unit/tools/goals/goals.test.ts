import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openGoals } from '../../../../src/tools/goals/goals.ts'
import { openSessions } from '../../../../src/tools/sessions/open.ts'
import { callTool, failure, familyOptions } from '../../../helpers/tool-family.ts'

async function goals() {
  const options = await familyOptions({}, { clock: () => 1_000 })
  const dir = join(options.stateDir, 'agents/main/goals')
  return {
    options,
    file: () => join(dir, readdirSync(dir)[0] ?? ''),
    call: async (name: string, args: Record<string, unknown> = {}) =>
      (await callTool(openGoals(options), name, args)).details,
    fails: async (name: string, args: Record<string, unknown> = {}) =>
      failure(callTool(openGoals(options), name, args)),
  }
}

describe('goals', () => {
  test('are set, ended and set anew, and each program finds them as they were left', async () => {
    const { call, fails } = await goals()
    expect(await call('get_goal')).toEqual({ goal: null })
    expect((await fails('update_goal', { status: 'complete' })).hints).toEqual(['create_goal sets one'])
    await call('create_goal', { objective: ' Ship it ', tokenBudget: 5_000 })
    expect((await fails('create_goal', { objective: 'x' })).message).toBe(
      'the session has a goal, and it is active: Ship it',
    )
    await call('update_goal', { status: 'blocked', note: 'no key' })
    expect(await call('get_goal')).toEqual({
      goal: {
        objective: 'Ship it',
        status: 'blocked',
        note: 'no key',
        tokenBudget: 5_000,
        createdAt: '1970-01-01T00:00:01.000Z',
        updatedAt: '1970-01-01T00:00:01.000Z',
      },
    })
    await call('update_goal', { status: 'active' })
    expect(await call('update_goal', { status: 'complete' })).toMatchObject({
      goal: { status: 'complete', note: null },
    })
    expect((await fails('update_goal', { status: 'active' })).message).toBe('the goal is complete already')
    expect(await call('create_goal', { objective: 'Rest' })).toMatchObject({ goal: { status: 'active' } })
    expect((await fails('create_goal', { objective: '  ' })).code).toBe('INPUT_INVALID')
  })

  test('that cannot be read are not overwritten', async () => {
    const { call, fails, file } = await goals()
    await call('create_goal', { objective: 'x' })
    writeFileSync(file(), '{"goal":')
    const { code, message, hints } = await fails('update_plan', { plan: [] })
    expect({ code, message, hints }).toEqual({
      code: 'INPUT_INVALID',
      message: `goal and plan in ${file()} cannot be read`,
      hints: ['move the file away, and they are begun anew'],
    })
    expect(readFileSync(file(), 'utf8')).toBe('{"goal":')
  })
})

describe('plans', () => {
  const steps = [
    { step: 'look', status: 'completed' },
    { step: 'act', status: 'in_progress' },
    { step: 'rest', status: 'pending' },
  ]

  test('have one step in progress, and session_status shows them', async () => {
    const { call, fails, options } = await goals()
    expect(await call('update_plan', { plan: steps, explanation: 'first' })).toEqual({
      plan: steps,
      completed: 1,
      total: 3,
    })
    const two = steps.map(({ step }) => ({ step, status: 'in_progress' }))
    expect((await fails('update_plan', { plan: two })).message).toBe(
      '3 steps are in progress, and one may be',
    )
    const { details } = await callTool(openSessions(options), 'session_status', {})
    expect(details).toMatchObject({ goal: null, plan: { note: 'first', steps } })
  })

  test('a card keeps what is not said anew', async () => {
    const { call } = await goals()
    await call('progress_card', { title: 'Move', steps })
    expect(await call('progress_card', { note: 'half way' })).toEqual({
      card: { title: 'Move', note: 'half way', steps, updatedAt: 1_000 },
      completed: 1,
      total: 3,
    })
    expect(await call('progress_card', { clear: true })).toEqual({ card: null, completed: 0, total: 0 })
  })

  test('that many change at once lose nothing', async () => {
    const { call } = await goals()
    await Promise.all([
      call('create_goal', { objective: 'x' }),
      ...Array.from({ length: 8 }, () => call('update_plan', { plan: steps })),
    ])
    expect(await call('get_goal')).toMatchObject({ goal: { objective: 'x' } })
  })
})
