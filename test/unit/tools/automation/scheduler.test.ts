import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Job, RunOutcome } from '../../../../src/tools/automation/job.ts'
import { Scheduler } from '../../../../src/tools/automation/scheduler.ts'
import { JobStore } from '../../../../src/tools/automation/store.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

const hour = 3_600_000
const start = Date.parse('2026-01-01T10:30:00Z')

function job(id: string, more: Partial<Job> = {}): Job {
  return {
    id,
    name: id,
    agentId: 'main',
    sessionKey: 'agent:main:main',
    enabled: true,
    schedule: { kind: 'cron', expr: '0 * * * *', tz: 'UTC' },
    payload: { kind: 'agentTurn', message: 'go' },
    deleteAfterRun: false,
    owner: true,
    createdAtMs: start,
    updatedAtMs: start,
    state: {},
    ...more,
  }
}

/** A scheduler whose clock is set by hand, and whose runs end when they are told to. */
async function scheduler(jobs: readonly Job[], { most = 4, stateDir = '' } = {}) {
  const dir = stateDir === '' ? await tempDir() : stateDir
  const told: string[] = []
  const store = new JobStore(dir, (text) => told.push(text))
  if (jobs.length > 0) await store.update(() => jobs)
  const clock = { now: start }
  const runs: { id: string; end: (outcome: RunOutcome) => void }[] = []
  const made = new Scheduler({
    store,
    clock: () => clock.now,
    most,
    tell: (text) => told.push(text),
    obstacle: ({ agentId }) => (agentId === 'gone' ? 'the agent gone is not configured' : null),
    work: ({ id }, _runId, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<RunOutcome>()
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      runs.push({ id, end: resolve })
      return promise
    },
  })
  onTestFinished(() => made.close())
  const at = async (time: number): Promise<void> => {
    clock.now = time
    await made.tick()
  }
  const end = async (outcome: RunOutcome = { status: 'ok' }): Promise<void> => {
    for (const run of runs) run.end(outcome)
    await made.idle()
  }
  const one = (id: string): Job | undefined => store.list().find((each) => each.id === id)
  return { dir, store, clock, runs, made, at, end, one, told, ids: () => runs.map(({ id }) => id) }
}

const statuses = (runs: readonly unknown[]): unknown[] =>
  runs.map((run) => (typeof run === 'object' && run !== null && 'status' in run ? run.status : null))

describe('jobs run at their time', () => {
  test('once each, and the next time is planned', async () => {
    const { made, at, end, ids, one, store } = await scheduler([job('a')])
    await made.start()
    expect(one('a')?.state.nextRunAtMs).toBe(start + hour / 2)
    await at(start + hour / 2 - 1)
    expect(ids()).toEqual([])
    await at(start + hour / 2)
    expect(ids()).toEqual(['a'])
    await end({ status: 'ok', summary: 'done' })
    expect(one('a')?.state).toMatchObject({ lastStatus: 'ok', nextRunAtMs: start + 1.5 * hour })
    expect(store.history('a', 5)).toMatchObject([{ status: 'ok', summary: 'done' }])
  })

  test('beside one whose schedule cannot be read, which is switched off', async () => {
    const bad = job('bad', { schedule: { kind: 'cron', expr: 'whenever' } })
    const { made, at, ids, one, told } = await scheduler([bad, job('a')])
    await made.start()
    expect(one('bad')).toMatchObject({
      enabled: false,
      state: { disabledReason: expect.stringContaining('cannot be read') },
    })
    await at(start + hour / 2)
    expect(ids()).toEqual(['a'])
    expect(told).toEqual([expect.stringContaining('bad')])
  })

  test('as soon as the file can be read again, which is said once', async () => {
    const { made, at, ids, told, store } = await scheduler([job('a')])
    const text = readFileSync(store.file, 'utf8')
    rmSync(store.file)
    mkdirSync(store.file)
    await made.start()
    await at(start + 1)
    expect(told).toEqual([expect.stringContaining('the jobs were not looked at')])
    rmSync(store.file, { recursive: true })
    writeFileSync(store.file, text)
    await at(start + hour / 4)
    await at(start + hour / 2)
    expect(ids()).toEqual(['a'])
  })

  test('once for all that was missed while the clock jumped, or the program was down', async () => {
    const first = await scheduler([job('a')])
    await first.made.start()
    await first.at(start + 500 * hour)
    await first.end()
    expect(first.ids()).toEqual(['a'])
    expect(first.store.history('a', 5)).toMatchObject([{ status: 'ok', lateMs: 499.5 * hour }])
    await first.made.close()
    const second = await scheduler([], { stateDir: first.dir })
    second.clock.now = start + 900 * hour
    await second.made.start()
    await second.end()
    expect(second.ids()).toEqual(['a'])
  })

  test('again after the clock was set back, and not twice for a correction', async () => {
    const { made, at, end, ids } = await scheduler([job('a')])
    await made.start()
    await at(start + hour / 2)
    await end()
    await at(start + hour / 2 - 2_000)
    await at(start + hour / 2)
    expect(ids()).toEqual(['a'])
    await at(start - 10 * hour)
    await at(start - 9.5 * hour)
    await end()
    expect(ids()).toEqual(['a', 'a'])
  })

  test('not beside themselves: a time that comes while one is running is skipped, with a note', async () => {
    const { made, at, end, ids, store } = await scheduler([job('a')])
    await made.start()
    await at(start + hour / 2)
    await at(start + 1.5 * hour)
    expect(ids()).toEqual(['a'])
    expect(statuses(store.history('a', 5))).toEqual(['skipped'])
    await end()
    await at(start + 2.5 * hour)
    expect(ids()).toEqual(['a', 'a'])
  })

  test('no more of them at once than there are places; the others come when one is free', async () => {
    const { made, at, runs, ids, store } = await scheduler(
      ['a', 'b', 'c'].map((id) => job(id)),
      { most: 2 },
    )
    await made.start()
    await at(start + hour / 2)
    expect(ids()).toEqual(['a', 'b'])
    runs[0]?.end({ status: 'ok' })
    await expect.poll(() => ids()).toEqual(['a', 'b', 'c'])
    for (const run of runs) run.end({ status: 'ok' })
    await made.idle()
    expect(statuses(store.history('c', 5))).toEqual(['ok'])
  })

  test('unless their agent is gone: then they are switched off, with the reason', async () => {
    const { made, at, ids, one, told } = await scheduler([job('a', { agentId: 'gone' })])
    await made.start()
    await at(start + hour)
    expect(ids()).toEqual([])
    expect(one('a')).toMatchObject({
      enabled: false,
      state: { disabledReason: 'the agent gone is not configured' },
    })
    expect(told.join()).toContain('is switched off')
  })

  test('failures are told, and push the next run back', async () => {
    const { made, at, end, one, store } = await scheduler([job('a')])
    await made.start()
    await at(start + hour / 2)
    await end({ status: 'error', error: 'no model' })
    expect(one('a')?.state).toMatchObject({ failures: 1, lastError: 'no model' })
    expect(store.history('a', 1)).toMatchObject([{ status: 'error', error: 'no model' }])
  })

  test('what was under way when the program ended counts as interrupted', async () => {
    const first = await scheduler([job('a')])
    await first.made.start()
    await first.at(start + hour / 2)
    await first.made.close()
    expect(first.one('a')?.state.runningAtMs).toBe(start + hour / 2)
    const second = await scheduler([], { stateDir: first.dir })
    second.clock.now = start + 0.6 * hour
    await second.made.start()
    expect(second.one('a')?.state).toMatchObject({ lastStatus: 'interrupted', failures: 1 })
    expect(second.one('a')?.state.runningAtMs).toBeUndefined()
    expect(statuses(second.store.history('a', 5))).toEqual(['interrupted'])
  })

  test('a job can be run by hand, also before its time, and not while it runs', async () => {
    const { made, end, ids } = await scheduler([job('a', { enabled: false })])
    await made.start()
    expect(await made.runNow('a')).toMatch(/^cron-/)
    await expect(made.runNow('a')).rejects.toThrow('running already')
    await expect(made.runNow('b')).rejects.toThrow('there is no job b')
    await end()
    expect(ids()).toEqual(['a'])
  })
})

describe('the file of the jobs', () => {
  test('that cannot be read gives way to the one before, and is kept', async () => {
    const { store, told } = await scheduler([job('a')])
    await store.update((jobs) => [...jobs, job('b')])
    writeFileSync(store.file, '{"version":1,"jobs":[{"id":"a"')
    expect(store.list().map(({ id }) => id)).toEqual(['a'])
    await store.update((jobs) => [...jobs, job('c')])
    expect(store.list().map(({ id }) => id)).toEqual(['a', 'c'])
    expect(readFileSync(`${store.file}.unreadable`, 'utf8')).toBe('{"version":1,"jobs":[{"id":"a"')
    expect(told.join()).toContain('could not be read')
  })

  test('loses nothing when several write at once', async () => {
    const { dir, store } = await scheduler([])
    const other = new JobStore(dir, () => {})
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? store : other).update((jobs) => [...jobs, job(`j${at}`)]),
      ),
    )
    expect(store.list()).toHaveLength(20)
  })

  test('leaves out entries that are no jobs', async () => {
    const { store } = await scheduler([job('a')])
    const broken = [{ id: 'x' }, null, { ...job('y'), schedule: { kind: 'every', everyMs: 0, anchorMs: 0 } }]
    writeFileSync(store.file, JSON.stringify({ version: 1, jobs: [...broken, job('b')] }))
    expect(store.list().map(({ id }) => id)).toEqual(['b'])
    await store.update((jobs) => [...jobs, job('c')])
    const { jobs } = JSON.parse(readFileSync(store.file, 'utf8')) as { jobs: unknown[] }
    expect(jobs).toEqual([job('b'), job('c'), ...broken])
  })

  test('takes no time for one that no clock can show, and no limit of tools that cannot be read', async () => {
    const { store } = await scheduler([job('a')])
    const state = { nextRunAtMs: 'soon', plannedAtMs: 1e20, runningAtMs: null, lastStatus: 'ok' }
    const odd = [
      { ...job('b'), createdAtMs: 'x', state },
      { ...job('b'), name: 'again' },
      { ...job('c'), toolsAllow: 'read' },
    ]
    writeFileSync(store.file, JSON.stringify({ version: 1, jobs: odd }))
    expect(store.list()).toEqual([{ ...job('b'), createdAtMs: 0, state: { lastStatus: 'ok' } }])
  })

  test('is not taken for empty where it cannot be read', async () => {
    const { store } = await scheduler([job('a')])
    rmSync(store.file)
    mkdirSync(store.file)
    const problem = expect.objectContaining({
      code: 'TOOL_FAILED',
      message: expect.stringContaining(store.file),
    })
    expect(() => store.list()).toThrow(problem)
    await expect(store.update((jobs) => [...jobs, job('b')])).rejects.toThrow(problem)
  })

  test('has a history that stays bounded, and survives a line that was cut short', async () => {
    const { store, dir } = await scheduler([job('a')])
    for (let at = 0; at < 400; at += 1) {
      store.record('a', {
        at: new Date(at).toISOString(),
        runId: `r${at}`,
        status: 'ok',
        summary: 'x'.repeat(1000),
      })
    }
    const file = `${dir}/cron/runs/a.ndjson`
    expect(readFileSync(file, 'utf8').length).toBeLessThan(300_000)
    writeFileSync(file, '{"runId":"half', { flag: 'a' })
    store.record('a', { at: '', runId: 'last', status: 'ok' })
    expect(store.history('a', 2)).toMatchObject([{ runId: 'last' }, { runId: 'r399' }])
  })
})
