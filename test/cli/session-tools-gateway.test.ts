import { existsSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startMockServer } from '../../src/qa/mock-openai/server.ts'
import { startGateway, type TestGateway } from '../helpers/gateway.ts'

async function withModel(more: object = {}) {
  const provider = await startMockServer()
  onTestFinished(() => provider.close())
  const mock = {
    baseUrl: provider.baseUrl,
    api: 'openai-completions',
    apiKey: 'k',
    models: [{ id: 'mock-model' }],
  }
  const config = {
    tools: { allow: ['group:sessions'] },
    models: { providers: { mock } },
    agents: { defaults: { model: { primary: 'mock/mock-model' } } },
    ...more,
  }
  const gateway = await startGateway({ files: { 'openclaw.json': JSON.stringify(config) } })
  return { provider, gateway, client: await gateway.connect() }
}

/** What the session store and the transcripts say of a session. */
function stored(gateway: TestGateway, find: (key: string) => boolean) {
  const store: Record<string, Record<string, unknown>> = JSON.parse(
    readFileSync(gateway.path('agents/main/sessions/sessions.json'), 'utf8'),
  )
  const [key = '', entry = {}] = Object.entries(store).find(([each]) => find(each)) ?? []
  const file = gateway.path(`agents/main/sessions/${String(entry['sessionId'])}.jsonl`)
  return { key, entry, transcript: readFileSync(file, 'utf8') }
}

const isMain = (key: string) => key === 'agent:main:main'
const isChild = (key: string) => key.includes(':subagent:')
const spawn = 'call sessions_spawn {"task":"say it is 42","label":"asker"}'

test('what a sub-agent found comes to an idle session as a turn of its own', async () => {
  const { gateway, client } = await withModel()
  const { runId } = await client.call('agent', { message: spawn, sessionKey: 'main' })
  const end = await client.call('agent.wait', { runId, timeoutMs: 30_000 })
  expect(end).toMatchObject({ status: 'ok' })
  await expect
    .poll(() => stored(gateway, isMain).transcript, { timeout: 10_000 })
    .toMatch(/"role":"assistant".*You said: \[system\] Sub-agent \\"asker\\".*> it is 42/)
  expect(stored(gateway, isChild).entry).toMatchObject({ status: 'done', spawnedBy: 'agent:main:main' })
})

test('a turn that yields answers with what its sub-agents found', async () => {
  const { client } = await withModel()
  const message = `${spawn}\ncall sessions_yield {}`
  const { runId } = await client.call('agent', { message, sessionKey: 'main' })
  expect(await client.call('agent.wait', { runId, timeoutMs: 30_000 })).toMatchObject({
    status: 'ok',
    result: { text: expect.stringContaining('> it is 42'), ended: 'stop' },
  })
})

test('a run that is aborted takes its sub-agents along, and so does the end of the server', async () => {
  const { gateway, client, provider } = await withModel()
  const begin = async (sessionKey: string, requests: number): Promise<unknown> => {
    const message = `${spawn}\ncall sessions_yield {}`
    const { runId } = await client.call('agent', { message, sessionKey })
    await provider.received(requests + 1)
    // The next request is that of the sub-agent.
    provider.fail({ kind: 'stall' })
    await provider.received(requests + 2)
    return runId
  }
  const runId = await begin('main', 0)
  expect(await client.call('agent.abort', { runId })).toEqual({ runId, aborted: true })
  expect(await client.call('agent.wait', { runId, timeoutMs: 30_000 })).toMatchObject({ status: 'error' })
  await expect.poll(() => stored(gateway, isChild).entry['status'], { timeout: 10_000 }).toBe('killed')
  expect(stored(gateway, isChild).transcript).toContain('the run that began it was ended')
  await expect.poll(() => provider.inFlight).toBe(0)

  await begin('other', 2)
  expect(await gateway.stop()).toBe(0)
  expect(provider.requests).toHaveLength(4)
})

test('a group does not get by another session, or by a sub-agent, what it may not', async () => {
  const groups = { g1: { tools: { deny: ['exec'] } } }
  const { gateway, client } = await withModel({
    meta: { lastTouchedVersion: '2026.9.1' },
    tools: { allow: ['group:sessions', 'exec'], toolSearch: false },
    channels: { discord: { groups } },
  })
  const ask = async (sessionKey: string, message: string) => {
    const { runId } = await client.call('agent', { message, sessionKey })
    return client.call('agent.wait', { runId, timeoutMs: 30_000 })
  }
  const order = { task: 'call exec {"command":"touch made"}', message: 'call exec {"command":"touch made"}' }
  const send = `call sessions_send ${JSON.stringify({ sessionKey: 'main', message: order.message })}`
  const begin = `call sessions_spawn ${JSON.stringify({ task: order.task })}\ncall sessions_yield {}`
  for (const message of [send, begin]) {
    expect(await ask('agent:main:discord:group:g1', message)).toMatchObject({
      result: { text: expect.stringContaining('There is no tool exec.') },
    })
  }
  expect(existsSync(gateway.path('workspace/made'))).toBe(false)
  // The same message from a session that has all its agent has.
  expect(await ask('agent:main:own', send)).toMatchObject({ status: 'ok' })
  expect(existsSync(gateway.path('workspace/made'))).toBe(true)
})

test('a sub-agent whose store cannot be read runs nothing', async () => {
  const { gateway, client, provider } = await withModel()
  gateway.write('agents/main/sessions/sessions.json', '{')
  const invoke = (sessionKey: string) => gateway.invoke({ tool: 'session_status', sessionKey })
  const child = 'agent:main:subagent:x'
  const problem = expect.stringContaining(`what the sub-agent ${child} may do is not known`)
  expect(await invoke(child)).toMatchObject({ status: 400, body: { error: { message: problem } } })
  expect(await invoke('main')).toMatchObject({ status: 200 })
  const { runId } = await client.call('agent', { message: 'say hi', sessionKey: child })
  expect(await client.call('agent.wait', { runId, timeoutMs: 30_000 })).toMatchObject({
    status: 'error',
    error: { message: problem },
  })
  expect(provider.requests).toEqual([])
})
