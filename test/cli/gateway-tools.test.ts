import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { gatewayToken, probeConfig, probePlugin, startGateway, type TestGateway } from '../helpers/gateway.ts'

const files = { ...probePlugin, 'openclaw.json': probeConfig() }

const open = (more: Record<string, unknown> = {}): Promise<TestGateway> =>
  startGateway({ files: { ...probePlugin, 'openclaw.json': probeConfig(more) } })

describe('tools.catalog', () => {
  test('lists what could exist, built-in sections first', async () => {
    const client = await (await startGateway({ files })).connect()
    const { groups, ...rest } = (await client.call('tools.catalog')) as {
      groups: { id: string; source: string; tools: { id: string }[] }[]
    }
    expect(rest).toMatchObject({ agentId: 'main', edition: '2026.7' })
    expect(groups.map(({ id }) => id)).toContain('fs')
    expect(groups.at(-1)).toMatchObject({ id: 'plugin:probe', source: 'plugin' })
    const core = (await client.call('tools.catalog', { includePlugins: false })) as typeof rest & {
      groups: typeof groups
    }
    expect(core.groups.every(({ source }) => source === 'core')).toBe(true)
  })

  test('names an unknown agent and those there are', async () => {
    const client = await (await startGateway({ files })).connect()
    expect(await client.fail('tools.catalog', { agentId: 'ghost' })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'unknown agent id "ghost"',
      details: { code: 'UNKNOWN_AGENT_ID', agentId: 'ghost', agents: ['main'] },
    })
  })
})

describe('tools.effective', () => {
  test('refuses a session that is not stored, and answers as the command line for one that is', async () => {
    const client = await (await startGateway({ files })).connect()
    expect(await client.fail('tools.effective', { sessionKey: 'agent:main:main' })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'unknown session key "agent:main:main"',
    })
    await client.call('sessions.create', { key: 'main' })
    const answer = await client.call('tools.effective', { sessionKey: 'agent:main:main' })
    expect(answer).toMatchObject({ agentId: 'main', sessionKey: 'agent:main:main', profile: 'full' })
    const { groups } = answer as { groups: { id: string; tools: { id: string }[] }[] }
    expect(groups.map(({ id }) => id)).toEqual(['core', 'plugin'])
    expect(groups[1]?.tools.map(({ id }) => id)).toContain('probe_count')
  })

  test.each([
    [{ sessionKey: 'main', senderId: '1' }, "unexpected property 'senderId'"],
    [{ sessionKey: 'main', channel: 'telegram' }, "unexpected property 'channel'"],
    [{}, "must have required property 'sessionKey'"],
    [{ sessionKey: 7 }, 'at /sessionKey: must be string'],
    [[], 'must be object'],
  ])('accepts nothing but the session: %j', async (params, reason) => {
    const client = await (await startGateway({ files })).connect()
    expect(await client.fail('tools.effective', params)).toMatchObject({
      code: 'INVALID_REQUEST',
      message: `invalid tools.effective params: ${reason}`,
    })
  })

  test('refuses an agent that is not the one of the session', async () => {
    const gateway = await open({ agents: { list: [{ id: 'main' }, { id: 'work' }] } })
    const client = await gateway.connect()
    const error = await client.fail('tools.effective', { sessionKey: 'agent:main:main', agentId: 'work' })
    expect(error).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(error['message']).toContain('does not match session agent')
  })

  test('takes what decides from the session store, as it is at the moment', async () => {
    const gateway = await startGateway({ files })
    const store = (toolsAllow: string[]): void =>
      gateway.write(
        'agents/main/sessions/sessions.json',
        JSON.stringify({ 'agent:main:cron:job': { sessionId: 's', cronRunContinuation: { toolsAllow } } }),
      )
    store(['probe_count'])
    const client = await gateway.connect()
    const names = async (): Promise<unknown> => {
      const { groups } = await client.call('tools.effective', { sessionKey: 'agent:main:cron:job' })
      return (groups as { tools: { id: string }[] }[]).flatMap(({ tools }) => tools.map(({ id }) => id))
    }
    expect(await names()).toEqual(['probe_count'])
    store(['probe_count', 'probe_throw'])
    await expect.poll(names, { timeout: 20_000 }).toEqual(['probe_count', 'probe_throw'])
  })
})

describe('tools.explain and tools.search', () => {
  test('say why, and find', async () => {
    const client = await (
      await open({ tools: { profile: 'full', alsoAllow: ['probe'], deny: ['exec'] } })
    ).connect()
    await client.call('sessions.create', { key: 'main' })
    expect(await client.call('tools.explain', { sessionKey: 'main', name: 'exec' })).toMatchObject({
      verdict: 'hidden',
      decidedBy: { step: 'tools.deny', location: { path: 'tools.deny[0]' } },
    })
    const found = await client.call('tools.search', { sessionKey: 'main', query: 'count runs', limit: 1 })
    expect(found).toMatchObject({ limit: 1, hits: [{ name: 'probe_count' }] })
  })
})

describe('tools.invoke', () => {
  test('runs a tool through the guarded path and writes it down', async () => {
    const gateway = await startGateway({ files })
    const client = await gateway.connect()
    expect(await client.call('tools.invoke', { name: 'probe_count', args: {} })).toEqual({
      ok: true,
      toolName: 'probe_count',
      output: { content: [{ type: 'text', text: '1' }], details: { value: 1 } },
      source: 'plugin',
      tool: { id: 'openclaw:probe:probe_count', name: 'probe_count', source: 'openclaw' },
      sessionKey: 'agent:main:main',
    })
    expect(await gateway.stop()).toBe(0)
    const [journal] = (await import('node:fs')).readdirSync(gateway.path('agents/main/calls'))
    const text = readFileSync(gateway.path(`agents/main/calls/${journal}`), 'utf8')
    expect(text).toContain('"toolName":"probe_count"')
    expect(text).toContain('"customType":"openclaw.turn"')
  })

  test.each([
    ['unknown', 'no_such_tool', 'unknown'],
    ['denied by policy', 'process', 'policy'],
    ['closed to callers outside', 'exec', 'surface'],
    ['without an implementation here', 'skill_workshop', 'surface'],
    ['written in another case', 'Probe_Count', 'unknown'],
  ])('a tool that is %s is not found, with a reason for readers', async (_what, name, reason) => {
    const gateway = await open({ tools: { profile: 'full', alsoAllow: ['probe'], deny: ['process'] } })
    const client = await gateway.connect()
    expect(await client.call('tools.invoke', { name, args: {} })).toMatchObject({
      ok: false,
      toolName: name,
      error: { code: 'not_found', message: `Tool not available: ${name}`, reason },
    })
  })

  test('a tool that refuses what it is asked is there: the call is forbidden, with its words', async () => {
    const gateway = await open({ tools: { profile: 'full', fs: { workspaceOnly: true } } })
    const client = await gateway.connect()
    const asked = { name: 'read', args: { path: '/etc/hostname' } }
    expect(await client.call('tools.invoke', asked)).toMatchObject({
      ok: false,
      error: {
        code: 'forbidden',
        message: expect.stringMatching(/^\/etc\/hostname is outside the workspace /),
      },
    })
    const response = await gateway.http('/tools/invoke', {
      method: 'POST',
      headers: { authorization: `Bearer ${gatewayToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 'read', args: asked.args }),
    })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ ok: false, error: { type: 'forbidden' } })
  })

  test('arguments that do not fit are a validation error, a tool that throws is an internal one', async () => {
    const gateway = await startGateway({ files })
    const writer = await gateway.connect({ scopes: ['operator.write'] })
    const wrong = await writer.call('tools.invoke', { name: 'probe_count', args: { nope: 1 } })
    expect(wrong).toMatchObject({ ok: false, error: { code: 'validation_error' } })
    const thrown = await writer.call('tools.invoke', { name: 'probe_throw' })
    expect(thrown).toMatchObject({ ok: false, error: { code: 'internal_error' } })
    expect(JSON.stringify(thrown)).not.toContain('/secret/place')
    await gateway.stop()
    const log = readFileSync(gateway.path('logs/gateway.log'), 'utf8')
    expect(log).toContain('/secret/place')
    expect(log).not.toContain('abcdef1234567890')
    expect(log).not.toContain(gatewayToken)
  })

  test('a dry run does not run', async () => {
    const client = await (await startGateway({ files })).connect()
    expect(await client.call('tools.invoke', { name: 'probe_count', dryRun: true })).toMatchObject({
      ok: true,
      dryRun: true,
    })
    const first = await client.call('tools.invoke', { name: 'probe_count' })
    expect(first).toMatchObject({ output: { details: { value: 1 } } })
  })

  test('serves the main session unasked, and refuses other keys that are not stored', async () => {
    const client = await (await startGateway({ files })).connect()
    const other = { name: 'probe_count', sessionKey: 'agent:main:telegram:group:1' }
    expect(await client.fail('tools.invoke', other)).toMatchObject({ code: 'INVALID_REQUEST' })
  })

  test('what is denied outside is out of reach of the Tool Search controls, too', async () => {
    const tools = { profile: 'full', alsoAllow: ['probe'], toolSearch: { enabled: true, mode: 'tools' } }
    const client = await (await open({ tools, gateway: { tools: { deny: ['probe_count'] } } })).connect()
    const found = await client.call('tools.invoke', { name: 'tool_search', args: { query: 'probe_count' } })
    expect(found).toMatchObject({ ok: true })
    expect(JSON.stringify(found)).not.toContain('Counts its runs')
    const called = await client.call('tools.invoke', {
      name: 'tool_call',
      args: { id: 'openclaw:probe:probe_count', args: {} },
    })
    expect(called).toMatchObject({ ok: false })
    const allowed = await client.call('tools.invoke', {
      name: 'tool_call',
      args: { id: 'openclaw:probe:probe_action', args: {} },
    })
    expect(allowed).toMatchObject({ ok: true })
  })

  describe('idempotencyKey', () => {
    const call = { name: 'probe_count', args: { note: 'a' }, idempotencyKey: 'k1' }

    test('a repetition gets the first result without a second run, whatever the transport', async () => {
      const gateway = await startGateway({ files })
      const client = await gateway.connect()
      const first = await client.call('tools.invoke', call)
      expect(await client.call('tools.invoke', call)).toEqual(first)
      const { name: tool, ...rest } = call
      expect((await gateway.invoke({ tool, ...rest })).body).toMatchObject({
        result: { details: { value: 1 } },
      })
      const again = await client.call('tools.invoke', { ...call, idempotencyKey: 'k2' })
      expect(again).toMatchObject({ output: { details: { value: 2 } } })
    })

    test('one that comes meanwhile waits for the same run', async () => {
      const client = await (await startGateway({ files })).connect()
      const wait = { name: 'probe_wait', idempotencyKey: 'w' }
      const both = [client.call('tools.invoke', wait), client.call('tools.invoke', wait)]
      await client.call('tools.invoke', { name: 'probe_release' })
      const [one, two] = await Promise.all(both)
      expect(one).toMatchObject({ ok: true, output: { details: { value: 1 } } })
      expect(two).toEqual(one)
    })

    test('the same key with other arguments is a mistake', async () => {
      const gateway = await startGateway({ files })
      const client = await gateway.connect()
      await client.call('tools.invoke', call)
      const other = { ...call, args: { note: 'b' } }
      expect(await client.call('tools.invoke', other)).toMatchObject({
        ok: false,
        error: { code: 'validation_error' },
      })
      expect((await gateway.invoke({ ...other })).status).toBe(400)
    })

    test('a failure is not kept', async () => {
      const client = await (await startGateway({ files })).connect()
      const ask = { name: 'probe_ask', idempotencyKey: 'a' }
      const asked = await client.call('tools.invoke', ask)
      const { approvalId } = asked['error'] as { approvalId: string }
      await client.call('approvals.allow', { id: approvalId })
      expect(await client.call('tools.invoke', ask)).toMatchObject({ ok: true })
    })
  })

  describe('approvals', () => {
    test('without confirm the call ends, stays open, and runs once after a yes', async () => {
      const client = await (await startGateway({ files })).connect()
      const asked = await client.call('tools.invoke', { name: 'probe_ask' })
      expect(asked).toMatchObject({ ok: false, requiresApproval: true, error: { code: 'requires_approval' } })
      const { items } = (await client.call('approvals.list')) as { items: { id: string; state: string }[] }
      expect(items).toMatchObject([{ state: 'pending' }])
      await client.call('approvals.allow', { id: items[0]?.id })
      expect(await client.call('tools.invoke', { name: 'probe_ask' })).toMatchObject({ ok: true })
      expect(await client.call('tools.invoke', { name: 'probe_ask' })).toMatchObject({ ok: false })
    })

    test.each([
      ['approvals.allow', true],
      ['approvals.deny', false],
    ])('with confirm it waits for %s', async (method, ok) => {
      const gateway = await startGateway({ files })
      const client = await gateway.connect()
      const waiting = client.ask('tools.invoke', { name: 'probe_ask', confirm: true })
      const asked = await client.frame(({ event }) => event === 'approvals.requested')
      const { approval } = asked['payload'] as { approval: { id: string } }
      await client.call(method, { id: approval.id })
      expect((await waiting)['payload']).toMatchObject(
        ok ? { ok } : { ok, error: { code: 'forbidden', blockedBy: 'approval-denied' } },
      )
    })

    test('an id that nobody knows has its own code', async () => {
      const client = await (await startGateway({ files })).connect()
      expect(await client.fail('approvals.allow', { id: 'ffffffff' })).toMatchObject({
        code: 'APPROVAL_NOT_FOUND',
      })
    })
  })
})
