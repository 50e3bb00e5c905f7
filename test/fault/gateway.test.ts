import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { startMockServer } from '../../src/qa/mock-openai/server.ts'
import type { Fault } from '../../src/qa/mock-openai/faults.ts'
import { faultyServer } from '../helpers/mcp.ts'
import {
  gatewayToken,
  probeConfig,
  probePlugin,
  startGateway,
  TestClient,
  type TestGateway,
} from '../helpers/gateway.ts'

const open = (more: Record<string, unknown> = {}): Promise<TestGateway> =>
  startGateway({ files: { ...probePlugin, 'openclaw.json': probeConfig(more) } })

/** The server still answers, and has not grown by more than so many bytes since then. */
async function isWell(gateway: TestGateway, before: number, mostGrowth: number): Promise<void> {
  const client = await gateway.connect()
  expect(await client.call('health')).toMatchObject({ ok: true })
  const { rssBytes } = (await client.call('status')) as { rssBytes: number }
  expect(rssBytes - before).toBeLessThan(mostGrowth)
}

async function rss(gateway: TestGateway): Promise<number> {
  const client = await gateway.connect()
  const { rssBytes } = (await client.call('status')) as { rssBytes: number }
  client.socket.close()
  return rssBytes
}

const linux = process.platform === 'linux'

describe('clients that behave badly', () => {
  test('a thousand that do nothing cost little, and go when they go', async () => {
    const gateway = await open()
    const before = await rss(gateway)
    const sockets: WebSocket[] = []
    for (let count = 0; count < 1_000; count++) {
      const socket = new WebSocket(gateway.url, { perMessageDeflate: false })
      socket.on('error', () => {})
      sockets.push(socket)
      // The system takes only so many at once.
      if (count % 100 === 99) await Promise.all(sockets.slice(-100).map((each) => once(each, 'message')))
    }
    const client = await gateway.connect()
    expect(await client.call('status')).toMatchObject({ connections: expect.any(Number) })
    expect(Object(await client.call('status')).connections).toBeGreaterThanOrEqual(1_000)
    await isWell(gateway, before, 150 * 1024 * 1024)
    for (const socket of sockets) socket.terminate()
    const connections = async (): Promise<unknown> => (await client.call('status'))['connections']
    await expect.poll(connections, { timeout: 20_000 }).toBeLessThan(5)
    expect(await gateway.stop()).toBe(0)
  })

  test('one that never reads is closed before it fills the memory', async () => {
    const gateway = await open()
    const before = await rss(gateway)
    const client = await gateway.connect()
    client.socket.pause()
    const frame = (id: number) => JSON.stringify({ type: 'req', id: `c${id}`, method: 'tools.catalog' })
    const flood = async (): Promise<void> => {
      for (let id = 0; id < 20_000 && client.socket.readyState === WebSocket.OPEN; id++) {
        client.send(frame(id))
        if (client.socket.bufferedAmount > 1_000_000) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await flood()
    const log = (): string => readFileSync(gateway.path('logs/gateway.log'), 'utf8')
    await expect.poll(log, { timeout: 30_000 }).toContain('"reason":"slow consumer"')
    await isWell(gateway, before, 400 * 1024 * 1024)
  })

  test('one that leaves in the middle of a call ends the call, unless it can come back for it', async () => {
    const gateway = await open()
    const left = await gateway.connect()
    left.send({ type: 'req', id: 'w', method: 'tools.invoke', params: { name: 'probe_wait' } })
    const kept = await gateway.connect()
    const params = { name: 'probe_wait', idempotencyKey: 'k', sessionKey: 'main' }
    kept.send({ type: 'req', id: 'w', method: 'tools.invoke', params })
    const client = await gateway.connect()
    // Both are under way when a later request has been answered.
    await client.call('health')
    left.socket.terminate()
    kept.socket.terminate()
    const log = (): string => readFileSync(gateway.path('logs/gateway.log'), 'utf8')
    await expect.poll(log, { timeout: 20_000 }).toContain('probe_wait failed (ABORTED')
    await client.call('tools.invoke', { name: 'probe_release' })
    expect(await client.call('tools.invoke', params)).toMatchObject({ ok: true })
  })

  const raw = async (gateway: TestGateway, bytes: string): Promise<string> => {
    const socket: Socket = connect(gateway.port, '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.end(bytes)
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    await once(socket, 'close')
    return text
  }

  test('bytes that are no HTTP, half a request and a bad upgrade harm nobody', async () => {
    const gateway = await open()
    const before = await rss(gateway)
    expect(await raw(gateway, '\u0000\u0001\u0002 nonsense\r\n\r\n')).toContain('400')
    await raw(gateway, 'POST /tools/invoke HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{')
    await raw(gateway, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`)
    const upgrade = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    expect(await raw(gateway, upgrade)).toContain('400')
    expect(await raw(gateway, 'GET http://[::bad HTTP/1.1\r\nHost: x\r\n\r\n')).toContain('400')
    await isWell(gateway, before, 100 * 1024 * 1024)
  })

  test('frames that break the WebSocket protocol end their connection only', async () => {
    const gateway = await open()
    const client = await gateway.connect()
    const victim = await gateway.connect()
    // A frame without a mask, which clients must not send.
    const { _socket: socket } = victim.socket as unknown as { _socket: Socket }
    socket.write(Buffer.from([0x81, 0x02, 0x7b, 0x7d]))
    expect(await victim.closed).toMatchObject({ code: expect.any(Number) })
    expect(await client.call('health')).toMatchObject({ ok: true })
  })

  test('JSON that is deep, wide or odd is answered like any other', async () => {
    const gateway = await open()
    const client = await gateway.connect()
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    client.send(
      `{"type":"req","id":"deep","method":"tools.invoke","params":{"name":"probe_count","args":{"note":${deep}}}}`,
    )
    const isAnswer = ({ id }: Readonly<Record<string, unknown>>): boolean => id === 'deep' || id === 'invalid'
    expect(await client.frame(isAnswer)).toMatchObject({ type: 'res' })
    const odd =
      '{"type":"req","id":"proto","method":"tools.invoke","params":{"__proto__":{"name":"probe_count"}}}'
    client.send(odd)
    expect(await client.frame(({ id }) => id === 'proto')).toMatchObject({ ok: false })
    expect(await client.call('health')).toMatchObject({ ok: true })
  })

  test('logins that hang or are cut off are forgotten', async () => {
    const gateway = await open()
    const half = await TestClient.open(gateway.url)
    half.send('{"type":"req","id":"1","meth')
    expect(await half.closed).toMatchObject({ code: 1008 })
    const cut = await TestClient.open(gateway.url)
    cut.socket.terminate()
    expect(await (await gateway.connect()).call('health')).toMatchObject({ ok: true })
  })
})

describe('tools and servers that behave badly', () => {
  const plugin = (code: string): Readonly<Record<string, string>> => ({
    'plugins/stray/openclaw.plugin.json': JSON.stringify({
      id: 'stray',
      configSchema: { type: 'object' },
      contracts: { tools: ['stray'] },
    }),
    'plugins/stray/package.json': '{ "type": "module", "openclaw": { "extensions": ["./index.js"] } }',
    'plugins/stray/index.js': `export default { id: 'stray', register(api) {
      api.registerTool({ name: 'stray', description: 'x', parameters: { type: 'object', properties: {} }, async execute() { ${code} } })
    } }`,
    'openclaw.json': JSON.stringify({
      tools: { profile: 'full', alsoAllow: ['stray'] },
      plugins: { load: { paths: ['plugins/stray'] } },
    }),
  })

  test.each([
    ['throws out of turn', "setTimeout(() => { throw new Error('stray') }); return { content: [] }", true],
    ['rejects out of turn', "Promise.reject(new Error('stray')); return { content: [] }", true],
    ['throws what is no error', 'throw null', false],
    [
      'throws out of turn what has no words',
      'setTimeout(() => { throw Object.create(null, { stray: {} }) }); return { content: [] }',
      true,
    ],
    ['ends the process', 'process.exit(1)', false],
    [
      'ends the process out of turn',
      "setTimeout(() => process.exit(1)); await new Promise(() => 'stray')",
      false,
    ],
    ['returns what is no result', 'return 7n', true],
    ['returns a cycle', 'const a = {}; a.a = a; return { content: [], details: a }', true],
  ])('a tool that %s', async (_what, code, ok) => {
    const gateway = await startGateway({ files: plugin(code) })
    const client = await gateway.connect()
    expect(await client.call('tools.invoke', { name: 'stray' })).toMatchObject({ ok })
    expect(await client.call('health')).toMatchObject({ ok: true })
    await expect
      .poll(gateway.stderr, { timeout: 20_000 })
      .toContain(code.includes('stray') ? 'stray failure' : '')
    expect(await gateway.stop()).toBe(0)
  })

  test('an MCP server that dies in a call fails that call, and is started again for the next', async () => {
    const gateway = await open({
      mcp: { servers: { mill: { command: process.execPath, args: [faultyServer, 'exit=call'] } } },
      tools: { profile: 'full' },
    })
    const client = await gateway.connect()
    await client.call('sessions.create', { key: 'main' })
    const name = async (): Promise<string | undefined> => {
      const { groups } = await client.call('tools.effective', { sessionKey: 'main' })
      return (groups as { id: string; tools: { id: string }[] }[]).find(({ id }) => id === 'mcp')?.tools[0]
        ?.id
    }
    await expect.poll(name, { timeout: 20_000 }).toBeTypeOf('string')
    for (let count = 0; count < 2; count++) {
      expect(await client.call('tools.invoke', { name: await name(), args: {} })).toMatchObject({
        ok: false,
        error: { code: 'internal_error', cause: 'MCP_UNREACHABLE' },
      })
    }
    expect(await client.call('health')).toMatchObject({ ok: true })
  })
})

describe('the first turn', () => {
  async function withServer(args: readonly string[], more: object = {}) {
    const provider = await startMockServer()
    onTestFinished(() => provider.close())
    const mock = { baseUrl: provider.baseUrl, api: 'openai-completions', apiKey: 'k', models: [{ id: 'm' }] }
    const config = {
      mcp: { servers: { mill: { command: process.execPath, args: [faultyServer, ...args], ...more } } },
      tools: { profile: 'full', toolSearch: false },
      models: { providers: { mock } },
      agents: { defaults: { model: { primary: 'mock/m' } } },
    }
    const gateway = await open(config)
    const client = await gateway.connect()
    await client.call('sessions.create', { key: 'main' })
    const change = async (tools: object): Promise<void> => {
      gateway.write('openclaw.json', probeConfig({ ...config, tools: { ...config.tools, ...tools } }))
      await client.frame(({ event }) => event === 'config.changed')
    }
    const turn = async (): Promise<boolean> => {
      const { runId } = await client.call('agent', { message: 'say done', sessionKey: 'main' })
      expect(await client.call('agent.wait', { runId, timeoutMs: 30_000 })).toMatchObject({ status: 'ok' })
      return provider.requests.at(-1)?.tools.some((name) => name.startsWith('mill__')) ?? false
    }
    const effective = async (): Promise<boolean> => {
      const answer = await client.call('tools.effective', { sessionKey: 'main' })
      return JSON.stringify(answer['groups']).includes('mill__')
    }
    return { turn, effective, change }
  }

  test('has the tools of an MCP server that is still being asked for them, and other questions do not wait', async () => {
    const { turn, effective } = await withServer(['latency=700'])
    const first = turn()
    expect(await effective()).toBe(false)
    expect(await first).toBe(true)
    expect(await effective()).toBe(true)
  })

  test('has them even if the config changes meanwhile', async () => {
    const { turn, effective, change } = await withServer(['latency=2000'])
    await change({ deny: ['exec'] })
    expect(await effective()).toBe(false)
    expect(await turn()).toBe(true)
  })

  test('waits no longer than such a server may take to connect', async () => {
    const { turn } = await withServer(['hang=list'], { connectionTimeoutMs: 300 })
    const begun = performance.now()
    expect(await turn()).toBe(false)
    expect(performance.now() - begun).toBeLessThan(10_000)
  })
})

describe('providers that behave badly', () => {
  const faults: readonly Fault[] = [
    { kind: 'status', status: 400 },
    { kind: 'page' },
    { kind: 'garbage' },
    { kind: 'cut' },
    { kind: 'empty' },
    { kind: 'error-event' },
    { kind: 'end' },
  ]

  test.each(faults.map((fault) => [fault.kind, fault] as const))('%s', async (_kind, fault) => {
    const provider = await startMockServer()
    onTestFinished(() => provider.close())
    const gateway = await open({
      gateway: { http: { endpoints: { chatCompletions: { enabled: true } } } },
      models: {
        providers: {
          mock: { baseUrl: provider.baseUrl, api: 'openai-completions', apiKey: 'k', models: [{ id: 'm' }] },
        },
      },
      agents: { defaults: { model: { primary: 'mock/m' } } },
    })
    provider.fail(fault, 50)
    const ask = (stream: boolean): Promise<Response> =>
      gateway.http('/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${gatewayToken}` },
        body: JSON.stringify({ model: 'openclaw', messages: [{ role: 'user', content: 'x' }], stream }),
      })
    const whole = await ask(false)
    expect([200, 502]).toContain(whole.status)
    const streamed = await (await ask(true)).text()
    expect(streamed.trimEnd().endsWith('data: [DONE]')).toBe(true)
    expect(await (await gateway.connect()).call('health')).toMatchObject({ ok: true })
  })
})

test.runIf(linux)(
  'a server that is killed leaves nothing that keeps the next one from starting',
  async () => {
    const gateway = await open()
    const client = await gateway.connect()
    await client.call('tools.invoke', { name: 'probe_count' })
    await gateway.stop('SIGKILL')
    const next = await startGateway({ files: {}, home: gateway.home })
    expect(await (await next.connect()).call('tools.invoke', { name: 'probe_count' })).toMatchObject({
      ok: true,
    })
    expect(existsSync(gateway.path('logs/gateway.log'))).toBe(true)
  },
)

test('a state directory that cannot be written costs the logs, not the calls', async () => {
  const gateway = await open()
  // A file where the directory should be: nobody can write below it, not even root.
  const blocked = await startGateway({
    files: { ...probePlugin, 'openclaw.json': probeConfig(), logs: 'x', 'agents/main/calls': 'x' },
  })
  const client = await blocked.connect()
  expect(await client.call('tools.invoke', { name: 'probe_count' })).toMatchObject({ ok: true })
  expect(await client.call('tools.invoke', { name: 'probe_count' })).toMatchObject({ ok: true })
  expect(await blocked.stop()).toBe(0)
  expect(await gateway.stop()).toBe(0)
})
