import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'

const config = `{
  tools: { byProvider: { openai: { deny: ["exec"] } } },
  channels: { discord: { groups: { g1: { tools: { deny: ["message"] } } } } },
  agents: { list: [{ id: "main" }, { id: "work" }] },
}`
const key = 'agent:main:discord:group:g1'
const child = 'agent:main:subagent:c1'
const sessions = {
  [key]: { sessionId: 's1', updatedAt: 2, modelProvider: 'openai', model: 'gpt-5.5', channel: 'discord' },
  [child]: { sessionId: 's2', updatedAt: 1, spawnedBy: key, inheritedToolDeny: ['read'] },
}
const jsonStore = '.openclaw/agents/main/sessions/sessions.json'

/** A home whose sessions are in a database of the newer layout. */
async function sqliteHome(): Promise<string> {
  const home = await tempDir({ '.openclaw/openclaw.json': config })
  const file = join(home, '.openclaw/agents/main/agent/openclaw-agent.sqlite')
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT,
      status TEXT, parent_session_key TEXT, spawned_by TEXT, label TEXT);
    CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, chat_type TEXT, channel TEXT,
      account_id TEXT, model_provider TEXT, model TEXT, agent_harness_id TEXT);`)
  for (const [name, entry] of Object.entries(sessions)) {
    database
      .prepare('INSERT INTO session_nodes (session_key, entry_json) VALUES (?, ?)')
      .run(name, JSON.stringify(entry))
  }
  database.close()
  return home
}

const homes: [string, () => Promise<string>][] = [
  [
    'a JSON store',
    () => tempDir({ '.openclaw/openclaw.json': config, [jsonStore]: JSON.stringify(sessions) }),
  ],
  ['a database', sqliteHome],
]

describe.each(homes)('%s', (_, makeHome) => {
  test('knows provider, channel and group of a session', async () => {
    const { code, json } = await runJson(['tools', 'effective', '--session', key], { home: await makeHome() })
    expect({ code, json }).toMatchObject({
      code: 0,
      json: {
        sessionKey: key,
        context: { provider: 'openai', model: 'gpt-5.5', channel: 'discord', origin: 'session-store' },
        hidden: expect.arrayContaining([
          expect.objectContaining({ id: 'exec', step: 'tools.byProvider.deny' }),
          expect.objectContaining({ id: 'message', step: 'group.tools.deny' }),
        ]),
        notices: [],
      },
    })
  })

  test('knows what a spawned session inherits', async () => {
    const { stdout, stderr } = await runCli(['tools', 'explain', 'read', '--session', child], {
      home: await makeHome(),
    })
    expect(stdout + stderr).toMatchInlineSnapshot(`
      "read is hidden in agent:main:subagent:c1
        inherited.deny: "read" in the deny list inherited from the parent session denies it
      "
    `)
  })

  test('gives way to flags', async () => {
    const { json } = await runJson(['tools', 'effective', '--session', key, '--model', 'anthropic/big'], {
      home: await makeHome(),
    })
    expect(json).toMatchObject({
      context: { provider: 'anthropic', model: 'big', channel: 'discord', origin: 'flags' },
    })
  })

  test('replays without it', async () => {
    const home = await makeHome()
    for (const session of [key, child]) {
      const { stdout: snapshot } = await runCli(['tools', 'snapshot', '--session', session], { home })
      const names = (
        await runCli(['tools', 'effective', '--session', session, '--output', 'names'], { home })
      ).stdout
      expect(
        (await runCli(['tools', 'effective', '--replay', '-', '--output', 'names'], { stdin: snapshot }))
          .stdout,
      ).toBe(names)
    }
  })

  test('does not know every session', async () => {
    const { stdout, stderr } = await runCli(
      ['tools', 'effective', '--session', 'agent:work:discord:group:g1', '--output', 'names'],
      { home: await makeHome() },
    )
    expect(stderr).toMatchInlineSnapshot(`
      "note [session-not-stored] no session store holds agent:work:discord:group:g1; it is judged by what the key spells out
      "
    `)
    expect(stdout.split('\n')).not.toContain('message')
  })
})

describe('a store that cannot be used', () => {
  const damaged: Record<string, string> = {
    'no JSON': '{ "agent:main:main": ',
    'a list': '[]',
    'a session of the wrong kind': '{ "agent:main:main": 7 }',
    nothing: '',
    'a prototype': '{ "__proto__": { "modelProvider": "openai" }, "constructor": 7 }',
  }
  test.each(Object.keys(damaged))('%s: the answer stands, and says so', async (name) => {
    const home = await tempDir({ '.openclaw/openclaw.json': config, [jsonStore]: damaged[name] ?? '' })
    const { code, stdout, stderr } = await runCli(
      ['tools', 'effective', '--output', 'names', '--session', 'main'],
      { home },
    )
    expect(code).toBe(0)
    expect(stdout.split('\n')).toContain('exec')
    expect(stderr.replaceAll(home, '~')).toMatchSnapshot()
  })

  test('a damaged database', async () => {
    const file = '.openclaw/agents/main/agent/openclaw-agent.sqlite'
    const home = await tempDir({
      '.openclaw/openclaw.json': config,
      [file]: 'SQLite format 3\0 but not really',
    })
    const { code, stderr } = await runCli(['tools', 'effective', '--output', 'names', '--session', key], {
      home,
    })
    expect({ code, stderr: stderr.replaceAll(home, '~') }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "warning [session-store-unreadable] ~/.openclaw/agents/main/agent/openclaw-agent.sqlite: the session store cannot be read: file is not a database
      note [session-not-stored] no session store holds agent:main:discord:group:g1; it is judged by what the key spells out
      ",
      }
    `)
  })
})

test('a plugin that is switched on after a session began counts for it as for a new one', async () => {
  const home = await tempDir({ '.openclaw/openclaw.json': config, [jsonStore]: JSON.stringify(sessions) })
  const tools = async (args: readonly string[], inventory: string) =>
    (
      await runCli(['tools', 'effective', '--output', 'names', '--inventory', '-', ...args], {
        home,
        stdin: inventory,
      })
    ).stdout
  const off = '{ plugins: { board: { enabled: false, tools: ["board_list"] } } }'
  const on = '{ plugins: { board: { enabled: true, tools: ["board_list"] } } }'
  const fresh = [
    '--session',
    'agent:main:discord:group:g1:thread:9',
    '--model',
    'openai/gpt-5.5',
    '--channel',
    'discord',
  ]
  for (const inventory of [off, on]) {
    const old = await tools(['--session', key], inventory)
    expect(old).toBe(await tools(fresh, inventory))
    expect(old.includes('board_list')).toBe(inventory === on)
  }
})

test('a sub-agent whose store cannot be read runs nothing, since what it may do is not known', async () => {
  const home = await tempDir({ '.openclaw/openclaw.json': config, [jsonStore]: '{' })
  const call = (sessionKey: string) =>
    runJson(['tools', 'call', 'session_status', '--session', sessionKey], { home })
  expect(await call(child)).toMatchObject({
    code: 1,
    json: { error: { code: 'INPUT_INVALID', message: expect.stringContaining('what the sub-agent') } },
  })
  expect(await call('main')).toMatchObject({ code: 0 })
})
