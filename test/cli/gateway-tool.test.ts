import { expect, test } from 'vitest'
import { configHome } from '../helpers/config-home.ts'

const config = `{
  // mine
  gateway: { auth: { mode: "token", token: "s3cr3t" } },
}
`

async function home() {
  const made = await configHome({ 'openclaw.json': config })
  const call = async (args: object, ...flags: string[]) => {
    const { code, json } = await made.json([
      'tools',
      'call',
      'gateway',
      '--args',
      JSON.stringify(args),
      ...flags,
    ])
    const { result, error } = json as {
      result?: { details: Record<string, unknown> }
      error?: { code: string; message: string; data: Record<string, unknown> }
    }
    return { code, details: result?.details ?? {}, error }
  }
  const hash = async () => (await call({ action: 'config.get' })).details['hash']
  return { ...made, call, hash }
}

test('sessions read the config without its secrets, and what may stand in it', async () => {
  const { call } = await home()
  const read = await call({ action: 'config.get', path: 'gateway' })
  expect(read.details).toMatchObject({ value: { auth: { mode: 'token' } } })
  expect(JSON.stringify(read.details)).not.toContain('s3cr3t')
  expect(
    (await call({ action: 'config.schema', path: 'agents.defaults.heartbeat.every' })).details,
  ).toMatchObject({
    kind: 'string',
    mayChange: true,
  })
  expect((await call({ action: 'config.schema', path: 'tools.deny' })).details).toMatchObject({
    mayChange: false,
  })
  expect((await call({ action: 'config.get', path: 'tools.nope' })).error?.code).toBe('PATH_UNKNOWN')
})

test('a change waits for a person, keeps every other byte, and is made once', async () => {
  const { call, hash, text } = await home()
  const patch = { agents: { defaults: { heartbeat: { every: '30m' } } } }
  const wanted = { action: 'config.patch', baseHash: await hash(), patch }
  expect(await call(wanted)).toMatchObject({ code: 4, error: { code: 'APPROVAL_REQUIRED' } })
  expect(text()).toBe(config)
  expect((await call({ ...wanted, dryRun: true })).details).toMatchObject({ dryRun: true })
  expect(text()).toBe(config)
  expect((await call(wanted, '--yes')).code).toBe(0)
  expect(text()).toContain('// mine\n  gateway: { auth: { mode: "token", token: "s3cr3t" } },\n')
  expect(text()).toContain('"30m"')
  // The hash is that of the config as it was.
  expect(await call(wanted, '--yes')).toMatchObject({ code: 1, error: { code: 'CONFIG_CONFLICT' } })
})

test.each([
  [{ tools: { profile: 'full' } }, ['tools.profile']],
  [{ gateway: { auth: null } }, ['gateway.auth.mode', 'gateway.auth.token']],
  [{ agents: { defaults: { model: 'a/b', sandbox: { mode: 'off' } } } }, ['agents.defaults.sandbox.mode']],
  [{ agents: { list: [{ id: 'evil', model: 'a/b' }] } }, ['agents.list[0].id']],
  [{ ui: { theme: 'x' }, commands: { ownerAllowFrom: ['*'] } }, ['commands.ownerAllowFrom[0]']],
])('sessions may not change %j', async (patch, paths) => {
  const { call, hash, text } = await home()
  const { code, error } = await call({ action: 'config.patch', baseHash: await hash(), patch }, '--yes')
  expect({ code, error }).toMatchObject({ code: 3, error: { code: 'TOOL_DENIED', data: { paths } } })
  expect(text()).toBe(config)
})

test('what is not valid is not written', async () => {
  const { call, hash, text } = await home()
  const patch = { agents: { defaults: { heartbeat: { every: 7 } } } }
  const { error } = await call({ action: 'config.patch', baseHash: await hash(), patch }, '--yes')
  expect(error?.code).toBe('CONFIG_INVALID')
  expect(text()).toBe(config)
})

test('profiles of edition 2026.9 that have the tool for updates alone read no config', async () => {
  const { call } = await home()
  const edition = ['--edition', '2026.9', '--set', 'tools.profile=coding']
  expect((await call({ action: 'config.get' }, ...edition)).error?.code).toBe('TOOL_DENIED')
  expect((await call({ action: 'status' }, ...edition)).code).toBe(0)
  const named = await call(
    { action: 'config.get' },
    ...edition,
    '--set',
    'tools.alsoAllow=["group:automation"]',
  )
  expect(named.code).toBe(0)
  expect((await call({ action: 'config.get' }, '--edition', '2026.9')).code).toBe(0)
})

test('what one machine cannot do says what it needs', async () => {
  const { call, json } = await home()
  expect((await call({ action: 'restart' })).error?.code).toBe('TOOL_UNAVAILABLE')
  expect((await call({ action: 'update.run' })).error?.code).toBe('TOOL_UNAVAILABLE')
  const nodes = await json(['tools', 'call', 'nodes', '--json'])
  expect(nodes.json).toMatchObject({ result: { details: { nodes: [{ id: 'local', connected: true }] } } })
  const phone = await json(['tools', 'call', 'nodes', '--args', '{node:"phone"}', '--json'])
  expect(phone.json).toMatchObject({ error: { code: 'TOOL_UNAVAILABLE' } })
})
