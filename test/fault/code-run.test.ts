import { afterAll, describe, expect, test } from 'vitest'
import type { Bridge } from '../../src/tool-search/code/bridge.ts'
import type { RunLimits } from '../../src/tool-search/code/limits.ts'
import type { CodeResult } from '../../src/tool-search/code/result.ts'
import { runCode } from '../../src/tool-search/code/run.ts'
import { shippedChild, testBridge, WatchedPool } from '../helpers/code-child.ts'

const pool = new WatchedPool({ size: 1, child: shippedChild })
afterAll(() => pool.close())

interface Extra {
  readonly bridge?: Partial<Bridge>
  readonly limits?: Partial<RunLimits>
  readonly signal?: AbortSignal
}

function run(code: string, { bridge = {}, ...rest }: Extra = {}): Promise<CodeResult> {
  return runCode({ code, pool, bridge: { ...testBridge(), ...bridge }, ...rest })
}

/** A call that ends when it is told to, and knows what became of it. */
function pendingCall() {
  const started = Promise.withResolvers<void>()
  const aborts: unknown[] = []
  const call: Bridge['call'] = (_, signal) => {
    started.resolve()
    signal.addEventListener('abort', () => aborts.push(signal.reason))
    return new Promise(() => {})
  }
  return { call, started: started.promise, aborts }
}

const none = { searchCount: 0, describeCount: 0, callCount: 0 }

describe('a value', () => {
  test.each([
    ['return 1 + 1', 2],
    ['', null],
    ['return', null],
    ['return undefined', null],
    ['return null', null],
    ['return "a\\u2028\\ud83d\\n\\0"', 'a\u2028\ud83d\n\0'],
    ['return { a: [1, { b: true }], c: undefined, d: NaN }', { a: [1, { b: true }], d: null }],
    ['return new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['return [12345678901234567890n]', ['12345678901234567890']],
    ['return new Map([[1, 2]])', {}],
    ['return () => 1', null],
    ['return Symbol("s")', null],
    ['return new TypeError("bad")', { name: 'TypeError', message: 'bad' }],
    [
      'return await Promise.allSettled([openclaw.tools.call("fail")])',
      [{ status: 'rejected', reason: { name: 'Error', message: 'kaput', code: 'TOOL_FAILED' } }],
    ],
    ['return [openclaw.tools.call("echo", {})]', ['[a call that was not awaited]']],
    ['return { __proto__: { a: 1 }, ["__proto__"]: 2 }', JSON.parse('{"__proto__":2}')],
    ['x = 5; return x', 5],
    ['return await (async () => 7)()', 7],
    ['return typeof Temporal', 'object'],
    ['// only a comment', null],
  ])('of %j is %j', async (code, value) => {
    expect(await run(code || 'void 0')).toEqual(
      expect.objectContaining({ ok: true, value, logs: [] } satisfies Partial<CodeResult>),
    )
  })

  test('has everything else a result has', async () => {
    expect(await run('console.log("hi"); return 1')).toEqual({
      ok: true,
      value: 1,
      logs: ['hi'],
      telemetry: none,
    })
  })
})

describe('openclaw.tools', () => {
  test('is search, describe and call, and they reach the bridge', async () => {
    const code = `
      const hits = await openclaw.tools.search('calendar event', { limit: 5 })
      const tool = await openclaw.tools.describe('echo')
      return [hits, tool, await openclaw.tools.call(tool.id, { title: 'Crash' }), Object.keys(openclaw), Object.keys(openclaw.tools), Object.keys(console)]
    `
    const result = await run(code)
    expect(result).toEqual({
      ok: true,
      value: [
        [{ id: 'openclaw:core:echo', name: 'echo', query: 'calendar event', limit: 5 }],
        { id: 'echo', parameters: {} },
        { title: 'Crash' },
        ['tools'],
        ['search', 'describe', 'call'],
        ['log', 'warn', 'error'],
      ],
      logs: [],
      telemetry: { searchCount: 1, describeCount: 1, callCount: 1 },
    })
  }, 20_000)

  test.each([
    ['search()', 'the search query must be a string'],
    ['search({ query: "x" })', 'the search query must be a string'],
    ['search("x".repeat(5000))', 'the search query is longer than 4096 characters'],
    ['describe(7)', 'the id to describe must be a string'],
    ['call()', 'the id to call must be a string'],
    ['call({ toString: () => "echo" })', 'the id to call must be a string'],
    [
      'call("echo", "x".repeat(1100000))',
      'RangeError: the arguments of call are too large: at most 1048576 characters of JSON',
    ],
    [
      'call("echo", { get a() { throw new Error("no") } })',
      'the arguments of call cannot be written as JSON: no',
    ],
    ['call("fail")', 'kaput'],
  ])('%s is an error that says: %s', async (call, message) => {
    const result = await run(`return await openclaw.tools.${call}`)
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'thrown', message: expect.stringContaining(message) },
    })
  })

  test('errors are ordinary errors of the snippet, with code and message', async () => {
    const code = `
      try { await openclaw.tools.call('secret', {}) }
      catch (e) { return [e instanceof Error, e.constructor === Error, e.message, e.code, e.stack] }
    `
    expect(await run(code)).toMatchObject({
      value: [
        true,
        true,
        'secret is denied',
        'TOOL_DENIED',
        'Error: secret is denied\n    at snippet.js:2:34',
      ],
    })
  })

  test.each([
    ['an empty object', 'call("echo")', {}],
    ['an empty object', 'call("echo", null)', {}],
    ['what was given', 'call("echo", [1])', [1]],
    ['what was given at the time of the call', 'call("echo", args)', { a: 1 }],
  ])('a call gets %s: %s', async (_, call, value) => {
    const code = `const args = { a: 1 }; const made = openclaw.tools.${call}; args.a = 2; return await made`
    expect(await run(code)).toMatchObject({ ok: true, value })
  })

  test('a limit that is no number counts as not given', async () => {
    const code = 'return (await openclaw.tools.search("x", { limit: "3" }))[0]'
    expect(await run(code)).toMatchObject({ value: { id: 'openclaw:core:echo', name: 'echo', query: 'x' } })
    expect(await run('return (await openclaw.tools.search("x", { limit: 1.5 }))[0].limit')).toMatchObject({
      value: 1.5,
    })
  })

  const odd: readonly (readonly [string, () => Promise<unknown>, object])[] = [
    ['nothing', async () => undefined, { ok: true, value: null }],
    [
      'a cycle',
      async () => {
        const cycle: Record<string, unknown> = {}
        cycle['cycle'] = cycle
        return cycle
      },
      { ok: false, error: { code: 'thrown', message: expect.stringContaining('circular') } },
    ],
    [
      'more than a snippet may get',
      async () => 'x'.repeat(1_100_000),
      {
        ok: false,
        error: {
          code: 'thrown',
          message:
            'the tool ran, but its result has 1100002 characters of JSON; a snippet gets at most 1048576',
        },
      },
    ],
    [
      'a text that is thrown',
      () => Promise.reject('plain'),
      { ok: false, error: { code: 'thrown', message: 'plain' } },
    ],
    [
      'an error that cannot be read',
      () =>
        Promise.reject({
          get message() {
            throw new Error('x')
          },
        }),
      {
        ok: false,
        error: { code: 'thrown', message: 'the call failed' },
      },
    ],
  ]
  test.each(odd)('a tool may return %s', async (_, call, expected) => {
    expect(await run('return await openclaw.tools.call("odd")', { bridge: { call } })).toMatchObject(expected)
  })
})

describe('calls are lazy', () => {
  test('one that nobody awaits does not run, and the result says so', async () => {
    const bridge = testBridge()
    const result = await run('openclaw.tools.call("echo", {}); return 1', { bridge })
    expect(result).toEqual({
      ok: true,
      value: 1,
      logs: [],
      notes: ['1 call not awaited, so not run'],
      telemetry: none,
    })
    expect(bridge.called).toEqual([])
  })

  test('then, catch and finally start it, once; the end of the snippet waits for it and for what follows', async () => {
    const bridge = testBridge()
    const code = `
      const call = openclaw.tools.call('echo', { n: 1 })
      call.then((value) => console.log('then', value))
      call.finally(() => console.log('finally'))
      openclaw.tools.call('fail').catch((error) => console.log('catch', error))
      return call instanceof Promise
    `
    const result = await run(code, { bridge })
    expect(result).toMatchObject({ ok: true, value: true, telemetry: { callCount: 2 } })
    expect(result.logs.toSorted()).toEqual(['catch kaput', 'finally', 'then {"n":1}'])
    expect(bridge.called.toSorted()).toEqual(['echo', 'fail'])
  })

  test('those that would start after the end do not', async () => {
    const bridge = testBridge()
    const code = `
      openclaw.tools.call('echo', {}).then(() => openclaw.tools.call('late', {})).then(() => console.log('never'))
      return 1
    `
    expect(await run(code, { bridge })).toMatchObject({ ok: true, value: 1, logs: [] })
    expect(bridge.called).toEqual(['echo'])
  })

  test('those at work are awaited when the snippet throws, too', async () => {
    const done: unknown[] = []
    const bridge = testBridge()
    const call: Bridge['call'] = async (args, signal) => {
      const result = await bridge.call(args, signal)
      await new Promise((resolve) => setImmediate(resolve))
      done.push(args.args)
      return result
    }
    const code = `await Promise.all([openclaw.tools.call('echo', 1), openclaw.tools.call('fail'), openclaw.tools.call('echo', 2)])`
    const result = await run(code, { bridge: { call } })
    expect(result).toMatchObject({ ok: false, error: { code: 'thrown', message: 'kaput' } })
    expect(result.notes).toBeUndefined()
    expect(done).toEqual([1, 2])
  })

  test('Promise.all runs them at the same time, 16 at once, and none is lost', async () => {
    let running = 0
    let most = 0
    const call: Bridge['call'] = async ({ args }) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      return args
    }
    const code = `
      return await Promise.all(Array.from({ length: 40 }, async (_, i) => {
        await openclaw.tools.call('slow', i)
        return await openclaw.tools.call('note', i)
      }))
    `
    const result = await run(code, { bridge: { call } })
    expect(result).toMatchObject({ ok: true, value: Array.from({ length: 40 }, (_, i) => i) })
    expect(result.telemetry.callCount).toBe(80)
    expect(most).toBe(16)
  })
})

describe('a failure', () => {
  test.each([
    ['throw new Error("kaput")', { code: 'thrown', message: 'kaput', line: 1, column: 7 }],
    [
      'const a = 1\n\n  null.x',
      {
        code: 'thrown',
        message: "TypeError: Cannot read properties of null (reading 'x')",
        line: 3,
        column: 8,
      },
    ],
    ['throw "plain"', { code: 'thrown', message: 'plain' }],
    ['throw { a: 1 }', { code: 'thrown', message: '{"a":1}' }],
    ['throw undefined', { code: 'thrown', message: 'undefined' }],
    ['throw Symbol("s")', { code: 'thrown', message: 'Symbol(s)' }],
    [
      'await Promise.reject(new RangeError("r"))',
      { code: 'thrown', message: 'RangeError: r', line: 1, column: 22 },
    ],
    [
      'const o = {}; o.o = o; return o',
      {
        code: 'thrown',
        message: expect.stringMatching(
          /^the returned value cannot be written as JSON: TypeError: .*circular/s,
        ),
      },
    ],
    ['let a = ;', { code: 'invalid_input', message: "Unexpected token ';'", line: 1, column: 9 }],
    ['let a = 1\nlet b = }', { code: 'invalid_input', message: "Unexpected token '}'", line: 2, column: 9 }],
    ['('.repeat(100000), { code: 'invalid_input', message: expect.any(String) }],
    ['if (true) {', { code: 'invalid_input', message: 'unexpected end of the snippet' }],
    [
      'require("fs")',
      { code: 'thrown', message: 'ReferenceError: require is not defined', line: 1, column: 1 },
    ],
    [
      'setTimeout(() => {}, 1)',
      { code: 'thrown', message: 'ReferenceError: setTimeout is not defined', line: 1, column: 1 },
    ],
    [
      'return await import("fs")',
      { code: 'thrown', message: 'TypeError: A dynamic import callback was not specified.' },
    ],
    [
      'return eval("1")',
      {
        code: 'thrown',
        message: 'EvalError: Code generation from strings disallowed for this context',
        line: 1,
        column: 1,
      },
    ],
    [
      'return "x".repeat(1100000)',
      {
        code: 'output_limit',
        message: 'the returned value has 1100002 characters of JSON; at most 1048576 are returned',
      },
    ],
    [
      'await new Promise(() => {})',
      { code: 'timeout', message: 'the snippet waits for a promise that nothing can settle any more' },
    ],
  ])('of %j is %j', async (code, error) => {
    expect(await run(code)).toEqual({ ok: false, error, logs: [], telemetry: none })
  })

  test.each(['', '  \n ', 7, undefined, null])('of code that is %j: refused', async (code) => {
    // What a model sends has not been checked against any schema.
    const given: string = JSON.parse(JSON.stringify({ code }))['code']
    expect(await run(given)).toEqual({
      ok: false,
      error: { code: 'invalid_input', message: 'code must be a non-empty string' },
      logs: [],
      telemetry: none,
    })
  })

  test('keeps the console output and the counts', async () => {
    const code =
      'console.log("before"); await openclaw.tools.search("x"); console.error("after"); throw new Error("kaput")'
    expect(await run(code)).toEqual({
      ok: false,
      error: { code: 'thrown', message: 'kaput', line: 1, column: 88 },
      logs: ['before', 'after'],
      telemetry: { searchCount: 1, describeCount: 0, callCount: 0 },
    })
  })
})

describe('the deadline', () => {
  const limits = { timeoutMs: 400 }

  test.each([
    ['a loop', 'console.log("before"); while (true) {}'],
    ['a loop after an await', 'await openclaw.tools.search("x"); console.log("before"); for (;;);'],
    [
      'a loop in the background of a value',
      '(async () => { console.log("before"); for (;;) await 0 })(); return 1',
    ],
  ])('ends %s, and what was printed is kept', async (_, code) => {
    expect(await run(code, { limits })).toMatchObject({
      ok: false,
      error: { code: 'timeout', message: 'the snippet was stopped after 400 ms' },
      logs: ['before'],
    })
  })

  test('ends a wait for a call, which gets one abort; calls that had not begun never begin', async () => {
    const { call, aborts } = pendingCall()
    const code = 'await Promise.all(Array.from({ length: 20 }, (_, i) => openclaw.tools.call("hang", i)))'
    expect(await run(code, { limits, bridge: { call } })).toEqual({
      ok: false,
      error: { code: 'timeout', message: 'the snippet was stopped after 400 ms' },
      logs: [],
      notes: ['16 calls still at work got an abort', '4 calls had not begun and did not run'],
      telemetry: { searchCount: 0, describeCount: 0, callCount: 20 },
    })
    expect(aborts).toHaveLength(16)
    expect(aborts[0]).toMatchObject({ message: 'the snippet ran out of time (400 ms)' })
  })

  test('also counts for calls that the snippet has started and not awaited', async () => {
    const { call, aborts } = pendingCall()
    const code = 'openclaw.tools.call("hang").then(() => {}); return 1'
    expect(await run(code, { limits, bridge: { call } })).toMatchObject({
      ok: false,
      error: { code: 'timeout' },
    })
    expect(aborts).toHaveLength(1)
  })
})

describe('an abort', () => {
  test('before the start costs no child', async () => {
    const before = pool.children.length
    const result = await run('return 1', { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ ok: false, error: { code: 'aborted', message: 'the run was aborted' } })
    expect(pool.children.length).toBe(before)
  })

  test('ends a busy snippet and its calls', async () => {
    const { call, started, aborts } = pendingCall()
    const controller = new AbortController()
    const code = 'openclaw.tools.call("hang").then(() => {}); await openclaw.tools.search("x"); for (;;);'
    const running = run(code, { bridge: { call }, signal: controller.signal })
    await started
    controller.abort(new Error('the user pressed Ctrl-C'))
    expect(await running).toMatchObject({
      ok: false,
      error: { code: 'aborted', message: 'the run was aborted: the user pressed Ctrl-C' },
      notes: [expect.stringMatching(/^[12] calls? still at work got an abort$/)],
    })
    expect(aborts).toHaveLength(1)
  })
})

describe('console output', () => {
  test('is one text for each call, whatever is printed', async () => {
    const code = `
      console.log('a', 1, true, null, undefined, 10n, Symbol('s'), () => 1, [1, 'b'], { c: { d: 1 } })
      console.warn(new TypeError('bad'), new Error('plain'))
      console.error()
      const loop = {}; loop.loop = loop
      console.log(loop)
    `
    expect((await run(code)).logs).toEqual([
      'a 1 true null undefined 10 Symbol(s) [function] [1,"b"] {"c":{"d":1}}',
      'TypeError: bad plain',
      '',
      expect.stringMatching(/^\[TypeError: Converting circular structure/),
    ])
  })

  test.each([
    ['many lines', 'for (let i = 0; i < 30000; i++) console.log("line " + i); return 1', { ok: true }],
    ['one long line', 'console.log("first"); console.log("x".repeat(100000)); return 1', { ok: true }],
    [
      'a flood without end',
      'for (;;) console.log("x".repeat(100))',
      { ok: false, error: { code: 'timeout' } },
    ],
  ])('ends after 64 KiB, and says so: %s', async (_, code, expected) => {
    const result = await run(code, { limits: { timeoutMs: 2000 } })
    expect(result).toMatchObject({ ...expected, truncated: true })
    expect(result.logs.at(-1)).toBe('[console output cut after 65536 characters]')
    const size = result.logs.slice(0, -1).join('\n').length
    expect(size).toBeGreaterThan(65_000)
    expect(size).toBeLessThanOrEqual(65_536)
  })
})

describe('limits on calls', () => {
  test.each([
    [
      'in all',
      'for (let i = 0; i < 12; i++) await openclaw.tools.call("echo")',
      'RangeError: too many calls: one run may make 10',
      10,
    ],
    [
      'at once',
      'await Promise.all(Array.from({ length: 8 }, () => openclaw.tools.call("echo")))',
      'RangeError: too many calls at once: 5 may wait',
      5,
    ],
  ])('%s are errors the snippet can handle', async (_, code, message, callCount) => {
    const limits = { calls: 10, pending: 5 }
    const result = await run(code, { limits })
    expect(result).toMatchObject({ ok: false, error: { code: 'thrown', message }, telemetry: { callCount } })
    expect(await run(`try { ${code} } catch { return 'handled' }`, { limits })).toMatchObject({
      value: 'handled',
    })
  })

  test('a rate that is too high is slowed down', async () => {
    const startedAt = performance.now()
    const code = 'for (let i = 0; i < 30; i++) await openclaw.tools.call("echo"); return 1'
    expect(await run(code, { limits: { callsPerSecond: 20 } })).toMatchObject({ ok: true })
    expect(performance.now() - startedAt).toBeGreaterThan(450)
  })
})
