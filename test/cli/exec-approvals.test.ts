import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lastUserText } from '../../src/qa/mock-openai/conversation.ts'
import { startMockServer } from '../../src/qa/mock-openai/server.ts'
import { putProgram } from '../helpers/command-gate.ts'
import { probeConfig, startGateway } from '../helpers/gateway.ts'
import { projectRoot } from '../helpers/project.ts'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'

interface Step {
  readonly command: string
  readonly expect: 'run' | 'ask' | 'deny'
  readonly answer?: 'allow-always'
  readonly stored?: readonly string[]
  readonly layer?: string
  readonly says?: string
}

interface Report {
  readonly report: string
  readonly title: string
  readonly config?: { readonly tools?: { readonly exec?: object }; readonly [key: string]: unknown }
  readonly approvals?: object
  readonly steps: readonly Step[]
}

interface Failure {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly data: { readonly approvalId?: string; readonly layer?: string }
  }
}

const file = join(projectRoot, 'fixtures/exec-approvals/reports.json')
const reports = JSON.parse(readFileSync(file, 'utf8')) as readonly Report[]

/** A home with the programs of the reports, and its own approvals file. */
class Machine {
  readonly home: string
  readonly #state: string
  readonly #bin: string
  readonly #workspace: string

  private constructor(home: string) {
    this.home = home
    this.#state = join(home, '.openclaw')
    this.#bin = join(home, 'bin')
    this.#workspace = join(this.#state, 'workspace')
  }

  static async open({ config, approvals }: Pick<Report, 'config' | 'approvals'>): Promise<Machine> {
    const machine = new Machine(await tempDir())
    for (const name of ['git', 'mytool']) putProgram(machine.#bin, name, 'echo "$0 ran"')
    putProgram(join(machine.#workspace, 'scripts'), 'x.sh')
    mkdirSync(machine.#state, { recursive: true })
    const exec = { ...config?.tools?.exec, pathPrepend: [machine.#bin] }
    writeFileSync(join(machine.#state, 'openclaw.json'), JSON.stringify({ ...config, tools: { exec } }))
    if (approvals !== undefined) writeFileSync(machine.approvalsFile, machine.fill(JSON.stringify(approvals)))
    return machine
  }

  get approvalsFile(): string {
    return join(this.#state, 'exec-approvals.json')
  }

  fill(text: string): string {
    return text.replaceAll('{bin}', this.#bin).replaceAll('{ws}', this.#workspace)
  }

  /** What becomes of a command, and the answer. */
  async call(command: string, more: object = {}) {
    const args = JSON.stringify({ command: this.fill(command), ...more })
    const { code, json } = await runJson(['tools', 'call', 'exec', '--args', args], { home: this.home })
    const error = code === 0 ? null : (json as Failure).error
    const verdict =
      error === null
        ? 'run'
        : error.code === 'APPROVAL_REQUIRED'
          ? 'ask'
          : error.code === 'TOOL_DENIED'
            ? 'deny'
            : error.code
    return { code, verdict, error, id: error?.data.approvalId ?? '' }
  }

  stored(): readonly string[] {
    const { agents } = JSON.parse(readFileSync(this.approvalsFile, 'utf8')) as {
      agents: { main: { allowlist: { pattern: string }[] } }
    }
    return agents.main.allowlist.map(({ pattern }) => pattern)
  }

  approvals(...args: readonly string[]) {
    return runCli(['approvals', ...args], { home: this.home })
  }
}

describe('public reports, as calls of exec', () => {
  // A shell that is not here cannot end well, whatever may run.
  const here = reports.filter(({ steps }) =>
    steps.every(({ command }) => existsSync(command.split(' ')[0] ?? '') || !command.startsWith('/')),
  )

  test.each(here)('$report: $title', async (report) => {
    const machine = await Machine.open(report)
    for (const { command, expect: wanted, answer, stored = [], layer, says = '' } of report.steps) {
      const { verdict, error, id } = await machine.call(command)
      expect({ command, verdict, layer: error?.data.layer }).toEqual({
        command,
        verdict: wanted,
        layer: wanted === 'deny' ? (layer ?? 'exec-approvals') : undefined,
      })
      expect(error?.message ?? says).toContain(says)
      if (answer === undefined) continue
      expect((await machine.approvals('allow', id, '--always')).stdout).toContain('from now on')
      expect(machine.stored()).toEqual(stored.map((pattern) => machine.fill(pattern)))
    }
  })

  test('all but those of shells that are not installed', () => {
    expect(here.length).toBeGreaterThanOrEqual(reports.length - 1)
  })
})

const asking = { config: { tools: { exec: { mode: 'ask' } } } }

describe('an answer', () => {
  test('for once lets the call run once', async () => {
    const machine = await Machine.open(asking)
    const { id, code } = await machine.call('mytool')
    expect(code).toBe(4)
    await machine.approvals('allow', id)
    expect(await machine.call('mytool')).toMatchObject({ verdict: 'run' })
    expect(await machine.call('mytool')).toMatchObject({ verdict: 'ask' })
    expect(existsSync(machine.approvalsFile)).toBe(false)
  })

  test('that denies holds', async () => {
    const machine = await Machine.open(asking)
    await machine.approvals('deny', (await machine.call('mytool')).id)
    expect(await machine.call('mytool')).toMatchObject({ code: 3, verdict: 'TOOL_BLOCKED' })
  })

  test('for always lets the program run with other arguments, until it is denied or taken out of the file', async () => {
    const machine = await Machine.open(asking)
    const { id } = await machine.call('mytool a')
    await machine.approvals('allow', id, '--always')
    expect(await machine.call('mytool b')).toMatchObject({ verdict: 'run' })
    const entry = (
      JSON.parse(readFileSync(machine.approvalsFile, 'utf8')) as { agents: { main: { allowlist: object[] } } }
    ).agents.main.allowlist[0]
    expect(entry).toMatchObject({ source: 'allow-always', approvalId: id, lastUsedCommand: 'mytool b' })
    expect((await machine.approvals('list')).stdout).toContain('always')
    await machine.approvals('deny', id)
    expect(machine.stored()).toEqual([])
    expect(await machine.call('mytool b')).toMatchObject({ verdict: 'ask' })
  })

  test('for always to a line that no entry could allow is for the same line', async () => {
    const machine = await Machine.open(asking)
    const { id } = await machine.call('mytool > out')
    await machine.approvals('allow', id, '--always')
    expect(existsSync(machine.approvalsFile)).toBe(false)
    expect(await machine.call('mytool > out')).toMatchObject({ verdict: 'run' })
    expect(await machine.call('mytool > other')).toMatchObject({ verdict: 'ask' })
  })

  test('for always is not to be had where every command is asked for', async () => {
    const machine = await Machine.open({ config: { tools: { exec: { mode: 'full' } } } })
    const { id } = await machine.call('mytool', { ask: 'always' })
    const { code, stderr } = await machine.approvals('allow', id, '--always')
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('can only be allowed once') as string,
    })
    expect((await machine.approvals('allow', id)).code).toBe(0)
    expect(await machine.call('mytool', { ask: 'always' })).toMatchObject({ verdict: 'run' })
  })

  test('given in advance counts as one for this call', async () => {
    const machine = await Machine.open(asking)
    const { stdout } = await runCli(['tools', 'call', 'exec', '--args', '{command:"mytool"}', '--yes'], {
      home: machine.home,
    })
    expect(stdout).toContain('mytool ran')
    expect(existsSync(machine.approvalsFile)).toBe(false)
  })
})

describe('a damaged approvals file', () => {
  test.each([
    ['no JSON', '{ defaults: '],
    ['another version', '{ "version": 2 }'],
    ['a word that nobody knows', '{ "defaults": { "security": "allow" } }'],
  ])('denies every command and says what is wrong: %s', async (_what, text) => {
    const machine = await Machine.open({})
    writeFileSync(machine.approvalsFile, text)
    const { code, verdict, error } = await machine.call('true')
    expect({ code, verdict, layer: error?.data.layer }).toEqual({
      code: 3,
      verdict: 'deny',
      layer: 'exec-approvals',
    })
    expect(error?.message).toContain(machine.approvalsFile)
  })
})

describe('a Gateway', () => {
  const open = () =>
    startGateway({
      files: {
        'openclaw.json': probeConfig({
          plugins: { enabled: false },
          tools: { exec: { mode: 'ask' } },
          gateway: {
            auth: { mode: 'token', token: 'test-token-0123456789abcdef' },
            tools: { allow: ['exec'] },
          },
        }),
      },
    })
  const whoami = { name: 'exec', args: { command: 'env whoami' }, confirm: true }

  test('lets the waiting call run after a yes for always, and others without a question', async () => {
    const gateway = await open()
    const client = await gateway.connect()
    const waiting = client.ask('tools.invoke', whoami)
    const { payload } = await client.frame(({ event }) => event === 'approvals.requested')
    const { approval } = payload as { approval: { id: string } }
    expect(await client.call('approvals.allow', { id: approval.id, always: true })).toMatchObject({
      approval: { state: 'always' },
    })
    expect((await waiting)['payload']).toMatchObject({ ok: true })
    const other = { ...whoami, args: { command: 'nice whoami' } }
    expect(await client.call('tools.invoke', other)).toMatchObject({ ok: true })
    await client.call('approvals.deny', { id: approval.id })
    expect(await client.call('tools.invoke', { ...other, confirm: false })).toMatchObject({
      ok: false,
      requiresApproval: true,
    })
  })

  test('hears of a yes that somebody gives at the command line', async () => {
    const gateway = await open()
    const client = await gateway.connect()
    const waiting = client.ask('tools.invoke', whoami)
    const { payload } = await client.frame(({ event }) => event === 'approvals.requested')
    const { approval } = payload as { approval: { id: string } }
    const said = await runCli(['approvals', 'allow', approval.id, '--always'], { home: gateway.home })
    expect(said).toMatchObject({ code: 0, stderr: '' })
    expect((await waiting)['payload']).toMatchObject({ ok: true })
  })
})

describe('mode auto', () => {
  test('runs what the reviewing model of the config allows, and asks a person for the rest', async () => {
    const provider = await startMockServer({
      models: ['small'],
      script: (conversation) => {
        const { command } = JSON.parse(lastUserText(conversation)) as { command: string }
        const decision = command === 'whoami' ? 'allow' : 'ask'
        return { text: JSON.stringify({ decision, reason: 'says the test' }), calls: [] }
      },
    })
    onTestFinished(() => provider.close())
    const mock = {
      baseUrl: provider.baseUrl,
      api: 'openai-completions',
      apiKey: 'k',
      models: [{ id: 'small' }],
    }
    const machine = await Machine.open({
      config: {
        models: { providers: { mock } },
        tools: { exec: { mode: 'auto', reviewer: { model: 'mock/small' } } },
      },
    })
    expect(await machine.call('whoami')).toMatchObject({ verdict: 'run' })
    expect(provider.requests).toHaveLength(1)
    expect(await machine.call('id')).toMatchObject({ verdict: 'ask' })
    provider.fail({ kind: 'status', status: 401 }, 5)
    expect(await machine.call('whoami')).toMatchObject({ verdict: 'ask' })
  })
})
