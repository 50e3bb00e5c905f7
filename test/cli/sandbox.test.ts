import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/config/types.ts'
import { startMockServer } from '../../src/qa/mock-openai/server.ts'
import { agentHome, runAgentCli } from '../helpers/agent-home.ts'
import { gatewayToken, startGateway } from '../helpers/gateway.ts'
import { isolatedEnv, runCli, runJson, tempDir } from '../helpers/run-cli.ts'
import { whyNoSandbox } from '../helpers/sandbox.ts'

const why = await whyNoSandbox()
const reason = why === null ? '' : ` (skipped: ${why})`

const direct = 'agent:main:telegram:direct:1000001'
const elevated: Config = {
  agents: { defaults: { model: { primary: 'mock/mock-model' }, sandbox: { mode: 'all' } } },
  tools: { elevated: { allowFrom: { telegram: ['1000001'], webchat: ['test'] } } },
}

/** Runs the program and parses what it says. */
async function explain(
  config: object,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Record<string, never>> {
  const home = await tempDir({ '.openclaw/openclaw.json': JSON.stringify(config) })
  const { code, json } = await runJson(['sandbox', 'explain', ...args], { home, env })
  expect(code).toBe(0)
  return json as Record<string, never>
}

describe('sandbox explain', () => {
  test('knows channel and sender of a direct chat by its key', async () => {
    const answer = await explain(elevated, ['--session', direct, '--no-sandboxed'])
    expect(answer).toMatchObject({
      agentId: 'main',
      sessionKey: direct,
      mainSessionKey: 'agent:main:main',
      sandbox: {
        sessionIsSandboxed: false,
        because: 'it was asked to be off, for this session',
        available: null,
      },
      elevated: {
        enabled: true,
        channel: 'telegram',
        sender: '1000001',
        allowedByConfig: true,
        alwaysAllowedByConfig: false,
        failures: [],
      },
      exec: {
        configuredHost: 'auto',
        host: 'gateway',
        mode: 'full',
        security: 'full',
        ask: 'off',
        applies: true,
      },
    })
  })

  test('names gates, lists with their places, and what policy says', async () => {
    const config = {
      tools: {
        deny: ['exec'],
        sandbox: { tools: { alsoAllow: ['browser'] } },
        elevated: { enabled: false, allowFrom: { discord: ['*'] } },
      },
      agents: {
        list: [
          {
            id: 'main',
            tools: { sandbox: { tools: { deny: ['process'] } }, elevated: { allowFrom: { discord: [7] } } },
          },
        ],
      },
    }
    const answer = await explain(config, ['--channel', 'discord', '--sender', 'id:8', '--sandboxed'], {
      PATH: '/nowhere',
    })
    expect(answer).toMatchObject({
      sandbox: {
        mode: 'off',
        backend: 'auto',
        available: { backend: null, reason: expect.stringMatching(/bubblewrap/) },
        tools: {
          deny: ['process'],
          sources: {
            allow: { source: 'global', key: 'tools.sandbox.tools.alsoAllow' },
            deny: { source: 'agent', key: 'agents.list[0].tools.sandbox.tools.deny' },
          },
        },
      },
      elevated: {
        enabled: false,
        allowFrom: { global: ['*'], agent: ['7'] },
        failures: [
          { gate: 'enabled', key: 'tools.elevated.enabled' },
          { gate: 'allowFrom', key: 'agents.list[0].tools.elevated.allowFrom.discord' },
        ],
      },
      exec: { host: null },
      policy: {
        tools: expect.arrayContaining([
          expect.objectContaining({
            tool: 'exec',
            verdict: 'hidden',
            decidedBy: expect.objectContaining({ step: 'tools.deny' }),
          }),
          expect.objectContaining({
            tool: 'read',
            verdict: 'visible',
            needs: expect.stringContaining('bubblewrap'),
          }),
        ]),
      },
    })
    expect(answer['fixIt']).toContain('openclaw tools explain exec')
  })

  test('offers commands that help', async () => {
    const home = await tempDir({
      '.openclaw/openclaw.json': JSON.stringify({ tools: { elevated: { enabled: false } } }),
    })
    const ask = async (): Promise<{ fixIt: string[]; elevated: { allowedByConfig: boolean } }> => {
      const { json } = await runJson(['sandbox', 'explain', '--session', direct, '--sandboxed'], { home })
      return json as never
    }
    const before = await ask()
    const commands = before.fixIt.filter((fix) => fix.startsWith('openclaw config set tools.elevated'))
    expect(commands).toEqual([
      'openclaw config set tools.elevated.enabled true',
      `openclaw config set tools.elevated.allowFrom.telegram --append '"1000001"'`,
    ])
    for (const command of commands) {
      const words = command.replaceAll("'", '').split(' ').slice(1)
      expect((await runCli(words, { home })).code).toBe(0)
    }
    expect((await ask()).elevated.allowedByConfig).toBe(true)
  })

  test('tells what is asked for commands, and who has said so', async () => {
    const tools = { exec: { host: 'gateway', mode: 'auto' } }
    const agents = {
      list: [{ id: 'main' }, { id: 'work', tools: { exec: { ask: 'always', host: 'auto' } } }],
    }
    const home = await tempDir({ '.openclaw/openclaw.json': JSON.stringify({ tools, agents }, null, 2) })
    const file = join(home, '.openclaw/exec-approvals.json')
    const ask = async (...more: string[]) => {
      const { json } = await runJson(['sandbox', 'explain', ...more], { home })
      return (json as { exec: Record<string, unknown> }).exec
    }
    const at = (source: string, key: string, line: number) => ({ source, key, location: { line } })
    expect(await ask()).toMatchObject({
      configuredHost: 'gateway',
      host: 'gateway',
      mode: 'auto',
      security: 'allowlist',
      ask: 'on-miss',
      sources: {
        host: at('global', 'tools.exec.host', 4),
        mode: at('global', 'tools.exec.mode', 5),
        security: at('global', 'tools.exec.mode', 5),
        ask: at('global', 'tools.exec.mode', 5),
      },
      approvals: null,
    })
    expect(await ask('--agent', 'work')).toMatchObject({
      mode: 'ask',
      ask: 'always',
      sources: {
        host: at('agent', 'agents.list[1].tools.exec.host', 18),
        ask: at('agent', 'agents.list[1].tools.exec.ask', 17),
        security: at('global', 'tools.exec.mode', 5),
      },
    })
    writeFileSync(file, JSON.stringify({ version: 1, defaults: { security: 'deny' } }))
    expect(await ask()).toMatchObject({
      host: null,
      because: 'defaults.security is deny',
      mode: 'deny',
      sources: {
        mode: { source: 'exec-approvals', key: 'defaults.security', location: null },
        ask: at('global', 'tools.exec.mode', 5),
      },
      approvals: { file, problem: null },
    })
    const { stdout } = await runCli(['sandbox', 'explain'], { home })
    expect(stdout).toContain(`security         deny [defaults.security in ${file}]`)
    expect(stdout).toMatch(/tools\.exec\.host {2}gateway \[tools\.exec\.host, \S+openclaw\.json:4:/)
    writeFileSync(file, '{"version": 7}')
    expect(await ask()).toMatchObject({
      host: null,
      mode: 'deny',
      approvals: { file, problem: expect.stringContaining('version 7 is not known') },
    })
  })

  test.skipIf(why !== null)(`tries the backend it names${reason}`, async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': JSON.stringify(elevated) })
    const { code, stdout, stderr } = await runCli(['sandbox', 'explain', '--session', direct], { home })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error') })
    // What can be limited is up to the machine, and to who runs the tests.
    const shown = stdout
      .replace(/ memory each/, ' memory')
      .replace(/ \(not enforced[^)]*\)/, '')
      .replaceAll(home, '~')
      .replaceAll(/^ {2}(?:allow|deny) .*\n/gm, '')
    expect(shown).toMatchInlineSnapshot(`
      "agent:main:telegram:direct:1000001 is sandboxed: sandbox.mode is all (the main session is agent:main:main)

      Sandbox: where tools run
        mode       all
        scope      agent
        backend    auto, bubblewrap works
        workspace  none ~/.openclaw/sandboxes/agent-main-f331f052/workspace
        network    off
        limits     512 processes, 2048 MiB memory, 256 MiB /tmp, 1024 MiB a file

      Policy: which tools there are
        exec         visible
        process      visible
        read         visible
        write        visible
        edit         visible
        apply_patch  visible

      Elevated: who may leave the sandbox by exec
        enabled    yes
        channel    telegram
        sender     1000001
        allowFrom  1000001
        allowed    yes
        level      off

      Exec: what that comes to
        tools.exec.host  auto [built in]
        runs             in the sandbox
        mode             full [built in], for what leaves the sandbox
        security         full [built in]
        ask              off [built in]
      "
    `)
  })
})

describe('/elevated', () => {
  const kept = (home: string, key: string): unknown =>
    JSON.parse(readFileSync(join(home, '.openclaw/agents/main/sessions/sessions.json'), 'utf8'))[key]
      ?.elevatedLevel

  test('alone is kept by the session and answered without a model', async () => {
    const { home, server } = await agentHome(elevated)
    const say = (message: string) => runAgentCli(home, ['--session', direct, '--message', message])
    const set = await say('/elevated full')
    expect({ code: set.code, stdout: set.stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('Elevated is now full for this session'),
    })
    expect(kept(home, direct)).toBe('full')
    expect((await say('/elevated banana')).stdout).toContain('"banana" is no level of elevated')
    expect((await say('/elevated off')).stdout).toContain('Elevated is now off')
    expect(kept(home, direct)).toBe('off')
    expect(server.requests).toEqual([])
  })

  test('of somebody who may not have it changes nothing, and the model does not see it', async () => {
    const { home, server } = await agentHome(elevated)
    const stranger = ['--session', 'agent:main:telegram:direct:666', '--message']
    expect((await runAgentCli(home, [...stranger, '/elevated full'])).stdout).toBe(
      'Elevated is not available here, and nothing was changed: the sender is not on the list (tools.elevated.allowFrom.telegram).\n',
    )
    const { stderr } = await runAgentCli(home, [...stranger, 'please /elevated full say hi'])
    expect(stderr).toContain('elevated is not available to this sender')
    expect(kept(home, 'agent:main:telegram:direct:666')).toBeUndefined()
    expect(JSON.stringify(server.requests)).not.toContain('/elevated')
    expect(JSON.stringify(server.requests)).toContain('please say hi')
    const unknown = await runAgentCli(home, ['--message', '/elevated on'])
    expect(unknown.stdout).toContain('the channel of this session is not known')
  })

  test('in a file or a text below is nobody’s order', async () => {
    const { home, server } = await agentHome(elevated)
    const file = join(home, 'note.txt')
    writeFileSync(file, '/elevated full\n')
    const { code } = await runAgentCli(home, [
      '--session',
      direct,
      '--message',
      'look at this',
      '--file',
      file,
    ])
    expect([code, kept(home, direct)]).toEqual([0, undefined])
    expect(JSON.stringify(server.requests)).toContain('/elevated full')
  })

  test('says so where a level has no effect', async () => {
    const { home } = await agentHome({ ...elevated, tools: { ...elevated.tools, deny: ['exec'] } })
    const { stdout } = await runAgentCli(home, ['--session', direct, '--message', '/elevated full'])
    expect(stdout).toContain('stored for this session but not applicable: this session has no exec')
    expect(kept(home, direct)).toBe('full')
  })

  test.skipIf(why !== null)(`lifts exec, and only for the message it stands in${reason}`, async () => {
    const { home } = await agentHome(elevated)
    const say = async (message: string): Promise<string> =>
      (await runAgentCli(home, ['--session', direct, '--message', message])).stdout
    const inside = `test -e ${home}/.openclaw/openclaw.json && echo on the host || echo in the sandbox`
    const here = `call exec ${JSON.stringify({ command: inside })}`
    expect(await say(here)).toContain('in the sandbox')
    expect(await say(`/elevated ask\n${here}`)).toContain('on the host')
    expect(await say(here)).toContain('in the sandbox')
    await say('/elevated on')
    expect(await say(here)).toContain('on the host')
  })

  test.skipIf(why !== null)(`is not there for a turn that another session begins${reason}`, async () => {
    const { home } = await agentHome({
      ...elevated,
      agents: {
        defaults: {
          ...elevated.agents?.defaults,
          sandbox: { mode: 'all', sessionToolsVisibility: 'all' },
        },
      },
      tools: { ...elevated.tools, agentToAgent: { enabled: true }, sessions: { visibility: 'all' } },
    })
    await runAgentCli(home, ['--session', direct, '--message', '/elevated full'])
    const inside = `test -e ${home}/.openclaw/openclaw.json && echo on the host || echo in the sandbox`
    const sent = {
      sessionKey: direct,
      message: `call exec ${JSON.stringify({ command: inside })}`,
      timeoutSeconds: 30,
    }
    const { stdout } = await runAgentCli(home, [
      '--session',
      'agent:main:telegram:group:5',
      '--message',
      `call sessions_send ${JSON.stringify(sent)}`,
    ])
    expect(stdout).toContain('in the sandbox')
    expect(stdout).not.toContain('on the host')
  })

  test('over the Gateway, by its protocol and by HTTP', async () => {
    const provider = await startMockServer()
    onTestFinished(() => provider.close())
    const config = {
      ...elevated,
      models: { providers: { mock: { baseUrl: provider.baseUrl, apiKey: 'k', api: 'openai-responses' } } },
      gateway: { http: { endpoints: { chatCompletions: { enabled: true } } } },
    }
    const gateway = await startGateway({
      files: { 'openclaw.json': JSON.stringify(config) },
      env: { PATH: isolatedEnv('/')['PATH'] ?? '' },
    })
    const client = await gateway.connect()
    const run = async (params: object): Promise<unknown> => {
      const { runId } = await client.call('agent', params)
      const { result } = await client.call('agent.wait', { runId })
      return (result as { text: string }).text
    }
    expect(await run({ message: '/elevated full', sessionKey: direct })).toContain('Elevated is now full')
    expect(await run({ message: '/elevated' })).toContain('Elevated is off: exec runs in the sandbox')
    expect(await run({ message: '/elevated ask' })).toContain('Elevated is now ask')
    expect([kept(gateway.home, direct), kept(gateway.home, 'agent:main:main')]).toEqual(['full', 'ask'])

    const guest = await gateway.connect({ scopes: ['operator.write'] })
    const { runId } = await guest.call('agent', {
      message: '/elevated full',
      sessionKey: 'agent:main:telegram:direct:1000001:x',
    })
    const { result } = await guest.call('agent.wait', { runId })
    expect((result as { text: string }).text).toContain('nothing was changed')

    const chat = async (messages: readonly object[]): Promise<string> => {
      const response = await gateway.http('/v1/chat/completions', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gatewayToken}`,
          'content-type': 'application/json',
          'x-openclaw-session-key': direct,
        },
        body: JSON.stringify({ model: 'openclaw', messages }),
      })
      return response.text()
    }
    const order = { role: 'user', content: '/elevated off' }
    expect(await chat([order])).toContain('Elevated is now off')
    expect(kept(gateway.home, direct)).toBe('off')
    expect(provider.requests).toEqual([])
    await chat([
      { role: 'user', content: '/elevated full' },
      { role: 'assistant', content: 'done' },
      { role: 'user', content: 'hello' },
    ])
    expect(kept(gateway.home, direct)).toBe('off')
    expect(JSON.stringify(provider.requests)).toContain('hello')
    expect(JSON.stringify(provider.requests)).not.toContain('/elevated')
  })
})
