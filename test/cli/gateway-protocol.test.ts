import { readFileSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import {
  connectParams,
  gatewayToken,
  startGateway,
  TestClient,
  type TestGateway,
} from '../helpers/gateway.ts'

const files = { 'openclaw.json': '{ tools: { profile: "coding" } }' }
const open = (config = files['openclaw.json'], args: readonly string[] = []): Promise<TestGateway> =>
  startGateway({ files: { 'openclaw.json': config }, args })

/** What a first frame leads to: the error of its response, and how the connection ends. */
async function refused(gateway: TestGateway, method: string, params: unknown) {
  const client = await TestClient.open(gateway.url)
  const { code, message, details } = (await client.fail(method, params)) as {
    code: string
    message: string
    details?: { code: string }
  }
  const { code: close } = await client.closed
  return { code, message, details: details?.code, close }
}

describe('login', () => {
  test('challenges, then says hello', async () => {
    const gateway = await open()
    const client = await TestClient.open(gateway.url)
    expect(client.frames[0]).toMatchObject({
      type: 'event',
      event: 'connect.challenge',
      payload: { nonce: expect.stringMatching(/^[0-9a-f]{32}$/), ts: expect.any(Number) },
    })
    const hello = await client.call('connect', connectParams)
    expect(hello).toMatchObject({
      type: 'hello-ok',
      protocol: 4,
      server: { version: expect.any(String), connId: expect.any(String) },
      snapshot: { authMode: 'token', configPath: gateway.path('openclaw.json') },
      auth: { role: 'operator', method: 'token' },
      policy: { maxPayload: 26_214_400, maxBufferedBytes: 52_428_800, tickIntervalMs: 30_000 },
    })
    const { features } = hello as { features: { methods: string[]; events: string[] } }
    expect(features.methods).toMatchInlineSnapshot(`
      [
        "agent",
        "agent.abort",
        "agent.wait",
        "approvals.allow",
        "approvals.deny",
        "approvals.list",
        "config.get",
        "health",
        "sessions.create",
        "sessions.get",
        "sessions.list",
        "status",
        "tools.catalog",
        "tools.effective",
        "tools.explain",
        "tools.invoke",
        "tools.search",
      ]
    `)
  })

  test('refuses everything that is wrong, by its own code', async () => {
    const gateway = await open()
    const without = (name: string): unknown =>
      Object.fromEntries(Object.entries(connectParams).filter(([key]) => key !== name))
    const client = connectParams['client']
    const cases: Readonly<Record<string, readonly [string, unknown]>> = {
      'another method first': ['health', {}],
      'no client': ['connect', without('client')],
      'unknown property': ['connect', { ...connectParams, sender: 'owner' }],
      'unknown client': ['connect', { ...connectParams, client: { ...Object(client), id: 'mallory' } }],
      'long build': ['connect', { ...connectParams, client: { ...Object(client), buildId: 'x'.repeat(97) } }],
      'unknown role': ['connect', { ...connectParams, role: 'emperor' }],
      node: ['connect', { ...connectParams, role: 'node' }],
      'no token': ['connect', without('auth')],
      'wrong token': ['connect', { ...connectParams, auth: { token: 'wrong' } }],
      'old protocol': ['connect', { ...connectParams, minProtocol: 1, maxProtocol: 3 }],
      'no params': ['connect', 'hello'],
    }
    const ends: string[] = []
    for (const [what, [method, params]] of Object.entries(cases)) {
      const { code, message, details = '–', close } = await refused(gateway, method, params)
      ends.push(`${what}: ${code} ${details} ${close} ${message}`)
    }
    expect(ends.join('\n')).toMatchInlineSnapshot(`
      "another method first: INVALID_REQUEST – 1008 the first request must be connect
      no client: INVALID_REQUEST – 1008 invalid connect params: must have required property 'client'
      unknown property: INVALID_REQUEST – 1008 invalid connect params: unexpected property 'sender'
      unknown client: INVALID_REQUEST – 1008 invalid connect params: at /client: id "mallory" is not known
      long build: INVALID_REQUEST – 1008 invalid connect params: at /client: /buildId must NOT have more than 96 characters
      unknown role: INVALID_REQUEST – 1008 invalid role
      node: NOT_PAIRED – 1008 this gateway pairs no nodes
      no token: INVALID_REQUEST AUTH_TOKEN_MISSING 1008 unauthorized: gateway token missing
      wrong token: INVALID_REQUEST AUTH_TOKEN_MISMATCH 1008 unauthorized: gateway token mismatch
      old protocol: INVALID_REQUEST PROTOCOL_MISMATCH 1002 protocol mismatch: this gateway speaks 4
      no params: INVALID_REQUEST – 1008 invalid connect params: must be object"
    `)
  })

  test('speaks protocol 3 with probes only', async () => {
    const gateway = await open()
    const params = { ...connectParams, minProtocol: 3, maxProtocol: 3 }
    const client = { ...Object(connectParams['client']), mode: 'probe' }
    const probe = await gateway.connect({ ...params, client })
    expect(probe.frames.at(-1)).toMatchObject({ payload: { protocol: 3 } })
  })

  test.each([
    ['token', { token: 's3cret-value-1' }],
    ['password', { password: 's3cret-value-1' }],
    ['password as token', { token: 's3cret-value-1' }],
  ])('accepts the secret of the config as %s', async (kind, auth) => {
    const mode = kind.split(' ')[0] ?? ''
    const gateway = await startGateway({
      files: { 'openclaw.json': JSON.stringify({ gateway: { auth: { mode, [mode]: 's3cret-value-1' } } }) },
      env: { OPENCLAW_GATEWAY_TOKEN: '' },
    })
    await gateway.connect({ auth })
    expect(await refused(gateway, 'connect', connectParams)).toMatchObject({ close: 1008 })
    const log = readFileSync(gateway.path('logs/gateway.log'), 'utf8')
    expect(log + gateway.stderr()).not.toMatch(/s3cret-value-1|test-token/)
  })

  test('asks nobody for a secret in mode none', async () => {
    const gateway = await open('{ gateway: { auth: { mode: "none" } } }')
    const client = await gateway.connect({ auth: {} })
    expect(client.frames.at(-1)).toMatchObject({ payload: { auth: { method: 'none' } } })
  })

  test('makes a token of its own where none is given, and the commands find it', async () => {
    const gateway = await startGateway({ files, env: { OPENCLAW_GATEWAY_TOKEN: '' } })
    const token = readFileSync(gateway.path('gateway/token'), 'utf8').trim()
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    await gateway.connect({ auth: { token } })
    expect(gateway.stderr()).not.toContain(token)
  })

  test('locks out whoever fails too often, where the config asks for it', async () => {
    const rateLimit = { maxAttempts: 2, exemptLoopback: false }
    const gateway = await open(JSON.stringify({ gateway: { auth: { rateLimit } } }))
    const wrong = { ...connectParams, auth: { token: 'wrong' } }
    await refused(gateway, 'connect', wrong)
    await refused(gateway, 'connect', wrong)
    expect(await refused(gateway, 'connect', connectParams)).toMatchObject({
      code: 'UNAVAILABLE',
      details: 'AUTH_RATE_LIMITED',
      close: 1008,
    })
    const response = await gateway.http('/tools/invoke', { method: 'POST', body: '{}' })
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(200)
  })
})

describe('origins', () => {
  test.each([
    ['a page of somewhere else', 'https://evil.example', 403],
    ['a page of the server itself', null, 101],
    ['a listed page', 'https://ui.example', 101],
  ])('%s', async (_what, origin, status) => {
    const gateway = await open('{ gateway: { controlUi: { allowedOrigins: ["https://ui.example"] } } }')
    const socket = connect(gateway.port, '127.0.0.1')
    const host = `127.0.0.1:${gateway.port}`
    socket.write(
      [
        'GET / HTTP/1.1',
        `Host: ${host}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        `Origin: ${origin ?? `http://${host}`}`,
        '\r\n',
      ].join('\r\n'),
    )
    const [head] = await once(socket, 'data')
    expect(String(head)).toContain(`HTTP/1.1 ${status} `)
    socket.destroy()
  })
})

describe('scopes', () => {
  test('are what was asked for, and are checked before the parameters', async () => {
    const gateway = await open()
    const reader = await gateway.connect({ scopes: ['operator.read', 'operator.dreams'] })
    expect(reader.frames.at(-1)).toMatchObject({ payload: { auth: { scopes: ['operator.read'] } } })
    await reader.call('tools.catalog')
    await reader.call('config.get')
    expect(await reader.fail('tools.invoke', { nonsense: true })).toEqual({
      code: 'FORBIDDEN',
      message: 'missing scope: operator.write',
      details: {
        code: 'MISSING_SCOPE',
        missingScope: 'operator.write',
        requiredScopes: ['operator.write'],
      },
    })
    expect(await reader.fail('approvals.list')).toMatchObject({ code: 'FORBIDDEN' })
    const nobody = await gateway.connect({ scopes: [] })
    expect(await nobody.fail('health')).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('who goes on without them is shown the door', async () => {
    const nobody = await (await open()).connect({ scopes: [] })
    for (let count = 0; count < 10; count++) await nobody.fail('health')
    expect(await nobody.closed).toEqual({ code: 1008, reason: 'repeated unauthorized calls' })
  })

  test('reasons of a refusal are for readers', async () => {
    const client = await (await open()).connect({ scopes: ['operator.talk'] })
    expect(await client.fail('tools.effective', { sessionKey: 'main' })).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('what belongs to the owner needs operator.admin', async () => {
    const config = JSON.stringify({ tools: { profile: 'full' }, gateway: { tools: { allow: ['cron'] } } })
    const gateway = await open(config)
    const ask = { name: 'cron', args: { action: 'list' } }
    const writer = await gateway.connect({ scopes: ['operator.write'] })
    expect(await writer.call('tools.invoke', ask)).toMatchObject({
      error: { code: 'not_found', reason: 'policy', step: 'owner' },
    })
    const owner = await gateway.connect()
    const answer = await owner.call('tools.invoke', ask)
    expect(answer['error']).not.toMatchObject({ step: 'owner' })
  })
})

describe('frames', () => {
  test('unknown methods and malformed frames are answered, and too many of the latter end it', async () => {
    const client = await (await open()).connect()
    expect(await client.fail('tools.invok')).toEqual({
      code: 'INVALID_REQUEST',
      message: 'unknown method: tools.invok',
      details: {
        code: 'UNKNOWN_METHOD',
        hints: ['did you mean tools.invoke?'],
        suggestions: ['tools.invoke'],
      },
    })
    expect(await client.fail('constructor')).toMatchObject({ message: 'unknown method: constructor' })
    client.send('{ not json')
    await client.frame(({ id }) => id === 'invalid')
    client.send({ type: 'req', id: 'x1', method: 'health', surprise: 1 })
    expect(await client.frame(({ id }) => id === 'x1')).toMatchObject({
      error: { message: "invalid request frame: unexpected property 'surprise'" },
    })
    for (let count = 0; count < 10; count++) client.send('[]')
    expect(await client.closed).toMatchObject({ code: 1008 })
  })

  test('binary frames are not spoken', async () => {
    const client = await (await open()).connect()
    client.socket.send(Buffer.from('{}'))
    expect(await client.closed).toMatchObject({ code: 1003 })
  })

  test('more than 64 KiB before the login is too much', async () => {
    const gateway = await open()
    const client = await TestClient.open(gateway.url)
    client.send({ type: 'req', id: 'a', method: 'connect', params: { pad: 'x'.repeat(70_000) } })
    expect(await client.closed).toMatchObject({ code: 1009 })
  })

  test('after it, more than 25 MiB', async () => {
    const client = await (await open()).connect()
    client.send('x'.repeat(26_214_401))
    expect(await client.closed).toMatchObject({ code: 1009 })
  })

  test('answers may overtake each other', async () => {
    const client = await (await open()).connect()
    const { runId } = await client.call('agent', { message: 'hello' })
    const slow = client.ask('agent.wait', { runId, timeoutMs: 60_000 })
    await client.call('health')
    expect((await slow)['payload']).toMatchObject({ runId, status: 'error' })
  })
})

describe('life of the server', () => {
  test('ends on SIGTERM and SIGINT with 0, after telling its clients', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const gateway = await open()
      const client = await gateway.connect()
      expect(await gateway.stop(signal)).toBe(0)
      expect(client.frames.map(({ event }) => event)).toContain('shutdown')
      expect(await client.closed).toMatchObject({ code: 1001 })
    }
  })

  test('a port that is taken, and settings that cannot be, are said in one line', async () => {
    const gateway = await open()
    const second = startGateway({ files, home: gateway.home, port: gateway.port })
    await expect(second).rejects.toThrow(/CONFIG_CONFLICT[^]*is taken by another program/)
    await expect(open('{ gateway: { bind: "lan", auth: { mode: "none" } } }')).rejects.toThrow(
      /CONFIG_INVALID[^]*loopback only/,
    )
    await expect(open('{ gateway: { auth: { mode: "trusted-proxy" } } }')).rejects.toThrow(/CONFIG_INVALID/)
    await expect(open('{ tools: { profil: 1 } }')).rejects.toThrow(/CONFIG_INVALID/)
  })

  test('takes a config that has changed, and keeps the last good one', async () => {
    const gateway = await open('{ tools: { profile: "full" } }')
    const client = await gateway.connect()
    await client.call('sessions.create', { key: 'main' })
    const verdict = async (): Promise<unknown> =>
      (await client.call('tools.explain', { sessionKey: 'main', name: 'exec' }))['verdict']
    expect(await verdict()).toBe('visible')
    gateway.write('openclaw.json', '{ tools: { profile: "full", deny: ["exec"] } }')
    await client.frame(({ event, payload }) => event === 'config.changed' && Object(payload).ok === true)
    expect(await verdict()).toBe('hidden')

    gateway.write('openclaw.json', '{ tools: { deny: [ }')
    await client.frame(({ event, payload }) => event === 'config.changed' && Object(payload).ok === false)
    expect(await verdict()).toBe('hidden')
    const { config } = await client.call('health')
    expect(config).toMatchObject({ ok: false, problem: expect.stringContaining('openclaw.json') })
    expect(gateway.stderr()).toContain('the last good one stays in force')

    gateway.write('openclaw.json', '{ tools: { profile: "full" }, gateway: { port: 1 } }')
    const isGood = (frame: Record<string, unknown>): boolean =>
      frame['event'] === 'config.changed' && Object(frame['payload']).restartNeeded?.length > 0
    expect(await client.frame(isGood)).toMatchObject({ payload: { restartNeeded: ['gateway.port'] } })
    expect(await verdict()).toBe('visible')

    gateway.write('openclaw.json', '{ tools: { profile: "full", deny: ["read"] } }')
    await client.frame(({ event, payload }) => event === 'config.changed' && Object(payload).revision === 4)
    expect(await client.call('status')).toMatchObject({ restartNeeded: [] })
  })

  test('turns the log over, and keeps it to the owner', async () => {
    const gateway = await open('{ logging: { maxFileBytes: 1024 } }')
    const client = await gateway.connect()
    for (let count = 0; count < 60; count++) await client.call('health')
    await gateway.stop()
    const logs = readdirSync(gateway.path('logs')).toSorted()
    expect(logs).toContain('gateway.log.1')
    expect(logs.length).toBeLessThanOrEqual(6)
    const lines = readFileSync(gateway.path('logs/gateway.log'), 'utf8').trim().split('\n')
    expect(lines.map((line) => Object.keys(JSON.parse(line)))).toSatisfy((all: string[][]) =>
      all.every((keys) => keys.includes('time') && keys.includes('level') && keys.includes('message')),
    )
  })

  test('gives the config with its secrets taken out', async () => {
    const config = { gateway: { auth: { token: gatewayToken } }, env: { vars: { A_KEY: 'hidden-value-1' } } }
    const client = await (await open(JSON.stringify(config))).connect()
    const answer = await client.call('config.get')
    expect(JSON.stringify(answer)).not.toMatch(/test-token|hidden-value/)
    expect(await client.call('config.get', { path: 'gateway.auth' })).toMatchObject({
      config: { token: '__OPENCLAW_REDACTED__' },
    })
    expect(await client.fail('config.get', { path: 'nope' })).toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
