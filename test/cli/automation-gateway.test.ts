import { existsSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startMockServer } from '../../src/qa/mock-openai/server.ts'
import { startGateway, type TestGateway } from '../helpers/gateway.ts'
import { runJson } from '../helpers/run-cli.ts'

type Fields = Readonly<Record<string, unknown>>

/** A Gateway whose agents ask a mock provider. */
async function gateway(config: Fields = {}, more: Readonly<Record<string, string>> = {}) {
  const server = await startMockServer()
  onTestFinished(() => server.close())
  const { agents, ...rest } = config as { agents?: Fields }
  const all = {
    models: { providers: { mock: { baseUrl: server.baseUrl, apiKey: 'k', api: 'openai-responses' } } },
    agents: {
      defaults: { model: { primary: 'mock/mock-model' }, ...(agents?.['defaults'] as Fields) },
      ...withoutDefaults(agents),
    },
    channels: { outbox: {} },
    ...rest,
  }
  const made = await startGateway({ files: { 'openclaw.json': JSON.stringify(all), ...more } })
  return { made, server }
}

function withoutDefaults({ defaults: _none, ...rest }: Fields = {}): Fields {
  return rest
}

const lines = ({ path }: TestGateway, name: string): Fields[] =>
  existsSync(path(name))
    ? readFileSync(path(name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Fields => JSON.parse(line))
    : []

const outbox = (made: TestGateway) => lines(made, 'outbox/messages.ndjson')
const json = ({ path }: TestGateway, name: string): Fields => JSON.parse(readFileSync(path(name), 'utf8'))

/** Calls a tool from the command line in the home of a Gateway. */
async function cli({ home }: TestGateway, tool: string, args: object): Promise<Fields> {
  const { json: answer } = await runJson(['tools', 'call', tool, '--args', JSON.stringify(args)], { home })
  return (answer as { result: { details: Fields } }).result.details
}

const soon = { timeout: 20_000, interval: 50 }

test('a job made on the command line is run by the Gateway, and its last words are delivered', async () => {
  const { made } = await gateway()
  const { job } = await cli(made, 'cron', {
    action: 'add',
    job: {
      name: 'greet',
      schedule: { kind: 'at', at: '0s' },
      payload: { kind: 'agentTurn', message: 'say Good morning' },
      delivery: { mode: 'announce', to: 'anna' },
      deleteAfterRun: false,
    },
  })
  const { id } = job as { id: string }
  await expect
    .poll(() => outbox(made), soon)
    .toMatchObject([
      { to: 'anna', text: expect.stringContaining('Good morning'), sessionKey: `agent:main:cron:${id}` },
    ])
  await expect
    .poll(() => lines(made, `cron/runs/${id}.ndjson`), soon)
    .toMatchObject([{ status: 'ok', delivered: true }])
  expect(await cli(made, 'cron', { action: 'runs', jobId: 'greet' })).toMatchObject({
    runs: [{ status: 'ok' }],
  })
  expect(await cli(made, 'cron', { action: 'list', includeDisabled: true })).toMatchObject({
    jobs: [{ id, enabled: false, lastStatus: 'ok', nextRunAt: null }],
  })
})

test('an agent schedules, runs and hears of its own jobs', async () => {
  const { made, server } = await gateway()
  const client = await made.connect()
  const ask = async (message: string) => {
    const { runId } = await client.call('agent', { message, sessionKey: 'main' })
    return client.call('agent.wait', { runId, timeoutMs: 30_000 })
  }
  const job = {
    name: 'tea',
    schedule: { kind: 'every', every: '1d' },
    payload: { kind: 'systemEvent', text: 'the tea is ready' },
  }
  await ask(`call cron ${JSON.stringify({ action: 'add', job })}`)
  await ask(`call cron ${JSON.stringify({ action: 'run', jobId: 'tea' })}`)
  await expect
    .poll(() => JSON.stringify(server.requests.map(({ body }) => body)), soon)
    .toContain('[system] the tea is ready')
  const { jobs } = json(made, 'cron/jobs.json') as { jobs: { id: string }[] }
  await expect
    .poll(() => lines(made, `cron/runs/${jobs[0]?.id}.ndjson`), soon)
    .toMatchObject([{ status: 'ok' }])
})

test('a Gateway that was killed makes up for what it missed, once', async () => {
  const { made } = await gateway()
  const schedule = { kind: 'at', at: '1s' }
  const payload = { kind: 'agentTurn', message: 'say tick' }
  await made.stop('SIGKILL')
  const { job } = await cli(made, 'cron', {
    action: 'add',
    job: { schedule, payload, deleteAfterRun: false },
  })
  const { id, nextRunAt } = job as { id: string; nextRunAt: string }
  await expect.poll(() => Date.now() - Date.parse(nextRunAt), soon).toBeGreaterThan(1_500)
  const config = readFileSync(made.path('openclaw.json'), 'utf8')
  const again = await startGateway({ files: { 'openclaw.json': config }, home: made.home })
  await expect.poll(() => lines(again, `cron/runs/${id}.ndjson`).length, soon).toBeGreaterThan(0)
  await again.stop()
  const runs = lines(again, `cron/runs/${id}.ndjson`)
  expect(runs).toMatchObject([{ status: 'ok' }])
  expect(Number(runs[0]?.['lateMs'])).toBeGreaterThan(1_000)
})

test('what a session is to hear of with its next message is not lost with the Gateway', async () => {
  const { made, server } = await gateway()
  const payload = { kind: 'systemEvent', text: 'call your mother', wake: 'next' }
  await cli(made, 'cron', { action: 'add', job: { schedule: { kind: 'at', at: '0s' }, payload } })
  await expect.poll(() => cli(made, 'cron', { action: 'status' }), soon).toMatchObject({ jobs: 0 })
  await made.stop('SIGKILL')
  const config = readFileSync(made.path('openclaw.json'), 'utf8')
  const again = await startGateway({ files: { 'openclaw.json': config }, home: made.home })
  const client = await again.connect()
  const { runId } = await client.call('agent', { message: 'say hi', sessionKey: 'main' })
  await client.call('agent.wait', { runId, timeoutMs: 30_000 })
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('[system] call your mother')
})

test('of two Gateways on one state directory one runs the jobs, and the other takes over when it is killed', async () => {
  const { made } = await gateway()
  const config = readFileSync(made.path('openclaw.json'), 'utf8')
  await expect.poll(() => existsSync(made.path('cron/.scheduler.lock')), soon).toBe(true)
  const second = await startGateway({ files: { 'openclaw.json': config }, home: made.home })
  await expect.poll(() => second.stderr(), soon).toContain('another Gateway of this state directory does')
  const { job } = await cli(made, 'cron', {
    action: 'add',
    job: { schedule: { kind: 'every', every: '1s' }, payload: { kind: 'agentTurn', message: 'say tick' } },
  })
  const { id } = job as { id: string }
  const runs = () => lines(made, `cron/runs/${id}.ndjson`)
  await expect.poll(() => runs().length, soon).toBeGreaterThan(1)
  await made.stop('SIGKILL')
  const before = runs().length
  await expect.poll(() => runs().length, soon).toBeGreaterThan(before + 1)
  // Each time of the grid has been run once, however late.
  const seconds = runs()
    .filter(({ status }) => status === 'ok')
    .map(({ at, lateMs = 0 }) =>
      Math.floor((Date.parse(String(at)) - Number(lateMs) - Number(grid(made))) / 1_000),
    )
  expect(new Set(seconds).size).toBe(seconds.length)
}, 60_000)

test('a lock that cannot be taken is not laid to another Gateway', async () => {
  const { made } = await gateway({}, { 'cron/.scheduler.lock/in-its-place': '' })
  await expect.poll(() => made.stderr(), soon).toContain('heartbeats do not run here: cannot lock')
  const client = await made.connect()
  const message = 'call cron {"action":"status"}'
  const { runId } = await client.call('agent', { message, sessionKey: 'main' })
  expect(await client.call('agent.wait', { runId, timeoutMs: 30_000 })).toMatchObject({
    result: { text: expect.stringContaining('"runs": "not: their lock cannot be taken"') },
  })
})

/** Where the times of the only job are counted from. */
function grid(made: TestGateway): unknown {
  const { jobs } = json(made, 'cron/jobs.json') as { jobs: { schedule: { anchorMs: number } }[] }
  return jobs[0]?.schedule.anchorMs
}

test('heartbeats come by themselves, say how they went, and are heard where that is wanted', async () => {
  const respond = { outcome: 'needs_attention', notify: true, summary: 'The disk is full' }
  const heartbeat = {
    every: '1s',
    prompt: `call heartbeat_respond ${JSON.stringify(respond)}`,
    target: 'outbox',
    to: 'anna',
  }
  const { made } = await gateway({ agents: { defaults: { heartbeat } }, tools: { profile: 'coding' } })
  await expect.poll(() => outbox(made).length, soon).toBeGreaterThan(0)
  expect(outbox(made)[0]).toMatchObject({ to: 'anna', text: 'The disk is full' })
  await expect
    .poll(() => json(made, 'agents/main/sessions/sessions.json'), soon)
    .toMatchObject({
      'agent:main:main': { heartbeat: { ...respond, delivered: true } },
    })
  // Outside of heartbeats there is no such tool.
  const client = await made.connect()
  const { runId } = await client.call('agent', { message: heartbeat.prompt, sessionKey: 'agent:main:other' })
  expect(await client.call('agent.wait', { runId, timeoutMs: 30_000 })).toMatchObject({
    result: { text: 'There is no tool heartbeat_respond.' },
  })
})

test('a heartbeat of a chat answers in the chat', async () => {
  const heartbeat = {
    every: '1s',
    prompt: 'say Anybody there?',
    session: 'outbox:direct:bob',
    target: 'last',
  }
  const { made } = await gateway({ agents: { defaults: { heartbeat } } })
  await expect.poll(() => outbox(made)[0], soon).toMatchObject({ to: 'bob', text: 'Anybody there?' })
})

const plugin = {
  'plugins/acme/openclaw.plugin.json': JSON.stringify({
    id: 'acme',
    configSchema: { type: 'object' },
    contracts: { tools: [] },
  }),
  'plugins/acme/package.json': JSON.stringify({ type: 'module', openclaw: { extensions: ['./index.js'] } }),
  'plugins/acme/index.js': `
import { appendFileSync } from 'node:fs'
export default { id: 'acme', register(api) {
  api.registerChannel({ id: 'pigeon', actions: ['react'],
    send: async (message, { config }) => { appendFileSync(config.log, JSON.stringify(message) + '\\n'); return { messageId: 'p1' } },
    act: async ({ action, params }) => ({ action, params }) })
  api.registerChannel({ id: 'broken' })
  api.registerProvider({ id: 'acme', ask: async ({ model, messages, tools }, { onText }) => {
    const last = messages.at(-1)
    if (last.role === 'toolResult') return { content: [{ type: 'text', text: 'sent: ' + last.content[0].text }] }
    if (!tools.some(({ name }) => name === 'message')) throw new Error('no message tool')
    onText('…')
    return { content: [{ type: 'toolCall', id: 'c1', name: 'message', arguments: { message: 'coo', channel: 'pigeon', target: 'roof' } }], usage: { input: 3, output: 4 } }
  } })
  api.registerWebSearch({ id: 'finder', search: async (query, { count }) => [{ title: query + ' ' + count, url: 'https://example.org/' }] })
} }`,
}

test('channels, models and searches of plugins are used like those that are built in', async () => {
  const { made } = await gateway(
    {
      agents: { defaults: { model: { primary: 'acme/large' } } },
      tools: { web: { search: { provider: 'finder' } } },
    },
    plugin,
  )
  const config = json(made, 'openclaw.json')
  const pigeon = { log: made.path('pigeon.ndjson') }
  made.write('openclaw.json', JSON.stringify({ ...config, channels: { pigeon } }))
  const { json: answer } = await runJson(['agent', '--message', 'go'], { home: made.home })
  expect(answer).toMatchObject({
    provider: 'acme',
    model: 'large',
    text: expect.stringContaining('"messageId": "p1"'),
  })
  expect(lines(made, 'pigeon.ndjson')).toMatchObject([{ text: 'coo', to: 'roof', agentId: 'main' }])
  expect(await cli(made, 'message', { action: 'react', channel: 'pigeon', emoji: '+1' })).toMatchObject({
    result: { action: 'react', params: { emoji: '+1' } },
  })
  expect(JSON.stringify(await cli(made, 'web_search', { query: 'pigeons', count: 3 }))).toContain('pigeons 3')
  const { json: inspected } = await runJson(['plugins', 'inspect', 'acme', '--runtime'], { home: made.home })
  expect(inspected).toMatchObject({
    runtime: {
      backends: [
        { kind: 'channel', id: 'pigeon' },
        { kind: 'provider', id: 'acme' },
        { kind: 'webSearch', id: 'finder' },
      ],
    },
    diagnostics: [
      { kind: 'backend', message: 'registerChannel got something it cannot use: its send is no function' },
    ],
  })
})
