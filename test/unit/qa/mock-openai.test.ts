import { describe, expect, onTestFinished, test } from 'vitest'
import { pieces } from '../../../src/qa/mock-openai/answers.ts'
import { History } from '../../../src/qa/mock-openai/recorded.ts'
import { sampleArgs } from '../../../src/qa/mock-openai/script.ts'
import { startMockServer, type MockOptions } from '../../../src/qa/mock-openai/server.ts'

async function start(options: MockOptions = {}) {
  const server = await startMockServer(options)
  onTestFinished(() => server.close())
  const origin = server.baseUrl.replace(/\/v1$/, '')
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(origin + path, init)
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : null,
    }
  }
  const post = (path: string, body: unknown) =>
    send(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
  return { server, get: (path: string) => send(path), post, send }
}

const schema = { type: 'object', properties: { marker: { type: 'string' } }, required: ['marker'] }
const tool = (name: string) => ({ type: 'function', name, description: '', parameters: schema })
const said = (content: string) => ({ role: 'user', content })
const qa = 'tool search qa check target=fake_plugin_tool_17'

/** What one request to the Responses route plans. */
async function planned(tools: readonly string[], input: unknown) {
  const { post } = await start()
  const { json } = await post('/v1/responses', { model: 'm', input, tools: tools.map(tool) })
  return json.output.map((item: Record<string, unknown>) =>
    item['type'] === 'function_call'
      ? { name: item['name'], args: JSON.parse(String(item['arguments'])) }
      : (item['content'] as { text: string }[])[0]?.text,
  )
}

const call = (name: string, args: unknown) => ({
  type: 'function_call',
  call_id: 'c1',
  name,
  arguments: JSON.stringify(args),
})
const output = (text: unknown) => ({
  type: 'function_call_output',
  call_id: 'c1',
  output: typeof text === 'string' ? text : JSON.stringify(text),
})

describe('the scripted model', () => {
  test('calls the target where it is offered', async () => {
    expect(await planned(['fake_plugin_tool_17', 'tool_search'], qa)).toEqual([
      { name: 'fake_plugin_tool_17', args: { marker: 'normal' } },
    ])
  })

  test('writes a snippet where it is offered code', async () => {
    const [plan] = await planned(['tool_search_code'], qa)
    expect(plan.name).toBe('tool_search_code')
    expect(plan.args.code).toMatchInlineSnapshot(`
      "const hits = await openclaw.tools.search("fake_plugin_tool_17", { limit: 5 })
      const hit = hits.find((each) => each.name === "fake_plugin_tool_17")
      if (!hit) throw new Error('target tool not found')
      return await openclaw.tools.call(hit.id, {"marker":"normal"})"
    `)
  })

  test('searches first, and calls what it found by its id', async () => {
    const controls = ['tool_search', 'tool_describe', 'tool_call']
    expect(await planned(controls, qa)).toEqual([
      { name: 'tool_search', args: { query: 'fake_plugin_tool_17', limit: 5 } },
    ])
    const found = [{ id: 'openclaw:fake:fake_plugin_tool_17', name: 'fake_plugin_tool_17' }]
    const searched = [said(qa), call('tool_search', {}), output(found)]
    expect(await planned(controls, searched)).toEqual([
      { name: 'tool_call', args: { id: 'openclaw:fake:fake_plugin_tool_17', args: { marker: 'normal' } } },
    ])
    const inBatch = [
      said(qa),
      call('tool_search', {}),
      output({ results: [{ query: 'x', candidates: found }] }),
    ]
    expect((await planned(controls, inBatch))[0]).toMatchObject({ name: 'tool_call' })
    const nothing = [said(qa), call('tool_search', {}), output([])]
    expect(await planned(controls, nothing)).toEqual(['No tool fake_plugin_tool_17 was found.'])
  })

  test('ends with what came of it', async () => {
    const done = (text: string) => [said(qa), call('fake_plugin_tool_17', {}), output(text)]
    const ok = 'FAKE_PLUGIN_OK fake_plugin_tool_17 {"marker":"normal"}'
    expect(await planned([], done(ok))).toEqual(['FAKE_PLUGIN_OK fake_plugin_tool_17'])
    expect(await planned([], done('not on a Sunday'))).toEqual([
      'Result for fake_plugin_tool_17: not on a Sunday',
    ])
  })

  test.each([
    { via: 'search', offered: 'tool_search', is: { query: 'x_1' } },
    { via: 'describe', offered: 'tool_describe', is: { id: 'x_1' } },
    { via: 'call', offered: 'tool_call', is: { id: 'x_1', args: { a: 1 } } },
  ])('takes the way that it is told: $via', async ({ via, offered, is }) => {
    const prompt = `tool search qa check target=x_1 via=${via} args={"a":1}`
    expect(await planned([offered], prompt)).toEqual([{ name: offered, args: is }])
    expect(await planned([], prompt)).toEqual([`There is no tool ${offered}.`])
  })

  test('cannot call what it was not offered', async () => {
    const { server, post } = await start()
    const prompt = 'tool search qa check target=secret_tool via=direct'
    const { json } = await post('/v1/responses', { model: 'm', input: prompt, tools: [tool('other')] })
    expect(json.output[0].content[0].text).toBe('I was not offered secret_tool.')
    expect(server.requests[0]).toMatchObject({ planned: [], plannedToolName: null, refused: ['secret_tool'] })
  })

  test.each([
    { prompt: 'hello', is: ['You said: hello'] },
    { prompt: 'say it', is: ['it'] },
    {
      prompt: 'call a {"x":1}\ncall b',
      is: [
        { name: 'a', args: { x: 1 } },
        { name: 'b', args: {} },
      ],
    },
    { prompt: 'call a\ncall nothing', is: ['There is no tool nothing.'] },
  ])('does as it is told: $prompt', async ({ prompt, is }) => {
    expect(await planned(['a', 'b'], prompt)).toEqual(is)
  })

  test('makes calls one after the other where it is told so', async () => {
    const { post } = await start()
    const tools = [tool('a'), tool('b')]
    const input: object[] = [{ role: 'user', content: 'then a {"x":1}\nthen b {"y":2}' }]
    const made: unknown[] = []
    for (const result of ['one', 'two']) {
      const { json } = await post('/v1/responses', { model: 'm', input, tools })
      const [item] = json.output
      made.push([item.name, JSON.parse(item.arguments)])
      input.push(item, { type: 'function_call_output', call_id: item.call_id, output: result })
    }
    expect(made).toEqual([
      ['a', { x: 1 }],
      ['b', { y: 2 }],
    ])
    const { json } = await post('/v1/responses', { model: 'm', input, tools })
    expect(json.output[0].content[0].text).toBe('a: one\nb: two')
  })

  test('makes up arguments that a schema accepts', () => {
    expect(
      sampleArgs({
        type: 'object',
        properties: {
          a: { type: 'string' },
          b: { type: 'integer', minimum: 5 },
          c: { enum: ['x', 'y'] },
          d: { type: 'array' },
          e: { type: 'object', properties: { f: { type: 'boolean' } }, required: ['f'] },
          g: { const: 7 },
          h: { type: 'string' },
        },
        required: ['a', 'b', 'c', 'd', 'e', 'g'],
      }),
    ).toEqual({ a: 'normal', b: 5, c: 'x', d: [], e: { f: true }, g: 7 })
  })
})

describe('the server', () => {
  test('lists models and says that it is well', async () => {
    const { get } = await start({ models: ['one', 'two'] })
    expect((await get('/healthz')).json).toEqual({ ok: true })
    expect((await get('/v1/models')).json.data.map(({ id }: { id: string }) => id)).toEqual(['one', 'two'])
    expect((await get('/v1/models/two')).json.id).toBe('two')
    expect((await get('/v1/models/three')).status).toBe(404)
    expect(await get('/nowhere')).toMatchObject({ status: 404, json: { error: 'not found' } })
  })

  test('shows what it was asked', async () => {
    const { get, post } = await start()
    expect((await get('/debug/request-cursor')).json).toEqual({ cursor: 0 })
    expect((await get('/debug/last-request')).json).toBe(null)
    await post('/v1/responses', { model: 'm', instructions: 'be brief', input: 'one' })
    await post('/v1/chat/completions', { model: 'm', messages: [said('two')], stream: true })
    const { json } = await get('/debug/requests?after=1')
    expect(json.cursor).toBe(2)
    expect(json.requests).toMatchObject([
      {
        cursor: 2,
        protocol: 'openai-chat',
        path: '/v1/chat/completions',
        prompt: 'two',
        stream: true,
        status: 200,
        finished: true,
      },
    ])
    expect((await get('/debug/last-request')).json.cursor).toBe(2)
    expect((await get('/debug/requests')).json.requests[0].instructions).toBe('be brief')
    expect((await get('/debug/requests?after=x')).status).toBe(400)
    expect((await get('/debug/requests?after=3')).status).toBe(409)
  })

  test('knows its key, and shows none', async () => {
    const { get, post, send } = await start({ apiKey: 'the-key' })
    const body = JSON.stringify({ model: 'm', input: 'x' })
    expect((await post('/v1/responses', body)).status).toBe(401)
    const headers = { authorization: 'Bearer the-key' }
    expect((await send('/v1/responses', { method: 'POST', body, headers })).status).toBe(200)
    const { text } = await get('/debug/requests')
    expect(text).toContain('"keyHeader":"authorization"')
    expect(text).not.toContain('the-key')
  })

  test('takes faults over its debug route, and spoils that many answers', async () => {
    const { get, post, send } = await start()
    await post('/debug/faults', [{ kind: 'status', status: 429, retryAfter: 3, times: 2 }, { kind: 'page' }])
    const ask = () => post('/v1/responses', { model: 'm', input: 'x' })
    const limited = await ask()
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3'])
    expect((await get('/debug/faults')).json.faults).toHaveLength(2)
    expect((await ask()).status).toBe(429)
    expect((await ask()).text).toContain('It works!')
    expect((await ask()).status).toBe(200)
    await post('/debug/faults', { kind: 'empty' })
    await send('/debug/faults', { method: 'DELETE' })
    expect((await ask()).json.output).toHaveLength(1)
    expect((await post('/debug/faults', { kind: 'earthquake' })).status).toBe(400)
  })

  test('tells of requests that it has not answered yet', async () => {
    const { get, server } = await start()
    server.fail({ kind: 'stall' })
    const controller = new AbortController()
    const asked = fetch(`${server.baseUrl}/responses`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', input: 'x' }),
      signal: controller.signal,
    }).catch(() => null)
    await server.received(1)
    expect((await get('/debug/inflight-requests')).json.requests).toHaveLength(1)
    controller.abort()
    await asked
    while (server.inFlight > 0) await new Promise(setImmediate)
    expect(server.requests[0]?.finished).toBe(false)
  })
})

describe('a request that a provider would refuse', () => {
  const chat = '/v1/chat/completions'
  const toolCall = (id: string) => ({ id, type: 'function', function: { name: 'a', arguments: '{}' } })
  test.each([
    { path: '/v1/responses', body: 'no json', says: 'JSON' },
    { path: '/v1/responses', body: [], says: 'must be an object' },
    { path: '/v1/responses', body: { input: 'x' }, says: 'model' },
    { path: '/v1/responses', body: { model: 'm' }, says: 'nothing to answer' },
    { path: '/v1/responses', body: { model: 'm', input: [output('x')] }, says: 'has no call before it' },
    { path: '/v1/responses', body: { model: 'm', input: [call('a', {})] }, says: 'no result was found' },
    {
      path: '/v1/responses',
      body: { model: 'm', input: [call('a', {}), said('x'), output('y')] },
      says: 'no result was found',
    },
    {
      path: '/v1/responses',
      body: { model: 'm', input: 'x', tools: [{ type: 'function', name: 'a b', parameters: schema }] },
      says: 'invalid name',
    },
    {
      path: '/v1/responses',
      body: {
        model: 'm',
        input: 'x',
        tools: [{ type: 'function', name: 'a', parameters: { type: 'object' } }],
      },
      says: 'object schema with properties',
    },
    {
      path: '/v1/responses',
      body: { model: 'm', input: 'x', tools: [tool('a'), tool('a')] },
      says: 'unique',
    },
    {
      path: chat,
      body: { model: 'm', messages: [{ role: 'assistant', tool_calls: [toolCall('c:1')] }] },
      says: 'invalid call id',
    },
    {
      path: chat,
      body: {
        model: 'm',
        messages: [
          { role: 'assistant', tool_calls: [toolCall('c1')] },
          { role: 'tool', tool_call_id: 'c1', content: 'x' },
          { role: 'assistant', tool_calls: [toolCall('c1')] },
          { role: 'tool', tool_call_id: 'c1', content: 'x' },
        ],
      },
      says: 'used twice',
    },
    { path: '/v1/messages', body: { model: 'm', messages: [said('x')] }, says: 'max_tokens' },
    {
      path: '/v1/messages',
      body: { model: 'm', max_tokens: 1, messages: [said('x'), said('y')] },
      says: 'roles must alternate',
    },
    {
      path: '/v1/messages',
      body: {
        model: 'm',
        max_tokens: 1,
        messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }],
      },
      says: 'non-empty',
    },
  ])('$path: $says', async ({ path, body, says }) => {
    const { post } = await start()
    const { status, json } = await post(path, body)
    expect(status).toBe(400)
    expect(json.error.message).toContain(says)
  })
})

test('the history is bounded, and says what it has forgotten', () => {
  const history = new History(2)
  const request = { rawBytes: 1 } as Parameters<History['add']>[0]
  for (let count = 0; count < 4; count++) history.add(request)
  expect(history.all.map(({ cursor }) => cursor)).toEqual([3, 4])
  expect(history.after(2)).toMatchObject({ requests: [{ cursor: 3 }, { cursor: 4 }] })
  expect(history.after(1)).toEqual({ gone: true })
  expect(history.after(4)).toEqual({ requests: [] })
  const heavy = new History(100, 10)
  for (let count = 0; count < 3; count++) heavy.add({ ...request, rawBytes: 6 })
  expect(heavy.all.map(({ cursor }) => cursor)).toEqual([3])
})

test.each(['', 'a', 'twelve chars and more', '🦞'.repeat(20), 'x🦞y'])(
  'the pieces of %j are all of it',
  (text) => {
    expect(pieces(text).join('')).toBe(text)
    expect(pieces(text, 1).join('')).toBe(text)
  },
)
