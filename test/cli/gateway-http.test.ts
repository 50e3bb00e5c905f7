import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startMockServer } from '../../src/qa/mock-openai/server.ts'
import { onTestFinished } from 'vitest'
import { gatewayToken, probeConfig, probePlugin, startGateway, type TestGateway } from '../helpers/gateway.ts'

const open = (more: Record<string, unknown> = {}): Promise<TestGateway> =>
  startGateway({ files: { ...probePlugin, 'openclaw.json': probeConfig(more) } })

const authorization = `Bearer ${gatewayToken}`

describe('POST /tools/invoke', () => {
  test('answers by the table', async () => {
    const gateway = await open({ tools: { profile: 'full', alsoAllow: ['probe'], deny: ['process'] } })
    const cases: Readonly<Record<string, readonly [unknown, Record<string, string>?]>> = {
      'a tool': [{ tool: 'probe_count' }],
      'name wins over tool': [{ name: 'probe_count', tool: 'nope' }],
      'unknown fields': [{ tool: 'probe_count', senderId: 'owner', whatever: 1 }],
      'args that are no object': [{ tool: 'probe_count', args: [1] }],
      'no name': [{}],
      'a list': [[]],
      'not JSON': ['{'],
      'unknown agent': [{ tool: 'probe_count', agentId: 'ghost' }],
      'agent of another session': [{ tool: 'probe_count', agentId: 'main', sessionKey: 'agent:x:main' }],
      'reserved session': [{ tool: 'probe_count', sessionKey: 'incognito-1' }],
      'malformed session': [{ tool: 'probe_count', sessionKey: 'agent::' }],
      'wrong arguments': [{ tool: 'probe_count', args: { nope: 1 } }],
      'wrong credential': [{ tool: 'probe_count' }, { authorization: 'Bearer wrong' }],
      'no credential': [{ tool: 'probe_count' }, { authorization: '' }],
      'a call that needs a yes': [{ tool: 'probe_ask' }],
      'unknown tool': [{ tool: 'no_such_tool' }],
      'denied by policy': [{ tool: 'process' }],
      'closed to callers outside': [{ tool: 'exec' }],
      'not served here': [{ tool: 'skill_workshop' }],
      'a tool that throws': [{ tool: 'probe_throw' }],
    }
    const ends: string[] = []
    for (const [what, [body, headers]] of Object.entries(cases)) {
      const { status, body: answer } = await gateway.invoke(body, headers)
      const { error } = answer as { error?: { type: string; message: string; reason?: string } }
      const told = error === undefined ? '' : ` ${error.type}${error.reason ? ` (${error.reason})` : ''}`
      ends.push(`${what}: ${status}${told} ok=${String(answer['ok'])}`)
    }
    expect(ends.join('\n')).toMatchInlineSnapshot(`
      "a tool: 200 ok=true
      name wins over tool: 200 ok=true
      unknown fields: 200 ok=true
      args that are no object: 200 ok=true
      no name: 400 invalid_request ok=false
      a list: 400 invalid_request ok=false
      not JSON: 400 invalid_request_error ok=undefined
      unknown agent: 400 invalid_request ok=false
      agent of another session: 400 invalid_request ok=false
      reserved session: 400 invalid_request ok=false
      malformed session: 400 invalid_request ok=false
      wrong arguments: 400 tool_error ok=false
      wrong credential: 401 unauthorized ok=undefined
      no credential: 401 unauthorized ok=undefined
      a call that needs a yes: 403 tool_call_blocked ok=false
      unknown tool: 404 not_found (unknown) ok=false
      denied by policy: 404 not_found (policy) ok=false
      closed to callers outside: 404 not_found (surface) ok=false
      not served here: 404 not_found (surface) ok=false
      a tool that throws: 500 tool_error ok=false"
    `)
  })

  test('says which agents there are, and which tools are called nearly that', async () => {
    const gateway = await open()
    expect(await gateway.invoke({ tool: 'probe_count', agentId: 'ghost' })).toMatchObject({
      status: 400,
      body: {
        error: {
          message: 'unknown agent id "ghost"',
          hints: ['no agents are configured, so only "main" exists'],
        },
      },
    })
    const near = await gateway.invoke({ tool: 'probe_cuont' })
    expect(near).toMatchObject({ status: 404, body: { error: { suggestions: ['probe_count'] } } })
    // What is closed to callers outside is suggested to none of them.
    const closed = await gateway.invoke({ tool: 'exc' })
    expect(closed.body['error']).not.toHaveProperty('suggestions')
  })

  test('a dry run does not run', async () => {
    const gateway = await open()
    expect(await gateway.invoke({ tool: 'probe_count', dryRun: true })).toMatchObject({
      status: 200,
      body: { ok: true, dryRun: true, tool: { name: 'probe_count' } },
    })
    const wrong = { tool: 'probe_count', dryRun: true, args: { nope: 1 } }
    expect(await gateway.invoke(wrong)).toMatchObject({
      status: 400,
      body: { error: { type: 'tool_error' } },
    })
    expect((await gateway.invoke({ tool: 'probe_count' })).body).toMatchObject({
      result: { details: { value: 1 } },
    })
  })

  test('puts action into the arguments of a tool that has it, and of no other', async () => {
    const gateway = await open()
    const value = async (body: object): Promise<unknown> =>
      ((await gateway.invoke(body)).body['result'] as { details: { value: unknown } }).details.value
    expect(await value({ tool: 'probe_action', action: 'go' })).toBe('go')
    expect(await value({ tool: 'probe_action', action: 'go', args: { action: 'stay' } })).toBe('stay')
    expect(await value({ tool: 'probe_count', action: 'go' })).toBe(1)
  })

  test('is the only method, and has bounds', async () => {
    const gateway = await open()
    const get = await gateway.http('/tools/invoke', { headers: { authorization } })
    expect([get.status, get.headers.get('allow'), await get.text()]).toEqual([
      405,
      'POST',
      'Method Not Allowed',
    ])
    const large = await gateway.invoke({ tool: 'probe_count', pad: 'x'.repeat(2_097_152) })
    expect(large).toMatchObject({ status: 413, body: { error: { type: 'invalid_request_error' } } })
    const safety = ['x-content-type-options', 'referrer-policy', 'permissions-policy']
    expect(safety.every((name) => get.headers.has(name))).toBe(true)
  })

  test('says what was denied, and lets the config lift and add denials', async () => {
    const gateway = await open({ gateway: { tools: { allow: ['nodes'], deny: ['probe_count'] } } })
    expect((await gateway.invoke({ tool: 'probe_count' })).body).toMatchObject({
      error: { reason: 'surface' },
    })
    const nodes = await gateway.invoke({ tool: 'nodes', args: { action: 'list' } })
    expect(nodes.body).not.toMatchObject({ error: { why: expect.stringContaining('gateway.tools.allow') } })
  })

  test('without a secret, a header narrows what a caller may do, and pages of elsewhere may do nothing', async () => {
    const gateway = await open({ gateway: { auth: { mode: 'none' } } })
    const as = (scopes: string) => ({ 'x-openclaw-scopes': scopes, authorization: '' })
    expect((await gateway.invoke({ tool: 'probe_count' }, as('operator.write'))).status).toBe(200)
    const reader = await gateway.invoke({ tool: 'probe_count' }, as('operator.read'))
    expect(reader).toMatchObject({ status: 403, body: { error: { type: 'forbidden' } } })
    const page = await gateway.invoke({ tool: 'probe_count' }, { origin: 'https://evil.example' })
    expect(page.status).toBe(403)
    const { promise: status, resolve } = Promise.withResolvers<number | undefined>()
    request(
      { port: gateway.port, path: '/tools/invoke', method: 'POST', headers: { host: 'evil.example' } },
      (response) => resolve(response.resume().statusCode),
    ).end('{}')
    expect(await status).toBe(403)
  })

  test('a caller who may not read is told nothing of the reason', async () => {
    const gateway = await open({ gateway: { auth: { mode: 'none' } } })
    const { body } = await gateway.invoke(
      { tool: 'no_such_tool' },
      { 'x-openclaw-scopes': 'operator.write', authorization: '' },
    )
    // Write implies read, so this caller may know.
    expect(body).toMatchObject({ error: { reason: 'unknown' } })
  })
})

describe('other routes', () => {
  test('liveness is for everybody, everything else is not there', async () => {
    const gateway = await open()
    for (const path of ['/health', '/healthz', '/ready', '/readyz', '/startup', '/startupz']) {
      const response = await gateway.http(path)
      expect([response.status, await response.json()]).toEqual([200, { ok: true, status: 'live' }])
    }
    for (const path of ['/', '/v1/responses', '/v1/models', '/tools', '/..%2f', '//x']) {
      expect((await gateway.http(path, { method: 'POST', headers: { authorization } })).status).toBe(404)
    }
  })
})

const endpoints = { chatCompletions: { enabled: true }, responses: { enabled: true } }
const pick = {
  name: 'pick_file',
  description: 'Asks the person for a file',
  parameters: { type: 'object', properties: { kind: { type: 'string' } } },
}

/** A Gateway whose agent is the scripted model of a mock provider. */
async function withModel(more: Record<string, unknown> = {}) {
  const provider = await startMockServer()
  onTestFinished(() => provider.close())
  const gateway = await open({
    gateway: { http: { endpoints } },
    models: {
      providers: {
        mock: {
          baseUrl: provider.baseUrl,
          api: 'openai-completions',
          apiKey: 'k',
          models: [{ id: 'mock-model' }],
        },
      },
    },
    agents: { defaults: { model: { primary: 'mock/mock-model' } } },
    ...more,
  })
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await gateway.http(path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'openclaw', ...body }),
    })
    return { status: response.status, text: await response.text() }
  }
  return { provider, gateway, post }
}

describe('/v1/chat/completions', () => {
  const chat = '/v1/chat/completions'
  const say = (content: string) => ({ messages: [{ role: 'user', content }] })

  test('answers with what the agent says, in a session of its own', async () => {
    const { post, gateway } = await withModel()
    const { status, text } = await post(chat, { ...say('say hello'), user: 'u1' })
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      {
        object: 'chat.completion',
        choices: [{ message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
        usage: { total_tokens: expect.any(Number) },
      },
    ])
    const client = await gateway.connect()
    const { sessions } = (await client.call('sessions.list')) as { sessions: { key: string }[] }
    expect(sessions.map(({ key }) => key)).toEqual(['agent:main:openai-user:u1'])
  })

  test('uses the tools of the session on the way', async () => {
    const { post } = await withModel()
    const { text } = await post(chat, say('call probe_count {}'))
    expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: 'probe_count: 1' } }] })
  })

  test('streams', async () => {
    const { post } = await withModel()
    const { text } = await post(chat, { ...say('say hello'), stream: true })
    const data = text.split('\n').filter((line) => line.startsWith('data: '))
    expect(data.at(-1)).toBe('data: [DONE]')
    const chunks = data.slice(0, -1).map((line) => JSON.parse(line.slice(6)))
    const content = chunks.map(({ choices: [choice] }) => choice.delta.content ?? '').join('')
    expect([content, chunks.at(-1).choices[0].finish_reason]).toEqual(['hello', 'stop'])
  })

  test('a stream ends with what it has cost, where that was asked for', async () => {
    const { post } = await withModel()
    const { text } = await post(chat, {
      ...say('say hello'),
      stream: true,
      stream_options: { include_usage: true },
    })
    const last = text.split('\n').filter((line) => line.startsWith('data: {'))
    expect(JSON.parse(last.at(-1)?.slice(6) ?? '')).toMatchObject({
      choices: [],
      usage: { completion_tokens: expect.any(Number) },
    })
  })

  test('a model that the caller chose and nobody has is the mistake of the caller', async () => {
    const { post, gateway } = await withModel()
    const { status, text } = await post(chat, say('x'), { 'x-openclaw-model': 'nobody/m' })
    expect([status, JSON.parse(text).error.type]).toEqual([400, 'invalid_request_error'])
    expect(JSON.parse(text).error.message).toContain('nobody/m')
    await gateway.stop()
    expect(readFileSync(gateway.path('logs/gateway.log'), 'utf8')).toMatch(
      /"route":"\/v1\/chat\/completions","status":400/,
    )
  })

  test('a client tool comes back as a call, and its result goes on in the same run', async () => {
    const { post, provider } = await withModel()
    const tools = [{ type: 'function', function: pick }]
    const first = JSON.parse((await post(chat, { ...say('call pick_file {"kind":"text"}'), tools })).text)
    const [choice] = first.choices
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [{ type: 'function', function: { name: 'pick_file', arguments: '{"kind":"text"}' } }],
      },
    })
    expect(provider.requests).toHaveLength(1)
    const second = await post(chat, {
      messages: [
        ...say('call pick_file {"kind":"text"}').messages,
        choice.message,
        { role: 'tool', tool_call_id: choice.message.tool_calls[0].id, content: 'a.txt' },
      ],
      tools,
    })
    expect(JSON.parse(second.text)).toMatchObject({ choices: [{ message: { content: 'pick_file: a.txt' } }] })
    expect(provider.requests).toHaveLength(2)
  })

  test('a result whose run is gone goes into a new one, with the call it is of', async () => {
    const { post, provider } = await withModel()
    const call = {
      id: 'call_old',
      type: 'function',
      function: { name: 'pick_file', arguments: '{"kind":"x"}' },
    }
    const { text } = await post(chat, {
      messages: [
        ...say('say done').messages,
        { role: 'assistant', content: 'Let me see.', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_old', content: 'a.txt' },
      ],
      tools: [{ type: 'function', function: pick }],
    })
    expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: 'done' } }] })
    expect(provider.requests.at(-1)?.prompt).toContain('pick_file {"kind":"x"}: a.txt')
  })

  test('client tools obey exposure and policy', async () => {
    const tools = [{ type: 'function', function: pick }]
    const search = { profile: 'full', alsoAllow: ['probe'], toolSearch: { enabled: true, mode: 'tools' } }
    const deferred = await withModel({ tools: search })
    const asked = say('tool search qa check target=pick_file args={"kind":"text"}')
    const { text } = await deferred.post(chat, { ...asked, tools })
    expect(deferred.provider.requests.map(({ tools: offered }) => offered)).not.toContain('pick_file')
    expect(JSON.parse(text)).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { name: 'pick_file' } }] } }],
    })
    const denied = await withModel({ tools: { profile: 'full', deny: ['pick_file'] } })
    const answer = await denied.post(chat, { ...say('call pick_file {}'), tools })
    expect(JSON.parse(answer.text)).toMatchObject({
      choices: [{ finish_reason: 'stop', message: { content: 'There is no tool pick_file.' } }],
    })
  })

  test('a call that was insisted on and not made is the fault of the provider', async () => {
    const { post } = await withModel()
    const tools = [{ type: 'function', function: pick }]
    const { status } = await post(chat, { ...say('say no'), tools, tool_choice: 'required' })
    expect(status).toBe(502)
  })

  test.each([
    ['no messages', {}],
    ['no message of the user', { messages: [{ role: 'assistant', content: 'x' }] }],
    ['another model', { ...say('x'), model: 'gpt-5' }],
    ['an agent that is not there', { ...say('x'), model: 'openclaw/ghost' }],
    ['a tool of another type', { ...say('x'), tools: [{ type: 'custom' }] }],
    ['a choice that is no choice', { ...say('x'), tool_choice: { type: 'allowed_tools' } }],
    ['a result nobody waits for', { messages: [{ role: 'tool', tool_call_id: 'call_1', content: 'x' }] }],
  ])('%s is a mistake', async (_what, body) => {
    const { post } = await withModel()
    const { status, text } = await post(chat, body)
    expect([status, JSON.parse(text).error.type]).toEqual([400, 'invalid_request_error'])
  })

  test('reserved session keys are refused', async () => {
    const { post } = await withModel()
    for (const key of ['subagent:x', 'agent:main:cron:job', 'acp:1']) {
      const { status } = await post(chat, say('x'), { 'x-openclaw-session-key': key })
      expect(status).toBe(400)
    }
  })

  test('a provider that fails is said to have, and nothing of its answer leaks', async () => {
    const { post, provider } = await withModel()
    provider.fail({ kind: 'status', status: 400, message: 'secret sauce sk-abcdefghijklmnopqrstuv' }, 20)
    const { status, text } = await post(chat, say('x'))
    expect([status, JSON.parse(text).error.type]).toEqual([502, 'api_error'])
    expect(text).not.toContain('sk-abcdefghijklmnopqrstuv')
  })
})

describe('/v1/responses', () => {
  const path = '/v1/responses'

  test('answers, goes on by id, and asks for client tools', async () => {
    const { post } = await withModel()
    const first = JSON.parse((await post(path, { input: 'say one' })).text)
    expect(first).toMatchObject({
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'one' }] }],
    })
    const tools = [{ type: 'function', ...pick }]
    const body = { input: 'call pick_file {"kind":"a"}', previous_response_id: first.id, tools }
    const second = JSON.parse((await post(path, body)).text)
    expect(second.output).toMatchObject([
      { type: 'function_call', name: 'pick_file', arguments: '{"kind":"a"}' },
    ])
    const third = await post(path, {
      previous_response_id: second.id,
      input: [{ type: 'function_call_output', call_id: second.output[0].call_id, output: 'b.txt' }],
    })
    expect(JSON.parse(third.text).output).toMatchObject([{ content: [{ text: 'pick_file: b.txt' }] }])
    const unknown = await post(path, { input: 'x', previous_response_id: 'resp_nope' })
    expect(unknown.status).toBe(400)
  })

  test('streams its events in order', async () => {
    const { post } = await withModel()
    const tools = [{ type: 'function', ...pick }]
    const { text } = await post(path, { input: 'call pick_file {}', tools, stream: true })
    const events = text.split('\n').filter((line) => line.startsWith('event: '))
    expect(events.map((line) => line.slice(7))).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
    const said = await post(path, { input: 'say hello', stream: true })
    expect(said.text).toContain('event: response.output_text.delta')
    expect(said.text.trimEnd().endsWith('data: [DONE]')).toBe(true)
  })

  test('lists agents as models', async () => {
    const { gateway } = await withModel()
    const response = await gateway.http('/v1/models', { headers: { authorization } })
    const { data } = (await response.json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(['openclaw', 'openclaw/default', 'openclaw/main'])
    const one = await gateway.http('/v1/models/openclaw%2Fmain', { headers: { authorization } })
    expect(one.status).toBe(200)
  })
})

describe('agent', () => {
  test('runs, is heard and waited for', async () => {
    const { gateway } = await withModel()
    const client = await gateway.connect()
    const { runId } = await client.call('agent', { message: 'call probe_count {}', sessionKey: 'main' })
    const end = await client.call('agent.wait', { runId, timeoutMs: 30_000 })
    expect(end).toMatchObject({ runId, status: 'ok', result: { text: 'probe_count: 1' } })
    const streams = client.frames
      .filter(({ event }) => event === 'agent')
      .map(({ payload }) => payload as { stream: string; data: { phase?: string } })
    for (const event of streams)
      expect(event).toMatchObject({ sessionKey: 'agent:main:main', agentId: 'main' })
    const told = streams.map(({ stream, data }) => `${stream} ${data.phase ?? ''}`.trim())
    // Text comes in as many pieces as the provider likes.
    expect(told.filter((each, at) => each !== told[at - 1])).toEqual([
      'lifecycle start',
      'usage',
      'tool start',
      'tool end',
      'assistant',
      'usage',
      'lifecycle end',
    ])
    expect(await client.call('tools.effective', { sessionKey: 'main' })).toMatchObject({ agentId: 'main' })
  })

  test('a run that is under way has a moment for its end when the server ends', async () => {
    const { gateway } = await withModel()
    const client = await gateway.connect()
    await client.call('agent', { message: 'call probe_wait {}', sessionKey: 'main' })
    const heard = (stream: string, phase: string): Promise<object> =>
      client.frame(({ event, payload }) => {
        const told = Object(payload)
        return event === 'agent' && told.stream === stream && told.data.phase === phase
      })
    await heard('tool', 'start')
    const ended = gateway.stop()
    await client.frame(({ event }) => event === 'shutdown')
    await client.call('tools.invoke', { name: 'probe_release', sessionKey: 'main' })
    await heard('lifecycle', 'end')
    expect(await client.closed).toMatchObject({ code: 1001 })
    expect(await ended).toBe(0)
  })

  test('an approval on the way is waited for', async () => {
    const { gateway } = await withModel()
    const client = await gateway.connect()
    const { runId } = await client.call('agent', { message: 'call probe_ask {}' })
    const asked = await client.frame(({ event }) => event === 'approvals.requested')
    const { approval } = asked['payload'] as { approval: { id: string } }
    await client.call('approvals.allow', { id: approval.id })
    expect(await client.call('agent.wait', { runId })).toMatchObject({ result: { text: 'probe_ask: 1' } })
  })

  test('an aborted run ends, and its transcript says so', async () => {
    const { gateway } = await withModel()
    const client = await gateway.connect()
    const { runId } = await client.call('agent', { message: 'call probe_wait {}' })
    await client.frame(
      ({ payload }) => Object(payload).data?.phase === 'start' && Object(payload).stream === 'tool',
    )
    expect(await client.call('agent.abort', { runId })).toEqual({ runId, aborted: true })
    expect(await client.call('agent.wait', { runId })).toMatchObject({ status: 'error' })
    expect(await client.fail('agent.wait', { runId: 'nope' })).toMatchObject({ code: 'INVALID_REQUEST' })
    const { sessions } = (await client.call('sessions.list')) as { sessions: { sessionId: string }[] }
    const file = gateway.path(`agents/main/sessions/${sessions[0]?.sessionId}.jsonl`)
    expect(readFileSync(file, 'utf8')).toContain('"role":"toolResult"')
  })
})
