import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { callingHome } from '../helpers/calling-home.ts'
import { faultyServer } from '../helpers/mcp.ts'
import { runCli, runJson, type CliOptions } from '../helpers/run-cli.ts'
import { hasTerminal } from '../helpers/run-tty.ts'

interface Failure {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly hints: readonly string[]
    readonly data: Readonly<Record<string, unknown>>
  }
}

let home: string
beforeEach(async () => {
  home = await callingHome()
})

const call = (id: string, args?: string, ...more: readonly string[]) =>
  runJson(['tools', 'call', id, ...(args === undefined ? [] : ['--args', args]), ...more], { home })
const plain = (args: readonly string[], options: CliOptions = {}) => runCli(args, { home, ...options })

/** What the tools of the plugin really did. */
function done(): readonly string[] {
  try {
    return readFileSync(join(home, 'plugin/calls.log'), 'utf8').trimEnd().split('\n')
  } catch {
    return []
  }
}

async function failure(id: string, args?: string, ...more: readonly string[]) {
  const { code, json } = await call(id, args, ...more)
  const { error } = json as Failure
  return { exit: code, ...error }
}

describe('a call', () => {
  test('of a plugin’s tool: the answer alone on stdout, whatever the plugin prints', async () => {
    const { code, json, stderr } = await call('note_add', '{ text: "hi" }')
    expect({ code, json }).toEqual({
      code: 0,
      json: {
        tool: { id: 'openclaw:kit:note_add', name: 'note_add', source: 'openclaw' },
        result: { content: [{ type: 'text', text: 'added hi' }], details: { length: 2 } },
      },
    })
    expect(stderr).toContain('noise of a plugin')
    expect(stderr).toContain('more noise')
    const text = await plain(['tools', 'call', 'openclaw:kit:note_add', '--args', '-'], {
      stdin: '{text:"a"}',
    })
    expect(text).toMatchObject({ code: 0, stdout: 'added a\n' })
    expect(done()).toEqual(['add hi', 'add a'])
  })

  test('is not ended, nor kept from ending, by a plugin that ends its process or leaves a timer', async () => {
    const broken = {
      leaving: 'process.exit(7)',
      ticking: 'setInterval(() => {}, 1000); export default { id: "ticking", register() {} }',
    }
    for (const [id, code] of Object.entries(broken)) {
      const folder = join(home, '.openclaw/plugins', id)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'openclaw.plugin.json'), JSON.stringify({ id, configSchema: {} }))
      writeFileSync(join(folder, 'index.mjs'), code)
    }
    const { code, stdout, stderr } = await plain(['tools', 'call', 'note_add', '--args', '{ text: "hi" }'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'added hi\n' })
    expect(stderr).toContain('it ended its process with exit code 7')
  })

  test('is not hung by a plugin whose code never ends', async () => {
    const folder = join(home, '.openclaw/plugins', 'looping')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'openclaw.plugin.json'), JSON.stringify({ id: 'looping', configSchema: {} }))
    writeFileSync(join(folder, 'index.mjs'), 'while (true);')
    const { code, stdout, stderr } = await plain(['tools', 'call', 'note_add', '--args', '{ text: "hi" }'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'added hi\n' })
    expect(stderr).toContain('it blocks its thread for more than 5000 ms')
  })

  test('of an MCP tool by name and id, dialling only what is needed', async () => {
    for (const id of ['demo__echo', 'mcp:demo:echo']) {
      const { code, json } = await call(id, '{ text: "hi" }')
      expect(code).toBe(0)
      expect(json).toMatchObject({
        tool: { id: 'mcp:demo:echo', name: 'demo__echo', source: 'mcp' },
        result: { details: { mcpServer: 'demo', mcpTool: 'echo' } },
      })
    }
  })

  test('hooks change arguments and block', async () => {
    expect((await call('note_add', '{ text: "shout" }')).json).toMatchObject({
      result: { details: { length: 5 } },
    })
    expect(await failure('note_add', '{ text: "bad" }')).toMatchObject({
      exit: 3,
      code: 'TOOL_BLOCKED',
      message: 'no bad notes',
      data: { by: 'plugin-before-tool-call', pluginId: 'kit' },
    })
    expect(done()).toEqual(['add SHOUT'])
  })

  test.each([
    [
      'a denied tool',
      ['note_add', '{}', '--set', 'tools.deny=["kit"]'],
      3,
      'TOOL_DENIED',
      { step: 'tools.deny' },
    ],
    [
      'a disabled plugin',
      ['note_add', '{}', '--set', 'plugins.enabled=false'],
      1,
      'TOOL_UNAVAILABLE',
      { step: 'plugin' },
    ],
    ['a built-in tool that needs what is not here', ['skill_workshop', '{}'], 1, 'TOOL_UNAVAILABLE', {}],
    [
      'an unknown tool',
      ['note_ad', '{}'],
      1,
      'UNKNOWN_TOOL',
      { suggestions: expect.arrayContaining(['note_add']) },
    ],
    ['wrong arguments', ['note_add', '{ txt: "a" }'], 1, 'INPUT_INVALID', { suggestions: ['text'] }],
    ['no object', ['note_add', '[1]'], 1, 'INPUT_INVALID', {}],
    ['no JSON5', ['note_add', '{ text: '], 1, 'INPUT_INVALID', {}],
    ['a tool that fails', ['note_fail', '{}'], 1, 'TOOL_FAILED', {}],
    ['a broken promise', ['note_wrong', '{}'], 1, 'OUTPUT_INVALID', {}],
    ['a control that is off', ['tool_search', '{ query: "x" }'], 1, 'TOOL_UNAVAILABLE', {}],
  ] as const)('%s', async (_, [id, args, ...more], exit, code, data) => {
    expect(await failure(id, args, ...more)).toMatchObject({ exit, code, data })
    expect(done()).toEqual([])
  })

  test('a denial names the entry as explain does', async () => {
    const { code, stderr, stdout } = await plain([
      'tools',
      'call',
      'note_wipe',
      '--set',
      'tools.deny=["note_wipe"]',
    ])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain(
      'error: note_wipe is hidden in this session, at tools.deny: "note_wipe" in tools.deny denies it\n',
    )
    expect(stderr).toContain('try: openclaw tools explain note_wipe\n')
  })

  test('a tool that never ends is ended by --timeout, and the answer is where answers go', async () => {
    const { code, json } = await call('note_slow', '{}', '--timeout', '2')
    expect({ code, error: (json as Failure).error.code }).toEqual({ code: 1, error: 'TIMEOUT' })
  })

  test('a server that is down is unreachable; one that refuses a call, or says that a tool failed, is not', async () => {
    home = await callingHome(
      {},
      {
        gone: { command: 'no-such-program-at-all' },
        picky: { command: process.execPath, args: [faultyServer, 'refuses=call'] },
      },
    )
    expect(await failure('gone__anything', '{}')).toMatchObject({
      exit: 6,
      code: 'MCP_UNREACHABLE',
      data: { server: 'gone' },
    })
    expect(await failure('mcp:gone:anything', '{}')).toMatchObject({ exit: 6 })
    expect(await failure('picky__echo', '{ text: "x" }')).toMatchObject({ exit: 1, code: 'TOOL_FAILED' })
  })

  test('with Tool Search on the controls work from here, too', async () => {
    const on = ['--set', 'tools.toolSearch.mode=tools']
    const found = await call('tool_search', '{ query: "add a note", limit: 1 }', ...on)
    expect(found.json).toMatchObject({
      result: { details: [{ id: 'openclaw:kit:note_add', input: '{ text: string }' }] },
    })
    const called = await call('tool_call', '{ id: "note_add", text: "flat" }', ...on)
    expect(called.json).toMatchObject({
      tool: { name: 'tool_call' },
      result: { details: { tool: { name: 'note_add' }, result: { details: { length: 4 } } } },
    })
    expect(
      await failure('tool_call', '{ id: "note_wipe" }', ...on, '--set', 'tools.deny=["note_wipe"]'),
    ).toMatchObject({
      exit: 1,
      code: 'UNKNOWN_TOOL',
    })
    expect(done()).toEqual(['add flat'])
  })

  test('--dry-run checks and does nothing: no tool, no hook, no log, no question', async () => {
    expect((await call('note_wipe', '{ path: "a" }', '--dry-run')).json).toEqual({
      dryRun: true,
      tool: { id: 'openclaw:kit:note_wipe', name: 'note_wipe', source: 'openclaw' },
      args: { path: 'a' },
      exposure: 'direct',
    })
    expect(await failure('note_wipe', '{ pth: "a" }', '--dry-run')).toMatchObject({
      exit: 1,
      code: 'INPUT_INVALID',
    })
    expect(await failure('note_wipe', '{}', '--dry-run', '--set', 'tools.deny=["kit"]')).toMatchObject({
      exit: 3,
    })
    expect(done()).toEqual([])
    expect(readdirSync(join(home, '.openclaw'))).not.toContain('approvals')
    expect(readdirSync(join(home, '.openclaw'))).not.toContain('agents')
  })

  test('tools of an inventory exist for policy, and nobody runs them', async () => {
    writeFileSync(join(home, 'inventory.json5'), '{ plugins: { notes: { tools: ["note_add"] } } }')
    const { code, message } = await failure('note_add', '{}', '--inventory', 'inventory.json5')
    expect(code).toBe('TOOL_UNAVAILABLE')
    expect(message).toContain('an inventory stands in for this machine')
  })

  test('a broken plugin costs its own tools, and is told', async () => {
    writeFileSync(join(home, 'plugin/index.js'), 'export default { register() { throw new Error("kaput") } }')
    const { code, stderr } = await plain(['tools', 'call', 'note_add', '--args', '{}'])
    expect(code).toBe(1)
    expect(stderr).toContain('kaput')
    expect((await call('demo__echo', '{ text: "x" }')).code).toBe(0)
  })
})

describe('approvals', () => {
  const list = async () =>
    (
      (await runJson(['approvals', 'list'], { home })).json as {
        items: { id: string; state: string; args: unknown }[]
      }
    ).items
  const allow = (id: string, ...more: readonly string[]) =>
    runJson(['approvals', 'allow', id, ...more], { home })

  test('a headless call waits; after the yes the same call runs once', async () => {
    const asked = await failure('note_wipe', '{ path: "a" }')
    const id = String(asked.data['approvalId'])
    expect(asked).toMatchObject({
      exit: 4,
      code: 'APPROVAL_REQUIRED',
      message: 'note_wipe needs an approval: Remove notes?',
      hints: [`openclaw approvals allow ${id}`, `openclaw approvals deny ${id}`],
    })
    expect(await list()).toMatchObject([{ id, state: 'pending', args: { path: 'a' } }])
    expect((await allow(id)).json).toMatchObject({ id, state: 'allowed' })
    // Other arguments are another question.
    expect((await failure('note_wipe', '{ path: "b" }')).exit).toBe(4)
    expect((await call('note_wipe', '{ path: "a" }')).code).toBe(0)
    expect((await failure('note_wipe', '{ path: "a" }')).exit).toBe(4)
    expect(done()).toEqual(['wipe a'])
  })

  test('always means always, until it is taken back', async () => {
    const id = String((await failure('note_wipe')).data['approvalId'])
    await allow(id, '--always')
    expect([(await call('note_wipe')).code, (await call('note_wipe')).code]).toEqual([0, 0])
    expect((await runJson(['approvals', 'deny', id], { home })).json).toMatchObject({ id, state: 'denied' })
    expect((await failure('note_wipe')).exit).toBe(4)
  })

  test('no means no, and a schema that changed asks anew', async () => {
    const id = String((await failure('note_wipe')).data['approvalId'])
    await runCli(['approvals', 'deny', id], { home })
    expect(await failure('note_wipe', '{}', '--yes')).toMatchObject({
      exit: 3,
      code: 'TOOL_BLOCKED',
      message: 'Denied by user: Remove notes?',
    })
    const other = String((await failure('note_wipe', '{ path: "x" }')).data['approvalId'])
    await allow(other, '--always')
    const file = join(home, 'plugin/index.js')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(
        "closed({ path: { type: 'string' } }, [])",
        "closed({ path: { type: 'string' }, now: { type: 'boolean' } }, [])",
      ),
    )
    expect((await failure('note_wipe', '{ path: "x" }')).exit).toBe(4)
    expect(done()).toEqual([])
  })

  test('a question expires as a no', async () => {
    const id = String((await failure('note_ask')).data['approvalId'])
    await expect.poll(list).toEqual([])
    const late = await allow(id)
    expect(late).toMatchObject({
      code: 1,
      json: { error: { code: 'INPUT_INVALID', data: { state: 'expired' } } },
    })
    expect((await failure('note_ask')).exit).toBe(4)
    expect(done()).toEqual([])
  })

  test('--yes answers in advance', async () => {
    expect((await call('note_wipe', '{}', '--yes')).code).toBe(0)
    expect(await list()).toEqual([])
  })

  test('lists are lists, ids that are none are told', async () => {
    expect(await plain(['approvals', 'list'])).toMatchObject({
      code: 0,
      stdout: 'No call waits for an approval.\n',
    })
    await failure('note_wipe')
    const names = (await plain(['approvals', 'list', '--output', 'names'])).stdout.trim()
    const { stdout } = await plain(['approvals', 'list'])
    expect(stdout).toMatch(
      new RegExp(`^${names} +pending +note_wipe +agent:main:main +\\d+ min +Remove notes\\? \\{\\}\n$`),
    )
    const { code, stderr } = await plain(['approvals', 'deny', 'zzzzzzzz'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: there is no approval "zzzzzzzz"\ntry: openclaw approvals list\n',
    })
  })

  test.skipIf(!hasTerminal)('a person at the terminal is asked', async () => {
    const { runAnswered } = await import('../helpers/run-tty.ts')
    for (const [typed, code, what] of [
      ['y', 0, ['wipe all']],
      ['n', 3, []],
      ['', 3, []],
    ] as const) {
      home = await callingHome()
      const run = await runAnswered(['tools', 'call', 'note_wipe'], { home }, 'Allow?', `${typed}\n`)
      expect(run.screen).toContain('Remove notes? (asked by kit)')
      expect([run.code, done()]).toEqual([code, what])
    }
  })
})
