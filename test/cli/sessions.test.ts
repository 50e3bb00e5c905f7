import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { callingHome } from '../helpers/calling-home.ts'
import { runCli, runJson } from '../helpers/run-cli.ts'

let home: string
beforeEach(async () => {
  home = await callingHome()
})

const json = async (...args: readonly string[]) => (await runJson(['sessions', ...args], { home })).json
const text = async (...args: readonly string[]) => runCli(['sessions', ...args], { home })

/** A stored session with a transcript as the existing program writes them. */
function store(lines: readonly object[]): string {
  const directory = join(home, '.openclaw/agents/main/sessions')
  mkdirSync(directory, { recursive: true })
  const entry = {
    sessionId: 's1',
    updatedAt: Date.parse('2026-07-01T10:00:00Z'),
    model: 'gpt-5.5',
    modelProvider: 'openai',
    label: 'Main',
  }
  const older = { sessionId: 's2', updatedAt: Date.parse('2026-06-01T10:00:00Z') }
  writeFileSync(
    join(directory, 'sessions.json'),
    JSON.stringify({ 'agent:main:main': entry, 'agent:main:telegram:group:-100': older }),
  )
  const file = join(directory, 's1.jsonl')
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

const at = (minute: number): string => `2026-07-01T10:0${minute}:00.000Z`
const message = (minute: number, said: object) => ({
  type: 'message',
  id: `m${minute}`,
  timestamp: at(minute),
  message: said,
})
const call = (minute: number, id: string, name: string, args: object) =>
  message(minute, {
    role: 'assistant',
    content: [{ type: 'toolCall', id, name, arguments: args }],
    stopReason: 'toolUse',
  })
const result = (minute: number, id: string, name: string, details: object) =>
  message(minute, {
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content: [{ type: 'text', text: 'ok' }],
    details,
    isError: false,
  })

const transcript = [
  { type: 'session', version: 4, id: 's1', timestamp: at(0), cwd: '/w' },
  message(1, { role: 'user', content: 'my key is sk-abcdefghijklmnopqrstuv' }),
  call(2, 'c1', 'tool_search', { query: 'note' }),
  result(3, 'c1', 'tool_search', []),
  call(4, 'c2', 'tool_call', { id: 'mcp:demo:echo', args: { password: 'hunter2' } }),
  result(5, 'c2', 'tool_call', { tool: { id: 'mcp:demo:echo', name: 'demo__echo', source: 'mcp' } }),
  call(6, 'c3', 'exec', { command: 'true' }),
]

describe('a stored session', () => {
  test('is listed with the latest first, and shown with its files', async () => {
    const file = store(transcript)
    expect(await json('list')).toMatchObject({
      items: [
        {
          key: 'agent:main:main',
          agentId: 'main',
          sessionId: 's1',
          kind: 'main',
          label: 'Main',
          provider: 'openai',
          model: 'gpt-5.5',
          updatedAt: '2026-07-01T10:00:00.000Z',
        },
        {
          key: 'agent:main:telegram:group:-100',
          kind: 'group',
          channel: 'telegram',
          updatedAt: '2026-06-01T10:00:00.000Z',
        },
      ],
    })
    expect((await text('list', '--output', 'names')).stdout).toBe(
      'agent:main:main\nagent:main:telegram:group:-100\n',
    )
    expect(await json('show', 'main')).toMatchObject({
      key: 'agent:main:main',
      stored: true,
      sessionId: 's1',
      entry: { model: 'gpt-5.5' },
      logs: [{ kind: 'transcript', file, layout: 'jsonl' }],
    })
  })

  test('its log is read with secrets redacted, and left as it is', async () => {
    const file = store(transcript)
    const before = readFileSync(file, 'utf8')
    const log = await json('log', 'main')
    expect(JSON.stringify(log)).not.toMatch(/hunter2|sk-abcdef/)
    expect(log).toMatchObject({
      key: 'agent:main:main',
      sessionId: 's1',
      earlier: 0,
      unreadable: 0,
      repair: { unanswered: 1, orphans: 0, displaced: 0 },
    })
    const { stdout } = await text('log', 'main', '--limit', '2')
    expect(stdout).toBe(
      `5 earlier entries; --limit N shows more\n${at(5)} tool_call returned ok\n${at(6)} exec {"command":"true"}\n`,
    )
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('its summary says what the documentation asks of a log', async () => {
    const file = store(transcript)
    writeFileSync(
      file.replace('.jsonl', '.trajectory.jsonl'),
      `{"traceSchema":"openclaw-trajectory","type":"context.compiled","data":{"providerVisibleTools":[1,2,3]}}\n{broken\n`,
    )
    expect(await json('log', 'main', '--summary')).toMatchObject({
      schemasUpFront: 3,
      searches: 1,
      describes: 0,
      calls: 1,
      finalCalls: [
        { id: 'mcp:demo:echo', name: 'demo__echo', source: 'mcp', status: 'ok', via: 'tool_call' },
        { name: 'exec', source: 'openclaw', status: 'error', via: 'direct' },
      ],
      finalTool: { name: 'exec' },
      sources: { openclaw: 1, mcp: 1, client: 0 },
    })
    expect((await text('log', 'main', '--summary')).stdout).toMatchInlineSnapshot(`
      "agent:main:main
      schemas up front: 3
      searches: 1
      describes: 0
      tools called: 2 (1 openclaw, 1 mcp)
      last: exec from openclaw, error, by direct
      "
    `)
  })

  test('lines that cannot be read are counted', async () => {
    const file = store(transcript)
    writeFileSync(file, `${readFileSync(file, 'utf8')}broken\n{"type":"reset","timestamp":"${at(7)}"}\n`)
    expect(await json('log', 'main')).toMatchObject({ unreadable: 1 })
    expect((await text('log', 'main')).stderr).toBe('1 lines cannot be read\n')
  })
})

describe('calls from the command line', () => {
  const invoke = (args: readonly string[], stdin = '') => runCli(['tools', ...args], { home, stdin })

  test('are in a journal of their own, with the calls that a snippet made', async () => {
    await invoke(['call', 'note_add', '--args', '{ text: "token sk-abcdefghijklmnopqrstuv" }'])
    await invoke(
      ['run', '--code', '-'],
      'await openclaw.tools.search("note"); return await openclaw.tools.call("demo__echo", { text: "x" })',
    )
    await invoke(['call', 'note_wipe', '--set', 'tools.deny=["note_wipe"]'])
    const summary = await json('log', 'main', '--summary')
    expect(summary).toMatchObject({
      schemasUpFront: null,
      turns: 2,
      searches: 1,
      calls: 1,
      finalCalls: [
        { id: 'openclaw:kit:note_add', source: 'openclaw', status: 'ok', via: 'direct' },
        { id: 'mcp:demo:echo', source: 'mcp', status: 'ok', via: 'tool_search_code' },
      ],
      policy: { denied: 1 },
    })
    expect(JSON.stringify(await json('show', 'main'))).toContain('journal')
    const [{ file }] = ((await json('show', 'main')) as { logs: [{ file: string }] }).logs
    const written = readFileSync(file, 'utf8')
    expect(written).not.toContain('sk-abcdef')
    expect(written).toContain('"name":"tool_search_code"')
    expect(written).toMatch(/"id":"tool_search_code:cli-[0-9a-f]{8}:demo__echo:1"/)
    // Calling a tool makes no session of it.
    expect(existsSync(join(home, '.openclaw/agents/main/sessions'))).toBe(false)
    expect(await json('list')).toMatchObject({ items: [] })
  })

  test('stand beside the transcript of the session, by time', async () => {
    store(transcript)
    await invoke(['call', 'note_add', '--args', '{ text: "a" }'])
    const { items } = (await json('log', 'main')) as { items: { log: string; type: string }[] }
    expect(items.map(({ log }) => log).join(' ')).toMatch(/^(transcript )+(journal ?)+$/)
  })

  test('are made all the same where nothing can be written', async () => {
    writeFileSync(join(home, '.openclaw/agents'), 'in the way')
    const { code, stdout, stderr } = await invoke(['call', 'note_add', '--args', '{ text: "a" }'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'added a\n' })
    expect(stderr).toContain('this call is not logged: ')
  })
})

test('sessions that are not there', async () => {
  store([])
  expect(await json('log', 'telegram:group:-10')).toMatchObject({
    error: { code: 'UNKNOWN_SESSION', data: { suggestions: ['agent:main:telegram:group:-100'] } },
  })
  expect((await text('show', 'agent:nobody:main')).stderr).toContain('there is no agent "nobody"')
  expect((await text('log', 'agent::x')).code).toBe(2)
})
