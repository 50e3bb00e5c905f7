import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startCli } from '../helpers/agent-home.ts'
import { livingWith, openShell, uniqueSleep } from '../helpers/commands.ts'
import { tempDir } from '../helpers/run-cli.ts'

const isLinux = process.platform === 'linux'

/** How long a busy machine may take. */
const patience = { timeout: 20_000 }

/** Children of this process that nobody has reaped. */
function zombies(): number {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' && Number(parent) === process.pid
    } catch {
      return false
    }
  }).length
}

/** Ways to start something that wants to outlive its command. */
const families: Readonly<Record<string, (sleep: string) => string>> = {
  'a plain child': (sleep) => `${sleep}`,
  'children of children': (sleep) =>
    `for i in 1 2 3 4 5; do (${sleep} & (${sleep} & ${sleep}) &) ; done; wait; ${sleep}`,
  'a child that ignores to be asked': (sleep) =>
    `trap "" TERM INT HUP; ${sleep} & while :; do ${sleep}; done`,
  'a daemon in a session of its own': (sleep) => `setsid -f ${sleep}; ${sleep}`,
  'a daemon of a daemon that ignores to be asked': (sleep) =>
    `trap "" TERM; setsid -f sh -c 'setsid -f ${sleep}; ${sleep}'; ${sleep}`,
  'a job in a group of its own': (sleep) => `set -m; ${sleep} & wait`,
  'a child without its environment': (sleep) => `env -i /bin/sh -c '${sleep} & ${sleep}'; true`,
  'a daemon that keeps nothing but the output': (sleep) =>
    `env -i setsid -f sh -c 'env -i setsid -f ${sleep}; true'; ${sleep}`,
  'a child that is stopped': (sleep) => `${sleep} & kill -STOP $!; wait`,
}

describe.skipIf(!isLinux)('nothing is left of a command', () => {
  test.each(Object.keys(families))('that has %s, when it is given up', async (name) => {
    const { exec, end } = await openShell()
    const sleep = uniqueSleep()
    const given = new AbortController()
    const call = exec(families[name]?.(sleep) ?? '', {}, given.signal)
    call.catch(() => {})
    await expect.poll(() => livingWith(sleep).length, patience).toBeGreaterThan(0)
    given.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    await end()
    expect(livingWith(sleep)).toEqual([])
  })

  test.each(['a plain child', 'a daemon in a session of its own', 'children of children'])(
    'that has %s, when its time is over',
    async (name) => {
      const { exec } = await openShell()
      const sleep = uniqueSleep()
      const { status } = await exec(families[name]?.(sleep) ?? '', { timeout: 0.5 })
      expect({ status, left: livingWith(sleep) }).toEqual({ status: 'timeout', left: [] })
    },
  )

  test.each([
    ['in its group', (sleep: string) => `${sleep} & echo done`],
    ['as a daemon', (sleep: string) => `setsid -f ${sleep}; echo done`],
    ['as a daemon without its pipes', (sleep: string) => `setsid -f ${sleep} >/dev/null 2>&1; echo done`],
  ])('that ended and left somebody %s, when the run is over; the call does not wait', async (_, command) => {
    const { exec, end } = await openShell()
    const sleep = uniqueSleep()
    const told = await exec(command(sleep))
    expect(told).toMatchObject({ status: 'completed', tail: 'done\n' })
    expect(told.details.durationMs).toBeLessThan(10_000)
    expect(livingWith(sleep).length).toBe(1)
    await end()
    expect(livingWith(sleep)).toEqual([])
  })

  test('that runs in the background, when its program ends', async () => {
    const { exec, end } = await openShell()
    const sleep = uniqueSleep()
    for (const pty of [false, true]) await exec(`setsid -f ${sleep}; ${sleep}`, { background: true, pty })
    await expect.poll(() => livingWith(sleep).length, patience).toBeGreaterThan(3)
    await end()
    expect(livingWith(sleep)).toEqual([])
  })

  test('not even a zombie', async () => {
    const { exec, end } = await openShell()
    for (let count = 0; count < 20; count++) await exec(`exit ${count}`)
    await exec('sleep 60', { timeout: 0.05 })
    await end()
    await expect.poll(zombies, patience).toBe(0)
  })
})

describe.skipIf(!isLinux)('nothing is left of the commands of a program', () => {
  test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)('that ends by %s', async (signal) => {
    const home = await tempDir()
    const sleep = uniqueSleep()
    const command = `trap "" TERM; setsid -f ${sleep}; (${sleep} & ${sleep}); true`
    const { child, ended } = startCli(['tools', 'call', 'exec', '--args', JSON.stringify({ command })], home)
    await expect.poll(() => livingWith(sleep).length, patience).toBeGreaterThan(2)
    child.kill(signal)
    await ended
    await expect.poll(() => livingWith(sleep), patience).toEqual([])
    await expect
      .poll(() => livingWith(`openclaw-guard OPENCLAW_EXEC`).filter((pid) => isOrphan(pid)), patience)
      .toEqual([])
  })
})

/** Whether whoever started it is gone. */
function isOrphan(pid: number): boolean {
  try {
    return /^PPid:\s+1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Namespaces can be forbidden to a user, or bubblewrap not installed. */
const canSandbox = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0
const inSandbox = { config: { agents: { defaults: { sandbox: { mode: 'all', workspaceAccess: 'rw' } } } } }

describe.skipIf(!canSandbox)('nothing is left of a command in a sandbox (needs bubblewrap)', () => {
  test.each(['a child that ignores to be asked', 'a daemon of a daemon that ignores to be asked'])(
    'that has %s, when its time is over',
    async (name) => {
      const { exec } = await openShell(inSandbox)
      const sleep = uniqueSleep()
      const { details } = await exec(families[name]?.(sleep) ?? '', { timeout: 1 })
      expect(details).toMatchObject({ status: 'timeout', backend: 'bubblewrap' })
      expect(livingWith(sleep)).toEqual([])
    },
  )

  test('that left a daemon, when the call is over', async () => {
    const { exec } = await openShell(inSandbox)
    const sleep = uniqueSleep()
    const { details } = await exec(`setsid -f ${sleep}; echo done`)
    expect(details).toMatchObject({ status: 'completed', tail: 'done\n', backend: 'bubblewrap' })
    await expect.poll(() => livingWith(sleep), patience).toEqual([])
  })

  test('and its order of output, its terminal and its background are as outside', async () => {
    const { exec, process: follow } = await openShell(inSandbox)
    expect((await exec('echo a; echo b >&2; echo c')).text).toBe('a\nb\nc')
    expect((await exec('[ -t 1 ] && stty size', { pty: true })).text).toBe('30 120')
    const { sessionId: id } = await exec('read line; echo "got $line"', { background: true })
    await follow('submit', id, { data: 'it' })
    await expect.poll(async () => (await follow('log', id)).status, patience).toBe('completed')
    expect((await follow('log', id)).text).toContain('got it')
  })
})

describe('a command that writes and writes', () => {
  test('is read in bounded memory, into a bounded file, and stays responsive', async () => {
    const { exec } = await openShell()
    const before = process.memoryUsage().rss
    let most = 0
    let longestGap = 0
    let last = performance.now()
    const watch = setInterval(() => {
      const now = performance.now()
      longestGap = Math.max(longestGap, now - last)
      last = now
      most = Math.max(most, process.memoryUsage().rss)
    }, 10)
    const bytes = (process.env['OPENCLAW_TEST_FULL'] === '1' ? 2_000 : 300) * 1_000_000
    const { details } = await exec(`yes 0123456789012345678901234567890123456789 | head -c ${bytes}`)
    clearInterval(watch)
    expect(details).toMatchObject({ status: 'completed', outputBytes: bytes, truncated: true })
    expect(statSync(details.spillFile ?? '').size).toBe(64 * 1024 * 1024)
    expect(most - before).toBeLessThan(120 * 1024 * 1024)
    expect(longestGap).toBeLessThan(2_000)
  })

  test('is seen to its end when many do it at once', async () => {
    const { exec } = await openShell()
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, at) => exec(`yes ${at} | head -c 3000000; echo; echo end ${at}`)),
    )
    expect(all.map(({ text }) => text.slice(text.lastIndexOf('\n') + 1))).toEqual(
      all.map((_, at) => `end ${at}`),
    )
    expect(all.every(({ details }) => (details.outputBytes ?? 0) > 3_000_000)).toBe(true)
  })
})
