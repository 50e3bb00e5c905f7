import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentHome, mockKey, runAgentCli, shown, startCli, transcriptOf } from '../helpers/agent-home.ts'
import { faulty } from '../helpers/mcp.ts'
import { runCli } from '../helpers/run-cli.ts'

describe('openclaw agent', () => {
  test('prints the answer alone on stdout, calls and the bill on stderr', async () => {
    const { home, server } = await agentHome()
    const { code, stdout, stderr } = await runAgentCli(home, [
      '--message',
      'call lab_add {"a":1,"b":2}\ncall lab_fail {}',
    ])
    expect(code).toBe(0)
    expect(stdout).toBe('lab_add: 3\nlab_fail: the disk is full\n')
    const lines = stderr
      .replaceAll(/\d+ ms/g, 'N ms')
      .trimEnd()
      .split('\n')
    expect(lines.slice(0, 2)).toEqual(['→ lab_add {"a":1,"b":2}', '→ lab_fail {}'])
    expect(lines.slice(2, 4).toSorted()).toEqual(['✓ lab_add N ms', '✗ lab_fail: the disk is full'])
    expect(lines.slice(4)).toEqual([
      expect.stringMatching(
        /^mock\/mock-model · 2 requests · 2 tool calls · [\d,]+ tokens in, \d+ out · [\d,]+ bytes sent$/,
      ),
    ])
    expect(server.requests.map(({ keyHeader }) => keyHeader)).toEqual(['authorization', 'authorization'])
  })

  test('prints one JSON value with --json', async () => {
    const { home, server } = await agentHome()
    const { code, stdout, stderr } = await runAgentCli(home, ['-m', 'call lab_chatter {}', '--json'])
    expect({ code, chatter: stderr.includes('not for you') }).toEqual({ code: 0, chatter: true })
    const answer = JSON.parse(stdout)
    expect(answer).toMatchObject({
      agentId: 'main',
      sessionKey: 'agent:main:main',
      provider: 'mock',
      model: 'mock-model',
      text: 'lab_chatter: printed',
      ended: 'stop',
      calls: [{ name: 'lab_chatter', status: 'ok' }],
      pending: [],
    })
    expect(Object.keys(answer)).toMatchInlineSnapshot(`
      [
        "runId",
        "agentId",
        "sessionKey",
        "sessionId",
        "provider",
        "model",
        "text",
        "ended",
        "usage",
        "turns",
        "calls",
        "durationMs",
        "notices",
        "pending",
      ]
    `)
    expect(answer.turns[0]).toMatchObject({
      toolCount: 5,
      toolNames: ['lab_add', 'lab_chatter', 'lab_fail', 'lab_hold', 'lab_save'],
      wire: { request: server.requests[0]?.rawBytes },
    })
  })

  test('goes on with a session, and keeps another one apart', async () => {
    const { home, server } = await agentHome()
    await runAgentCli(home, ['-m', 'say my name is Ada'])
    await runAgentCli(home, ['-m', 'say hello again'])
    await runAgentCli(home, ['-m', 'say who are you', '--session', 'agent:main:other'])
    const inputs = server.requests.map(({ body }) => {
      const { input } = body as { input: readonly { content: unknown }[] }
      return input.length
    })
    expect(inputs).toEqual([1, 3, 1])
    const store = JSON.parse(
      await readFile(join(home, '.openclaw/agents/main/sessions/sessions.json'), 'utf8'),
    )
    expect(Object.keys(store)).toEqual(['agent:main:main', 'agent:main:other'])
    const listed = await runCli(['sessions', 'list', '--output', 'names'], { home })
    expect(listed.stdout.trim().split('\n').toSorted()).toEqual(['agent:main:main', 'agent:main:other'])
  })

  test('writes a transcript that says what was sent, and done', async () => {
    const { home, server } = await agentHome()
    await runAgentCli(home, ['-m', 'call lab_add {"a":1,"b":2}'])
    const entries = await transcriptOf(home)
    expect(shown(entries)).toEqual([
      'session',
      'user: call lab_add {"a":1,"b":2}',
      'model_change',
      'assistant: → lab_add {"a":1,"b":2}',
      'toolResult: 3',
      'openclaw.turn',
      'assistant: lab_add: 3',
      'openclaw.turn',
    ])
    // Every entry names the one before.
    expect(entries.slice(1).map(({ parentId }) => parentId)).toEqual([
      null,
      ...entries.slice(1, -1).map(({ id }) => id),
    ])
    const turns = entries.filter(({ customType }) => customType === 'openclaw.turn')
    const body = server.requests[0]?.body as { tools: readonly object[]; instructions: string }
    expect(turns[0]?.['data']).toMatchObject({
      origin: 'model',
      mode: 'off',
      sent: { tools: 5, promptBytes: Buffer.byteLength(body.instructions), deferred: 0 },
      calls: [{ name: 'lab_add', id: 'openclaw:lab:lab_add', source: 'openclaw', status: 'ok' }],
    })
  })

  test.each(['code', 'tools', 'directory'] as const)('reaches a deferred tool in mode %s', async (mode) => {
    const { home, server } = await agentHome({
      tools: {
        allow: ['lab', 'tool_search_code', 'tool_search', 'tool_describe', 'tool_call'],
        toolSearch: { mode },
      },
    })
    const { code, stdout, stderr } = await runAgentCli(home, [
      '-m',
      `tool search qa check target=lab_add args={"a":20,"b":3}${mode === 'directory' ? ' via=call' : ''}`,
    ])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stdout).toContain('23')
    const [first] = server.requests
    const hydrated = ['lab_add', 'lab_chatter', 'lab_fail', 'lab_hold', 'lab_save']
    expect(first?.tools.filter((name) => mode !== 'directory' || !hydrated.includes(name))).toEqual(
      mode === 'code' ? ['tool_search_code'] : ['tool_call', 'tool_describe', 'tool_search'],
    )
    expect(first?.instructions.includes('- lab_add (lab): Adds two numbers.')).toBe(mode === 'directory')
    const entries = await transcriptOf(home)
    const told = shown(entries)
    expect(told.some((line) => line.startsWith('assistant: → lab_add {"a":20,"b":3}'))).toBe(true)
    const turns = entries.filter(({ customType }) => customType === 'openclaw.turn').map(({ data }) => data)
    const sum = (key: string) =>
      turns.reduce<number>((total, data) => total + Number((data as Record<string, unknown>)[key]), 0)
    expect([sum('searchCount'), sum('callCount')]).toEqual([mode === 'directory' ? 0 : 1, 1])
    // What a control called is for the log; the model was told by the control.
    const again = await runAgentCli(home, ['-m', 'say fine'])
    expect(again).toMatchObject({ code: 0, stdout: 'fine\n' })
    const ids = JSON.stringify(server.requests.at(-1)?.body)
    expect(ids).not.toContain('toolsearchcode')
  })

  test('calls an exact name of the directory directly, and no deferred name in other modes', async () => {
    const callsDirectly = async (mode: 'tools' | 'directory') => {
      const { home, server } = await agentHome({
        tools: {
          allow: ['lab', 'tool_search', 'tool_describe', 'tool_call'],
          toolSearch: { mode },
        },
      })
      server.fail({ kind: 'unknown-tool', name: 'lab_fail' })
      await runAgentCli(home, ['-m', 'say hi'])
      expect(server.requests[0]?.tools).not.toContain('lab_fail')
      return shown(await transcriptOf(home)).find((line) => line.startsWith('toolResult'))
    }
    expect(await callsDirectly('directory')).toBe('toolResult error: the disk is full')
    expect(await callsDirectly('tools')).toBe(
      'toolResult error: lab_fail cannot be called directly. Call it with tool_call, after tool_describe.',
    )
  })

  test('never offers nor calls what policy denies', async () => {
    const { home, server } = await agentHome({ tools: { allow: ['lab'], deny: ['lab_add'] } })
    server.fail({ kind: 'unknown-tool', name: 'lab_add' })
    const { code, stderr } = await runAgentCli(home, ['-m', 'say hi'])
    expect(code).toBe(0)
    expect(server.requests[0]?.tools).toEqual(['lab_chatter', 'lab_fail', 'lab_hold', 'lab_save'])
    expect(stderr).toContain('✗ lab_add: There is no tool lab_add.')
    expect(shown(await transcriptOf(home))).toContain('toolResult error: There is no tool lab_add.')
  })

  test('reports a block, and an approval with the command that gives it', async () => {
    const { home } = await agentHome({
      tools: { allow: ['lab'] },
      plugins: { entries: { lab: { config: { ask: 'lab_add', block: 'lab_fail' } } } },
    })
    const first = await runAgentCli(home, ['-m', 'call lab_add {"a":1,"b":2}\ncall lab_fail {}'])
    expect(first.stderr).toContain('✗ lab_fail: not on a Sunday')
    expect(first.stderr).toContain('✗ lab_add: lab_add needs an approval: Use lab_add')
    const command = /^try: openclaw (approvals allow \S+)$/m.exec(first.stderr)?.[1] ?? ''
    expect((await runCli(command.split(' '), { home })).code).toBe(0)
    const second = await runAgentCli(home, ['-m', 'call lab_add {"a":1,"b":2}'])
    expect(second.stdout).toBe('lab_add: 3\n')
    const yes = await runAgentCli(home, ['-m', 'call lab_add {"a":5,"b":2}', '--yes'])
    expect(yes.stdout).toBe('lab_add: 7\n')
  })

  test('asks MCP servers for their tools, and again when they say that these have changed', async () => {
    const { home, server } = await agentHome({
      tools: { allow: ['bundle-mcp', 'lab'] },
      mcp: { servers: { files: faulty('changes=1') } },
    })
    const { code, stdout } = await runAgentCli(home, ['-m', 'call files__echo {"text":"hi"}'])
    expect({ code, stdout }).toMatchObject({ code: 0 })
    // It has said so right after its first list.
    expect(server.requests[0]?.tools).toContain('files__added')
  })

  test('takes the message from a file and from stdin', async () => {
    const { home, server } = await agentHome()
    await runAgentCli(home, ['-m', '-'], 'say from stdin')
    await runAgentCli(home, ['-m', 'Review this:', '--file', '-'], 'a change')
    await runAgentCli(home, ['--file', '.openclaw/plugins/lab/package.json'])
    expect(server.requests.map(({ prompt }) => prompt)).toEqual([
      'say from stdin',
      'Review this:\n\na change',
      expect.stringContaining('"name":"lab"'),
    ])
  })

  test('asks another model, which may have other tools', async () => {
    const { home, server } = await agentHome({
      tools: { allow: ['lab'], byProvider: { spare: { deny: ['lab_add'] } } },
    })
    await runAgentCli(home, ['-m', 'say hi', '--model', 'spare/other'])
    expect(server.requests[0]).toMatchObject({
      model: 'other',
      tools: ['lab_chatter', 'lab_fail', 'lab_hold', 'lab_save'],
    })
  })

  test('judges the tools anew for a fallback model', async () => {
    const { home, server } = await agentHome({
      tools: { allow: ['lab'], byProvider: { spare: { deny: ['lab_add'] } } },
      agents: { defaults: { model: { primary: 'mock/mock-model', fallbacks: ['spare/other'] } } },
    })
    server.fail({ kind: 'status', status: 401 })
    const { code, stderr } = await runAgentCli(home, ['-m', 'say hi'])
    expect(code).toBe(0)
    expect(stderr).toContain('fallback to spare/other: answered with HTTP status 401')
    expect(server.requests.map(({ tools }) => tools.includes('lab_add'))).toEqual([true, false])
  })

  test('takes a config that is saved while it runs, and none that is not valid', async () => {
    const { home, server } = await agentHome()
    const file = join(home, '.openclaw/openclaw.json')
    const text = await readFile(file, 'utf8')
    const config = JSON.parse(text)
    const runWhile = async (change: string) => {
      const running = startCli(
        ['agent', '-m', `call lab_save ${JSON.stringify({ file, text: change })}`],
        home,
      )
      return (await running.ended).stderr
    }
    const denying = JSON.stringify({ ...config, tools: { allow: ['lab'], deny: ['lab_fail'] } })
    expect(await runWhile(denying)).not.toContain('not taken')
    expect(server.requests.map(({ tools }) => tools.includes('lab_fail'))).toEqual([true, false])
    expect(await runWhile('{ tools: { profile: "no such" } }')).toContain(
      'the config has changed and is not taken',
    )
    expect(server.requests).toHaveLength(4)
  })

  test('puts no key into anything it writes', async () => {
    const { home, server } = await agentHome()
    server.fail({ kind: 'status', status: 401, message: `Incorrect API key provided: ${mockKey}` })
    const { code, stdout, stderr } = await runAgentCli(home, ['-m', 'say hi', '--json', '--debug'])
    expect(code).toBe(6)
    const transcript = JSON.stringify(await transcriptOf(home))
    expect(stdout + stderr + transcript).not.toContain(mockKey)
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'PROVIDER_FAILED',
      data: { provider: 'mock', model: 'mock-model', fault: 'auth' },
    })
  })
})

describe('what openclaw agent refuses', () => {
  test.each([
    { name: 'nothing to say', args: [], code: 2, says: 'there is nothing to say' },
    { name: 'a blank message', args: ['-m', ' '], code: 2, says: 'message' },
    { name: 'stdin twice', args: ['-m', '-', '--file', '-'], code: 2, says: 'stdin (-) can be read once' },
    {
      name: 'an unknown agent',
      args: ['-m', 'x', '--agent', 'nobody'],
      code: 1,
      says: 'there is no agent "nobody"',
    },
    {
      name: 'an unknown provider',
      args: ['-m', 'x', '--model', 'mok/m'],
      code: 5,
      says: 'provider "mok" is not configured',
    },
    {
      name: 'a malformed key',
      args: ['-m', 'x', '--session', 'agent::'],
      code: 2,
      says: 'malformed session key',
    },
    { name: 'no turns at all', args: ['-m', 'x', '--max-turns', '0'], code: 2, says: '--max-turns' },
  ])('$name', async ({ args, code, says }) => {
    const { home, server } = await agentHome()
    const result = await runAgentCli(home, args)
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(says)
    expect(result.stderr).not.toMatch(/\n\s+at /)
    expect(server.requests).toHaveLength(0)
  })

  test('no model at all', async () => {
    const { home } = await agentHome({ agents: {} })
    const result = await runAgentCli(home, ['-m', 'x', '--json'])
    expect(result.code).toBe(6)
    expect(JSON.parse(result.stdout).error).toMatchObject({
      code: 'PROVIDER_FAILED',
      message: 'no model is configured',
    })
  })
})
