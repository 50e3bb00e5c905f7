import { describe, expect, test } from 'vitest'
import { gatewayToken, probeConfig, probePlugin, startGateway, type TestGateway } from '../helpers/gateway.ts'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'

const open = (more: Record<string, unknown> = {}): Promise<TestGateway> =>
  startGateway({ files: { ...probePlugin, 'openclaw.json': probeConfig(more) } })

const env = { OPENCLAW_GATEWAY_TOKEN: gatewayToken }

describe('gateway call', () => {
  test('prints what a method answers', async () => {
    const { url } = await open()
    const { code, json } = await runJson(['gateway', 'call', 'health', '--url', url], { env })
    expect([code, json]).toMatchObject([0, { ok: true }])
    const params = '{ name: "probe_count", args: { note: "JSON5" } }'
    const called = await runCli(['gateway', 'call', 'tools.invoke', '--url', url, '--params', params], {
      env,
    })
    expect(JSON.parse(called.stdout)).toMatchObject({ ok: true, toolName: 'probe_count' })
  })

  test('takes the token from a file, the environment, or the config of its own server', async () => {
    const { url, home, port } = await open({ gateway: { auth: { token: gatewayToken } } })
    const dir = await tempDir({ token: `${gatewayToken}\n` })
    const byFile = ['gateway', 'call', 'health', '--url', url, '--token-file', `${dir}/token`]
    expect((await runJson(byFile)).code).toBe(0)
    expect((await runJson(['gateway', 'call', 'health', '--port', String(port)], { home })).code).toBe(0)
    const missing = await runJson(['gateway', 'call', 'health', '--url', url, '--token-file', `${dir}/none`])
    expect(missing).toMatchObject({ code: 1, json: { error: { code: 'INPUT_INVALID' } } })
  })

  test('keeps the codes of the server, and says who refused', async () => {
    const { url } = await open()
    const ask = (method: string, ...more: string[]) =>
      runJson(['gateway', 'call', method, '--url', url, ...more], { env })
    expect(await ask('nope')).toMatchObject({ code: 1, json: { error: { code: 'INPUT_INVALID' } } })
    expect(await ask('tools.effective', '--params', '{ sessionKey: "nope" }')).toMatchObject({
      code: 1,
      json: { error: { code: 'UNKNOWN_SESSION' } },
    })
    expect(await ask('health', '--params', '[')).toMatchObject({
      code: 1,
      json: { error: { code: 'INPUT_INVALID', message: expect.stringContaining('--params') } },
    })
    const refused = await runJson(['gateway', 'call', 'health', '--url', url, '--token', 'wrong'])
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'UNAUTHORIZED' } } })
    expect(refused.stdout).not.toContain('wrong"')
  })

  test.each([
    ['nobody listens', 'ws://127.0.0.1:1', 6, 'GATEWAY_UNREACHABLE'],
    ['what is no address', 'somewhere', 2, 'USAGE'],
    ['a login in the address', 'ws://a:b@127.0.0.1:1', 2, 'USAGE'],
  ])('%s', async (_what, url, code, name) => {
    const result = await runJson(['gateway', 'call', 'health', '--url', url], { env })
    expect(result).toMatchObject({ code, json: { error: { code: name } } })
  })

  test('a secret of the config is for no other server than its own', async () => {
    const { url } = await open()
    const home = await tempDir({
      '.openclaw/openclaw.json': JSON.stringify({ gateway: { auth: { token: gatewayToken } } }),
    })
    const elsewhere = url.replace('127.0.0.1', 'localhost')
    expect((await runJson(['gateway', 'call', 'health', '--url', elsewhere], { home })).code).toBe(0)
    const far = await runJson(['gateway', 'call', 'health', '--url', 'ws://gateway.invalid:1'], { home })
    expect(far).toMatchObject({ code: 6 })
  })
})

test('gateway status says whether it runs', async () => {
  const gateway = await open()
  const { stdout, code } = await runCli(['gateway', 'status', '--url', gateway.url], { env })
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^running at ws:\/\/127\.0\.0\.1:\d+ for .+ 1 connection\)\n/),
  ])
  gateway.write('openclaw.json', '{')
  await expect
    .poll(async () => (await runCli(['gateway', 'status', '--url', gateway.url], { env })).stdout, {
      timeout: 20_000,
    })
    .toContain('the newest config is not in force')
  const gone = await runCli(['gateway', 'status', '--url', 'ws://127.0.0.1:1'], { env })
  expect(gone).toMatchObject({ code: 6, stdout: '' })
  expect(gone.stderr).toContain('openclaw gateway run')
})

describe('--gateway', () => {
  const tools = { profile: 'full', alsoAllow: ['probe'], deny: ['process'] }
  const setUp = async () => {
    const gateway = await open({ tools })
    await (await gateway.connect()).call('sessions.create', { key: 'main' })
    const dir = await tempDir({ token: gatewayToken })
    const flags = ['--gateway', gateway.url, '--token-file', `${dir}/token`]
    return { gateway, ask: (...args: string[]) => runJson([...args, ...flags]) }
  }

  test('effective, explain, search and call answer for the sessions of a server', async () => {
    const { ask } = await setUp()
    const effective = await ask('tools', 'effective')
    expect(effective).toMatchObject({ code: 0, json: { sessionKey: 'agent:main:main', profile: 'full' } })
    expect(effective.stdout).toContain('probe_count')
    expect(await ask('tools', 'explain', 'process', '--check')).toMatchObject({
      code: 3,
      json: { verdict: 'hidden', decidedBy: { step: 'tools.deny' }, notices: [] },
    })
    expect(await ask('tools', 'search', 'count', 'runs')).toMatchObject({
      code: 0,
      json: {
        query: 'count runs',
        hits: expect.arrayContaining([expect.objectContaining({ name: 'probe_count' })]),
      },
    })
    expect(await ask('tools', 'call', 'openclaw:probe:probe_count')).toMatchObject({
      code: 0,
      json: { tool: { name: 'probe_count' }, result: { details: { value: 1 } } },
    })
  })

  test('call ends as a local one would', async () => {
    const { ask } = await setUp()
    const ends: string[] = []
    for (const [name, ...more] of [
      ['probe_count', '--dry-run'],
      ['probe_count', '--args', '{ nope: 1 }'],
      ['process'],
      ['exec'],
      ['no_such_tool'],
      ['probe_throw'],
      ['probe_ask'],
      ['probe_ask', '--yes'],
    ] as const) {
      const { code, json } = await ask('tools', 'call', name, ...more)
      const { error } = json as { error?: { code: string } }
      ends.push(`${[name, ...more].join(' ')}: ${code} ${error?.code ?? 'ok'}`)
    }
    expect(ends.join('\n')).toMatchInlineSnapshot(`
      "probe_count --dry-run: 0 ok
      probe_count --args { nope: 1 }: 1 INPUT_INVALID
      process: 3 TOOL_DENIED
      exec: 1 TOOL_UNAVAILABLE
      no_such_tool: 1 UNKNOWN_TOOL
      probe_throw: 1 TOOL_FAILED
      probe_ask: 4 APPROVAL_REQUIRED
      probe_ask --yes: 0 ok"
    `)
  })

  test('what a server takes from its own store cannot be said to it', async () => {
    const { ask } = await setUp()
    for (const flag of [['--channel', 'telegram'], ['--sender', 'id:1'], ['--owner'], ['--connect']]) {
      expect(await ask('tools', 'effective', ...flag)).toMatchObject({
        code: 2,
        json: { error: { code: 'USAGE' } },
      })
    }
  })

  test('a session that is not there is made by the command that the error gives', async () => {
    const { ask, gateway } = await setUp()
    const unknown = await ask('tools', 'effective', '--session', 'agent:main:nope')
    expect(unknown).toMatchObject({ code: 1, json: { error: { code: 'UNKNOWN_SESSION' } } })
    const { error } = unknown.json as { error: { hints: string[] } }
    const [, params = '', place = ''] =
      /^openclaw gateway call sessions\.create --params '(.*)' (--url .*)$/.exec(error.hints[0] ?? '') ?? []
    expect(place).toContain(gateway.url)
    const made = await runJson([
      'gateway',
      'call',
      'sessions.create',
      '--params',
      params,
      ...place.split(' '),
    ])
    expect(made.code).toBe(0)
    expect((await ask('tools', 'effective', '--session', 'agent:main:nope')).code).toBe(0)
  })
})
