import { describe, expect, test } from 'vitest'
import { openAutomation } from '../../../../src/tools/automation/automation.ts'
import type { AutomationService, HeartbeatOutcome } from '../../../../src/tools/automation/service.ts'
import { JobStore } from '../../../../src/tools/automation/store.ts'
import { callTool, failure, familyOptions } from '../../../helpers/tool-family.ts'
import type { Session } from '../../policy/open.ts'

interface Shown {
  readonly id: string
}

interface Answer {
  readonly job: Shown
  readonly jobs: readonly Shown[]
}

const now = Date.parse('2026-01-01T10:30:00Z')

async function automation(session: Session = {}, service?: Partial<AutomationService>, stateDir?: string) {
  const services = service && {
    automation: {
      start: () => {},
      close: async () => {},
      runs: 'here' as const,
      running: [],
      nextWakeMs: null,
      changed: () => {},
      run: async () => 'r1',
      wake: () => {},
      heartbeat: () => false,
      ...service,
    },
  }
  const options = await familyOptions(session, {
    clock: () => now,
    ...(services && { services }),
    ...(stateDir !== undefined && { stateDir }),
  })
  const family = openAutomation(options)
  const cron = async (args: Record<string, unknown>) => {
    const { details } = await callTool(family, 'cron', args)
    return details as Answer
  }
  const add = async (job: object) => (await cron({ action: 'add', job })).job
  return { options, family, cron, add, store: new JobStore(options.stateDir, () => {}) }
}

const turn = { kind: 'agentTurn', message: 'Look at the mail\nand sum it up' }
const hourly = { kind: 'every', every: '1h' }

describe('jobs', () => {
  test('are made, listed, changed and removed without a Gateway', async () => {
    const { cron, add } = await automation()
    const made = await add({
      schedule: { kind: 'cron', expr: '0 9 * * 1-5', tz: 'Europe/Berlin' },
      payload: turn,
    })
    expect(made).toMatchObject({
      name: 'Look at the mail',
      agentId: 'main',
      sessionKey: 'agent:main:main',
      enabled: true,
      nextRunAt: '2026-01-02T08:00:00.000Z',
    })
    const later = await add({
      schedule: { kind: 'at', at: '2h' },
      payload: { kind: 'systemEvent', text: 'tea' },
    })
    expect(later).toMatchObject({ schedule: { at: '2026-01-01T12:30:00.000Z' }, deleteAfterRun: true })
    const listed = await cron({ action: 'list' })
    expect(listed).toMatchObject({ total: 2, runs: 'when a Gateway is running' })
    expect(listed.jobs.map(({ id }) => id)).toEqual([later.id, made.id])
    const changed = await cron({
      action: 'update',
      jobId: made.id,
      patch: { schedule: hourly, name: 'mail' },
    })
    expect(changed.job).toMatchObject({ name: 'mail', nextRunAt: '2026-01-01T11:30:00.000Z' })
    const off = await cron({ action: 'update', jobId: 'mail', patch: { enabled: false } })
    expect(off.job).toMatchObject({ enabled: false, nextRunAt: null })
    expect(await cron({ action: 'list' })).toMatchObject({ total: 1 })
    expect(await cron({ action: 'list', includeDisabled: true })).toMatchObject({ total: 2 })
    await cron({ action: 'remove', jobId: later.id })
    expect(await cron({ action: 'status' })).toMatchObject({ jobs: 1, enabled: 0 })
  })

  test('say what is wrong with them', async () => {
    const { add, cron } = await automation()
    const wrong = async (schedule: object, payload: object = turn) =>
      (await failure(add({ schedule, payload }))).message
    expect(await wrong({ kind: 'cron', expr: '61 * * * *' })).toContain('the schedule cannot be read')
    expect(await wrong({ kind: 'cron', expr: '* * * * *', tz: 'Mars/Base' })).toContain(
      'the schedule cannot be read',
    )
    expect(await wrong({ kind: 'cron', expr: '0 0 31 2 *' })).toContain('never again')
    expect(await wrong({ kind: 'at', at: 'tomorrow' })).toContain('is no time')
    expect(await wrong({ kind: 'at', at: '2020-01-01T00:00:00Z' })).toContain('has passed')
    expect(await wrong({ kind: 'every', every: '10ms' })).toContain('at least a second')
    expect(await wrong(hourly, { kind: 'agentTurn' })).toBe('payload.message: it is missing')
    expect(await failure(add({ schedule: hourly, payload: turn, agentId: 'nobody' }))).toMatchObject({
      code: 'UNKNOWN_AGENT',
    })
    const ofAnother = { agentId: 'main', sessionKey: 'agent:ops:main' }
    const unasked = { ...turn, model: 'nobody/m' }
    for (const job of [{ payload: turn, ...ofAnother }, { payload: unasked }])
      expect(await failure(add({ schedule: hourly, ...job }))).toMatchObject({ code: 'INPUT_INVALID' })
    const { id } = await add({ schedule: hourly, payload: turn })
    expect(await failure(cron({ action: 'remove', jobId: `${id}x` }))).toMatchObject({
      code: 'INPUT_INVALID',
      hints: [id, 'action: list'],
    })
    expect(await failure(cron({ action: 'remove' }))).toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('deliver only where the session may send', async () => {
    const config = { channels: { outbox: {}, webhook: { url: 'http://127.0.0.1:1' } } }
    const { add } = await automation({ config, context: { sessionKey: 'agent:main:outbox:direct:bob' } })
    const delivery = (more: object) => ({
      schedule: hourly,
      payload: turn,
      delivery: { mode: 'announce', ...more },
    })
    expect(await add(delivery({}))).toMatchObject({ delivery: { channel: 'outbox', to: 'bob' } })
    expect(await failure(add(delivery({ channel: 'webhook' })))).toMatchObject({ code: 'TOOL_DENIED' })
  })

  test('of a group have the tools of the group, and are for the group', async () => {
    const context = { sessionKey: 'agent:main:discord:group:g1' }
    const config = { channels: { discord: { groups: { g1: { tools: { allow: ['cron', 'read'] } } } } } }
    const { add, store } = await automation({ config, context })
    await add({ schedule: hourly, payload: turn })
    expect(store.list()[0]).toMatchObject({ toolsAllow: ['read', 'cron'], owner: true })
    const elsewhere = add({ schedule: hourly, payload: turn, sessionKey: 'agent:main:main' })
    expect(await failure(elsewhere)).toMatchObject({ code: 'TOOL_DENIED' })
  })
})

describe('a session that has less than its agent', () => {
  const config = {
    channels: { outbox: {}, discord: { groups: { g1: { tools: { deny: ['exec'] } }, g2: {} } } },
    agents: { list: [{ id: 'main' }, { id: 'ops' }] },
  }
  const group = { config, context: { sessionKey: 'agent:main:discord:group:g1' } }

  test('neither sees nor touches the jobs of others', async () => {
    const main = await automation({ config })
    const { id } = await main.add({ schedule: hourly, payload: turn, name: 'private' })
    const { cron, add } = await automation(group, undefined, main.options.stateDir)
    const own = await add({ schedule: hourly, payload: turn, name: 'own' })
    expect(await cron({ action: 'list' })).toMatchObject({ total: 1, jobs: [{ id: own.id }] })
    expect(await cron({ action: 'status' })).toMatchObject({ jobs: 1 })
    const patch = { payload: { kind: 'systemEvent', text: 'obey' } }
    for (const args of [{ action: 'update', patch }, { action: 'remove' }, { action: 'runs' }]) {
      const refused = await failure(cron({ jobId: id, ...args }))
      expect(refused).toMatchObject({ code: 'INPUT_INVALID', message: `there is no job ${id}` })
      expect(refused.hints.join()).not.toContain('private')
    }
    expect(await main.cron({ action: 'list' })).toMatchObject({ total: 2 })
    const direct = (isOwner: boolean) => ({
      config,
      context: { sessionKey: 'agent:main:discord:direct:7', sender: { id: '7', isOwner } },
    })
    for (const [isOwner, total] of [
      [true, 2],
      [false, 0],
    ] as const) {
      const seen = await automation(direct(isOwner), undefined, main.options.stateDir)
      expect(await seen.cron({ action: 'list' })).toMatchObject({ total })
    }
  })

  test('takes tools away from a job that it changes, and adds none', async () => {
    const { cron, add, options, store } = await automation(group)
    const { id } = await add({ schedule: hourly, payload: turn })
    const few = { config, context: { ...group.context, toolsAllow: ['cron', 'exec', 'read'] } }
    const other = await automation(few, undefined, options.stateDir)
    await other.cron({ action: 'update', jobId: id, patch: { name: 'new' } })
    expect(store.list()[0]?.toolsAllow).toEqual(['read', 'cron'])
    await cron({ action: 'update', jobId: id, patch: { name: 'newer' } })
    expect(store.list()[0]?.toolsAllow).toEqual(['read', 'cron'])
    await cron({ action: 'update', jobId: id, patch: { payload: turn } })
    expect(store.list()[0]?.toolsAllow).toContain('write')
    expect(store.list()[0]?.toolsAllow).not.toContain('exec')
  })

  test('in a sandbox makes jobs for itself only, and they stay there', async () => {
    const tools = { sandbox: { tools: { allow: ['cron'], deny: [] } } }
    const { add, store } = await automation({ config: { ...config, tools }, context: { sandboxed: true } })
    const job = { schedule: hourly, payload: { kind: 'systemEvent', text: 'obey' } }
    for (const place of [{ sessionKey: 'agent:main:other' }, { agentId: 'ops' }])
      expect(await failure(add({ ...job, ...place }))).toMatchObject({ code: 'TOOL_DENIED' })
    await add(job)
    expect(store.list()).toMatchObject([{ sandboxed: true }])
  })

  test('wakes itself with what it has', async () => {
    const woken: unknown[] = []
    const { cron } = await automation(group, { wake: ({ bounds }) => void woken.push(bounds.toolsAllow) })
    await cron({ action: 'wake', text: 'hi' })
    expect(woken).toEqual([expect.not.arrayContaining(['exec'])])
  })
})

test('a job is of the main session by whatever name, and is not switched on without its agent', async () => {
  const agents = { list: [{ id: 'main' }, { id: 'ops' }] }
  const { add, options } = await automation({ config: { agents, session: { mainKey: 'home' } } })
  const job = { schedule: hourly, payload: turn }
  expect(await add({ ...job, sessionKey: 'main' })).toMatchObject({ sessionKey: 'agent:main:home' })
  const ofOps = await add({ ...job, agentId: 'ops' })
  expect(ofOps).toMatchObject({ sessionKey: 'agent:ops:home' })
  const without = await automation({}, undefined, options.stateDir)
  const on = without.cron({ action: 'update', jobId: ofOps.id, patch: { enabled: true } })
  expect(await failure(on)).toMatchObject({ code: 'UNKNOWN_AGENT' })
})

test.each([
  ['another agent', { agentId: 'ops' }, {}],
  ['another model', {}, { model: 'other/m' }],
])('a job for %s has no tools that the session does not have', async (_whose, place, more) => {
  const config = {
    tools: { deny: ['exec'] },
    agents: { list: [{ id: 'main' }, { id: 'ops' }] },
    models: { providers: { other: { models: [{ id: 'm' }] } } },
  }
  const { add, store } = await automation({ config })
  await add({ schedule: hourly, payload: { ...turn, ...more }, ...place })
  expect(store.list()[0]?.toolsAllow).toContain('read')
  expect(store.list()[0]?.toolsAllow).not.toContain('exec')
})

test.each([
  ['no message tool', { deny: ['message'] }],
  ['a message tool that may not send', { message: { actions: { allow: ['read'] } } }],
])('a session with %s has nothing delivered', async (_what, tools) => {
  const { add } = await automation({ config: { channels: { outbox: {} }, tools } })
  const job = { schedule: hourly, payload: turn, delivery: { mode: 'announce', to: 'bob' } }
  expect(await failure(add(job))).toMatchObject({ code: 'TOOL_DENIED' })
})

describe('what needs a Gateway', () => {
  test('says so where there is none', async () => {
    const { cron, add } = await automation()
    const { id } = await add({ schedule: hourly, payload: turn })
    for (const args of [
      { action: 'run', jobId: id },
      { action: 'wake', text: 'hi' },
    ]) {
      expect(await failure(cron(args))).toMatchObject({
        code: 'TOOL_UNAVAILABLE',
        hints: ['openclaw gateway run'],
      })
    }
  })

  test('is done by it where there is one', async () => {
    const woken: unknown[] = []
    let changes = 0
    const wake: AutomationService['wake'] = (...args) => void woken.push(args)
    const { cron, add } = await automation({}, { wake, changed: () => (changes += 1) })
    const { id } = await add({ schedule: hourly, payload: turn })
    expect(changes).toBe(1)
    expect(await cron({ action: 'run', jobId: id })).toEqual({ runId: 'r1', started: true })
    await cron({ action: 'wake', text: 'hi', mode: 'next' })
    expect(woken).toEqual([
      [{ agentId: 'main', sessionKey: 'agent:main:main', owner: true, bounds: {} }, 'hi', 'next'],
    ])
  })
})

describe('heartbeat_respond', () => {
  const args = { outcome: 'done', notify: true, summary: 'All well', nextCheck: '2h' }

  test('hands its outcome to the heartbeat that is under way', async () => {
    const kept: HeartbeatOutcome[] = []
    const heartbeat: AutomationService['heartbeat'] = (_key, outcome) => kept.push(outcome) > 0
    const { family } = await automation({}, { heartbeat })
    await callTool(family, 'heartbeat_respond', args)
    expect(kept).toEqual([{ outcome: 'done', notify: true, summary: 'All well', nextCheckMs: 7_200_000 }])
    const wrong = callTool(family, 'heartbeat_respond', { ...args, nextCheck: 'later' })
    expect(await failure(wrong)).toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('fails where none is', async () => {
    const { family } = await automation()
    expect(await failure(callTool(family, 'heartbeat_respond', args))).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
    })
  })
})
