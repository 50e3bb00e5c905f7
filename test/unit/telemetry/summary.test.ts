import { expect, test } from 'vitest'
import { readEvent } from '../../../src/sessions/transcript.ts'
import { addSummaries, summarize } from '../../../src/telemetry/summary.ts'

const user = { type: 'message', message: { role: 'user', content: 'go' } }
const call = (id: string, name: string, args: object = {}) => ({
  type: 'message',
  message: {
    role: 'assistant',
    content: [{ type: 'toolCall', id, name, arguments: args }],
    stopReason: 'toolUse',
  },
})
const result = (toolCallId: string, details: unknown, more: object = {}) => ({
  type: 'message',
  message: {
    role: 'toolResult',
    toolCallId,
    toolName: 't',
    content: [{ type: 'text', text: JSON.stringify(details) }],
    isError: false,
    ...more,
  },
})
const turn = (data: object) => ({
  type: 'custom',
  customType: 'openclaw.turn',
  data: { searchCount: 0, describeCount: 0, callCount: 0, calls: [], sent: null, ...data },
})

const summary = (...records: readonly object[]) =>
  summarize(records.map((record, at) => readEvent(JSON.stringify(record), at + 1)))

test('nothing', () => {
  expect(summary()).toEqual({
    messages: 0,
    turns: 0,
    sent: null,
    searches: 0,
    describes: 0,
    calls: 0,
    finalCalls: [],
    sources: { openclaw: 0, mcp: 0, client: 0 },
    policy: {},
  })
})

test('turns of this program are counted by their record, and the latest says what was sent', () => {
  const sent = { tools: 3, toolBytes: 900, promptBytes: 0, deferred: 40 }
  const final = {
    toolCallId: 'tool_search_code:c1:x__y:1',
    parentToolCallId: 'c1',
    id: 'mcp:x:y',
    name: 'x__y',
    source: 'mcp',
    status: 'ok',
    durationMs: 1,
  }
  const told = summary(
    user,
    call('c1', 'tool_call'),
    result('c1', {}),
    turn({ searchCount: 2, describeCount: 1, callCount: 1, calls: [final], sent }),
    { type: 'custom', customType: 'openclaw.policy', data: { kind: 'denied' } },
    { type: 'custom', customType: 'openclaw.policy', data: { kind: 'denied' } },
    turn({
      calls: [
        {
          ...final,
          toolCallId: 'c2',
          parentToolCallId: undefined,
          id: 'openclaw:core:read',
          name: 'read',
          source: 'openclaw',
        },
      ],
    }),
  )
  expect(told).toMatchObject({
    turns: 2,
    sent,
    searches: 2,
    describes: 1,
    calls: 1,
    finalCalls: [
      { id: 'mcp:x:y', source: 'mcp', via: 'tool_call' },
      { id: 'openclaw:core:read', source: 'openclaw', via: 'direct' },
    ],
    sources: { openclaw: 1, mcp: 1, client: 0 },
    policy: { denied: 2 },
  })
})

test('a turn that a crash cut short is counted from its messages', () => {
  const told = summary(
    turn({ searchCount: 1 }),
    user,
    call('c9', 'tool_search', { query: 'x' }),
    result('c9', []),
    call('d', 'exec'),
  )
  expect(told).toMatchObject({
    turns: 1,
    searches: 2,
    finalCalls: [{ toolCallId: 'd', name: 'exec', status: 'error', via: 'direct' }],
  })
})

test('logs of the existing program: structured controls with projected pairs', () => {
  const told = summary(
    user,
    call('c1', 'tool_search', { query: 'a', queries: [{ query: 'b' }, { query: 'c' }] }),
    result('c1', []),
    call('c2', 'tool_describe', { id: 'x' }),
    result('c2', {}),
    call('c3', 'tool_call', { id: 'mcp:cal:cal__create', args: {} }),
    result('c3', { tool: { id: 'mcp:cal:cal__create', source: 'mcp', name: 'cal__create' }, result: {} }),
    call('tool_search_code:c3:cal__create:1', 'cal__create'),
    result('tool_search_code:c3:cal__create:1', {}, { details: { mcpServer: 'cal' } }),
    call('c4', 'read'),
    result('c4', {}, { isError: true }),
  )
  expect(told).toMatchObject({
    turns: 1,
    searches: 3,
    describes: 1,
    calls: 1,
    finalCalls: [
      { name: 'cal__create', source: 'mcp', status: 'ok', via: 'tool_call' },
      { name: 'read', source: 'openclaw', status: 'error', via: 'direct' },
    ],
  })
})

test('without pairs the envelope of tool_call says what was called', () => {
  const told = summary(
    call('c3', 'tool_call', { id: 'client:client:pick' }),
    result('c3', { tool: { id: 'client:client:pick', source: 'client', name: 'pick' } }),
  )
  expect(told.finalCalls).toEqual([
    {
      toolCallId: 'c3',
      id: 'client:client:pick',
      name: 'pick',
      source: 'client',
      status: 'ok',
      via: 'tool_call',
    },
  ])
})

test('totals of tool_search_code only grow, until a new count begins', () => {
  const code = (id: string, searchCount: number, callCount: number) => [
    call(id, 'tool_search_code', { code: 'x' }),
    result(id, { ok: true, telemetry: { searchCount, describeCount: 1, callCount } }),
  ]
  expect(summary(...code('a', 2, 1), ...code('b', 5, 1), ...code('c', 1, 4))).toMatchObject({
    searches: 6,
    describes: 2,
    calls: 5,
  })
})

test('nested calls of later editions are entries of their own', () => {
  const data = {
    toolCallId: 'tool_search_code:c1:x:1',
    toolName: 'x',
    isError: false,
    result: { details: { mcpServer: 's' } },
  }
  expect(summary({ type: 'custom', customType: 'openclaw.nested-tool.v1', data }).finalCalls).toMatchObject([
    { name: 'x', source: 'mcp', status: 'ok', via: 'tool_search_code' },
  ])
})

test('lines of other shapes count for nothing', () => {
  expect(
    summary(
      {},
      { type: 'custom', customType: 'openclaw.turn', data: 7 },
      { type: 'custom', customType: 'openclaw.turn', data: { calls: [] } },
      call('', ''),
    ).turns,
  ).toBe(0)
})

test('several logs add up', () => {
  const one = summary(turn({ searchCount: 1, sent: { tools: 1, toolBytes: 1, promptBytes: 0, deferred: 0 } }))
  const two = summary(turn({ searchCount: 2 }))
  expect(addSummaries([one, two])).toMatchObject({ turns: 2, searches: 3, sent: { tools: 1 } })
})
