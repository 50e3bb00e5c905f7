import { describe, expect, test } from 'vitest'
import type { Tool } from '../../../src/plugins/authoring.ts'
import { mockServer, rejection } from './ask.ts'
import { lab, told } from './session.ts'

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

const add: Tool = {
  name: 'add',
  description: 'Adds two numbers.',
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  execute: async (_id, { a, b }: { a: number; b: number }) => text(String(a + b)),
}

const fail: Tool = {
  name: 'fail',
  description: 'Fails.',
  parameters: { type: 'object', properties: {} },
  execute: async () => {
    throw new Error('the disk is full')
  },
}

/** A tool that says when it began and ends when it is let go. */
function gate(name: string, more: Partial<Tool> = {}) {
  const log: string[] = []
  const gates: (() => void)[] = []
  const begun: (() => void)[] = []
  const tool: Tool = {
    name,
    description: 'Waits.',
    parameters: { type: 'object', properties: { n: { type: 'number' } } },
    execute: async (_id, { n }: { n: number }, signal) => {
      log.push(`begin ${n}`)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      gates.push(resolve)
      signal?.addEventListener('abort', () => reject(signal.reason))
      for (const each of begun.splice(0)) each()
      await promise
      log.push(`end ${n}`)
      return text(`done ${n}`)
    },
    ...more,
  }
  const waitFor = async (count: number): Promise<void> => {
    while (gates.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>()
      begun.push(resolve)
      await promise
    }
  }
  return { tool, log, gates, waitFor }
}

describe('a run', () => {
  test('answers without tools', async () => {
    const server = await mockServer()
    const it = lab({ server, tools: [] })
    const result = await it.run('say Hello there.')
    expect(result).toMatchObject({ text: 'Hello there.', ended: 'stop', provider: 'mock', calls: [] })
    expect(told(it.written)).toEqual(['user: say Hello there.', 'assistant: Hello there.'])
    expect(it.events.map(({ type }) => type).filter((type) => type !== 'text')).toEqual([
      'start',
      'message',
      'end',
    ])
  })

  test('makes the calls of the model and tells it what came of them', async () => {
    const server = await mockServer()
    const it = lab({ server, tools: [add, fail] })
    const result = await it.run('call add {"a":1,"b":2}\ncall fail {}')
    expect(told(it.written)).toEqual([
      'user: call add {"a":1,"b":2}\ncall fail {}',
      'assistant: → add {"a":1,"b":2} → fail {}',
      expect.stringMatching(/^toolResult/),
      expect.stringMatching(/^toolResult/),
      'assistant: add: 3\nfail: the disk is full',
    ])
    expect(told(it.written.filter(({ role }) => role === 'toolResult')).toSorted()).toEqual([
      'toolResult error: the disk is full',
      'toolResult: 3',
    ])
    expect(result.calls.map(({ name, status, code }) => `${name} ${status} ${code}`).toSorted()).toEqual([
      'add ok null',
      'fail error TOOL_FAILED',
    ])
    expect(result.usage.totalTokens).toBeGreaterThan(0)
    expect(it.calls.map(({ type }) => type)).toEqual(['call', 'call'])
  })

  test('counts what every request cost', async () => {
    const server = await mockServer()
    const it = lab({ server, tools: [add] })
    await it.run('call add {"a":1,"b":2}')
    expect(it.turns).toHaveLength(2)
    for (const [at, turn] of it.turns.entries()) {
      const body = JSON.parse(server.requests[at]?.raw ?? '{}')
      expect(turn.wire.request).toBe(server.requests[at]?.rawBytes)
      expect(turn.promptBytes).toBe(Buffer.byteLength(body.instructions))
      expect(turn.toolNames).toEqual(body.tools.map(({ name }: { name: string }) => name))
      expect(turn.toolBytes).toBe(
        Buffer.byteLength(
          JSON.stringify(
            body.tools.map(({ name, description, parameters }: Record<string, unknown>) => ({
              name,
              description,
              parameters,
            })),
          ),
        ),
      )
    }
  })

  test('runs calls of one message at the same time, in any order of their ends', async () => {
    const server = await mockServer()
    const { tool, gates, waitFor } = gate('hold')
    const it = lab({ server, tools: [tool] })
    const running = it.run('call hold {"n":1}\ncall hold {"n":2}\ncall hold {"n":3}')
    await waitFor(3)
    for (const open of gates.toReversed()) open()
    const result = await running
    // The model gets them in the order of its calls all the same.
    expect(result.text).toBe('hold: done 1\nhold: done 2\nhold: done 3')
  })

  test('runs a tool that must be alone only when nothing else runs', async () => {
    const server = await mockServer()
    const { tool, gates, log, waitFor } = gate('hold', { executionMode: 'sequential' })
    const it = lab({ server, tools: [tool] })
    const running = it.run('call hold {"n":1}\ncall hold {"n":2}')
    await waitFor(1)
    gates[0]?.()
    await waitFor(2)
    gates[1]?.()
    await running
    expect(log).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2'])
  })

  test.each([
    {
      name: 'wrong arguments',
      prompt: 'call add {"a":"x"}',
      told: /^toolResult error: Invalid arguments for tool "openclaw:lab:add"/,
    },
    {
      name: 'arguments that are no JSON',
      prompt: 'call add {"a":1,"b":2}',
      fault: { kind: 'malformed-arguments' },
      told: /^toolResult error: The arguments of add are no JSON object: \{"marker": "nor$/,
    },
    {
      name: 'a tool that nobody has',
      prompt: 'call add {"a":1,"b":2}',
      fault: { kind: 'unknown-tool', name: 'ad' },
      told: /^toolResult error: There is no tool ad\. Did you mean: add\?$/,
    },
    {
      name: 'a tool that policy took away',
      prompt: 'call add {"a":1,"b":2}',
      config: { tools: { deny: ['fail'] } },
      fault: { kind: 'unknown-tool', name: 'fail' },
      told: /^toolResult error: There is no tool fail\.$/,
    },
  ] as const)('tells the model of $name, and goes on', async ({ prompt, told: expected, ...more }) => {
    const server = await mockServer()
    if ('fault' in more) server.fail(more.fault)
    const it = lab({ server, tools: [add, fail], ...('config' in more && { config: more.config }) })
    const result = await it.run(prompt)
    expect(told(it.written)[2]).toMatch(expected)
    expect(result.ended).toBe('stop')
    expect(result.calls[0]?.status).toBe('error')
  })

  test('reports a block by a hook, and an approval that nobody gave', async () => {
    const server = await mockServer()
    const before = (handler: () => object) => ({
      before_tool_call: [
        { event: 'before_tool_call' as const, pluginId: 'guard', handler, priority: 0, timeoutMs: 1000 },
      ],
    })
    const blocking = lab({
      server,
      tools: [add],
      hooks: before(() => ({ block: true, blockReason: 'not on a Sunday' })),
    })
    const blocked = await blocking.run('call add {"a":1,"b":2}')
    expect(blocked.calls).toMatchObject([{ status: 'blocked', code: 'TOOL_BLOCKED' }])
    expect(blocked.text).toBe('add: not on a Sunday')

    const asking = lab({
      server,
      tools: [add],
      hooks: before(() => ({ requireApproval: { title: 'Add numbers' } })),
      approvals: { decide: async () => ({ verdict: 'pending', id: 'a1', expiresAt: '' }) },
    })
    const pending = await asking.run('call add {"a":1,"b":2}')
    expect(pending.calls).toMatchObject([{ status: 'blocked', code: 'APPROVAL_REQUIRED' }])
    expect(pending.text).toBe('add: add needs an approval: Add numbers')
  })

  test('offers what the session has when each request is made', async () => {
    const server = await mockServer()
    const it = lab({ server, tools: [add, fail] })
    const { tool, gates, waitFor } = gate('hold')
    const reloading = lab({ server, tools: [add, fail, tool] })
    const running = reloading.run('call hold {"n":1}')
    await waitFor(1)
    reloading.reload({ tools: { deny: ['fail'] } })
    gates[0]?.()
    await running
    const names = server.requests.map(({ tools }) => tools.filter((name) => ['add', 'fail'].includes(name)))
    expect(names).toEqual([['add', 'fail'], ['add']])
    expect(it.written).toEqual([])
  })

  test('ends at its limit of turns', async () => {
    const server = await mockServer({
      script: () => ({ text: '', calls: [{ name: 'add', args: { a: Math.random(), b: 1 } }] }),
    })
    const it = lab({ server, tools: [add] })
    const result = await it.run('go', { limits: { turns: 3, bytes: 1_000_000 } })
    expect(result.ended).toBe('turn-limit')
    expect(server.requests).toHaveLength(3)
    expect(it.written.at(-1)?.role).toBe('toolResult')
  })

  test('ends at its limit of bytes', async () => {
    const server = await mockServer({
      script: () => ({ text: 'x'.repeat(5000), calls: [{ name: 'add', args: { a: 1, b: Math.random() } }] }),
    })
    const it = lab({ server, tools: [add] })
    const result = await it.run('go', { limits: { turns: 100, bytes: 20_000 } })
    expect(result.ended).toBe('byte-limit')
    expect(server.requests.length).toBeLessThan(10)
  })

  test('cuts a long result where a marker says so', async () => {
    const server = await mockServer()
    const long: Tool = { ...fail, execute: async () => text('y'.repeat(20_000)) }
    const it = lab({ server, tools: [long] })
    await it.run('call fail {}')
    expect(server.requests[1]?.toolOutput).toMatch(/^y{16000}\n\[4000 more characters left out\]$/)
  })
})

describe('a provider that fails', () => {
  test.each([
    { name: 'is at its limit', fault: { kind: 'status', status: 429, retryAfter: 0 } },
    { name: 'is broken', fault: { kind: 'status', status: 503 } },
    { name: 'cuts its answer', fault: { kind: 'cut', after: 6 } },
    { name: 'ends its answer early', fault: { kind: 'end', after: 6 } },
    { name: 'sends garbage', fault: { kind: 'garbage' } },
    { name: 'sends an error in its stream', fault: { kind: 'error-event' } },
  ] as const)('is asked again when it $name', async ({ fault }) => {
    const server = await mockServer()
    server.fail(fault, 2)
    const it = lab({ server, tools: [add] })
    const result = await it.run('say all is well in the end')
    expect(result.text).toBe('all is well in the end')
    expect(it.events.filter(({ type }) => type === 'retry')).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
    expect(told(it.written)).toEqual([
      'user: say all is well in the end',
      'assistant: all is well in the end',
    ])
  })

  test('is given up after a few attempts, and the journal says why', async () => {
    const server = await mockServer()
    server.fail({ kind: 'status', status: 500 }, 3)
    const it = lab({ server, tools: [add] })
    const error = await rejection(it.run('say fine'))
    expect(error).toMatchObject({
      code: 'PROVIDER_FAILED',
      message: 'mock/mock-model: it answered with HTTP status 500: "status 500, as ordered"',
      data: { fault: 'server', provider: 'mock', model: 'mock-model' },
    })
    expect(told(it.written)).toEqual(['user: say fine', 'assistant error: '])
  })

  test('is not asked again where that cannot help', async () => {
    const server = await mockServer()
    server.fail({ kind: 'status', status: 401 })
    const error = await rejection(lab({ server, tools: [] }).run('say fine'))
    expect(error).toMatchObject({ data: { fault: 'auth' } })
    expect(server.requests).toHaveLength(1)
  })

  test('is not waited for longer than a minute', async () => {
    const server = await mockServer()
    server.fail({ kind: 'status', status: 429, retryAfter: 3600 })
    const error = await rejection(lab({ server, tools: [] }).run('say fine'))
    expect(error).toMatchObject({ data: { fault: 'rate-limit', retryAfterMs: 3_600_000 } })
    expect(server.requests).toHaveLength(1)
  })

  test('gives way to the next model, which then stays', async () => {
    const server = await mockServer()
    server.fail({ kind: 'status', status: 401 })
    const it = lab({ server, tools: [add], models: ['mock/mock-model', 'spare/other-model'] })
    const result = await it.run('call add {"a":1,"b":2}')
    expect(result).toMatchObject({ provider: 'spare', model: 'other-model', text: 'add: 3' })
    expect(server.requests.map(({ model }) => model)).toEqual(['mock-model', 'other-model', 'other-model'])
    expect(it.events.filter(({ type }) => type === 'fallback')).toMatchObject([
      { from: { provider: 'mock' }, to: { provider: 'spare' } },
    ])
  })

  test('without a configured provider says what to do', async () => {
    const server = await mockServer()
    const error = await rejection(lab({ server, tools: [], models: ['mok/m'] }).run('say fine'))
    expect(error).toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'provider "mok" is not configured',
      hints: ['did you mean mock?'],
    })
  })
})

describe('an abort', () => {
  test('in the middle of an answer keeps what came of it', async () => {
    const server = await mockServer()
    server.fail({ kind: 'stall', after: 8 })
    const controller = new AbortController()
    const it = lab({ server, tools: [] })
    const running = rejection(
      it.run('say one two three four five six seven eight', {
        signal: controller.signal,
        emit: ({ type }) => {
          if (type === 'text') controller.abort(new Error('enough'))
        },
      }),
    )
    expect((await running).message).toBe('enough')
    expect(told(it.written)).toEqual([
      'user: say one two three four five six seven eight',
      expect.stringMatching(/^assistant aborted: one two/),
    ])
  })

  test('in the middle of calls gives every call a result, at once', async () => {
    const server = await mockServer()
    const controller = new AbortController()
    const { tool, gates, waitFor } = gate('hold')
    const it = lab({ server, tools: [tool] })
    const running = rejection(it.run('call hold {"n":1}\ncall hold {"n":2}', { signal: controller.signal }))
    await waitFor(2)
    gates[0]?.()
    while (it.written.length < 3) await new Promise(setImmediate)
    controller.abort(new Error('enough'))
    // Not later: the program may end now.
    expect(told(it.written)).toEqual([
      'user: call hold {"n":1}\ncall hold {"n":2}',
      'assistant: → hold {"n":1} → hold {"n":2}',
      'toolResult: done 1',
      'toolResult error: No result: enough',
    ])
    expect((await running).message).toBe('enough')
    expect(it.written).toHaveLength(4)
  })

  test('while it waits to ask again ends the wait', async () => {
    const server = await mockServer()
    server.fail({ kind: 'status', status: 429, retryAfter: 30 })
    const controller = new AbortController()
    const it = lab({ server, tools: [] })
    const running = rejection(
      it.run('say fine', {
        signal: controller.signal,
        retries: { attempts: 3, baseMs: 1, longestMs: 5, longestRetryAfterMs: 60_000 },
        emit: ({ type }) => {
          if (type === 'retry') setImmediate(() => controller.abort(new Error('enough')))
        },
      }),
    )
    expect((await running).message).toBe('enough')
  })
})
