import { describe, expect, test } from 'vitest'
import type { Config } from '../../../../src/config/types.ts'
import {
  asksNothing,
  HeartbeatClock,
  heartbeatPlans,
  isActive,
  wordsBeyondOk,
} from '../../../../src/tools/automation/heartbeat.ts'
import { open } from '../../policy/open.ts'

const ids = (config: Config): unknown[] =>
  heartbeatPlans(config).map(({ agentId, everyMs }) => [agentId, everyMs / 60_000])

describe('heartbeats of a config', () => {
  test('are those of the default agent, unless agents have their own', () => {
    expect(ids({})).toEqual([])
    const defaults = { heartbeat: { every: '30m' } }
    expect(ids({ agents: { defaults } })).toEqual([['main', 30]])
    const list = [
      { id: 'a', default: true },
      { id: 'b', heartbeat: { prompt: 'look' } },
    ]
    expect(ids({ agents: { defaults, list } })).toEqual([['b', 30]])
    expect(ids({ agents: { list: [{ id: 'a', heartbeat: { every: '2h' } }] } })).toEqual([['a', 120]])
  })

  test.each(['0m', 'never', ''])('are none every %j', (every) => {
    expect(ids({ agents: { defaults: { heartbeat: { every } } } })).toEqual([])
  })
})

describe('hours of heartbeats', () => {
  const at = Date.parse('2026-01-15T21:30:00Z')
  test.each([
    ['08:00', '22:00', 'Europe/Berlin', false],
    ['08:00', '23:00', 'Europe/Berlin', true],
    ['22:00', '06:00', 'Europe/Berlin', true],
    ['23:00', '06:00', 'Europe/Berlin', false],
    ['00:00', '24:00', 'UTC', true],
    ['soon', '06:00', 'UTC', true],
  ])('%s to %s in %s', (start, end, timezone, active) => {
    expect(isActive({ activeHours: { start, end, timezone } }, at)).toBe(active)
  })
})

describe('an answer in words', () => {
  test.each([
    ['HEARTBEAT_OK', null],
    ['**HEARTBEAT_OK**', null],
    ['HEARTBEAT_OK. All quiet here.', null],
    ['Nothing new. HEARTBEAT_OK', null],
    ['', null],
    ['The disk is full', 'The disk is full'],
    [`HEARTBEAT_OK ${'x'.repeat(301)}`, 'x'.repeat(301)],
  ])('%s', (text, words) => expect(wordsBeyondOk(text)).toBe(words))
})

test.each([
  ['# Heartbeat\n\n<!-- nothing yet -->\n- [ ]\n', true],
  ['', true],
  ['# Heartbeat\n- Look at the mail\n', false],
])('whether %j asks for nothing: %s', (text, nothing) => expect(asksNothing(text)).toBe(nothing))

describe('the clock of heartbeats', () => {
  const plans = heartbeatPlans({ agents: { defaults: { heartbeat: { every: '1h' } } } })
  const hour = 3_600_000
  const due = (clock: HeartbeatClock, now: number): boolean => clock.due(plans, now).length > 0

  test('begins with the first look, and makes up for missed ones by one', () => {
    const clock = new HeartbeatClock()
    expect(due(clock, 0)).toBe(false)
    expect(due(clock, hour - 1)).toBe(false)
    expect(due(clock, 50 * hour)).toBe(true)
    clock.next('main', hour, 51 * hour)
    expect(due(clock, 50 * hour)).toBe(false)
    expect(clock.wakeMs).toBe(51 * hour)
  })

  test('waits as long as an agent has said, and not until a clock that was set back is there again', () => {
    const clock = new HeartbeatClock()
    due(clock, 0)
    clock.next('main', hour, 72 * hour)
    expect(due(clock, 71 * hour)).toBe(false)
    expect(due(clock, 71 * hour - 30_000)).toBe(false)
    expect(clock.wakeMs).toBe(72 * hour)
    expect(due(clock, 65 * hour)).toBe(false)
    expect(clock.wakeMs).toBe(66 * hour)
  })

  test('counts anew when it was set back, or the interval has changed', () => {
    const clock = new HeartbeatClock()
    due(clock, 1_000 * hour)
    expect(due(clock, 0)).toBe(false)
    expect(clock.wakeMs).toBe(hour)
    const often = heartbeatPlans({ agents: { defaults: { heartbeat: { every: '1m' } } } })
    expect(clock.due(often, 0)).toEqual([])
    expect(clock.wakeMs).toBe(60_000)
    clock.due([], 0)
    expect(clock.wakeMs).toBeNull()
  })
})

test('only heartbeat runs have heartbeat_respond, whatever the profile; a deny counts', () => {
  const verdict = (config: object, context: object): string | undefined =>
    open({ config, context }).view.decisions.find(({ tool }) => tool.name === 'heartbeat_respond')?.verdict
  const config = { tools: { profile: 'minimal' } }
  expect(verdict(config, {})).toBe('unavailable')
  expect(verdict(config, { heartbeat: true })).toBe('visible')
  expect(verdict({ tools: { profile: 'minimal', deny: ['heartbeat_respond'] } }, { heartbeat: true })).toBe(
    'hidden',
  )
})
