import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { McpServerConfig } from '../../src/config/types.ts'
import { faulty, faultyServer, livingIn } from '../helpers/mcp.ts'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, runCli, runJson, tempDir } from '../helpers/run-cli.ts'

/** A home whose config has these servers, and whatever else. */
function homeOf(servers: Readonly<Record<string, McpServerConfig>>, more: object = {}): Promise<string> {
  return tempDir({ '.openclaw/openclaw.json': JSON.stringify({ mcp: { servers }, ...more }, null, 2) })
}

/** Output without what differs from run to run. */
function plain(text: string, home: string): string {
  return text
    .replaceAll(home, '~')
    .replaceAll(/[^\s=]*openclaw-test-\w+/g, '~')
    .replaceAll(process.execPath, 'node')
    .replaceAll(faultyServer, 'faulty.mjs')
    .replaceAll(/\d+ ms/g, 'N ms')
}

describe('mcp list', () => {
  test('without servers', async () => {
    expect(await runCli(['mcp', 'list'])).toEqual({
      code: 0,
      stdout: 'No MCP servers are configured.\n',
      stderr: '',
    })
    expect((await runJson(['mcp', 'list'])).json).toEqual({ items: [], servers: [], notices: [] })
  })

  test('dials nobody, unless told to', async () => {
    const pids = join(await tempDir(), 'pids')
    const home = await homeOf({
      good: faulty(`pid=${pids}`),
      'odd one': { command: 'no-such-program-here' },
      remote: { url: 'https://example.com/mcp?key=abcdefgh', transport: 'streamable-http' },
      off: { ...faulty(), enabled: false },
    })
    const before = await runCli(['mcp', 'list'], { home })
    expect(plain(before.stdout, home)).toMatchInlineSnapshot(`
      "good               stdio            never seen  –  –  node faulty.mjs pid=~/pids
      odd one (odd-one)  stdio            never seen  –  –  no-such-program-here
      remote             streamable-http  never seen  –  –  https://example.com/mcp?key=__OPENCLAW_REDACTED__
      off                stdio            off         –  –  node faulty.mjs
      "
    `)
    await expect(readFile(pids, 'utf8')).rejects.toThrow('ENOENT')
    const names = await runCli(['mcp', 'list', '--output', 'names'], { home })
    expect(names.stdout).toBe('good\nodd one\nremote\noff\n')
  })

  test('--connect asks now, and the answer is remembered', async () => {
    const home = await homeOf({ good: faulty(), bad: faulty('exit=list says=fatal:disk-full') })
    const asked = await runCli(['mcp', 'list', '--connect'], { home })
    expect(asked.code).toBe(0)
    expect(plain(asked.stdout, home)).toMatchInlineSnapshot(`
      "good  stdio  connected  2  just now  node faulty.mjs
      bad   stdio  failed     –  –         it exited with code 3 before it answered tools/list; it said "fatal:disk-full"
      "
    `)
    expect(plain((await runCli(['mcp', 'list'], { home })).stdout, home)).toMatchInlineSnapshot(`
      "good  stdio  not asked   2  just now  node faulty.mjs
      bad   stdio  never seen  –  –         the last try, just now, failed: it exited with code 3 before it answered tools/list; it said "fatal:disk-full"
      "
    `)
  })
})

describe('mcp probe', () => {
  test('says what the agent gets and why not the rest', async () => {
    const home = await homeOf(
      {
        notes: faulty('schema=type banner=Ready', { toolFilter: { exclude: ['fail'] } }),
        other: faulty('tools=2'),
        gone: { command: 'no-such-program-here' },
        off: { ...faulty(), enabled: false },
      },
      { agents: { list: [{ id: 'main' }, { id: 'work', tools: { deny: ['other__tool_1', 'notes__*'] } }] } },
    )
    const main = await runCli(['mcp', 'probe'], { home })
    expect(main.code).toBe(0)
    expect(plain(main.stdout, home)).toMatchInlineSnapshot(`
      "notes: connected stdio · faulty 1.0.0 · 3 tools · N ms to connect, N ms to list
        note: it prints "Ready" to stdout, where only JSON-RPC belongs
        notes__echo  direct
        notes__fail  unavailable: mcp     toolFilter.exclude of MCP server "notes" names it (.openclaw/openclaw.json:13:13)
        notes__odd   unavailable: schema  its input schema does not describe an object

      other: connected stdio · faulty 1.0.0 · 2 tools · N ms to connect, N ms to list
        other__tool_0  direct
        other__tool_1  direct

      gone: failed: its command no-such-program-here is not on the PATH

      off: switched off, not asked

      agent main gets 3 of 5 MCP tools; 1 of 4 servers failed
      "
    `)
    expect(main.stderr).toBe('')
    const work = await runCli(['mcp', 'probe', 'other', '--agent', 'work'], { home })
    expect(plain(work.stdout, home)).toMatchInlineSnapshot(`
      "other: connected stdio · faulty 1.0.0 · 2 tools · N ms to connect, N ms to list
        other__tool_0  direct
        other__tool_1  hidden: agent.tools.deny  "other__tool_1" in agents.list[1].tools.deny denies it (.openclaw/openclaw.json:45:13)

      agent work gets 1 of 2 MCP tools
      "
    `)
    // How old the lists of the other servers are is not the question.
    expect(work.stderr).toBe('')
  })

  test('as JSON', async () => {
    const home = await homeOf({ notes: faulty('modern=1 tools=2') }, { tools: { deny: ['notes__tool_1'] } })
    const { code, json } = await runJson(['mcp', 'probe', 'notes'], { home })
    expect(code).toBe(0)
    expect(json).toEqual({
      agentId: 'main',
      sessionKey: 'agent:main:main',
      edition: '2026.7',
      servers: [
        {
          name: 'notes',
          safeName: 'notes',
          enabled: true,
          transport: 'stdio',
          endpoint: `${process.execPath} ${faultyServer} modern=1 tools=2`,
          status: 'connected',
          toolCount: 2,
          seenAt: expect.stringMatching(/^20.*Z$/),
          cause: null,
          failedAt: null,
          latency: { connectMs: expect.any(Number), listMs: expect.any(Number) },
          serverInfo: { name: 'faulty', version: '1.0.0' },
          protocolVersion: '2026-07-28',
          remarks: [],
          tools: [{ name: 'notes__tool_0', mcpToolName: 'tool_0', exposure: 'direct' }],
          hidden: [
            expect.objectContaining({
              id: 'notes__tool_1',
              verdict: 'hidden',
              step: 'tools.deny',
              rule: 'notes__tool_1',
            }),
          ],
        },
      ],
      notices: [],
    })
  })

  test('exits 6 when a server asked for cannot be reached, 0 when nobody asked for it', async () => {
    const home = await homeOf({ 'odd one': { command: 'no-such-program-here' }, good: faulty() })
    expect((await runCli(['mcp', 'probe', 'good'], { home })).code).toBe(0)
    expect((await runCli(['mcp', 'probe'], { home })).code).toBe(0)
    // Also by its safe name.
    for (const name of ['odd one', 'odd-one']) {
      const { code, json } = await runJson(['mcp', 'probe', 'good', name], { home })
      expect(code).toBe(6)
      expect(json).toMatchObject({
        servers: [
          { name: 'odd one', status: 'failed', cause: { kind: 'spawn' } },
          { name: 'good', status: 'connected' },
        ],
        error: {
          code: 'MCP_UNREACHABLE',
          message: 'MCP server "odd one": its command no-such-program-here is not on the PATH',
          data: { servers: [{ server: 'odd one', fault: 'spawn' }] },
        },
      })
    }
  })

  test('asks a server that is switched off if it is named', async () => {
    const home = await homeOf({ off: faulty('tools=1', { enabled: false }) })
    const { code, stdout } = await runCli(['mcp', 'probe', 'off'], { home })
    expect(code).toBe(0)
    expect(plain(stdout, home)).toMatchInlineSnapshot(`
      "off: connected stdio · faulty 1.0.0 · 1 tool · N ms to connect, N ms to list
        off__tool_0  unavailable: mcp  MCP server "off" is switched off (.openclaw/openclaw.json:10:20)

      agent main gets 0 of 1 MCP tools
      "
    `)
  })

  test('starts nothing for an agent that does not exist', async () => {
    const pids = join(await tempDir(), 'pids')
    const home = await homeOf({ notes: faulty(`pid=${pids}`) })
    const { code, json } = await runJson(['mcp', 'probe', '--agent', 'nobody'], { home })
    expect({ code, json }).toMatchObject({ code: 1, json: { error: { code: 'UNKNOWN_AGENT' } } })
    await expect(readFile(pids, 'utf8')).rejects.toThrow('ENOENT')
  })

  test('knows which servers there are', async () => {
    const home = await homeOf({ github: faulty(), notes: faulty() })
    expect(await runCli(['mcp', 'probe', 'gitub'], { home })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: no MCP server "gitub" is configured\ntry: openclaw mcp probe github\n',
    })
  })
})

test('a hostile server cannot write to the terminal', async () => {
  const home = await homeOf({
    'bad\u001B[31m\u202Ename': faulty('names=hostile says=\u001B[2Jboo banner=\u001B]0;owned\u0007'),
  })
  for (const args of [
    ['mcp', 'probe'],
    ['mcp', 'list'],
    ['tools', 'effective', '--all'],
    ['tools', 'catalog'],
  ]) {
    const { code, stdout, stderr } = await runCli(args, { home })
    expect(code).toBe(0)
    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/)
  }
})

describe('other commands', () => {
  test('dial nobody, and use what was seen last', async () => {
    const pids = join(await tempDir(), 'pids')
    const home = await homeOf({ notes: faulty(`pid=${pids}`) })
    const commands = [
      ['tools', 'effective'],
      ['tools', 'explain', 'notes__echo'],
      ['tools', 'catalog'],
      ['tools', 'diff', '--set', 'tools.profile=coding'],
      ['tools', 'snapshot'],
      ['config', 'validate'],
      ['mcp', 'list'],
    ]
    for (const args of commands) await runCli(args, { home })
    await expect(readFile(pids, 'utf8')).rejects.toThrow('ENOENT')
    const never = await runCli(['tools', 'effective'], { home })
    expect(never.stdout).not.toContain('notes__echo')
    expect(never.stderr).toMatchInlineSnapshot(`
      "note [mcp-stale] no tool list of MCP server "notes" has been seen, so its tools are missing here; openclaw mcp probe asks, --inventory FILE can supply one
      "
    `)

    await runCli(['mcp', 'probe'], { home })
    for (const args of commands) await runCli(args, { home })
    expect((await readFile(pids, 'utf8')).trim().split('\n')).toHaveLength(1)
    const seen = await runCli(['tools', 'effective'], { home })
    expect(seen.stdout).toContain('notes__echo')
    expect(seen.stderr).toMatchInlineSnapshot(`
      "note [mcp-stale] the tools of MCP server "notes" are as last seen just now
      "
    `)
    expect((await runCli(['tools', 'explain', 'notes__fail'], { home })).stdout).toBe(
      'notes__fail is visible in agent:main:main\n',
    )
  })

  test('ask with --connect', async () => {
    const home = await homeOf({ notes: faulty('tools=1'), gone: { command: 'no-such-program-here' } })
    const { code, stdout, stderr } = await runCli(['tools', 'effective', '--connect', '--output', 'names'], {
      home,
    })
    expect({ code, notes: stdout.match(/^notes__.*$/gm), stderr }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "notes": [
          "notes__tool_0",
        ],
        "stderr": "warning [mcp-unreachable] MCP server "gone" could not be reached: its command no-such-program-here is not on the PATH
      ",
      }
    `)
    const both = await runCli(['tools', 'effective', '--connect', '--inventory', 'x.json'], { home })
    expect(both.code).toBe(2)
  })

  test('a snapshot with seen tools replays without them', async () => {
    const home = await homeOf({ notes: faulty('tools=1') })
    await runCli(['mcp', 'probe'], { home })
    const { stdout } = await runCli(['tools', 'snapshot', '--json'], { home })
    const elsewhere = await tempDir({ 'case.json': stdout })
    const replayed = await runCli(['tools', 'effective', '--replay', 'case.json', '--output', 'names'], {
      home: elsewhere,
    })
    expect(replayed.stdout).toContain('notes__tool_0\n')
  })
})

describe('an end before the end', () => {
  /** Starts a probe of servers that never answer and waits until they run. */
  async function stuckProbe(args: readonly string[] = []) {
    const pids = join(await tempDir(), 'pids')
    const home = await homeOf({
      one: faulty(`hang=initialize stubborn=1 pid=${pids}`),
      two: faulty(`hang=list stubborn=1 pid=${pids}`),
    })
    const child = spawn(process.execPath, [`${projectRoot}bin/run.js`, 'mcp', 'probe', ...args], {
      cwd: home,
      env: isolatedEnv(home),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)))
    const closed = once(child, 'close')
    const running = async () => (await readFile(pids, 'utf8').catch(() => '')).split('\n').length > 2
    await expect.poll(running, { timeout: 20_000 }).toBe(true)
    return { child, closed, stderr: () => stderr, living: () => livingIn(pids) }
  }

  test('Ctrl-C leaves no server behind', async () => {
    const { child, closed, stderr, living } = await stuckProbe()
    child.kill('SIGINT')
    expect(await closed).toEqual([130, null])
    expect(stderr()).toBe('error: interrupted\n')
    await expect.poll(living).toEqual([])
  })

  test('neither do SIGTERM, SIGHUP and --timeout', async () => {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
      const { child, closed, living } = await stuckProbe()
      child.kill(signal)
      expect(await closed).toEqual([null, signal])
      await expect.poll(living).toEqual([])
    }
    const { closed, stderr, living } = await stuckProbe(['--timeout', '5'])
    expect(await closed).toEqual([1, null])
    expect(stderr()).toBe('error: not done after 5 s\ntry: a larger --timeout\n')
    await expect.poll(living).toEqual([])
  })
})
