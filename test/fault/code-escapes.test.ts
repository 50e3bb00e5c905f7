import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CodeResult } from '../../src/tool-search/code/result.ts'
import { runCode } from '../../src/tool-search/code/run.ts'
import { breachedChild, isAlive, shippedChild, testBridge, WatchedPool } from '../helpers/code-child.ts'
import { projectRoot } from '../helpers/project.ts'

/*
 * Snippets that try to get out of the child, or to take more than their share. `after: "realm"` is a snippet as a model could
 * write it; `after: "escape"` has already left the realm and holds the child's own `process` (P) and `require` (R), so it
 * tests the walls behind.
 */

interface Snippet {
  readonly name: string
  readonly kind: string
  readonly after: 'realm' | 'escape'
  readonly code: string
  /** How it may end: `safe` and `done` are values that begin so, the others error codes. */
  readonly accept: readonly string[]
}

/** What a snippet that has left the realm can still do, and why that harms nobody. */
const harmless: Readonly<Record<string, string>> = {
  'post-vm-fresh-context-eval':
    'compiles in the child’s own realm, whose global object is empty and whose code generation is off',
  'post-setuid-priority': 'takes processor time away from nobody but itself',
}

const through = new Set<string>()

const snippets: readonly Snippet[] = JSON.parse(readFileSync(`${projectRoot}fixtures/escapes.json`, 'utf8'))

const timeoutMs = 800
const graceMs = 250
const memoryBound = 300 * 1024 * 1024

const secret = 'CANARY-7f3a'
const directory = mkdtempSync(join(tmpdir(), 'openclaw-escapes-'))
const canaryFile = join(directory, 'canary')
const outFile = join(directory, 'out')
const opened: number[] = []
let connections = 0
const server = createServer((socket) => {
  connections++
  socket.destroy()
})

beforeAll(async () => {
  writeFileSync(canaryFile, `${secret} FD_SECRET`)
  // Whatever this process has open must not be open in a child.
  for (let count = 0; count < 8; count++) opened.push(openSync(canaryFile, 'r+'))
  process.env['CANARY_ENV'] = secret
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => {
  delete process.env['CANARY_ENV']
  for (const descriptor of opened) closeSync(descriptor)
  server.close()
  rmSync(directory, { recursive: true, force: true })
})

function fillIn(code: string): string {
  const { port } = server.address() as AddressInfo
  return code
    .replaceAll('CANARY_FILE', canaryFile)
    .replaceAll(/OUT_FILE|OUT_DB/g, outFile)
    .replaceAll('PORT', String(port))
}

/** Highest resident memory of a process seen while it lived. */
function watchPeak(pid: () => number | undefined): () => number {
  let peak = 0
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${pid() ?? 0}/status`, 'latin1')
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024)
    } catch {
      // It is gone, or this system has no such file.
    }
  }, 5)
  return () => {
    clearInterval(timer)
    return peak
  }
}

function outcomeOf(result: CodeResult): string {
  if (!result.ok) return result.error.code
  const text = typeof result.value === 'string' ? result.value : JSON.stringify(result.value)
  return /^(?:SAFE|DONE)/.exec(text)?.[0].toLowerCase() ?? text
}

/** A busy machine may be late once; a bound that does not hold is missed again and again. */
async function attempt(snippet: Snippet, pool: WatchedPool): Promise<string> {
  for (let left = 2; ; left--) {
    const { outcome, took } = await attemptOnce(snippet, pool)
    if (took < timeoutMs + graceMs) return outcome
    expect(left, `took ${took} ms`).toBeGreaterThan(0)
  }
}

async function attemptOnce(snippet: Snippet, pool: WatchedPool): Promise<{ outcome: string; took: number }> {
  await pool.ready()
  const bridge = testBridge()
  const before = connections
  const used = pool.children.length
  const peakOf = watchPeak(() => pool.children[used]?.pid)
  const startedAt = performance.now()
  const result = await runCode({ code: fillIn(snippet.code), bridge, pool, limits: { timeoutMs } })
  const took = performance.now() - startedAt
  const peak = peakOf()
  const callsByThen = bridge.called.length
  await pool.last.buried()

  expect(JSON.stringify(result)).not.toContain(secret)
  expect(peak).toBeLessThan(memoryBound)
  expect(JSON.stringify(result).length).toBeLessThan(2 * 1024 * 1024)
  expect(bridge.called.length).toBe(callsByThen)
  expect(bridge.called).not.toContain('late')
  expect(isAlive(pool.last.pid)).toBe(false)
  expect(existsSync(outFile)).toBe(false)
  expect(connections).toBe(before)
  expect(Object.keys(Object.prototype)).toEqual([])
  expect('polluted' in {}).toBe(false)
  return { outcome: outcomeOf(result), took }
}

/** With the walls of this system, and in the whole run also without them, as on other systems. */
const ways = [
  ['with the walls of the system', {}],
  ['with those of Node alone', { launchers: [{ walls: [], prefix: [] }] }],
] as const
const tried = ways.slice(0, process.env['OPENCLAW_TEST_FULL'] === '1' ? 2 : 1)

describe.each(tried)('a snippet does not get out of its realm, %s', (_, options) => {
  const pool = new WatchedPool({ size: 1, child: shippedChild, ...options })
  afterAll(() => pool.close())

  test.each(snippets.filter(({ after }) => after === 'realm'))('$kind: $name', async (snippet) => {
    expect(snippet.accept).toContain(await attempt(snippet, pool))
  })
})

describe.each(tried)('behind the realm there are more walls, %s', (_, options) => {
  const pool = new WatchedPool({ size: 1, child: breachedChild(directory), ...options })
  afterAll(() => pool.close())

  test.each(snippets.filter(({ after }) => after === 'escape'))('$kind: $name', async (snippet) => {
    const outcome = await attempt(snippet, pool)
    const isHarmless = snippet.name in harmless && outcome.startsWith('ESCAPED')
    if (isHarmless) through.add(snippet.name)
    expect(isHarmless ? ['harmless'] : snippet.accept).toContain(isHarmless ? 'harmless' : outcome)
  })

  test('and these tests stand behind it', async () => {
    const code = "return [typeof P.nextTick, typeof R('fs').readFileSync, typeof Buffer.alloc, typeof fetch]"
    const result = await runCode({ code, bridge: testBridge(), pool })
    expect(result).toMatchObject({ ok: true, value: ['function', 'function', 'function', 'function'] })
  })

  test('and what gets through is harmless, and still gets through', () => {
    expect(Object.keys(harmless).filter((name) => !through.has(name))).toEqual([])
  })
})
