import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { ownChild } from '../../src/tool-search/code/child-file.ts'
import type { PoolOptions } from '../../src/tool-search/code/pool.ts'
import { runCode } from '../../src/tool-search/code/run.ts'
import { isolationSupport } from '../../src/tool-search/code/support.ts'
import { inspectIsolation } from '../../src/tool-search/code/walls.ts'
import { isAlive, shippedChild, testBridge, WatchedPool } from '../helpers/code-child.ts'
import { projectRoot } from '../helpers/project.ts'
import { tempDir } from '../helpers/run-cli.ts'

const bare = [{ walls: [], prefix: [] }]

function newPool(options: Partial<PoolOptions> = {}): WatchedPool {
  return new WatchedPool({ size: 1, child: shippedChild, ...options })
}

function run(pool: WatchedPool, code: string) {
  return runCode({ code, bridge: testBridge(), pool })
}

/** Waits until a process is gone, at most so many milliseconds; whether it is. */
async function isGone(pid: number, within: number): Promise<boolean> {
  for (const end = performance.now() + within; performance.now() < end; await sleep(5)) {
    if (!isAlive(pid)) return true
  }
  return !isAlive(pid)
}

describe('a child', () => {
  test('serves one run, and the next one knows nothing of it', async () => {
    await using pool = newPool()
    expect(await run(pool, 'globalThis.left = 1; Object.prototype.left = 2; return 1')).toMatchObject({
      ok: true,
    })
    expect(await run(pool, 'return [typeof left, {}.left === undefined]')).toMatchObject({
      value: ['undefined', true],
    })
    const [first, second] = pool.children
    expect(first?.pid).not.toBe(second?.pid)
  })

  test('is gone soon after its run', async () => {
    await using pool = newPool()
    for (const code of ['return 1', 'throw 1', 'let a = ;', 'await new Promise(() => {})']) {
      await run(pool, code)
      expect(await isGone(pool.last.pid, 2000)).toBe(true)
    }
  })

  test('that dies as a spare is no loss', async () => {
    await using pool = newPool()
    await pool.ready()
    const child = await pool.acquire()
    child.kill()
    await child.buried()
    expect(await run(pool, 'return 1')).toMatchObject({ ok: true, value: 1 })
  })

  test('that is killed in the middle of a run is reported, and its calls are aborted', async () => {
    await using pool = newPool()
    const aborted = Promise.withResolvers<unknown>()
    const call = async (_: unknown, signal: AbortSignal): Promise<unknown> => {
      signal.addEventListener('abort', () => aborted.resolve(signal.reason))
      process.kill(pool.last.pid, 'SIGKILL')
      return new Promise(() => {})
    }
    const result = await runCode({
      code: 'await openclaw.tools.call("x")',
      bridge: { ...testBridge(), call },
      pool,
    })
    expect(result).toMatchObject({ ok: false, error: { code: 'memory' } })
    expect(await aborted.promise).toMatchObject({ message: 'the run has ended' })
  })
})

describe('a pool', () => {
  test('starts nothing before it is used, and keeps as many spares as it should', async () => {
    await using pool = newPool({ size: 2 })
    expect(pool.children).toEqual([])
    await pool.ready()
    const [first, second] = [await pool.acquire(), await pool.acquire()]
    expect([isAlive(first.pid), isAlive(second.pid)]).toEqual([true, true])
  })

  test('ends all its children when it is closed, also those at work', async () => {
    const pool = newPool({ size: 2 })
    await pool.ready()
    const running = run(pool, 'for (;;);')
    const spare = await pool.acquire()
    await pool.close()
    expect(pool.children.map(({ pid }) => isAlive(pid))).toEqual([false, false])
    expect(isAlive(spare.pid)).toBe(false)
    expect(await running).toMatchObject({ ok: false, error: { code: 'unavailable' } })
    expect(await run(pool, 'return 1')).toMatchObject({
      ok: false,
      error: { code: 'unavailable', message: 'the code child cannot be started: the pool is closed' },
    })
  })

  test('serves more runs at a time than it has spares', async () => {
    await using pool = newPool({ size: 1 })
    const results = await Promise.all(Array.from({ length: 5 }, (_, index) => run(pool, `return ${index}`)))
    expect(results.map((result) => result.ok && result.value)).toEqual([0, 1, 2, 3, 4])
  })

  test('does without walls that the system refuses', async () => {
    const refused = { walls: ['no-network' as const], prefix: ['/bin/false'] }
    const missing = { walls: ['no-files' as const], prefix: ['/no/such/program'] }
    await using pool = newPool({ launchers: [refused, missing, ...bare] })
    expect(await run(pool, 'return 1')).toMatchObject({ ok: true })
    expect(pool.last.walls).toEqual([])
  })
})

test('a pool also runs the sources of the child', async () => {
  const pool = new WatchedPool({ size: 0, child: ownChild() })
  expect(ownChild().file).toMatch(/main\.ts$/)
  expect(await run(pool, 'return await openclaw.tools.call("echo", 1)')).toMatchObject({ ok: true, value: 1 })
  await pool.close()
})

test.runIf(process.platform !== 'win32')('memory is watched where the system does not limit it', async () => {
  await using pool = newPool({ launchers: bare })
  const code = 'const a = []; for (;;) a.push(new Uint8Array(4 * 1024 * 1024).fill(1))'
  expect(await run(pool, code)).toMatchObject({
    ok: false,
    error: {
      code: 'memory',
      message: expect.stringMatching(/^the snippet used \S+ MiB of memory; at most 256 MiB/),
    },
  })
})

describe('code mode is unavailable', () => {
  test.each([
    ['without the program of the child', null, /no such file|Cannot find module/],
    ['with one that ends', 'process.exitCode = 3', /it ended with exit code 3/],
    [
      'with one that crashes',
      'throw new Error("broken")',
      /it ended with exit code 1: (?:throw new )?Error.*broken/,
    ],
    [
      'with one that greets in another way',
      'console.log("hello"); setInterval(() => {}, 1000)',
      /an unknown greeting/,
    ],
    [
      'with one that is not locked',
      'console.log(JSON.stringify({ t: "ready", granted: ["fs.read"] })); setInterval(() => {}, 1000)',
      /it started with permissions it must not have: fs.read/,
    ],
  ])('%s', async (_, program, message) => {
    const file = join(await tempDir(), 'child.cjs')
    if (program !== null) writeFileSync(file, program)
    await using pool = newPool({ size: 0, child: { file, reads: null } })
    expect(await run(pool, 'return 1')).toMatchObject({
      ok: false,
      error: { code: 'unavailable', message: expect.stringMatching(message) },
      logs: [],
    })
  })
})

/** Starts a program with a pool and returns the process and the ids of its children. */
async function startParent(...args: readonly string[]) {
  const parent = spawn(process.execPath, [`${projectRoot}test/helpers/code-parent.ts`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(parent.stdout), 'line')
  const pids: number[] = JSON.parse(line)
  return { parent, pids }
}

describe('no child outlives its program', () => {
  test.each(['end', 'exit'])('that comes to its %s while spares are ready', async (how) => {
    const { parent, pids } = await startParent(how)
    const [code] = await once(parent, 'close')
    expect(code).toBe(0)
    expect(pids).toHaveLength(1)
    expect(await Promise.all(pids.map((pid) => isGone(pid, 2000)))).toEqual([true])
  })

  test.each([
    ['SIGKILL', 'guarded'],
    ['SIGTERM', 'guarded'],
    // Without the system's help a busy child ends at its own deadline, 4 seconds after its start.
    ['SIGKILL', 'bare'],
  ] as const)(
    'that dies of %s while one is idle and one is busy (%s)',
    async (signal, walls) => {
      const { parent, pids } = await startParent('wait', walls)
      parent.kill(signal)
      await once(parent, 'close')
      expect(pids).toHaveLength(2)
      expect(await Promise.all(pids.map((pid) => isGone(pid, 8000)))).toEqual([true, true])
    },
    20_000,
  )
})

describe('the walls', () => {
  test('are all reported', async () => {
    const isolation = await inspectIsolation({ child: shippedChild })
    expect(isolationSupport()).toEqual({ supported: true })
    const walls = isolation.supported ? isolation.walls : []
    expect(walls.map(({ id }) => id).toSorted()).toEqual([
      'data-limit',
      'environment',
      'memory-watch',
      'new-user',
      'no-files',
      'no-network',
      'no-privileges',
      'parent-death',
      'permission',
      'realm',
    ])
    const always = walls.filter(({ id }) => ['permission', 'realm', 'environment'].includes(id))
    expect(always.map(({ holds }) => holds)).toEqual([true, true, true])
    const none = await inspectIsolation({ child: shippedChild, launchers: bare })
    const standing = none.supported ? none.walls.filter(({ holds }) => holds) : []
    expect(standing.map(({ id }) => id).toSorted()).not.toContain('no-network')
  })

  test.runIf(process.platform === 'linux')('stand, as seen from outside', async () => {
    await using pool = newPool({ size: 0 })
    const { pid, walls } = await pool.acquire()
    const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'latin1')
    const tell = {
      'data-limit': () => /Max data size\s+201326592\s+201326592/.test(read('limits')),
      'no-files': () =>
        /Max file size\s+0\s+0/.test(read('limits')) && /Max core file size\s+0/.test(read('limits')),
      'no-privileges': () => /NoNewPrivs:\s+1/.test(read('status')) && /CapEff:\s+0+$/m.test(read('status')),
      'new-user': () => /Uid:\s+65534\s+65534/.test(read('status')),
      'no-network': () => readlinkSync(`/proc/${pid}/ns/net`) !== readlinkSync('/proc/self/ns/net'),
      'parent-death': () => true,
    }
    expect(walls.filter((wall) => !tell[wall]())).toEqual([])
    expect(read('environ')).toBe('')
    expect(readlinkSync(`/proc/${pid}/cwd`)).toMatch(/\(deleted\)$/)
    const links = readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
    // Three pipes (sockets to Node); the rest belongs to its event loop.
    expect(
      links.filter((link) => !/^(?:anon_inode|pipe:)/.test(link)).map((link) => link.split(':')[0]),
    ).toEqual(expect.not.arrayContaining([expect.stringMatching(/^\//)]))
    expect(links.filter((link) => link.startsWith('socket:'))).toHaveLength(3)
  })
})
