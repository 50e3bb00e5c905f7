import { statSync } from 'node:fs'
import JSON5 from 'json5'
import { describe, expect, test } from 'vitest'
import { configHome, type ConfigHome } from '../helpers/config-home.ts'

/*
 * What users of the existing system have reported about its config commands, each as a small case. Commands that are no
 * part of this program are played with those that are.
 */

const only = (config: string): Promise<ConfigHome> => configHome({ 'openclaw.json': config })

async function done(home: ConfigHome, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.run(args)
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

describe('reports on editing', () => {
  test('76290: unset takes out one list entry and no other', async () => {
    const home = await only(`{ agents: { list: [ { id: 'a' }, { id: 'b' }, { id: 'c' } ] } }\n`)
    await done(home, 'config', 'unset', 'agents.list[1]')
    expect(home.text()).toBe(`{ agents: { list: [ { id: 'a' }, { id: 'c' } ] } }\n`)
  })

  test('76290: unset takes out one key that looks like a number', async () => {
    const home = await only(
      `{ auth: { profiles: { 3: { mode: 'x' }, 30: { mode: 'y' }, 31: { mode: 'z' } } } }`,
    )
    const { code } = await home.run(['config', 'unset', 'auth.profiles.30'])
    expect(code).toBe(5)
    expect(home.text()).toContain('30')
    const fixed = await only(
      `{ auth: { profiles: { '3': { mode: 'x' }, '30': { mode: 'y' }, '31': { mode: 'z' } } } }`,
    )
    await done(fixed, 'config', 'unset', 'auth.profiles.30')
    expect(fixed.text()).toBe(`{ auth: { profiles: { '3': { mode: 'x' }, '31': { mode: 'z' } } } }`)
  })

  test('55907: negative ids are keys, with and without quotes', async () => {
    const home = await only(`{ channels: { telegram: { groups: { '-1001': { requireMention: true } } } } }`)
    await done(home, 'config', 'set', 'channels.telegram.groups[-1002].requireMention', 'false')
    await done(home, 'config', 'set', 'channels.telegram.groups["-1003"].requireMention', 'false')
    expect(home.text()).toBe(
      `{ channels: { telegram: { groups: { '-1001': { requireMention: true }, '-1002': { requireMention: false }, '-1003': { requireMention: false } } } } }`,
    )
  })

  test('114873: a list is a list, and one with broken quotes is refused', async () => {
    const home = await only('{}')
    await done(home, 'config', 'set', 'plugins.allow', '["weixin"]')
    expect(home.value()).toEqual({ plugins: { allow: ['weixin'] } })
    const before = home.text()
    const { code, stderr } = await home.run(['config', 'set', 'plugins.allow', '[""weixin""]'])
    expect(code).toBe(5)
    expect(stderr).toMatch(/expected a list of strings.*\n.*\n.*check its quotes/)
    expect(home.text()).toBe(before)
  })

  test('70087: an edit goes to the included file, the root keeps its directives', async () => {
    const root = `{ agents: { $include: './config/agents.json5' }, tools: { $include: './config/tools.json5' } }`
    const home = await configHome({
      'openclaw.json': root,
      'config/agents.json5': `{ defaults: { model: { primary: 'p/m' } } }`,
      'config/tools.json5': `{ profile: 'coding' }`,
    })
    await done(home, 'config', 'set', 'tools.profile', 'full')
    expect(home.text()).toBe(root)
    expect(home.text('config/tools.json5')).toBe(`{ profile: 'full' }`)
    expect(home.text('config/agents.json5')).toBe(`{ defaults: { model: { primary: 'p/m' } } }`)
  })

  test('11696: no file ever gets the value of a variable', async () => {
    const home = await configHome({
      'openclaw.json': `{ channels: { $include: './channels.json5' }, agents: { list: [ { id: 'main' } ] } }`,
      'channels.json5': `{ telegram: { botToken: '\${TG_TOKEN}' } }`,
    })
    const env = { TG_TOKEN: 'secret-value-1' }
    const { code } = await home.run(['config', 'set', 'agents.list[id=main].identity.name', 'Neo'], env)
    expect(code).toBe(0)
    expect(home.text()).toBe(
      `{ channels: { $include: './channels.json5' }, agents: { list: [ { id: 'main', identity: { name: 'Neo' } } ] } }`,
    )
    expect(home.text('channels.json5')).toBe(`{ telegram: { botToken: '\${TG_TOKEN}' } }`)
    for (const name of ['openclaw.json.bak', 'config-audit.ndjson']) {
      expect(home.text(name)).not.toContain('secret-value-1')
    }
  })

  test('116107: an include one level deeper is written, too', async () => {
    const root = `{ agents: { entries: { alpha: { $include: './agent-alpha.json5' } } } }`
    const home = await configHome({ 'openclaw.json': root, 'agent-alpha.json5': `{ model: 'p/m1' }` })
    await done(home, 'config', 'set', 'agents.entries.alpha.model', 'p/m2', '--edition', '2026.9')
    expect(home.text()).toBe(root)
    expect(home.text('agent-alpha.json5')).toBe(`{ model: 'p/m2' }`)
  })

  test('150353: one patch changes the root and an included list', async () => {
    const home = await configHome({
      'openclaw.json': `{ models: { providers: { local: { baseUrl: 'http://127.0.0.1:11434', models: { $include: './local-models.json5' } } } } }`,
      'local-models.json5': `[ { id: 'm1' } ]`,
    })
    const patch = `{ models: { providers: { local: { apiKey: "k", models: [ { id: "m1" }, { id: "m2" } ] } } } }`
    await done(home, 'config', 'patch', patch)
    expect(home.text()).toBe(
      `{ models: { providers: { local: { baseUrl: 'http://127.0.0.1:11434', models: { $include: './local-models.json5' }, apiKey: 'k' } } } }`,
    )
    expect(home.text('local-models.json5')).toBe(`[ { id: 'm1' }, { id: 'm2' } ]`)
    await done(home, 'config', 'undo')
    expect(home.text('local-models.json5')).toBe(`[ { id: 'm1' } ]`)
    expect(home.text()).not.toContain('apiKey')
  })

  test('9632: one changed path leaves everything else alone', async () => {
    const config = `{ tools: { media: { audio: { models: [ { provider: 'p', model: 'm' } ] } } }, gateway: { auth: { allowTailscale: true } }, skills: { entries: { x: { enabled: false } } } }`
    const home = await only(config)
    const { json } = await home.json(['config', 'set', 'agents.defaults.model.primary', 'p/m'])
    expect(json).toMatchObject({
      changes: [{ path: 'agents.defaults.model.primary', before: null, after: 'p/m' }],
    })
    expect(home.value()).toEqual({
      ...JSON5.parse<object>(config),
      agents: { defaults: { model: { primary: 'p/m' } } },
    })
  })

  test('80106: a value that equals the default is written', async () => {
    const home = await only('{}')
    await done(home, 'config', 'set', 'tools.loopDetection.enabled', 'false')
    await done(home, 'config', 'set', 'auth.profiles.0.mode', 'token')
    expect(home.value()).toEqual({
      tools: { loopDetection: { enabled: false } },
      auth: { profiles: { '0': { mode: 'token' } } },
    })
  })

  test('143601: a quoted key with dots and brackets is read, set and unset', async () => {
    const home = await only(`{ channels: { modelByChannel: { telegram: { 'team.ops[west]': 'p/m' } } } }`)
    const path = 'channels.modelByChannel.telegram["team.ops[west]"]'
    expect(await done(home, 'config', 'get', path)).toBe('p/m\n')
    await done(home, 'config', 'set', path, 'p/m2')
    expect(home.text()).toBe(`{ channels: { modelByChannel: { telegram: { 'team.ops[west]': 'p/m2' } } } }`)
    await done(home, 'config', 'unset', path)
    expect(home.text()).toBe(`{ channels: { modelByChannel: { telegram: {} } } }`)
  })

  test('open-second-brain 26: JSON5 where it is, text where it is not', async () => {
    const home = await only('{}')
    await done(home, 'config', 'set', 'agents.defaults.workspace', '/srv/ws')
    await done(home, 'config', 'set', 'agents.defaults.userTimezone', '"Europe/Berlin"')
    await done(home, 'config', 'set', 'gateway.port', '18800')
    await done(home, 'config', 'set', 'channels.telegram.botToken', '123456:abc')
    expect(home.value()).toEqual({
      agents: { defaults: { workspace: '/srv/ws', userTimezone: 'Europe/Berlin' } },
      gateway: { port: 18800 },
      channels: { telegram: { botToken: '123456:abc' } },
    })
    const strict = await home.run([
      'config',
      'set',
      'agents.defaults.workspace',
      '/srv/other',
      '--strict-json',
    ])
    expect(strict.code).toBe(2)
    expect(strict.stderr).toContain('--strict-json')
  })

  test('76798: a repair is written although something else is wrong', async () => {
    const home = await only(
      `{ agents: { list: [ { id: 'main', tools: { bash: { timeoutSec: 5 }, profil: 'x' } } ] }, plugins: { entries: { 'not-installed': { enabled: true } } } }`,
    )
    await done(home, 'config', 'unset', 'agents.list[id=main].tools.bash')
    const { code, json } = await home.json(['config', 'validate'])
    expect(code).toBe(5)
    expect(json).toMatchObject({ issues: [{ path: 'agents.list[0].tools.profil' }] })
    await done(home, 'config', 'unset', 'agents.list[0].tools.profil')
    expect((await home.run(['config', 'validate'])).code).toBe(0)
  })

  test('29784: backups are as private as a config has to be, and rotate', async () => {
    const home = await only(`{ gateway: { auth: { token: 'real-token' } } }`)
    for (const profile of ['full', 'coding', 'minimal', 'messaging', 'full', 'coding', 'minimal']) {
      await done(home, 'config', 'set', 'tools.profile', profile)
    }
    const names = ['bak', 'bak.1', 'bak.2', 'bak.3', 'bak.4'].map((end) => `openclaw.json.${end}`)
    for (const name of names) expect(statSync(home.path(name)).mode & 0o777).toBe(0o600)
    expect(home.text('openclaw.json.bak.5')).toBeNull()
    expect(names.map((name) => /profile: '(\w+)'/.exec(home.text(name) ?? '')?.[1])).toEqual([
      'coding',
      'full',
      'messaging',
      'minimal',
      'coding',
    ])
  })

  test('80721: unset has a dry run', async () => {
    const config = `{ tools: { profile: 'coding' } }`
    const home = await only(config)
    const { code, json } = await home.json(['config', 'unset', '--dry-run', 'tools.profile'])
    expect(code).toBe(0)
    expect(json).toMatchObject({
      dryRun: true,
      backup: null,
      changes: [{ path: 'tools.profile', before: 'coding', after: null }],
    })
    expect(home.text()).toBe(config)
    expect(home.text('openclaw.json.bak')).toBeNull()
    expect(home.text('config-audit.ndjson')).toBeNull()
  })

  test('finance-claw: a file that is no JSON5 is not touched', async () => {
    const config = '{ agents: { defaults: { systemPromptOverride: `line 1\\nline 2` } } }'
    const home = await only(config)
    const { code, stderr } = await home.run(['config', 'set', 'tools.profile', 'full'])
    expect(code).toBe(5)
    expect(stderr).toContain('openclaw.json:1:47: expected a value, found `')
    expect(stderr).toContain('JSON5 has no backtick strings')
    expect(home.text()).toBe(config)
  })
})

describe('reports on reading', () => {
  test('1044: what is replaced by variables and what is not', async () => {
    const home = await only("{ a: '${GOOD}', b: 'x-${GOOD}-y', c: '$${GOOD}', d: '${lower}', e: '$GOOD' }")
    const values = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map(
        async (path) => (await home.run(['config', 'get', path], { GOOD: 'v' })).stdout,
      ),
    )
    expect(values).toEqual(['v\n', 'x-v-y\n', '${GOOD}\n', '${lower}\n', '$GOOD\n'])
  })

  test('snow: foreign forms of variables stay and are warned about', async () => {
    const home = await only(
      "{ gateway: { auth: { token: '${env:GW_TOKEN}' } }, models: { providers: { p: { apiKey: '$P_KEY' } } } }",
    )
    const { json } = await home.json(['config', 'validate'], { GW_TOKEN: 'g', P_KEY: 'k' })
    const { warnings } = json as { warnings: { message: string }[] }
    const messages = warnings.map(({ message }) => message).join('\n')
    expect(messages).toMatch(/gateway\.auth\.token.*\$\{NAME\}/)
    expect(messages).toMatch(/models\.providers\.p\.apiKey.*\$\{NAME\}/)
  })

  test('39004: a missing variable warns with its path, and the config stays valid and writable', async () => {
    const home = await only(
      "{ messages: { tts: { providers: { nv: { apiKey: '${NV_KEY}' } } } }, tools: { profile: 'coding' } }",
    )
    const { code, json } = await home.json(['config', 'validate'])
    expect(code).toBe(0)
    expect(json).toMatchObject({ valid: true, warnings: [{ id: 'env-missing' }] })
    await done(home, 'config', 'set', 'tools.profile', 'full')
    expect(home.text()).toContain("apiKey: '${NV_KEY}'")
  })

  test('21130: reading commands work without a variable that only the service has', async () => {
    const home = await only(
      "{ agents: { list: [ { id: 'gh', workspace: '${SERVICE_ONLY}' } ] }, tools: { profile: 'coding' } }",
    )
    const { code, stdout, stderr } = await home.run(['config', 'get', 'tools'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ profile: 'coding' })
    expect(stderr).toContain('env-missing')
  })

  test('11355: only strings are redacted', async () => {
    const home = await only(
      "{ channels: { slack: { userTokenReadOnly: true } }, models: { providers: { p: { models: [ { id: 'm', maxTokens: 8192 } ] } } } }",
    )
    const { json } = await home.json(['config', 'get'])
    expect(json).toMatchObject({
      channels: { slack: { userTokenReadOnly: true } },
      models: { providers: { p: { models: [{ maxTokens: 8192 }] } } },
    })
  })

  test.each([
    ["{ gateway: { auth: { token: 'real-token' } } }"],
    ["{ gateway: { auth: { token: 'real-token' } }, tools: { profile: 'x' } }"],
  ])('66626: no view shows a secret: %s', async (config) => {
    const home = await only(config)
    const views = [
      ['config', 'get'],
      ['config', 'get', '--json'],
      ['config', 'list', '--origin'],
      ['config', 'validate', '--json'],
      ['config', 'set', 'tools.profile', 'full', '--dry-run'],
      ['config', 'set', 'gateway.auth.token', 'new-real-token', '--json'],
      ['config', 'diff'],
      ['config', 'diff', '--json'],
      ['config', 'unset', 'gateway.auth.token', '--dry-run', '--json'],
    ]
    for (const args of views) {
      const { stdout, stderr } = await home.run(args)
      expect(stdout + stderr).not.toContain('real-token')
      expect(stdout + stderr).not.toBe('')
    }
    expect(home.text('config-audit.ndjson')).not.toContain('real-token')
    expect(home.text()).toContain('new-real-token')
  })

  test.each([
    ["{ tools: ['run_code','file_read'] }", 'tools: expected an object, got a list of 2', 'allow'],
    [
      "{ agents: { list: [ { id: 'a', tools: { profile: 'default', allow: ['message'] } } ] } }",
      '"minimal", "coding", "messaging" or "full"',
      '',
    ],
    ["{ agents: { list: [ { id: 'b', sandbox: { mode: 'lenient' } } ] } }", '"off", "non-main" or "all"', ''],
  ])('typical wrong settings are refused with what is allowed: %s', async (config, allowed, suggested) => {
    const home = await only(config)
    const { code, stdout } = await home.run(['config', 'validate'])
    expect(code).toBe(5)
    expect(stdout).toContain(allowed)
    expect(stdout).toContain(suggested)
  })

  test('netclaw: servers under a key of another program are told where they belong', async () => {
    const home = await only(
      "{ gateway: { mode: 'local' }, mcpServers: { inv: { command: 'python3', args: ['-u','srv.py'] } }, tokenOptimization: { enabled: true } }",
    )
    const { json } = await home.json(['config', 'validate'])
    expect(JSON.stringify(json)).toContain('it belongs in mcp.servers')
    expect(JSON.stringify(json)).toContain('unknown section')
  })
})
