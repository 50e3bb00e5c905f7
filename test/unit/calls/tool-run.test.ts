import { describe, expect, test } from 'vitest'
import type { CodeRunner } from '../../../src/calls/code-runner.ts'
import type { ToolResult } from '../../../src/calls/types.ts'
import type { EditionId } from '../../../src/catalog/edition.ts'
import type { Bridge } from '../../../src/tool-search/code/bridge.ts'
import { brief, TestRun, type RunOptions } from './run.ts'

type Mode = 'code' | 'tools' | 'directory'

const board = {
  name: 'board_add',
  description: 'Add a card to the board',
  parameters: {
    type: 'object',
    properties: { title: { type: 'string' }, id: { type: 'string' }, name: { type: 'string' } },
    required: ['title'],
    additionalProperties: false,
  },
}

function open(mode: Mode, options: RunOptions = {}): TestRun {
  return new TestRun({
    config: { tools: { toolSearch: { mode } } },
    tools: [board, { name: 'board_wipe', description: 'Remove every card' }],
    mcp: {
      cal: [
        { name: 'create_event', description: 'Create a calendar event', inputSchema: { type: 'object' } },
      ],
    },
    ...options,
  })
}

const textOf = (result: ToolResult | undefined, at = 0): string => {
  const block = result?.content[at]
  return block?.type === 'text' ? block.text : ''
}

const parsed = (result: ToolResult | undefined): unknown => JSON.parse(textOf(result))

/** Runs a snippet in this process: what the child does, without its walls. */
function inProcess(snippet: (tools: Bridge, signal: AbortSignal) => Promise<unknown>): CodeRunner {
  return async ({ bridge, signal }) => {
    const telemetry = { searchCount: 0, describeCount: 0, callCount: 0 }
    try {
      return { ok: true, value: (await snippet(bridge, signal)) ?? null, logs: [], telemetry }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { ok: false, error: { code: 'thrown', message }, logs: ['so far'], telemetry }
    }
  }
}

describe('tool_search', () => {
  test('one query gives a bare list, best first, with bounded signatures', async () => {
    const { result } = await open('tools').call('tool_search', { query: 'add a card', limit: 1 })
    expect(parsed(result)).toEqual([
      {
        id: 'openclaw:kit:board_add',
        source: 'openclaw',
        sourceName: 'kit',
        name: 'board_add',
        description: 'Add a card to the board',
        input: '{ title: string; id?: string; name?: string }',
      },
    ])
    expect(result?.details).toEqual(parsed(result))
  })

  test('an empty answer says why behind the list', async () => {
    const { result } = await open('tools').call('tool_search', { query: 'запустити підагента' })
    expect(parsed(result)).toEqual([])
    expect(textOf(result, 1)).toMatch(/English/)
  })

  test('openclaw PR#137594: a server that is down is named, unless policy would hide its tools anyway', async () => {
    const inventory = { mcp: { memos: { status: 'failed', tools: [] } } }
    const tools = { profile: 'coding', toolSearch: { mode: 'tools' } }
    const down = await open('tools', { inventory, config: { tools } }).call('tool_search', {
      query: 'memos create note',
    })
    expect(textOf(down.result, 1)).toContain('memos')
    const denied = { ...tools, deny: ['memos__*'] }
    const silent = await open('tools', { inventory, config: { tools: denied } }).call('tool_search', {
      query: 'memos create note',
    })
    expect(JSON.stringify(silent.result)).not.toContain('memos')
  })

  test('openclaw#97911: a denied tool is no hit, no description, no call and no suggestion', async () => {
    const config = { tools: { profile: 'coding', deny: ['skill_workshop'], toolSearch: { mode: 'tools' } } }
    const run = open('tools', { config })
    const hits = await run.call('tool_search', { query: 'skill workshop' })
    const described = await run.call('tool_describe', { id: 'skill_workshop' })
    const called = await run.call('tool_call', { id: 'openclaw:core:skill_workshop', args: {} })
    expect(JSON.stringify(hits.result)).not.toContain('skill_workshop')
    expect([described, called].map((each) => each.status)).toEqual(['error', 'error'])
    for (const each of [described, called])
      expect(brief(each)).not.toMatch(/Did you mean[^.?]*skill_workshop/)
    expect(run.policy).toMatchObject([
      { kind: 'denied', tool: 'skill_workshop', by: 'tools.deny', parentCallId: 'c2' },
      { kind: 'denied', tool: 'openclaw:core:skill_workshop', by: 'tools.deny', parentCallId: 'c3' },
    ])
  })

  test('openclaw#99464: an exact name is the first hit', async () => {
    const run = open('tools', { config: { tools: { profile: 'coding', toolSearch: { mode: 'tools' } } } })
    const { result } = await run.call('tool_search', { query: 'sessions_spawn' })
    expect(parsed(result)).toHaveProperty('0.name', 'sessions_spawn')
  })

  test('a batch answers in the order of its queries', async () => {
    const { result } = await open('tools').call('tool_search', {
      queries: [
        { query: 'calendar event', limit: 1 },
        { query: 'add card', limit: 1 },
      ],
      query: 'remove every card',
      limit: 1,
    })
    expect(result?.details).toMatchObject({
      results: [
        { query: 'remove every card', candidates: [{ name: 'board_wipe' }] },
        { query: 'calendar event', candidates: [{ name: 'cal__create_event', input: 'unknown' }] },
        { query: 'add card', candidates: [{ name: 'board_add' }] },
      ],
    })
  })
})

describe('tool_describe', () => {
  test('shows the schema of a stranger as it is, and the output schema of a friend', async () => {
    const inputSchema = { type: 'object', properties: { summary: { type: 'string' } } }
    const outputSchema = {
      type: 'object',
      properties: { id: { type: 'number' } },
      required: ['id'],
      additionalProperties: false,
    }
    const run = open('tools', {
      mcp: { cal: [{ name: 'create_event', inputSchema, outputSchema }] },
      tools: [{ ...board, outputSchema }],
    })
    const stranger = await run.call('tool_describe', { id: 'mcp:cal:create_event' })
    expect(stranger.result?.details).toMatchObject({ input: 'unknown', parameters: inputSchema })
    expect(stranger.result?.details).not.toHaveProperty('outputSchema')
    const friend = await run.call('tool_describe', { name: 'board_add' })
    expect(friend.result?.details).toMatchObject({ output: '{ id: number }', outputSchema })
  })

  test.each([
    [{}, 'INPUT_INVALID: id must be a non-empty string.'],
    [{ id: '  ' }, 'INPUT_INVALID: id must be a non-empty string.'],
    [
      { id: 'board_ad' },
      'UNKNOWN_TOOL: unknown tool "board_ad". Did you mean: board_add? Find tools with tool_search, read one with tool_describe, then call it through tool_call by its id.',
    ],
    [
      { id: 'zzz' },
      'UNKNOWN_TOOL: unknown tool "zzz". Find tools with tool_search, read one with tool_describe, then call it through tool_call by its id.',
    ],
  ])('%o', async (args, expected) => {
    expect(brief(await open('tools').call('tool_describe', args))).toBe(expected)
  })
})

describe('tool_call', () => {
  test('gives the envelope: short for the model, whole in details', async () => {
    const run = open('tools', {
      tools: [
        {
          ...board,
          run: () => ({
            content: [
              { type: 'text', text: 'ok' },
              { type: 'image', data: 'AA==', mimeType: 'image/png' },
            ],
            details: { n: 1 },
          }),
        },
      ],
    })
    const { result } = await run.call('tool_call', { id: 'board_add', args: { title: 'x' } })
    expect(parsed(result)).toEqual({
      tool: { id: 'openclaw:kit:board_add', name: 'board_add', source: 'openclaw' },
      result: {
        content: [
          { type: 'text', text: 'ok' },
          { type: 'text', text: '[image image/png]' },
        ],
        details: { n: 1 },
      },
    })
    expect(result?.content[1]).toEqual({ type: 'image', data: 'AA==', mimeType: 'image/png' })
    expect(result?.details).toMatchObject({
      tool: { input: '{ title: string; id?: string; name?: string }', sourceName: 'kit' },
      result: { details: { n: 1 } },
    })
  })

  test('the target is called by its own name and id, with hooks of its own', async () => {
    const hooked: unknown[] = []
    const run = open('tools', {
      before: [({ toolName, params, toolCallId }) => void hooked.push([toolName, params, toolCallId])],
    })
    await run.call('tool_call', { id: 'board_add', args: { title: 'x' } })
    await run.call('tool_call', { id: 'board_add', args: { title: 'y' } })
    expect(hooked).toEqual([
      ['tool_call', { id: 'board_add', args: { title: 'x' } }, 'c1'],
      ['board_add', { title: 'x' }, 'tool_search_code:c1:board_add:1'],
      ['tool_call', { id: 'board_add', args: { title: 'y' } }, 'c2'],
      ['board_add', { title: 'y' }, 'tool_search_code:c2:board_add:2'],
    ])
    expect(run.recorded.map(({ tool, callId, parentCallId }) => [tool.id, callId, parentCallId])).toEqual([
      ['openclaw:kit:board_add', 'tool_search_code:c1:board_add:1', 'c1'],
      ['openclaw:core:tool_call', 'c1', undefined],
      ['openclaw:kit:board_add', 'tool_search_code:c2:board_add:2', 'c2'],
      ['openclaw:core:tool_call', 'c2', undefined],
    ])
  })

  test('a veto is reported in the envelope; where a type is promised it is an error instead', async () => {
    const outputSchema = { type: 'object', properties: { id: { type: 'number' } } }
    const before = [
      ({ toolName }: { toolName: string }) =>
        toolName.startsWith('board') ? { block: true, blockReason: 'no' } : undefined,
    ]
    const run = open('tools', { before, tools: [board, { name: 'board_typed', outputSchema }] })
    const { result, status } = await run.call('tool_call', { id: 'board_add', args: { title: 'x' } })
    expect(status).toBe('ok')
    expect(result?.details).toMatchObject({
      status: 'blocked',
      result: { details: { status: 'blocked', reason: 'no' } },
    })
    expect(brief(await run.call('tool_call', { id: 'board_typed' }))).toBe(
      'TOOL_BLOCKED: Tool "openclaw:kit:board_typed" was blocked before execution: no',
    )
    expect(run.ran).toEqual([])
  })

  test('an approval that is missing is an error, not a result', async () => {
    const run = open('tools', {
      before: [
        ({ toolName }) => (toolName === 'board_wipe' ? { requireApproval: { title: 'Wipe?' } } : undefined),
      ],
    })
    expect(brief(await run.call('tool_call', { id: 'board_wipe' }))).toBe(
      'TOOL_BLOCKED: Denied by user: Wipe?',
    )
  })

  test('what a server itself calls a failure fails, and can be read', async () => {
    const callTool = async () => ({
      content: [{ type: 'text' as const, text: 'quota' }],
      details: { mcpServer: 'cal', mcpTool: 'create_event', status: 'error' as const },
      isError: true,
    })
    // Only the one method is ever used.
    const run = open('tools', { parts: { hub: { callTool } as never } })
    const outcome = await run.call('tool_call', { id: 'mcp:cal:create_event', args: {} })
    expect(outcome).toMatchObject({ status: 'error', code: 'TOOL_FAILED' })
    expect(parsed(outcome.result)).toMatchObject({ result: { content: [{ text: 'quota' }] } })
  })

  test.each(['2026.7', '2026.9'] as EditionId[])(
    'a tool that is never behind Tool Search is named as one to call directly (%s)',
    async (edition) => {
      const run = open('tools', { edition, tools: [{ name: 'solo', catalogMode: 'direct-only' }] })
      for (const id of ['solo', 'openclaw:kit:solo']) {
        expect(brief(await run.call('tool_call', { id }))).toBe(
          `UNKNOWN_TOOL: "${id}" is not behind Tool Search: call solo directly, its schema is in the request`,
        )
      }
      expect(run.policy).toEqual([])
    },
  )

  test('a control is no target', async () => {
    expect(brief(await open('tools').call('tool_call', { id: 'tool_search', args: { query: 'x' } }))).toMatch(
      /^UNKNOWN_TOOL/,
    )
  })

  test('the same wrong name over and over is stopped', async () => {
    const config = {
      tools: { toolSearch: { mode: 'tools' }, loopDetection: { enabled: true, unknownToolThreshold: 2 } },
    }
    const run = open('tools', { config })
    const outcomes = []
    for (let count = 0; count < 3; count++)
      outcomes.push(brief(await run.call('tool_call', { id: 'ghost', args: { count } })))
    expect(outcomes.map((each) => each.split(':')[0])).toEqual([
      'UNKNOWN_TOOL',
      'UNKNOWN_TOOL',
      'TOOL_BLOCKED',
    ])
  })
})

describe('tool_search_code', () => {
  test('search, describe, call; counts; ids that start anew with every snippet', async () => {
    const code = inProcess(async (tools, signal) => {
      const hits = (await tools.search({ query: 'add a card', limit: 1 }, signal)) as { id: string }[]
      const { id } = (await tools.describe({ id: hits[0]?.id ?? '' }, signal)) as { id: string }
      await tools.call({ id, args: { title: 'a' } }, signal)
      return tools.call({ id, args: { title: 'b' } }, signal)
    })
    const run = open('code', { code })
    const { result } = await run.call('tool_search_code', { code: '…' })
    expect(parsed(result)).toMatchObject({
      ok: true,
      value: {
        tool: { id: 'openclaw:kit:board_add' },
        result: { content: [{ type: 'text', text: 'done' }] },
      },
      telemetry: {
        catalogSize: expect.any(Number),
        sources: { openclaw: expect.any(Number), mcp: 1, client: 0 },
        searchCount: 1,
        describeCount: 1,
        callCount: 2,
      },
    })
    await run.call('tool_search_code', { code: '…' })
    const nested = run.recorded.filter(({ parentCallId }) => parentCallId !== undefined)
    expect(nested.map(({ callId }) => callId)).toEqual([
      'tool_search_code:c1:board_add:1',
      'tool_search_code:c1:board_add:2',
      'tool_search_code:c2:board_add:1',
      'tool_search_code:c2:board_add:2',
    ])
    expect(run.run.telemetry()).toMatchObject({ searchCount: 2, describeCount: 2, callCount: 4 })
  })

  test('a failed snippet keeps its logs and counts, and is a failed call', async () => {
    const run = open('code', {
      code: inProcess(async (tools, signal) => tools.call({ id: 'ghost', args: {} }, signal)),
    })
    const outcome = await run.call('tool_search_code', { code: '…' })
    expect(outcome).toMatchObject({ status: 'error', code: 'TOOL_FAILED' })
    expect(outcome.result?.details).toMatchObject({
      ok: false,
      error: { code: 'thrown', message: expect.stringContaining('openclaw.tools.search') },
      logs: ['so far'],
      telemetry: { callCount: 0 },
    })
  })

  test('what a search has to say besides hits is in the notes', async () => {
    const run = open('code', { code: inProcess((tools, signal) => tools.search({ query: 'zzzz' }, signal)) })
    const { result } = await run.call('tool_search_code', { code: '…' })
    expect(result?.details).toMatchObject({
      value: [],
      notes: [expect.stringContaining('no tool of this session matches')],
    })
  })

  test('openclaw#149270: a call that never settles ends with the snippet, once', async () => {
    const aborts: unknown[] = []
    const hang = {
      name: 'hang',
      run: (_args: unknown, signal: AbortSignal) =>
        new Promise(() => signal.addEventListener('abort', () => aborts.push(signal.reason))),
    }
    const code: CodeRunner = async ({ bridge }) => {
      const own = new AbortController()
      bridge.call({ id: 'hang', args: {} }, own.signal).catch(() => {})
      await expect.poll(() => run.ran).toHaveLength(1)
      own.abort(new Error('out of time'))
      const telemetry = { searchCount: 0, describeCount: 0, callCount: 1 }
      return { ok: false, error: { code: 'timeout', message: 'out of time' }, logs: [], telemetry }
    }
    const run = open('code', { code, tools: [hang] })
    const outcome = await run.call('tool_search_code', { code: '…' })
    expect(outcome.result?.details).toMatchObject({
      ok: false,
      error: { code: 'timeout' },
      telemetry: { callCount: 1 },
    })
    expect(aborts).toHaveLength(1)
    // Nothing is left that could be recorded later.
    expect(run.recorded.map(({ tool, outcome: { status } }) => [tool.name, status])).toEqual([
      ['hang', 'error'],
      ['tool_search_code', 'error'],
    ])
  })

  test('openclaw#128012: of many calls at once every one that was started is recorded', async () => {
    const code = inProcess(async (tools, signal) => {
      await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          tools.call({ id: 'board_add', args: { title: String(at) } }, signal),
        ),
      )
      return 'ok'
    })
    const run = open('code', { code })
    expect((await run.call('tool_search_code', { code: '…' })).result?.details).toMatchObject({
      ok: true,
      value: 'ok',
    })
    expect(run.ran).toHaveLength(40)
    expect(run.recorded).toHaveLength(41)
  })

  test('without a child there is no code mode, and that is said', async () => {
    const outcome = await open('code').call('tool_search_code', { code: '1' })
    expect(outcome.result?.details).toMatchObject({ ok: false, error: { code: 'unavailable' } })
    expect(brief(await open('code').call('tool_search_code', {}))).toBe(
      'INPUT_INVALID: code must be a non-empty string.',
    )
  })
})

test('controls of other modes cannot be called', async () => {
  for (const [mode, control] of [
    ['code', 'tool_call'],
    ['tools', 'tool_search_code'],
    ['directory', 'tool_search_code'],
  ] as const)
    expect(await open(mode).call(control, {})).toMatchObject({ status: 'error', code: 'TOOL_UNAVAILABLE' })
})

test('a plugin cannot take the name of a control', async () => {
  const run = new TestRun({ tools: [{ name: 'tool_search' }], config: { tools: { toolSearch: false } } })
  expect(await run.call('tool_search', { query: 'x' })).toMatchObject({ code: 'TOOL_UNAVAILABLE' })
  expect(run.ran).toEqual([])
})
