import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemEvents } from '../../../../src/runtime/core-tools/system-events.ts'
import { commandHost } from '../../../../src/tools/commands/host.ts'
import { openShell } from '../../../helpers/commands.ts'
import { failure } from '../../../helpers/tool-family.ts'

/** How long a busy machine may take. */
const patience = { timeout: 20_000 }

describe('a background command', () => {
  test('is followed from its start to its end', async () => {
    const { exec, process: follow, options } = await openShell()
    const flag = join(options.workspace, 'go')
    const command = `echo one; until [ -e ${flag} ]; do sleep 0.02; done; echo two; exit 3`
    const begun = await exec(command, { yieldMs: 200 })
    const id = begun.sessionId
    expect(begun).toMatchObject({ status: 'running', exitCode: null })
    expect(begun.text).toMatch(/^Still running: session exec-[0-9a-f]{8}, pid \d+\. Follow it with/)
    let seen = begun.text
    while (!seen.endsWith('one')) seen = (await follow('poll', id, { timeout: 20_000 })).tail.trim()
    expect((await follow('poll', id)).text).toBe('(no new output)\n(still running)')
    expect((await follow('list')).text).toMatch(new RegExp(`^${id}  running  [\\d.]+ s  echo one`))
    writeFileSync(flag, '')
    const polls = [await follow('poll', id, { timeout: 20_000 })]
    while (polls.at(-1)?.status === 'running') polls.push(await follow('poll', id, { timeout: 20_000 }))
    expect(polls.map(({ text }) => text).join('\n')).toMatch(/^two\n[^]*\(Command exited with code 3\)$/)
    expect(polls.at(-1)).toMatchObject({ status: 'failed', exitCode: 3, sessionId: id })
    expect((await follow('log', id)).text).toBe('[lines 0 to 2 of 2]\none\ntwo\n(Command exited with code 3)')
    await follow('clear', id)
    expect((await follow('list')).text).toBe('No background commands.')
  })

  test('is written to, line by line and to the end', async () => {
    const { exec, process: follow } = await openShell()
    const { sessionId: id } = await exec('read name; echo "hello $name"; cat', { background: true })
    await follow('submit', id, { data: 'Ada' })
    expect((await follow('poll', id, { timeout: 20_000 })).text).toContain('hello Ada')
    await follow('write', id, { data: 'rest', eof: true })
    const end = await waitForEnd(follow, id)
    expect(end.text).toContain('(Command exited with code 0)')
    expect((await follow('log', id)).tail).toBe('hello Ada\nrest')
    expect((await failure(follow('write', id, { data: 'x' }))).code).toBe('TOOL_FAILED')
  })

  test('in a terminal takes keys', async () => {
    const { exec, process: follow } = await openShell()
    const { sessionId: id } = await exec(
      'trap "echo caught; exit 7" INT; echo ready; while :; do sleep 0.05; done',
      {
        background: true,
        pty: true,
      },
    )
    expect((await follow('poll', id, { timeout: 20_000 })).text).toContain('ready')
    await follow('send-keys', id, { keys: ['C-c'] })
    const end = await waitForEnd(follow, id)
    expect(end).toMatchObject({ status: 'failed', exitCode: 7 })
    expect((await follow('log', id)).text).toContain('caught')
  })

  test('shows lines from anywhere', async () => {
    const { exec, process: follow } = await openShell()
    const { sessionId: id } = await exec('seq 0 999', { background: true })
    await waitForEnd(follow, id)
    expect((await follow('log', id, { offset: 10, limit: 2 })).text).toBe(
      '[lines 10 to 12 of 1000]\n10\n11\n(Command exited with code 0)',
    )
    expect((await follow('log', id)).text).toMatch(/^\[lines 800 to 1000 of 1000\]\n800\n/)
    expect((await follow('log', id, { offset: 5_000 })).text).toContain('[lines 5000 to 5000 of 1000]')
  })

  test('that wrote more than is kept says what is gone, and where it is', async () => {
    const { exec, process: follow } = await openShell()
    const { sessionId: id } = await exec('seq 1 100000', { background: true })
    await expect.poll(async () => (await follow('list')).text, patience).toContain('completed')
    const gone = 588_895 - 204_800
    expect((await follow('poll', id)).text).toMatch(
      new RegExp(`^\\[${gone} bytes before this are no longer kept\\]\n`),
    )
    const { text, details } = await follow('log', id, { limit: 1 })
    expect(text).toContain(`[${gone} bytes before line 0 are no longer kept; see ${details.spillFile}]`)
    expect(text).toMatch(/\n100000\n\(Command exited with code 0\)$/)
  })

  test('is killed, or killed and forgotten', async () => {
    const { exec, process: follow } = await openShell()
    const first = await exec('sleep 60', { background: true })
    const second = await exec('sleep 60', { background: true })
    expect(await follow('kill', first.sessionId)).toMatchObject({ status: 'killed', signal: 'SIGTERM' })
    expect((await failure(follow('clear', second.sessionId))).message).toContain('still runs')
    await follow('remove', second.sessionId)
    expect((await follow('list')).text).toMatch(new RegExp(`^${first.sessionId}  killed .*$`))
  })

  test('is ended alone, whatever its neighbours are called', async () => {
    const { exec, process: follow } = await openShell()
    const ids: string[] = []
    for (let count = 0; count < 12; count++) {
      ids.push((await exec('sleep 60', { background: true })).sessionId)
    }
    await follow('kill', ids[0])
    const { text } = await follow('list')
    expect(text.split('\n').map((line) => line.split('  ')[1])).toEqual([
      'killed',
      ...Array.from({ length: 11 }, () => 'running'),
    ])
  })

  test('has a limit in number, and the oldest that have ended give way', async () => {
    const { exec, process: follow } = await openShell()
    const first = await exec('true', { background: true })
    for (let count = 0; count < 50; count++) await exec('true', { background: true })
    await expect.poll(async () => (await follow('list')).text.split('\n').length, patience).toBe(50)
    expect((await follow('list')).text).not.toContain(first.sessionId)
  })

  test('that was begun with a closed input says so', async () => {
    const { exec, process: follow } = await openShell()
    const { sessionId: id } = await exec('sleep 60', { yieldMs: 0 })
    const { code, message } = await failure(follow('write', id, { data: 'x' }))
    expect({ code, message }).toEqual({
      code: 'TOOL_FAILED',
      message: `nothing can be written to ${id}: its input is closed`,
    })
  })

  test.each([
    ['poll', {}, 'poll needs sessionId'],
    ['poll', { sessionId: 'exec-00000000' }, 'this session has no background command exec-00000000'],
    ['kill', { sessionId: '__proto__' }, 'this session has no background command __proto__'],
  ])('%s of nothing is an error', async (action, more, message) => {
    const { process: follow } = await openShell()
    expect(await failure(follow(action, undefined, more))).toMatchObject({ code: 'INPUT_INVALID', message })
  })

  test('is its own session’s alone', async () => {
    const processes = commandHost('program')
    const one = await openShell({ context: { sessionKey: 'agent:main:one' } }, { services: { processes } })
    const two = await openShell({ context: { sessionKey: 'agent:main:two' } }, { services: { processes } })
    const { sessionId: id } = await one.exec('sleep 60', { background: true })
    expect((await two.process('list')).text).toBe('No background commands.')
    for (const action of ['poll', 'log', 'kill', 'remove']) {
      expect((await failure(two.process(action, id))).message).toContain('has no background command')
    }
    // The run that started it is over; the next run of the session goes on with it.
    await one.end()
    const later = await openShell({ context: { sessionKey: 'agent:main:one' } }, { services: { processes } })
    expect((await later.process('list')).text).toContain(`${id}  running`)
    await processes.close()
  })

  test('is dropped some time after its end', async () => {
    const { exec, process: follow } = await openShell({ config: { tools: { exec: { cleanupMs: 50 } } } })
    const { sessionId: id } = await exec('true', { background: true })
    await expect.poll(async () => (await follow('list')).text, patience).toBe('No background commands.')
    expect((await failure(follow('poll', id))).code).toBe('INPUT_INVALID')
  })

  test('is not made where the session could not follow it', async () => {
    const { exec } = await openShell({ config: { tools: { deny: ['process'], exec: { backgroundMs: 1 } } } })
    expect((await exec('sleep 0.3; echo done', { yieldMs: 1 })).text).toBe('done')
    expect((await exec('sleep 0.3; echo done', { background: true })).text).toBe('done')
  })

  test('of a program that ends with the call is made only on request', async () => {
    const processes = commandHost('call')
    const config = { tools: { exec: { backgroundMs: 1 } } }
    const { exec } = await openShell({ config }, { services: { processes } })
    expect((await exec('sleep 0.3; echo done')).text).toBe('done')
    expect((await exec('sleep 60', { background: true })).text).toContain('It ends with this program')
    await processes.close()
  })
})

describe('the session is told of the end', () => {
  const key = 'agent:main:main'

  test.each([
    [
      'that failed',
      'echo oops; exit 2',
      {},
      /^Background command exec-\w+ \(echo oops; exit 2\) has ended\. \(Command exited with code 2\) oops$/,
    ],
    ['that wrote', 'echo fine', {}, /\(Command exited with code 0\) fine$/],
    [
      'that was silent, on request',
      'true',
      { notifyOnExitEmptySuccess: true },
      /\(Command exited with code 0\)$/,
    ],
  ])('of a command %s', async (_, command, settings, expected) => {
    const events = systemEvents()
    const { exec } = await openShell(
      { config: { tools: { exec: settings } } },
      { services: { systemEvents: events } },
    )
    await exec(command, { background: true })
    await expect.poll(() => events.count(key), patience).toBe(1)
    expect(events.take(key)[0]).toMatch(expected)
  })

  test('but not where it knows, or does not want to', async () => {
    const events = systemEvents()
    const services = { systemEvents: events }
    const { exec, process: follow } = await openShell({}, { services })
    const silent = await exec('true', { background: true })
    await waitForEnd(follow, silent.sessionId)
    const killed = await exec('sleep 60', { background: true })
    await follow('kill', killed.sessionId)
    const off = await openShell({ config: { tools: { exec: { notifyOnExit: false } } } }, { services })
    const loud = await off.exec('echo loud', { background: true })
    await waitForEnd(off.process, loud.sessionId)
    expect(events.take(key)).toEqual([])
  })
})

type Follow = Awaited<ReturnType<typeof openShell>>['process']

async function waitForEnd(follow: Follow, id: string) {
  let told = await follow('poll', id, { timeout: 20_000 })
  while (told.status === 'running') told = await follow('poll', id, { timeout: 20_000 })
  return told
}
