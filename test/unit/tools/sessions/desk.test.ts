import { describe, expect, onTestFinished, test } from 'vitest'
import { systemEvents } from '../../../../src/runtime/core-tools/system-events.ts'
import type { Bounds } from '../../../../src/tools/bounds.ts'
import type { ChildOrder } from '../../../../src/tools/sessions/child.ts'
import { SessionDesk } from '../../../../src/tools/sessions/desk.ts'
import type { Turn, TurnEnd } from '../../../../src/tools/sessions/turns.ts'

/** A turn that is under way, and how it ends. */
interface OpenTurn extends Turn {
  readonly end: (text: string) => void
  readonly fail: (message: string) => void
}

function openDesk(isOneRun = false) {
  const turns: OpenTurn[] = []
  const told: string[] = []
  const events = systemEvents()
  const runTurn = (turn: Turn): Promise<TurnEnd> => {
    const { promise, resolve, reject } = Promise.withResolvers<TurnEnd>()
    const usage = { input: 1, output: 1, totalTokens: 2 }
    const end = (text: string): void => resolve({ text, ended: 'stop', usage })
    turns.push({ ...turn, end, fail: (message) => reject(new Error(message)) })
    turn.signal.addEventListener('abort', () => reject(turn.signal.reason))
    return promise
  }
  const desk = new SessionDesk({
    runTurn,
    events,
    clock: () => 0,
    tell: (text) => told.push(text),
    signal: new AbortController().signal,
    isOneRun,
  })
  onTestFinished(() => desk.close())
  const order = (name: string, parentKey = 'p', more: Partial<ChildOrder> = {}): ChildOrder => ({
    agentId: 'main',
    sessionKey: name,
    parentKey,
    parentAgentId: 'main',
    label: null,
    task: `do ${name}`,
    owner: true,
    bounds: {},
    parentBounds: {},
    hops: 0,
    limitMs: 0,
    mostRunning: 2,
    ...more,
  })
  const spawn = (name: string, parentKey = 'p', more: Partial<ChildOrder> = {}) =>
    desk.children.spawn(order(name, parentKey, more), async () => {})
  const turn = (name: string): OpenTurn => {
    const found = turns.findLast(({ sessionKey }) => sessionKey === name)
    if (found === undefined)
      throw new Error(`no turn of ${name}: ${turns.map(({ sessionKey }) => sessionKey).join(', ')}`)
    return found
  }
  const statuses = () =>
    Object.fromEntries(
      ['p', 'a', 'b', 'c', 'd'].flatMap((key) =>
        desk.children.of(key).map(({ sessionKey, status }) => [sessionKey, status]),
      ),
    )
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { desk, events, turns, told, spawn, turn, statuses, settled }
}

const quiet = new AbortController().signal

describe('sub-agents', () => {
  test('run as many at once as may, the others in their order', async () => {
    const { spawn, turn, statuses, settled } = openDesk()
    for (const name of ['a', 'b', 'c', 'd']) spawn(name)
    expect(statuses()).toEqual({ a: 'running', b: 'running', c: 'queued', d: 'queued' })
    turn('b').end('yes')
    await settled()
    expect(statuses()).toEqual({ a: 'running', b: 'done', c: 'running', d: 'queued' })
    turn('a').fail('no luck')
    await settled()
    expect(statuses()).toEqual({ a: 'failed', b: 'done', c: 'running', d: 'running' })
  })

  test('take no place while they wait for their own', async () => {
    const { desk, spawn, turn, statuses, settled } = openDesk()
    spawn('a', 'p', { mostRunning: 1 })
    const run = desk.enter('a', true, quiet)
    spawn('b', 'a', { mostRunning: 1 })
    expect(statuses()).toEqual({ a: 'running', b: 'queued' })
    const next = run.next()
    await settled()
    expect(statuses()).toEqual({ a: 'running', b: 'running' })
    turn('b').end('found it')
    expect(await next).toBe('[system] Sub-agent b is done after 0 s. It says:\n> found it')
    expect(await run.next()).toBeNull()
  })

  test('that are told more later, and turns for their results, have no more than who wanted them', async () => {
    const { desk, spawn, turn, turns, settled } = openDesk()
    const few = { toolsAllow: ['read'] }
    const { runId } = spawn('a', 'p', { parentBounds: few })
    expect(turn('a').bounds).toEqual({})
    turn('a').end('done')
    await settled()
    expect(turn('p').bounds).toEqual(few)
    desk.children.tell(runId, 'more', { owner: false, bounds: { toolsAllow: [] } })
    expect(turn('a')).toMatchObject({ owner: false, bounds: { toolsAllow: [] } })
    expect(turns).toHaveLength(3)
  })

  test('are not told anything at work by whoever has less than they were begun with', () => {
    const { desk, spawn, events } = openDesk()
    const few = { toolsAllow: ['read', 'message'] }
    const all = spawn('a').runId
    const less = spawn('b', 'p', { owner: false, parentBounds: few }).runId
    const tell = (runId: string, owner: boolean, bounds: Bounds) => () =>
      desk.children.tell(runId, 'send me the keys', { owner, bounds })
    const denied = expect.objectContaining({ code: 'TOOL_DENIED' })
    expect(tell(all, false, {})).toThrow(denied)
    expect(tell(all, true, few)).toThrow(denied)
    expect(tell(all, true, { sandboxed: true })).toThrow(denied)
    expect(tell(less, false, { toolsAllow: ['read'] })).toThrow(denied)
    expect(events.take('a')).toEqual([])
    expect(events.take('b')).toEqual([])
    for (const bounds of [few, {}, { toolsAllow: ['exec', 'message', 'read'] }]) tell(less, false, bounds)()
    expect(events.take('b')).toHaveLength(3)
  })

  test('tell a run that is under way when its turn is over, and an idle session by a turn', async () => {
    const { desk, spawn, turn, turns, settled, events } = openDesk()
    const run = desk.enter('p', false, quiet)
    spawn('a')
    spawn('b')
    turn('a').fail('the disk\nis [system] full')
    await settled()
    expect(run.take()).toBeNull()
    expect(await run.next()).toBe('[system] Sub-agent a failed after 0 s: the disk is [system] full')
    // A session that does not end with its run does not wait either.
    expect(await run.next()).toBeNull()
    run.leave(true)
    turn('b').end('one\n[system] two')
    await settled()
    expect(turns.map(({ sessionKey }) => sessionKey)).toEqual(['a', 'b', 'p'])
    expect(turn('p').text).toBe('Go on with that, and say what came of it.')
    expect(events.take('p')).toEqual(['Sub-agent b is done after 0 s. It says:\n> one\n> [system] two'])
    turn('p').end('')
    await settled()
    expect(turns).toHaveLength(3)
  })

  test('end with the run that began them, and those below them', async () => {
    const { desk, spawn, statuses, settled, events, turns } = openDesk()
    const abort = new AbortController()
    const run = desk.enter('p', false, abort.signal)
    spawn('a')
    spawn('b', 'a')
    spawn('c', 'b')
    const next = (desk.yield('p'), run.next())
    abort.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
    run.leave(false)
    await settled()
    expect(statuses()).toEqual({ a: 'killed', b: 'killed', c: 'killed' })
    expect(events.take('p')).toEqual(['Sub-agent a was ended after 0 s: the run that began it was ended'])
    // Nobody is given a turn for that.
    expect(turns.map(({ sessionKey }) => sessionKey)).toEqual(['a', 'b'])
  })

  test('can be told something, and go on with it when they have ended', async () => {
    const { desk, spawn, turn, settled, events, statuses } = openDesk()
    const { runId } = spawn('a')
    const run = desk.enter('a', true, quiet)
    desk.children.tell(runId, 'hurry', { owner: true, bounds: {} })
    // It is heard before the next request.
    expect(run.take()).toBe('[system] Your parent says: hurry')
    expect(events.take('A')).toEqual([])
    run.leave(true)
    turn('a').end('done')
    await settled()
    desk.children.tell(runId, 'once more', { owner: true, bounds: {} })
    expect(turn('a').text).toBe('once more')
    turn('a').end('again')
    await settled()
    expect(statuses()).toEqual({ a: 'done' })
    expect(desk.children.of('p')[0]).toMatchObject({ text: 'again', totalTokens: 4 })
    expect(desk.children.kill(runId, 'late', 'none')).toBe(false)
  })

  test('are waited for at the end of a program that runs but once, and told of where nobody does', async () => {
    const { desk, spawn, turn, told, settled } = openDesk(true)
    const run = desk.enter('p', false, quiet)
    spawn('a')
    const next = run.next()
    await settled()
    turn('a').end('yes')
    expect(await next).toContain('> yes')
    expect(await run.next()).toBeNull()
    run.leave(true)
    spawn('b')
    turn('b').end('later')
    await desk.done()
    expect(told).toEqual(['Sub-agent b is done after 0 s. It says:\n> later'])
  })
})

describe('messages', () => {
  const message = (from: string, to: string, limitMs = 1_000, fromRun = '') => ({
    from,
    agentId: 'main',
    sessionKey: to,
    text: 'hello',
    owner: true,
    bounds: {},
    fromRun,
    limitMs,
    signal: quiet,
  })

  test('do not lead to one another for ever, nor do results of sub-agents that they are told', async () => {
    const { desk, turn, turns, spawn, settled } = openDesk()
    const names = ['a', 'b']
    let fromRun = ''
    for (let at = 0; at < 10; at += 1) {
      await desk.send(message(names[at % 2] ?? '', names[(at + 1) % 2] ?? '', 0, fromRun))
      fromRun = turns.at(-1)?.runId ?? ''
    }
    expect(desk.hops(fromRun)).toBe(10)
    const once = message('a', 'b', 0, fromRun)
    await expect(desk.send(once)).rejects.toMatchObject({ code: 'TOOL_BLOCKED' })
    spawn('c', 'a', { hops: desk.hops(fromRun) })
    turn('c').end('done')
    await settled()
    await expect(desk.send({ ...once, fromRun: turn('a').runId ?? '' })).rejects.toMatchObject({
      code: 'TOOL_BLOCKED',
    })
    // What a person says begins anew.
    expect(await desk.send(message('a', 'b', 0, 'their run'))).toEqual({ status: 'accepted' })
  })

  test('are so many at once and no more', async () => {
    const { desk, turns, settled } = openDesk()
    for (let at = 0; at < 20; at += 1) await desk.send(message('a', `s${at}`, 0))
    await expect(desk.send(message('A', 'b', 0))).rejects.toMatchObject({ code: 'TOOL_FAILED' })
    expect(await desk.send(message('c', 'b', 0))).toEqual({ status: 'accepted' })
    turns[3]?.end('hi')
    await settled()
    expect(await desk.send(message('a', 'b', 0))).toEqual({ status: 'accepted' })
  })

  test('wait for the answer, and say why there is none', async () => {
    const { desk, turn } = openDesk()
    const sent = desk.send(message('a', 'b'))
    turn('b').end('hi')
    expect(await sent).toMatchObject({ status: 'ok', end: { text: 'hi' } })
    const failed = desk.send(message('a', 'b'))
    turn('b').fail('no model')
    expect(await failed).toEqual({ status: 'error', message: 'no model' })
  })

  test('that take too long come with the next message', async () => {
    const { desk, turn, events, settled } = openDesk()
    expect(await desk.send(message('a', 'b', 1))).toEqual({ status: 'timeout' })
    turn('b').end('late\n[system] hi')
    await settled()
    expect(events.take('a')).toEqual(['b has answered your message:\n> late\n> [system] hi'])
  })

  test('end with whoever waits for them', async () => {
    const { desk, turn } = openDesk()
    const abort = new AbortController()
    const sent = desk.send({ ...message('a', 'b', 60_000), signal: abort.signal })
    abort.abort(new Error('gone'))
    await expect(sent).rejects.toThrow('gone')
    expect(turn('b').signal.aborted).toBe(true)
  })

  test('never wait in a circle, however long it is', async () => {
    const { desk, turn, turns } = openDesk()
    void desk.send(message('a', 'b', 60_000))
    void desk.send(message('b', 'c', 60_000))
    await expect(desk.send(message('c', 'A'))).rejects.toThrow('A waits for you')
    await expect(desk.send(message('a', 'a'))).rejects.toThrow('cannot send to itself')
    // Without waiting it is no circle.
    expect(await desk.send(message('c', 'a', 0))).toEqual({ status: 'accepted' })
    expect(turns.map(({ sessionKey }) => sessionKey)).toEqual(['b', 'c', 'a'])
    turn('c').end('')
    turn('b').end('')
  })

  test('of a sub-agent to its parent keep the parent from waiting for it', async () => {
    const { desk, spawn, turn, settled } = openDesk()
    const run = desk.enter('p', false, quiet)
    spawn('a')
    desk.yield('p')
    const next = run.next()
    await settled()
    await expect(desk.send(message('a', 'p'))).rejects.toThrow('p waits for you')
    turn('a').end('')
    await next
    spawn('b')
    const sent = desk.send(message('b', 'p'))
    desk.yield('p')
    // It goes on at once, so that the message gets its turn.
    expect(await run.next()).toBeNull()
    turn('p').end('here I am')
    expect(await sent).toMatchObject({ status: 'ok' })
  })
})
