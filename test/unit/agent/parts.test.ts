import { describe, expect, test } from 'vitest'
import { recentHistory, withoutImages } from '../../../src/agent/history.ts'
import { longestResult } from '../../../src/agent/limits.ts'
import type { AssistantMessage, Message, ToolCallPart } from '../../../src/agent/messages.ts'
import { noUsage } from '../../../src/agent/messages.ts'
import { DraftMessage } from '../../../src/agent/providers/draft.ts'
import { retryAfter } from '../../../src/agent/providers/fault.ts'
import { argumentsSchema, readArguments } from '../../../src/agent/providers/tool-schema.ts'
import { replayable } from '../../../src/agent/replay.ts'
import { waitAfter } from '../../../src/agent/retry.ts'
import { user } from './ask.ts'

const policy = { attempts: 4, baseMs: 500, longestMs: 20_000, longestRetryAfterMs: 60_000 }
const fault = { kind: 'server', message: '', status: 500, retryAfterMs: null } as const

describe('waiting', () => {
  test.each([
    { attempt: 1, chance: 0, is: 500 },
    { attempt: 2, chance: 0, is: 1000 },
    { attempt: 3, chance: 1, is: 2500 },
    { attempt: 4, chance: 0, is: null },
  ])('after attempt $attempt, chance $chance: $is ms', ({ attempt, chance, is }) => {
    expect(waitAfter(fault, attempt, policy, chance)).toBe(is)
  })

  test.each([
    { retryAfterMs: 0, is: 0 },
    { retryAfterMs: 60_000, is: 60_000 },
    { retryAfterMs: 60_001, is: null },
  ])('a provider that asks for $retryAfterMs ms gets $is', ({ retryAfterMs, is }) => {
    expect(waitAfter({ ...fault, retryAfterMs }, 1, policy, 0)).toBe(is)
  })

  test('is never longer than its bound', () => {
    expect(waitAfter(fault, 20, { ...policy, attempts: 50 }, 0)).toBe(20_000)
  })

  const now = Date.parse('2026-11-30T12:00:00Z')
  test.each([
    { headers: { 'retry-after': '7' }, is: 7000 },
    { headers: { 'retry-after': ' 0 ' }, is: 0 },
    { headers: { 'retry-after': 'Mon, 30 Nov 2026 12:00:09 GMT' }, is: 9000 },
    { headers: { 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, is: 0 },
    { headers: { 'retry-after': 'soon' }, is: null },
    { headers: { 'retry-after-ms': '250', 'retry-after': '7' }, is: 250 },
    { headers: {}, is: null },
  ])('$headers mean $is ms', ({ headers, is }) => {
    expect(retryAfter(new Headers(Object.entries(headers)), now)).toBe(is)
  })
})

describe('schemas and arguments', () => {
  test.each([
    { schema: true, is: { type: 'object', properties: {} } },
    { schema: {}, is: { type: 'object', properties: {} } },
    { schema: { type: 'object' }, is: { type: 'object', properties: {} } },
    {
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
      },
      is: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    },
    {
      schema: { oneOf: [{ type: 'object', properties: { a: {} } }] },
      is: { oneOf: [{ type: 'object', properties: { a: {} } }], type: 'object', properties: {} },
    },
  ])('$schema becomes $is', ({ schema, is }) => {
    expect(argumentsSchema(schema)).toEqual(is)
  })

  test.each([
    { text: '', is: { arguments: {} } },
    { text: ' {"a": 1} ', is: { arguments: { a: 1 } } },
    { text: '"{\\"a\\": 1}"', is: { arguments: { a: 1 } } },
    { text: '[1]', is: { arguments: {}, malformedArguments: '[1]' } },
    { text: '{"a": ', is: { arguments: {}, malformedArguments: '{"a": ' } },
    { text: 'null', is: { arguments: {}, malformedArguments: 'null' } },
  ])('arguments $text', ({ text, is }) => {
    expect(readArguments(text)).toEqual(is)
  })
})

describe('a message that comes in pieces', () => {
  const calls = (draft: DraftMessage) =>
    draft
      .parts()
      .flatMap((part) =>
        part.type === 'toolCall' ? `${part.id} ${part.name} ${JSON.stringify(part.arguments)}` : [],
      )

  test('keeps calls apart by their number', () => {
    const draft = new DraftMessage()
    draft.addCall(0, { id: 'a', name: 'one', text: '{"x"' })
    draft.addCall(1, { id: 'b', name: 'two' })
    draft.addCall(0, { text: ':1}' })
    expect(calls(draft)).toEqual(['a one {"x":1}', 'b two {}'])
  })

  test('keeps calls apart that all have number 0', () => {
    const draft = new DraftMessage()
    draft.addCall(0, { id: 'a', name: 'one', text: '{"x":1}' })
    draft.addCall(0, { id: 'b', name: 'one', text: '{"x":2}' })
    expect(calls(draft)).toEqual(['a one {"x":1}', 'b one {"x":2}'])
  })

  test('gives pieces without any number to the last call', () => {
    const draft = new DraftMessage()
    draft.addCall('a', { id: 'a', name: 'one' })
    draft.addCall(undefined, { text: '{"x":1}' })
    expect(calls(draft)).toEqual(['a one {"x":1}'])
  })

  test('gives every call an id of its own', () => {
    const draft = new DraftMessage()
    draft.addCall(0, { name: 'one' })
    draft.addCall(1, { name: 'two' })
    draft.addCall(2, { id: 'x', name: 'three' })
    draft.addCall(3, { id: 'x', name: 'four' })
    expect(calls(draft)).toEqual(['call_1 one {}', 'call_2 two {}', 'x three {}', 'x_2 four {}'])
  })

  test('puts names together and takes arguments that are objects already', () => {
    const draft = new DraftMessage()
    draft.addCall(0, { id: 'a', name: 'sea' })
    draft.addCall(0, { name: 'rch' })
    draft.addCall(0, { name: 'search', text: { q: 'x' } })
    expect(calls(draft)).toEqual(['a search {"q":"x"}'])
  })
})

describe('a history', () => {
  const says = (...calls: readonly (readonly [id: string, name: string])[]): AssistantMessage => ({
    role: 'assistant',
    content: calls.map(([id, name]): ToolCallPart => ({ type: 'toolCall', id, name, arguments: {} })),
    api: 'openai-responses',
    provider: 'p',
    model: 'm',
    usage: noUsage,
    stopReason: 'toolUse',
    timestamp: 0,
  })
  const result = (toolCallId: string): Message => ({
    role: 'toolResult',
    toolCallId,
    toolName: 't',
    content: [{ type: 'text', text: `of ${toolCallId}` }],
    isError: false,
    timestamp: 0,
  })
  const shown = (messages: readonly Message[]) =>
    messages.map((message) => {
      if (message.role === 'toolResult') {
        const [part] = message.content
        return `${message.toolCallId} = ${part?.type === 'text' ? part.text : ''}`
      }
      if (message.role === 'user') return 'user'
      return message.content
        .map((part) => (part.type === 'toolCall' ? `${part.id}:${part.name}` : ''))
        .join(' ')
    })

  test('has ids of letters and digits, each once, and results behind their calls', () => {
    const history = [
      user('one'),
      says(['call_1', 'a'], ['call-1', 'b.c d']),
      result('call-1'),
      result('call_1'),
      user('two'),
      says(['call_1', 'a'], ['tool_search_code:x', 'y'], ['§§', '']),
      result('call_1'),
      result('never asked for'),
    ]
    expect(shown(replayable(history))).toEqual([
      'user',
      'call1:a call1n2:b_c_d',
      'call1 = of call_1',
      'call1n2 = of call-1',
      'user',
      'call1n3:a toolsearchcodex:y call:unnamed',
      'call1n3 = of call_1',
      expect.stringMatching(/^toolsearchcodex = No result was recorded/),
      expect.stringMatching(/^call = No result was recorded/),
    ])
  })

  test('shortens long ids and keeps them apart', () => {
    const long = 'x'.repeat(90)
    const [first, second] = replayable([user('one'), says([`${long}1`, 'a'], [`${long}2`, 'a'])])
      .flatMap((message) => (message.role === 'assistant' ? message.content : []))
      .map((part) => (part.type === 'toolCall' ? part.id : ''))
    expect(first).toHaveLength(40)
    expect(second).toBe(`${'x'.repeat(38)}n2`)
  })

  test('is cut at what a user said, the last exchange always kept', () => {
    const history = [user('a'.repeat(50)), user('b'.repeat(50)), user('c'.repeat(50)), result('x')]
    const kept = (longest: number) => recentHistory(history, longest).length
    expect([kept(1000), kept(155), kept(120), kept(1)]).toEqual([4, 4, 3, 2])
  })

  test('that is one long exchange loses the ends of its older results', () => {
    const long = (id: string): Message => ({
      role: 'toolResult',
      toolCallId: id,
      toolName: 't',
      content: [{ type: 'text', text: id.repeat(1000) }],
      isError: false,
      timestamp: 0,
    })
    const history = [user('go'), ...['a', 'b', 'c', 'd', 'e', 'f'].map(long)]
    const lengths = (longest: number) =>
      recentHistory(history, longest)
        .slice(1)
        .map(({ content: [part] }) => (part?.type === 'text' ? part.text.length : 0))
    expect(lengths(10_000)).toEqual([1000, 1000, 1000, 1000, 1000, 1000])
    const [first, ...others] = lengths(5_900)
    expect(first).toBeLessThan(500)
    expect(others).toEqual([1000, 1000, 1000, 1000, 1000])
    // The newest stay whole, whatever the limit.
    expect(lengths(1).slice(2)).toEqual([1000, 1000, 1000, 1000])
    const [, cut] = recentHistory(history, 5_900)
    expect(cut?.content).toEqual([
      {
        type: 'text',
        text: `${'a'.repeat(400)}\n[600 more characters of this earlier result left out]`,
      },
    ])
  })

  test('has words in the place of pictures for a model that reads none', () => {
    const picture = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const
    const history: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'see' }, picture], timestamp: 0 },
    ]
    expect(withoutImages(history)[0]?.content).toEqual([
      { type: 'text', text: 'see' },
      { type: 'text', text: '[image image/png: this model reads no images]' },
    ])
  })

  test.each([
    { contextWindow: null, is: 16_000 },
    { contextWindow: 8_000, is: 9_600 },
    { contextWindow: 100_000, is: 32_000 },
    { contextWindow: 1_000_000, is: 64_000 },
    { contextWindow: 100, is: 1_000 },
  ])('a window of $contextWindow tokens takes results of $is characters', ({ contextWindow, is }) => {
    expect(longestResult(contextWindow)).toBe(is)
  })
})
