import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { AssistantMessage, Message } from '../../../src/agent/messages.ts'
import { apis, type ModelDelta } from '../../../src/agent/providers/provider.ts'
import { mockServer, modelAt, rejection, request, user } from './ask.ts'

const ways = apis.flatMap((api) => [
  { api, stream: true },
  { api, stream: false },
])
const { signal } = new AbortController()

describe.each(ways)('$api, stream $stream', ({ api, stream }) => {
  test('brings text, and tells of it while it comes', async () => {
    const server = await mockServer()
    const model = await modelAt(server, api)
    const deltas: ModelDelta[] = []
    const answer = await model.ask(request(stream, user('say Hello, wörld 🦞, how are you today?')), {
      signal,
      onDelta: (delta) => deltas.push(delta),
    })
    expect(answer.message).toMatchObject({
      content: [{ type: 'text', text: 'Hello, wörld 🦞, how are you today?' }],
      stopReason: 'stop',
      provider: 'mock',
      model: 'mock-model',
      api,
      responseId: 'mock_1',
    })
    const text = deltas.map((delta) => ('delta' in delta ? delta.delta : '')).join('')
    expect(text).toBe(stream ? 'Hello, wörld 🦞, how are you today?' : '')
    expect(answer.message.usage.totalTokens).toBeGreaterThan(10)
    const [recorded] = server.requests
    expect(answer.bytes.request).toBe(recorded?.rawBytes)
    expect(answer.bytes.response).toBeGreaterThan(100)
    expect(recorded).toMatchObject({
      stream,
      instructions: 'You are a test.',
      tools: ['read'],
      keyHeader: api === 'anthropic-messages' ? 'x-api-key' : 'authorization',
      userAgent: 'openclaw/0.0.0',
    })
  })

  test('brings calls, and takes their results with ids that every provider accepts', async () => {
    const server = await mockServer()
    const model = await modelAt(server, api)
    const asked = user('call read {"path":"/a"}\ncall read {"path":"/b"}')
    const { message } = await model.ask(request(stream, asked), { signal })
    expect(message.stopReason).toBe('toolUse')
    expect(message.content).toEqual([
      { type: 'toolCall', id: 'call_1', name: 'read', arguments: { path: '/a' } },
      { type: 'toolCall', id: 'call_2', name: 'read', arguments: { path: '/b' } },
    ])
    const results: Message[] = ['call_2', 'call_1'].map((toolCallId) => ({
      role: 'toolResult',
      toolCallId,
      toolName: 'read',
      content: [{ type: 'text', text: `contents for ${toolCallId}` }],
      isError: toolCallId === 'call_2',
      timestamp: 0,
    }))
    const second = await model.ask(request(stream, asked, message, ...results), { signal })
    expect(second.message.content).toEqual([
      { type: 'text', text: 'read: contents for call_1\nread: contents for call_2' },
    ])
    expect(server.requests[1]?.toolOutputCallId).toBe('call2')
  })

  test('passes images of users and results on', async () => {
    const server = await mockServer()
    const model = await modelAt(server, api)
    const picture = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const
    const call: AssistantMessage = {
      ...(await model.ask(request(stream, user('call read {"path":"/a.png"}')), { signal })).message,
    }
    await model.ask(
      request(
        stream,
        { role: 'user', content: [{ type: 'text', text: 'look' }, picture], timestamp: 0 },
        call,
        {
          role: 'toolResult',
          toolCallId: 'call_1',
          toolName: 'read',
          content: [picture],
          isError: false,
          timestamp: 0,
        },
      ),
      { signal },
    )
    expect(server.requests[1]?.images).toBe(2)
  })

  const faults = [
    { fault: { kind: 'status', status: 429, retryAfter: 7 }, kind: 'rate-limit', retryAfterMs: 7000 },
    { fault: { kind: 'status', status: 500 }, kind: 'server' },
    { fault: { kind: 'status', status: 529 }, kind: 'server' },
    { fault: { kind: 'status', status: 401 }, kind: 'auth' },
    { fault: { kind: 'status', status: 404 }, kind: 'not-found' },
    { fault: { kind: 'status', status: 400 }, kind: 'refused' },
    { fault: { kind: 'status', status: 400, message: 'prompt is too long: 300000 tokens' }, kind: 'context' },
    { fault: { kind: 'status', status: 429, message: 'insufficient_quota' }, kind: 'quota' },
    { fault: { kind: 'cut' }, kind: 'cut' },
    { fault: { kind: 'garbage' }, kind: 'protocol' },
    { fault: { kind: 'empty' }, kind: stream ? 'cut' : 'protocol' },
    { fault: { kind: 'page' }, kind: 'not-found' },
    { fault: { kind: 'redirect', to: 'http://127.0.0.1:1/elsewhere' }, kind: 'refused' },
    ...(stream
      ? ([
          { fault: { kind: 'end' }, kind: 'cut' },
          { fault: { kind: 'error-event' }, kind: 'server' },
        ] as const)
      : []),
  ] as const

  test.each(faults)('calls $fault by its name: $kind', async ({ fault, kind, ...more }) => {
    const server = await mockServer()
    server.fail(fault)
    const model = await modelAt(server, api)
    const error = await rejection(
      model.ask(request(stream, user('say something that is rather long')), { signal }),
    )
    expect(error).toMatchObject({ code: 'PROVIDER_FAILED', data: { fault: kind, ...more } })
    // The same provider serves the next request.
    const { message } = await model.ask(request(stream, user('say fine')), { signal })
    expect(message.content).toEqual([{ type: 'text', text: 'fine' }])
  })

  test('gives up on a provider that falls silent', async () => {
    const server = await mockServer()
    server.fail({ kind: 'stall' })
    const model = await modelAt(server, api, { timeoutSeconds: 0.2 })
    const error = await rejection(
      model.ask(request(stream, user('say something that is rather long')), { signal }),
    )
    expect(error).toMatchObject({ code: 'PROVIDER_FAILED', data: { fault: 'timeout' } })
    expect(error.message).toBe(`it was silent for 0.2 s${stream ? ' in the middle of its answer' : ''}`)
  })

  test('ends at once when it is aborted, with the reason', async () => {
    const server = await mockServer()
    server.fail({ kind: 'stall' })
    const model = await modelAt(server, api)
    const controller = new AbortController()
    const asked = rejection(
      model.ask(request(stream, user('say something that is rather long')), { signal: controller.signal }),
    )
    await server.received(1)
    controller.abort(new Error('enough'))
    expect((await asked).message).toBe('enough')
  })

  test('keeps what a model writes in place of arguments', async () => {
    const server = await mockServer()
    server.fail({ kind: 'malformed-arguments' })
    const model = await modelAt(server, api)
    const asked = user('call read {"path":"/a"}')
    const { message } = await model.ask(request(stream, asked), { signal })
    expect(message.content).toEqual([
      { type: 'toolCall', id: 'call_1', name: 'read', arguments: {}, malformedArguments: '{"marker": "nor' },
    ])
    // The session goes on: the provider gets back what it can read.
    const again = await model.ask(request(stream, asked, message), { signal })
    expect(again.message.content[0]).toMatchObject({ type: 'text' })
  })

  test('prints no key that the provider repeats', async () => {
    const server = await mockServer({ apiKey: 'another-key' })
    const model = await modelAt(server, api)
    const error = await rejection(model.ask(request(stream, user('say fine')), { signal }))
    expect(error).toMatchObject({ data: { fault: 'auth', status: 401 } })
    expect(error.message).toBe(
      'it answered with HTTP status 401: "Incorrect API key provided: ***"; the key is missing, wrong or not enough',
    )
    expect(JSON.stringify(error)).not.toContain('key-of-the-test')
  })
})

test.each(apis)('%s is told what it needs, and nothing of this machine', async (api) => {
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-of-another: secret-1')
  vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'x-of-another: secret-1')
  vi.stubEnv('OPENAI_ORG_ID', 'org-of-another')
  onTestFinished(() => void vi.unstubAllEnvs())
  const server = await mockServer()
  const model = await modelAt(server, api, { headers: { 'X-Own': 'mine' } })
  await model.ask(request(true, user('say fine')), { signal })
  const own = api === 'anthropic-messages' ? ['anthropic-version', 'x-api-key'] : ['authorization']
  const { headerNames = [] } = server.requests[0] ?? {}
  const transport = [
    'accept-encoding',
    'accept-language',
    'connection',
    'content-length',
    'host',
    'sec-fetch-mode',
  ]
  expect(headerNames.filter((name) => !transport.includes(name))).toEqual(
    ['accept', 'content-type', 'user-agent', 'x-own', ...own].toSorted(),
  )
})

test('a provider that is not there is a network fault', async () => {
  const server = await mockServer()
  const model = await modelAt(server, 'openai-completions')
  await server.close()
  const error = await rejection(model.ask(request(true, user('say fine')), { signal }))
  expect(error).toMatchObject({ code: 'PROVIDER_FAILED', data: { fault: 'network' } })
  expect(error.message).toBe(`nothing listens at 127.0.0.1:${server.port}`)
})
