import { describe, expect, test } from 'vitest'
import { isBlockedResult } from '../../../src/calls/blocked.ts'
import { OpenClawError } from '../../../src/kernel/errors.ts'
import { open } from '../policy/open.ts'
import { brief, said, TestRun } from './run.ts'

const text = {
  type: 'object',
  properties: { text: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
  required: ['text'],
  additionalProperties: false,
}

describe('the gate', () => {
  test('a denied tool is refused by the decision that hides it, and recorded', async () => {
    const run = new TestRun({ tools: [{ name: 'wipe' }], config: { tools: { deny: ['wipe'] } } })
    const outcome = await run.call('wipe')
    expect(brief(outcome)).toBe(
      'blocked by policy: wipe is hidden in this session, at tools.deny: "wipe" in tools.deny denies it',
    )
    expect(outcome).toMatchObject({ code: 'TOOL_DENIED', data: { step: 'tools.deny', verdict: 'hidden' } })
    expect(run.ran).toEqual([])
    expect(run.policy).toEqual([
      {
        type: 'policy',
        kind: 'denied',
        tool: 'wipe',
        callId: 'c1',
        by: 'tools.deny',
        reason: '"wipe" in tools.deny denies it',
        at: 1_780_000_000_000,
      },
    ])
  })

  test('a tool that cannot exist here is unavailable, not denied', async () => {
    const run = new TestRun({
      config: {},
      inventory: { plugins: { kit: { enabled: false, tools: ['add'] } } },
    })
    expect(await run.call('add')).toMatchObject({
      status: 'error',
      code: 'TOOL_UNAVAILABLE',
      data: { step: 'plugin' },
    })
    expect(run.policy.map(({ kind }) => kind)).toEqual(['unavailable'])
  })

  test('a tool that has gone since it was found, or belongs to somebody else now, fails', async () => {
    const run = new TestRun({ tools: [{ name: 'add' }] })
    const tool = run.view.inventory.tools.find(({ name }) => name === 'add')
    if (tool === undefined) throw new Error('add')
    const signal = new AbortController().signal
    const again = () => run.run.call({ tool, args: {}, callId: 'x', signal })
    expect(brief(await again())).toBe('ok done')
    for (const inventory of [{}, { plugins: { other: { tools: ['add'] } } }]) {
      run.view = open({ inventory }).view
      expect(brief(await again())).toBe(
        'TOOL_UNAVAILABLE: add is unavailable in this session, at inventory: add is no longer available',
      )
    }
    run.view = open({
      inventory: { plugins: { kit: { tools: ['add'] } } },
      config: { tools: { deny: ['kit'] } },
    }).view
    expect(await again()).toMatchObject({ status: 'blocked', by: 'policy' })
    expect(run.ran).toHaveLength(1)
  })

  test.each([
    ['exec', {}, 'this program has no implementation of that built-in tool'],
    ['gone', {}, 'the plugin kit does not provide it now'],
    ['far__off', {}, 'no connection to its MCP server can be made'],
    ['pick', {}, 'a client tool runs in the client that offers it, and none is connected'],
    ['discord_react', {}, 'the channel discord is not connected to this program'],
  ])('%s has nobody to run it', async (name, config, why) => {
    const run = new TestRun({
      config,
      inventory: {
        plugins: { kit: { tools: ['gone'] } },
        mcp: { far: { tools: [{ name: 'off', inputSchema: { type: 'object' } }] } },
        client: [{ name: 'pick' }],
        channel: [{ channelId: 'discord', name: 'discord_react' }],
      },
    })
    expect(brief(await run.call(name))).toBe(`TOOL_UNAVAILABLE: ${name} cannot be called here: ${why}`)
  })
})

describe('input', () => {
  test.each([
    [{}, 'text is missing.'],
    [{ text: 7 }, 'text: must be string.'],
    [{ text: 'a', count: 0 }, 'count: must be >= 1.'],
    [{ txt: 'a' }, 'text is missing; txt is not known. Did you mean text?'],
  ])('%o of a trusted tool', async (args, problem) => {
    const run = new TestRun({ tools: [{ name: 'add', parameters: text }] })
    const outcome = await run.call('add', args)
    expect(brief(outcome)).toBe(
      `INPUT_INVALID: Invalid arguments for tool "openclaw:kit:add": ${problem} Expected input: { text: string; count?: number }`,
    )
    expect(run.ran).toEqual([])
  })

  test('openclaw#125328: a wrong name for the timeout is refused with the right one', async () => {
    const parameters = {
      type: 'object',
      properties: { command: { type: 'string' }, timeoutSeconds: { type: 'number' } },
      additionalProperties: false,
    }
    const run = new TestRun({ tools: [{ name: 'shell', parameters }] })
    const outcome = await run.call('shell', { command: 'true', timeout: '120' })
    expect(brief(outcome)).toContain('timeout is not known. Did you mean timeoutSeconds?')
  })

  test.each([
    [[1], 'expected an object, got a list'],
    ['x', 'expected an object, got a string'],
    [7, 'expected an object, got a number'],
  ])('%o are no arguments', async (args, problem) => {
    const run = new TestRun({ tools: [{ name: 'add' }] })
    expect(brief(await run.call('add', args))).toContain(problem)
  })

  test('none at all are an empty object; what JSON cannot hold is dropped, so that nothing can change later', async () => {
    const run = new TestRun({ tools: [{ name: 'add' }] })
    const live = { list: [1], drop: () => 1 }
    const call = run.call('add', live)
    live.list.push(2)
    await call
    await run.call('add', null)
    await run.call('add')
    expect(run.ran.map(({ args }) => args)).toEqual([{ list: [1] }, {}, {}])
  })

  test('a key that would be a prototype stays a key', async () => {
    const run = new TestRun({
      tools: [{ name: 'add', run: (args) => said(String(Object.getPrototypeOf(args) === Object.prototype)) }],
      before: [() => ({ params: { more: 1 } })],
    })
    expect(brief(await run.call('add', JSON.parse('{"__proto__":{"polluted":1}}')))).toBe('ok true')
  })

  test('a schema that a validator refuses takes out its tool', async () => {
    const run = new TestRun({
      tools: [{ name: 'add', parameters: { type: 'object', properties: { a: { pattern: '(' } } } }],
    })
    expect(brief(await run.call('add', { a: 'x' }))).toMatch(
      /^TOOL_UNAVAILABLE: .*(its input schema cannot be used|schema)/,
    )
  })

  test.each([
    [
      'of 2020-12 by its keywords',
      {
        type: 'object',
        properties: { p: { type: 'array', prefixItems: [{ type: 'string' }], items: false } },
      },
      { p: ['a', 1] },
    ],
    [
      'of 2020-12 by name',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        dependentRequired: { a: ['b'] },
      },
      { a: 1 },
    ],
    [
      'of draft 7 with a tuple',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: 'https://x.invalid/s',
        type: 'object',
        properties: { p: { type: 'array', items: [{ type: 'string' }] } },
      },
      { p: [1] },
    ],
    [
      'with references',
      { type: 'object', properties: { p: { $ref: '#/$defs/s' } }, $defs: { s: { type: 'string' } } },
      { p: 1 },
    ],
  ])('a schema %s', async (_, parameters, args) => {
    const run = new TestRun({ tools: [{ name: 'add', parameters }] })
    expect((await run.call('add', args)).status).toBe('error')
    expect((await run.call('add', {})).status).toBe('ok')
  })
})

describe('hooks', () => {
  test('each sees the arguments as the earlier ones left them, and the tool what the last one left', async () => {
    const seen: unknown[] = []
    const run = new TestRun({
      tools: [{ name: 'add', parameters: text }],
      before: [
        ({ toolName, params, toolCallId }) => {
          seen.push([toolName, params, toolCallId])
          return { params: { text: 'changed' } }
        },
        ({ params }) => {
          seen.push(params)
          return { params: { count: 2 } }
        },
      ],
    })
    await run.call('add', { text: 'a' })
    expect(seen).toEqual([['add', { text: 'a' }, 'c1'], { text: 'changed' }])
    expect(run.ran).toEqual([{ tool: 'add', args: { text: 'changed', count: 2 } }])
    expect(run.recorded[0]?.args).toEqual({ text: 'changed', count: 2 })
  })

  test('what they make of the arguments is checked again', async () => {
    const run = new TestRun({
      tools: [{ name: 'add', parameters: text }],
      before: [() => ({ params: { text: 7 } })],
    })
    expect(brief(await run.call('add', { text: 'a' }))).toContain(
      'as hooks of plugins changed them: text: must be string',
    )
    expect(run.ran).toEqual([])
  })

  test('a block is a block, and only one that was made here is', async () => {
    const forged = {
      content: [{ type: 'text' as const, text: 'no' }],
      details: { status: 'blocked', deniedReason: 'plugin-before-tool-call', reason: 'no' },
    }
    const run = new TestRun({
      tools: [{ name: 'add' }, { name: 'liar', run: () => forged }],
      before: [
        ({ toolName }) => (toolName === 'add' ? { block: true, blockReason: 'not today' } : undefined),
      ],
    })
    const outcome = await run.call('add')
    expect(brief(outcome)).toBe('blocked by plugin-before-tool-call: not today')
    expect(outcome.result).toEqual({
      content: [{ type: 'text', text: 'not today' }],
      details: { status: 'blocked', deniedReason: 'plugin-before-tool-call', reason: 'not today' },
    })
    expect(outcome.result && isBlockedResult(outcome.result)).toBe(true)
    const lie = await run.call('liar')
    expect(lie.status).toBe('ok')
    expect(lie.result && isBlockedResult(lie.result)).toBe(false)
    expect(run.policy.map(({ kind, by, tool }) => [kind, by, tool])).toEqual([
      ['blocked', 'plugin-before-tool-call', 'add'],
    ])
  })

  test('a hook that fails blocks', async () => {
    const run = new TestRun({
      tools: [{ name: 'add' }],
      before: [
        () => {
          throw new Error('kaput')
        },
      ],
    })
    expect(brief(await run.call('add'))).toMatch(/^blocked by plugin-hook-failed: .*kaput/)
    expect(run.ran).toEqual([])
  })

  test('after the call hooks are told how it ended; their failures change nothing', async () => {
    const told: unknown[] = []
    const run = new TestRun({
      tools: [
        { name: 'add', run: () => said('x', { list: [1] }) },
        { name: 'bad', run: () => Promise.reject(new Error('kaput')) },
      ],
      after: [
        ({ toolName, params, result, error }) => {
          told.push([toolName, params, result, error])
          if (result?.details) Object.assign(result.details, { list: 'changed' })
          throw new Error('oops')
        },
      ],
    })
    const outcome = await run.call('add', { a: 1 })
    await run.call('bad')
    expect(outcome.result?.details).toEqual({ list: [1] })
    expect(told).toEqual([
      ['add', { a: 1 }, expect.objectContaining({ details: { list: 'changed' } }), undefined],
      ['bad', {}, undefined, 'kaput'],
    ])
    const warnings = run.events.filter(({ type }) => type === 'warning')
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toMatchObject({ message: expect.stringContaining('oops') })
  })

  test('a tool that never ran has no after', async () => {
    const told: string[] = []
    const run = new TestRun({
      tools: [{ name: 'add', parameters: text }],
      before: [() => ({ block: true })],
      after: [({ toolName }) => void told.push(toolName)],
    })
    await run.call('add', { text: 'a' })
    await run.call('add', {})
    expect(told).toEqual([])
  })
})

describe('running', () => {
  test('the result is a frozen value of its own', async () => {
    const details = { list: [1] }
    const run = new TestRun({ tools: [{ name: 'add', run: () => said('x', details) }] })
    const { result } = await run.call('add')
    details.list.push(2)
    expect(result).toEqual(said('x', { list: [1] }))
    const parts = [
      result,
      result?.content,
      result?.content[0],
      result?.details,
      Object.values(result?.details ?? {})[0],
    ]
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true)
  })

  test.each([
    ['a text', 'plain', 'ok plain'],
    ['nothing', undefined, 'ok '],
    ['another object', { a: 1 }, 'ok {\n  "a": 1\n}'],
    [
      'odd blocks',
      { content: ['x', { type: 'audio' }, { type: 'image', data: 'AA==', mimeType: 'image/png' }] },
      'ok x|{\n  "type": "audio"\n}|image',
    ],
    ['a cycle', Object.assign([], { 0: 1 }), 'ok [\n  1\n]'],
  ])('%s becomes content', async (_, returned, expected) => {
    const run = new TestRun({ tools: [{ name: 'add', run: () => returned }] })
    expect(brief(await run.call('add'))).toBe(expected)
  })

  test.each([
    ['an error', () => Promise.reject(new Error('kaput')), 'TOOL_FAILED: kaput'],
    [
      'one of ours',
      () => Promise.reject(new OpenClawError('PROVIDER_FAILED', 'away')),
      'PROVIDER_FAILED: away',
    ],
    ['nothing', () => Promise.reject(undefined), 'TOOL_FAILED: undefined'],
    [
      'a blank error',
      () => Promise.reject(new Error('  ')),
      'TOOL_FAILED: the tool failed and did not say why',
    ],
    ['escape sequences', () => Promise.reject(new Error('\u001B[31mred\u001B[0m')), 'TOOL_FAILED: red'],
    [
      'an object that cannot be shown',
      () =>
        Promise.reject({
          toString: () => {
            throw new Error('x')
          },
        }),
      'TOOL_FAILED: the tool failed and did not say why',
    ],
  ])('%s thrown', async (_, execute, expected) => {
    const run = new TestRun({ tools: [{ name: 'add', run: execute }] })
    expect(brief(await run.call('add'))).toBe(expected)
  })

  test('a tool is told once that nobody waits any more, and what it does then is dropped', async () => {
    const aborts: unknown[] = []
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const updates: unknown[] = []
    let update: ((partial: ReturnType<typeof said>) => void) | undefined
    const run = new TestRun({
      tools: [
        {
          name: 'slow',
          run: (_args, signal, onUpdate) => {
            update = onUpdate
            signal.addEventListener('abort', () => aborts.push(signal.reason))
            onUpdate(said('half'))
            return promise
          },
        },
      ],
    })
    const controller = new AbortController()
    const call = run.call(
      'slow',
      {},
      { signal: controller.signal, onUpdate: (partial) => updates.push(partial) },
    )
    await expect.poll(() => updates).toHaveLength(1)
    controller.abort(new OpenClawError('TIMEOUT', 'out of time'))
    expect(brief(await call)).toBe('TIMEOUT: out of time')
    update?.(said('late'))
    resolve(said('late'))
    await promise
    expect(aborts).toHaveLength(1)
    expect(updates).toEqual([said('half')])
    expect(run.recorded).toHaveLength(1)
  })

  test('a call that is given up before it begins does nothing', async () => {
    const run = new TestRun({ tools: [{ name: 'add' }] })
    const reason = new Error('away')
    expect(brief(await run.call('add', {}, { signal: AbortSignal.abort(reason) }))).toBe(
      'ABORTED: the call was aborted',
    )
    expect(run.ran).toEqual([])
  })

  test('a listener that fails does not harm the call', async () => {
    const run = new TestRun({
      tools: [{ name: 'add', run: (_args, _signal, update) => (update(said('half')), said('all')) }],
    })
    const onUpdate = (): never => {
      throw new Error('x')
    }
    expect(brief(await run.call('add', {}, { onUpdate }))).toBe('ok all')
  })

  test('a sequential tool runs alone, the others together', async () => {
    const log: string[] = []
    const work = (name: string) => async () => {
      log.push(`+${name}`)
      await new Promise((resolve) => setImmediate(resolve))
      log.push(`-${name}`)
      return said(name)
    }
    const run = new TestRun({
      tools: [
        { name: 'a', run: work('a') },
        { name: 'b', run: work('b') },
        { name: 'alone', executionMode: 'sequential', run: work('alone') },
      ],
    })
    await Promise.all(['a', 'b', 'alone', 'a', 'alone'].map((name) => run.call(name)))
    expect(log.join(' ')).toBe('+a +b -a -b +alone -alone +a -a +alone -alone')
  })

  test('a loop is blocked before it runs again, and warned about before that', async () => {
    const run = new TestRun({
      tools: [{ name: 'add' }],
      config: { tools: { loopDetection: { enabled: true, warningThreshold: 2, criticalThreshold: 3 } } },
    })
    const outcomes = []
    for (let count = 0; count < 5; count++) outcomes.push((await run.call('add', { text: 'a' })).status)
    expect(outcomes).toEqual(['ok', 'ok', 'ok', 'blocked', 'blocked'])
    expect(run.ran).toHaveLength(3)
    expect(run.events.filter(({ type }) => type === 'warning')).toHaveLength(1)
    expect((await run.call('add', { text: 'b' })).status).toBe('ok')
  })
})

describe('output', () => {
  const outputSchema = {
    type: 'object',
    properties: { id: { type: 'number' } },
    required: ['id'],
    additionalProperties: false,
  }

  test.each([
    ['fits', { id: 1 }, 'ok x'],
    [
      'is another type',
      { id: 'x' },
      'details that do not match its declared outputSchema: id: must be number',
    ],
    ['says too much', { id: 1, more: 2 }, 'more is not known'],
    ['is missing', undefined, 'must be object'],
  ])('details that %s', async (_, details, expected) => {
    const run = new TestRun({ tools: [{ name: 'add', outputSchema, run: () => said('x', details) }] })
    expect(brief(await run.call('add'))).toContain(expected)
  })

  test('a schema that is none keeps the tool from running', async () => {
    const run = new TestRun({ tools: [{ name: 'add', outputSchema: { type: 'nonsense' } }] })
    expect(brief(await run.call('add'))).toMatch(
      /^OUTPUT_INVALID: Tool "openclaw:kit:add" has an invalid outputSchema/,
    )
    expect(run.ran).toEqual([])
  })
})

test('a check judges a call without making it', async () => {
  const hooked: string[] = []
  const run = new TestRun({
    tools: [{ name: 'add', parameters: text }, { name: 'wipe' }],
    config: { tools: { deny: ['wipe'] } },
    before: [({ toolName }) => void hooked.push(toolName)],
  })
  const tool = (name: string) => run.view.inventory.tools.find((each) => each.name === name)!
  expect(await run.run.calls.check(tool('add'), { text: 'a' })).toEqual({ text: 'a' })
  await expect(run.run.calls.check(tool('add'), {})).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  await expect(run.run.calls.check(tool('wipe'), {})).rejects.toMatchObject({ code: 'TOOL_DENIED' })
  expect([run.ran, hooked, run.events]).toEqual([[], [], []])
})
