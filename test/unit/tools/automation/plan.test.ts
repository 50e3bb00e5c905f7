import { describe, expect, test } from 'vitest'
import type { Job, Schedule } from '../../../../src/tools/automation/job.ts'
import { begun, ended, isDue, nextRun, nextWake, planned } from '../../../../src/tools/automation/plan.ts'
import { durationMs, timeMs } from '../../../../src/tools/automation/times.ts'

const at = (text: string): number => Date.parse(text)
const minute = 60_000
const hour = 60 * minute

const cron = (expr: string, tz?: string): Schedule => ({
  kind: 'cron',
  expr,
  ...(tz !== undefined && { tz }),
})

function job(schedule: Schedule, more: Partial<Job> = {}): Job {
  return {
    id: 'j1',
    name: 'job',
    agentId: 'main',
    sessionKey: 'agent:main:main',
    enabled: true,
    schedule,
    payload: { kind: 'agentTurn', message: 'go' },
    deleteAfterRun: schedule.kind === 'at',
    owner: true,
    createdAtMs: 0,
    updatedAtMs: 0,
    state: {},
    ...more,
  }
}

const next = (schedule: Schedule, after: string): string | null => {
  const ms = nextRun(schedule, at(after))
  return ms === null ? null : new Date(ms).toISOString()
}

describe('the next time', () => {
  test('of a cron expression is in its time zone, through changes of summer time', () => {
    const nine = cron('0 9 * * *', 'Europe/Berlin')
    expect(next(nine, '2026-01-15T07:00:00Z')).toBe('2026-01-15T08:00:00.000Z')
    expect(next(nine, '2026-03-28T09:00:00Z')).toBe('2026-03-29T07:00:00.000Z')
    // Half past two does not exist in that night; the run is right after it.
    expect(next(cron('30 2 * * *', 'Europe/Berlin'), '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
    expect(next(cron('0 0 31 2 *'), '2026-01-01T00:00:00Z')).toBeNull()
    expect(next(cron('*/10 * * * * *', 'UTC'), '2026-01-01T00:00:01Z')).toBe('2026-01-01T00:00:10.000Z')
  })

  test('of what comes every so often keeps to its grid', () => {
    const every: Schedule = { kind: 'every', everyMs: 15 * minute, anchorMs: at('2026-01-01T00:05:00Z') }
    expect(next(every, '2026-01-01T00:00:00Z')).toBe('2026-01-01T00:05:00.000Z')
    expect(next(every, '2026-01-01T00:05:00Z')).toBe('2026-01-01T00:20:00.000Z')
    expect(next(every, '2026-01-01T10:06:00Z')).toBe('2026-01-01T10:20:00.000Z')
  })

  test('of what comes every so often does not wait for an anchor that a wrong clock has put ahead', () => {
    const every: Schedule = { kind: 'every', everyMs: 15 * minute, anchorMs: at('2036-01-01T00:05:00Z') }
    expect(next(every, '2026-01-01T00:00:00Z')).toBe('2026-01-01T00:05:00.000Z')
  })

  test.each(['* * *', '99 * * * *', 'hello'])('%s is no expression', (expr) => {
    expect(() => nextRun(cron(expr), 0)).toThrow('the schedule cannot be read')
  })

  test('needs a time zone that exists', () => {
    expect(() => nextRun(cron('* * * * *', 'Europe/Atlantis'), 0)).toThrow('the schedule cannot be read')
  })
})

describe('a clock that jumps', () => {
  const hourly = job(cron('0 * * * *', 'UTC'))
  const start = at('2026-01-01T10:30:00Z')

  test('forward: one run makes up for all that was missed', () => {
    const waiting = planned(hourly, start)
    const later = start + 300 * hour
    expect(isDue(planned(waiting, later), later)).toBe(true)
    const running = begun(waiting, later)
    expect(running.state.nextRunAtMs).toBe(later + 30 * minute)
    expect(isDue(running, later)).toBe(false)
  })

  test('back by little: nothing runs twice', () => {
    const ran = begun(planned(hourly, start), at('2026-01-01T11:00:00Z'))
    const back = planned(ran, at('2026-01-01T10:59:30Z'))
    expect(back).toBe(ran)
    expect(back.state.nextRunAtMs).toBe(at('2026-01-01T12:00:00Z'))
  })

  test('back by much: the next time is found anew, and not waited for until the old one', () => {
    const wrong = planned(hourly, at('2036-01-01T10:30:00Z'))
    expect(planned(wrong, start).state.nextRunAtMs).toBe(at('2026-01-01T11:00:00Z'))
  })
})

describe('the end of a run', () => {
  const times = { startMs: at('2026-01-01T11:00:00Z'), nowMs: at('2026-01-01T11:00:10Z') }
  const minutely = begun(planned(job(cron('* * * * *', 'UTC')), times.startMs - 1), times.startMs)
  const failed = { status: 'error', error: 'no model' } as const

  test('that failed is followed by ever longer waits, until one is well', () => {
    const waits: number[] = []
    let now = minutely
    for (let round = 0; round < 6; round += 1) {
      const after = ended(now, failed, times)
      if (after === null) throw new Error('it is gone')
      waits.push(((after.state.nextRunAtMs ?? 0) - times.nowMs) / 1000)
      now = begun(after, times.startMs)
    }
    // Half a minute is over before the next minute begins.
    expect(waits).toEqual([50, 60, 300, 900, 3600, 3600])
    expect(now.state).toMatchObject({ failures: 6, lastError: 'no model', lastStatus: 'error' })
    const well = ended(now, { status: 'ok' }, times)
    expect(well?.state.failures).toBe(0)
    expect(well?.state.lastError).toBeUndefined()
    expect(well?.state.runningAtMs).toBeUndefined()
  })

  test('of a job that runs once deletes it, or switches it off', () => {
    const once: Schedule = { kind: 'at', atMs: times.startMs }
    const running = begun(planned(job(once), 0), times.startMs)
    expect(ended(running, { status: 'ok' }, times)).toBeNull()
    const kept = ended({ ...running, deleteAfterRun: false }, { status: 'ok' }, times)
    expect(kept).toMatchObject({ enabled: false })
    expect(kept?.state.nextRunAtMs).toBeUndefined()
  })

  test('of a job that runs once and fails tries again, and gives up', () => {
    const once: Schedule = { kind: 'at', atMs: times.startMs }
    let now: Job | null = begun(planned(job(once), 0), times.startMs)
    for (const wait of [30_000, 60_000]) {
      now = now && ended(now, failed, times)
      expect(now?.state.nextRunAtMs).toBe(times.nowMs + wait)
      now = now && begun(now, times.nowMs + wait)
      expect(now?.state.nextRunAtMs).toBeUndefined()
    }
    const last = now && ended(now, failed, times)
    expect(last).toMatchObject({ enabled: false, state: { disabledReason: 'it failed 3 times: no model' } })
    expect(nextWake(last === null ? [] : [last])).toBeNull()
  })

  test('that was interrupted counts as one that failed', () => {
    const after = ended(minutely, { status: 'interrupted', error: 'ended' }, times)
    expect(after?.state).toMatchObject({ failures: 1, lastStatus: 'interrupted' })
  })
})

describe('times as people write them', () => {
  test.each([
    ['90s', 90_000],
    ['20m', 20 * minute],
    ['2h30m', 2.5 * hour],
    ['1.5h', 1.5 * hour],
    ['1d', 24 * hour],
    ['30', 30 * minute],
    ['soon', null],
    ['', null],
    ['-5m', null],
    ['99999999999999999w', null],
  ])('%s', (text, ms) => expect(durationMs(text)).toBe(ms))

  test.each([
    ['2026-12-24T18:00:00Z', at('2026-12-24T18:00:00Z')],
    ['2026-12-24T18:00+01:00', at('2026-12-24T17:00:00Z')],
    ['in 20m', 20 * minute],
    ['2h', 2 * hour],
    // Whose six o'clock would that be?
    ['2026-12-24T18:00:00', null],
    ['tomorrow', null],
    ['2026', null],
    ['2027-02-30T10:00:00Z', null],
    ['2028-02-29T23:59:00-05:00', Date.parse('2028-03-01T04:59:00Z')],
  ])('%s', (text, ms) => expect(timeMs(text, 0)).toBe(ms))
})
