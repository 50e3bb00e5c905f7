import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startMockServer } from '../../src/qa/mock-openai/server.ts'
import { agentHome, runAgentCli } from '../helpers/agent-home.ts'
import { livingWith, uniqueSleep } from '../helpers/commands.ts'
import { startGateway, type TestClient } from '../helpers/gateway.ts'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'

interface Called {
  readonly result: {
    readonly content: readonly { readonly text: string }[]
    readonly details: Readonly<Record<string, unknown>>
  }
  readonly error: { readonly code: string; readonly data: Readonly<Record<string, unknown>> }
}

const exec = (args: object, ...more: readonly string[]) => [
  'tools',
  'call',
  'exec',
  '--args',
  JSON.stringify(args),
  ...more,
]

/** How long a busy machine may take. */
const patience = { timeout: 20_000 }

describe('openclaw tools call exec', () => {
  test('runs a command in the workspace; its failure is an answer', async () => {
    const home = await tempDir()
    const { code, json } = await runJson(exec({ command: 'echo out; echo err >&2; pwd; exit 3' }), { home })
    expect({ code, json }).toMatchObject({ code: 0 })
    const { result } = json as Called
    expect(result.content[0]?.text).toMatch(
      /^out\nerr\n\S+\/\.openclaw\/workspace\n\n\(Command exited with code 3\)$/,
    )
    expect(result.details).toMatchObject({ status: 'failed', exitCode: 3, signal: null, backend: 'host' })
  })

  test('waits for its end, whatever the config says about the background', async () => {
    const home = await tempDir({
      '.openclaw/openclaw.json': JSON.stringify({ tools: { exec: { backgroundMs: 1 } } }),
    })
    const { code, stdout } = await runCli(exec({ command: 'sleep 0.5; echo late' }), { home })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'late\n' })
  })

  test('leaves nothing behind of what it was told to start', async () => {
    const sleep = uniqueSleep()
    const { json } = await runJson(exec({ command: `setsid -f ${sleep}; ${sleep}`, background: true }))
    const { result } = json as Called
    expect(result.details).toMatchObject({ status: 'running', sessionId: expect.stringMatching(/^exec-/) })
    expect(result.content[0]?.text).toContain('It ends with this program')
    expect(livingWith(sleep)).toEqual([])
  })

  test.each([
    ['a wrong directory', { command: 'pwd', workdir: '/nowhere' }, [], 1, 'INPUT_INVALID'],
    ['a variable that loads code', { command: 'pwd', env: { LD_PRELOAD: '/x' } }, [], 1, 'INPUT_INVALID'],
    ['an unknown argument', { command: 'pwd', cwd: '/' }, [], 1, 'INPUT_INVALID'],
    ['a mode that denies', { command: 'pwd' }, ['--set', 'tools.exec.mode="deny"'], 3, 'TOOL_DENIED'],
    ['a mode that asks', { command: 'pwd' }, ['--set', 'tools.exec.ask="always"'], 4, 'APPROVAL_REQUIRED'],
    ['a node', { command: 'pwd', host: 'node' }, [], 1, 'TOOL_UNAVAILABLE'],
  ])('with %s', async (_, args, more, exit, code) => {
    const { code: ended, json } = await runJson(exec(args, ...more))
    expect({ exit: ended, code: (json as Called).error.code }).toEqual({ exit, code })
  })

  test('runs once after a yes', async () => {
    const home = await tempDir({
      '.openclaw/openclaw.json': JSON.stringify({ tools: { exec: { ask: 'always' } } }),
    })
    const call = () => runJson(exec({ command: 'echo ran >> log' }), { home })
    const { json } = await call()
    const { approvalId } = (json as Called).error.data
    await runCli(['approvals', 'allow', String(approvalId)], { home })
    expect((await call()).code).toBe(0)
    expect((await call()).code).toBe(4)
    expect(readFileSync(join(home, '.openclaw/workspace/log'), 'utf8')).toBe('ran\n')
  })
})

describe('an agent run', () => {
  test('starts a command, follows it, and leaves nothing of it', async () => {
    const sleep = uniqueSleep()
    const { home } = await agentHome({ tools: { allow: ['exec', 'process'] } })
    const command = `echo up; ${sleep}`
    const { code, stdout } = await runAgentCli(home, [
      '-m',
      `call exec ${JSON.stringify({ command, background: true })}\ncall process {"action":"list"}`,
    ])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^exec: Still running: session exec-[0-9a-f]{8}, pid \d+\. Follow it with the process tool/,
    )
    expect(livingWith(sleep)).toEqual([])
  })
})

describe('a Gateway', () => {
  /** A Gateway whose agent is the scripted model of a mock provider. */
  async function open() {
    const provider = await startMockServer()
    onTestFinished(() => provider.close())
    const { baseUrl } = provider
    const mock = { baseUrl, api: 'openai-completions', apiKey: 'k', models: [{ id: 'mock-model' }] }
    const gateway = await startGateway({
      files: {
        'openclaw.json': JSON.stringify({
          models: { providers: { mock } },
          agents: { defaults: { model: { primary: 'mock/mock-model' } } },
        }),
      },
    })
    return { gateway, provider, client: await gateway.connect() }
  }

  async function say(client: TestClient, message: string, sessionKey = 'main'): Promise<string> {
    const { runId } = await client.call('agent', { message, sessionKey })
    const { result } = await client.call('agent.wait', { runId, timeoutMs: 30_000 })
    return (result as { text: string }).text
  }

  test('keeps a command from turn to turn, for its session alone, until it ends itself', async () => {
    const { gateway, client } = await open()
    const sleep = uniqueSleep()
    const begun = await say(client, `call exec ${JSON.stringify({ command: sleep, background: true })}`)
    const id = /exec-[0-9a-f]{8}/.exec(begun)?.[0] ?? ''
    expect(await say(client, 'call process {"action":"list"}')).toMatch(new RegExp(`${id}  running`))
    expect(await say(client, 'call process {"action":"list"}', 'agent:main:other')).toContain(
      'No background commands.',
    )
    const other = `call process ${JSON.stringify({ action: 'kill', sessionId: id })}`
    expect(await say(client, other, 'agent:main:other')).toContain('has no background command')
    expect(livingWith(sleep).length).toBe(1)
    await gateway.stop()
    expect(livingWith(sleep)).toEqual([])
  })

  test('tells a session in its next turn that a command has ended', async () => {
    const { gateway, client, provider } = await open()
    const flag = join(gateway.home, 'go')
    const command = `until [ -e ${flag} ]; do sleep 0.02; done; echo built > ${flag}.done; echo built; exit 2`
    await say(client, `call exec ${JSON.stringify({ command, background: true })}`)
    await say(client, `call exec ${JSON.stringify({ command: `touch ${flag}` })}`)
    await expect.poll(() => existsSync(`${flag}.done`), patience).toBe(true)
    // The end is told when its output has been read, which is a moment after it was written.
    await expect
      .poll(async () => say(client, 'call process {"action":"list"}'), patience)
      .toMatch(/exec-[0-9a-f]{8} {2}failed/)
    await say(client, 'say thanks')
    const asked = JSON.stringify(provider.requests.map(({ body }) => body))
    expect(asked).toMatch(
      /\[system\] Background command exec-[0-9a-f]{8} \(until .*has ended\. \(Command exited with code 2\) built/,
    )
  })

  test('ends what an aborted run waits for', async () => {
    const { client } = await open()
    const sleep = uniqueSleep()
    const message = `call exec ${JSON.stringify({ command: `setsid -f ${sleep}; ${sleep}` })}`
    const { runId } = await client.call('agent', { message, sessionKey: 'main' })
    await expect.poll(() => livingWith(sleep).length, patience).toBeGreaterThan(1)
    await client.call('agent.abort', { runId })
    await client.call('agent.wait', { runId })
    await expect.poll(() => livingWith(sleep), patience).toEqual([])
  })

  test('keeps large output in a file of its state directory', async () => {
    const { gateway, client } = await open()
    const told = await say(client, 'call exec {"command":"seq 1 100000"}')
    const [, file = ''] = /All of it is in (\S+\.log)\]/.exec(told) ?? []
    expect(file.startsWith(gateway.path('exec-output'))).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    // The model gets the beginning and, what matters more, the end.
    expect(told).toMatch(/\n\[\d+ characters left out here\]\n/)
    expect(told.trimEnd().endsWith('\n99999\n100000')).toBe(true)
  })
})
