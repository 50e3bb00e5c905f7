import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSessionStore, type SessionStore } from '../../../src/sessions/store.ts'

let home: string
let stateDir: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'openclaw-store-test-'))
  stateDir = join(home, 'state')
  mkdirSync(stateDir)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const store = (relocation?: string): SessionStore =>
  openSessionStore({ stateDir, homeDir: home, store: relocation })

const jsonFile = (agentId = 'main') => join(stateDir, 'agents', agentId, 'sessions', 'sessions.json')
const sqliteFile = (agentId = 'main') => join(stateDir, 'agents', agentId, 'agent', 'openclaw-agent.sqlite')

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

const writeJson = (sessions: object, file = jsonFile()): void => write(file, JSON.stringify(sessions))

const schema = `
  CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT,
    status TEXT, parent_session_key TEXT, spawned_by TEXT, label TEXT);
  CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, chat_type TEXT, channel TEXT,
    account_id TEXT, model_provider TEXT, model TEXT, agent_harness_id TEXT);`

/** Opens a database like those of the newer layout, with one row per session; the caller closes it. */
function writeSqlite(
  sessions: Readonly<Record<string, object | string | null>>,
  file = sqliteFile(),
  journal = 'wal',
): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = ${journal}; ${schema}`)
  for (const [key, entry] of Object.entries(sessions)) {
    const json = entry === null || typeof entry === 'string' ? entry : JSON.stringify(entry)
    database.prepare('INSERT INTO session_nodes (session_key, entry_json) VALUES (?, ?)').run(key, json)
  }
  return database
}

/** Every file below the home with its time and content. */
function everything(): readonly string[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => {
      const file = join(each.parentPath, each.name)
      const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
      return `${file} ${statSync(file).mtimeMs} ${hash}`
    })
    .toSorted()
}

async function keyAndLabel(sessionKey: string, agentId = 'main', relocation?: string): Promise<string> {
  const { session, problems } = await store(relocation).readSessionEntry({ agentId, sessionKey })
  expect(problems).toEqual([])
  return session === null ? 'none' : `${session.key} ${session.entry.label} ${session.layout}`
}

test('a store that is not there is empty, and stays away', async () => {
  expect(await store().readSessionEntry({ agentId: 'main', sessionKey: 'agent:main:main' })).toEqual({
    session: null,
    problems: [],
  })
  expect(await store().listSessions(['main', '..', 'a/b'])).toEqual({ sessions: [], problems: [] })
  expect(everything()).toEqual([])
})

test('the JSON layout', async () => {
  writeJson({
    'agent:main:main': { label: 'm', sessionId: 's1', updatedAt: 5, unheard: [1] },
    'agent:main:slack:channel:c0ab': { label: 'c' },
    'telegram:direct:5': { label: 'd' },
    global: { label: 'g' },
    'agent:work:main': { label: 'not of this agent' },
    'agent:broken': { label: 'malformed key' },
    'agent:main:odd': 'no entry',
  })
  expect(await keyAndLabel('agent:main:main')).toBe('agent:main:main m json')
  expect(await keyAndLabel('agent:Main:slack:channel:C0AB', 'Main')).toBe(
    'agent:main:slack:channel:c0ab c json',
  )
  expect(await keyAndLabel('agent:main:telegram:direct:5')).toBe('agent:main:telegram:direct:5 d json')
  expect(await keyAndLabel('global')).toBe('global g json')
  expect(await keyAndLabel('agent:main:odd')).toBe('none')
  expect(await keyAndLabel('agent:work:main')).toBe('none')
  const { sessions, problems } = await store().listSessions(['main'])
  expect(sessions.map(({ key }) => key)).toEqual([
    'agent:main:main',
    'agent:main:slack:channel:c0ab',
    'agent:main:telegram:direct:5',
    'global',
  ])
  expect(sessions[0]).toEqual({
    agentId: 'main',
    key: 'agent:main:main',
    entry: { label: 'm', sessionId: 's1', updatedAt: 5 },
    file: jsonFile(),
    layout: 'json',
  })
  expect(problems).toEqual([])
})

test.each([
  ['~/moved/{agentId}.json', 'moved/main.json'],
  ['moved/here.json', 'state/moved/here.json'],
])('session.store %s', async (relocation, file) => {
  writeJson({ 'agent:main:main': { label: 'old place' } })
  writeJson({ 'agent:main:main': { label: 'new' }, 'agent:work:main': { label: 'w' } }, join(home, file))
  expect(await keyAndLabel('agent:main:main', 'main', relocation)).toBe('agent:main:main new json')
  expect(await keyAndLabel('agent:main:main', 'main', ' ')).toBe('agent:main:main old place json')
})

test('session.store may not be a directory', async () => {
  const { problems } = await store('~').listSessions(['main'])
  expect(problems).toEqual([
    { file: home, message: 'the session store cannot be read: it is not a regular file' },
  ])
})

test('a shared store is listed agent by agent, a moved one may be a database', async () => {
  const file = join(home, 'all')
  writeSqlite(
    { 'agent:main:main': { updatedAt: 1 }, 'agent:work:main': { updatedAt: 9 }, global: {} },
    file,
  ).close()
  const { sessions } = await store(file).listSessions(['main', 'work'])
  expect(sessions.map(({ agentId, key, layout }) => `${agentId} ${key} ${layout}`)).toEqual([
    'work agent:work:main sqlite',
    'main agent:main:main sqlite',
    'main global sqlite',
  ])
})

test('the database layout, with columns where the entry is silent', async () => {
  const database = writeSqlite({
    'agent:main:discord:channel:c1': { label: 'entry', modelOverride: 'o9', providerOverride: 'openai' },
    main: null,
  })
  database.exec(`
    UPDATE session_nodes SET current_session_id = 's1', label = 'column', spawned_by = 'agent:main:main' WHERE session_key LIKE '%c1';
    INSERT INTO session_windows VALUES ('s1', 'x', 'channel', 'discord', 'acct', 'zai', 'glm', 'codex');`)
  database.close()
  const before = everything()
  const { session } = await store().readSessionEntry({
    agentId: 'main',
    sessionKey: 'agent:main:discord:channel:C1',
  })
  expect(session).toEqual({
    agentId: 'main',
    key: 'agent:main:discord:channel:c1',
    entry: {
      sessionId: 's1',
      label: 'entry',
      chatType: 'channel',
      channel: 'discord',
      accountId: 'acct',
      provider: 'openai',
      model: 'o9',
      harness: 'codex',
      spawnedBy: 'agent:main:main',
      spawnDepth: 1,
    },
    file: sqliteFile(),
    layout: 'sqlite',
  })
  expect(await keyAndLabel('agent:main:main')).toBe('agent:main:main undefined sqlite')
  expect(everything()).toEqual(before)
})

test('a database with the two columns that count', async () => {
  mkdirSync(dirname(sqliteFile()), { recursive: true })
  const database = new DatabaseSync(sqliteFile())
  database.exec('CREATE TABLE session_nodes (session_key TEXT, entry_json BLOB)')
  database
    .prepare('INSERT INTO session_nodes VALUES (?, ?)')
    .run('agent:main:É', Buffer.from('{"label":"blob"}'))
  database.close()
  expect(await keyAndLabel('agent:main:É')).toBe('agent:main:É blob sqlite')
})

test('the database wins over the older file, which still counts', async () => {
  writeSqlite({ 'agent:main:main': { label: 'new', updatedAt: 1 } }).close()
  writeJson({ 'agent:main:MAIN': { label: 'old' }, 'agent:main:cron:x': { label: 'old', updatedAt: 2 } })
  expect(await keyAndLabel('agent:main:main')).toBe('agent:main:main new sqlite')
  expect(await keyAndLabel('agent:main:cron:x')).toBe('agent:main:cron:x old json')
  const { sessions } = await store().listSessions(['main'])
  expect(sessions.map(({ key, layout }) => `${key} ${layout}`)).toEqual([
    'agent:main:cron:x json',
    'agent:main:main sqlite',
  ])
})

test('what a live writer has committed is seen, and the writer is left alone', async () => {
  const writer = writeSqlite({ 'agent:main:main': { label: 'in the log' } })
  const before = readdirSync(dirname(sqliteFile()))
  expect(before).toHaveLength(3)
  expect(await keyAndLabel('agent:main:main')).toBe('agent:main:main in the log sqlite')
  writer.exec('UPDATE session_nodes SET entry_json = \'{"label":"later"}\'')
  expect(await keyAndLabel('agent:main:main')).toBe('agent:main:main later sqlite')
  expect(readdirSync(dirname(sqliteFile()))).toEqual(before)
  writer.close()
})

test('what a dead writer left in its log is seen without touching it', async () => {
  const origin = join(home, 'origin.sqlite')
  const writer = writeSqlite({ 'agent:main:main': { label: 'in the log' } }, origin)
  mkdirSync(dirname(sqliteFile()), { recursive: true })
  for (const end of ['', '-wal']) copyFileSync(origin + end, sqliteFile() + end)
  writer.close()
  const before = everything()
  expect(await keyAndLabel('agent:main:main')).toBe('agent:main:main in the log sqlite')
  expect(everything()).toEqual(before)
})

test('a transaction that a killed writer left half done is not seen', async () => {
  writeSqlite({ 'agent:main:main': { label: 'before' } }, sqliteFile(), 'delete').close()
  const killed = spawnSync(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { DatabaseSync } from 'node:sqlite'
     const database = new DatabaseSync(${JSON.stringify(sqliteFile())})
     database.exec("PRAGMA cache_size = 1; BEGIN; UPDATE session_nodes SET entry_json = '{\\"label\\":\\"half\\"}'")
     const insert = database.prepare('INSERT INTO session_nodes (session_key, entry_json) VALUES (?, ?)')
     for (let row = 0; row < 2000; row++) insert.run('k' + row, 'x'.repeat(200))
     process.kill(process.pid, 'SIGKILL')`,
  ])
  expect(killed.signal).toBe('SIGKILL')
  expect(readdirSync(dirname(sqliteFile()))).toContain('openclaw-agent.sqlite-journal')
  const before = everything()
  expect(await keyAndLabel('agent:main:main')).toBe('agent:main:main before sqlite')
  expect(everything()).toEqual(before)
})

const child = (id: string) => `agent:main:subagent:${id}`

test('the depth of a spawned session comes from its spawners', async () => {
  writeJson({
    [child('a')]: { spawnedBy: 'agent:main:main' },
    [child('b')]: { spawnedBy: child('a') },
    [child('c')]: { spawnedBy: child('b') },
    [child('deep')]: { spawnedBy: 'agent:work:subagent:x' },
    [child('loop1')]: { spawnedBy: child('loop2') },
    [child('loop2')]: { spawnedBy: child('loop1') },
    [child('lost')]: { spawnedBy: child('gone') },
    [child('said')]: { spawnedBy: child('c'), spawnDepth: 1 },
    [child('bad')]: { spawnedBy: 'agent::x' },
  })
  writeJson({ 'agent:work:subagent:x': { spawnDepth: 3 } }, jsonFile('work'))
  const depths: Record<string, number | undefined> = {}
  for (const id of ['a', 'b', 'c', 'deep', 'lost', 'said', 'bad', 'loop1']) {
    const { session } = await store().readSessionEntry({ agentId: 'main', sessionKey: child(id) })
    depths[id] = session?.entry.spawnDepth
  }
  expect(depths).toEqual({ a: 1, b: 2, c: 3, deep: 4, lost: 2, said: 1, bad: undefined, loop1: 3 })
})

test.each<[string, (file: string) => void, string]>([
  [
    'broken JSON',
    (file) => write(file, '{"agent:main:main": {'),
    'the session store cannot be read: Expected',
  ],
  [
    'a list',
    (file) => write(file, '[]'),
    'the session store cannot be read: it does not hold an object of sessions by key',
  ],
  [
    'null',
    (file) => write(file, 'null'),
    'the session store cannot be read: it does not hold an object of sessions by key',
  ],
  [
    'a directory',
    (file) => mkdirSync(file, { recursive: true }),
    'the session store cannot be read: it is not a regular file',
  ],
  [
    'a pipe',
    (file) => {
      mkdirSync(dirname(file), { recursive: true })
      execFileSync('mkfifo', [file])
    },
    'the session store cannot be read: it is not a regular file',
  ],
  [
    'a database of something else',
    (file) => {
      mkdirSync(dirname(file), { recursive: true })
      const database = new DatabaseSync(file)
      database.exec('CREATE TABLE session_nodes (id TEXT)')
      database.close()
    },
    'the session store cannot be read: it has no table session_nodes with session_key and entry_json',
  ],
  [
    'a cut-off database',
    (file) => {
      writeSqlite({ 'agent:main:main': { label: 'x'.repeat(9000) } }, file, 'delete').close()
      writeFileSync(file, readFileSync(file).subarray(0, 5000))
    },
    'the session store cannot be read: database disk image is malformed',
  ],
  [
    'a broken entry',
    (file) => writeSqlite({ 'agent:main:main': '{"label":' }, file, 'delete').close(),
    'The stored entry of "agent:main:main" (agent main) is not a JSON object.',
  ],
])('%s is told once and leaves the other store', async (_name, damage, message) => {
  damage(sqliteFile())
  writeJson({ 'agent:main:cron:x': { label: 'fine' } })
  const { session, problems } = await store().readSessionEntry({
    agentId: 'main',
    sessionKey: 'agent:main:cron:x',
  })
  const listed = await store().listSessions(['main'])
  expect(session?.entry.label).toBe('fine')
  expect(listed.sessions.map(({ key }) => key)).toContain('agent:main:cron:x')
  const told = [...problems, ...listed.problems]
  expect(told.length).toBeGreaterThan(0)
  for (const problem of told) {
    expect(problem.file).toBe(sqliteFile())
    expect(problem.message).toContain(message)
  }
  expect(listed.problems).toHaveLength(1)
})

test('an empty file is an empty store', async () => {
  write(sqliteFile(), '')
  write(jsonFile(), '')
  expect(await store().listSessions(['main'])).toEqual({ sessions: [], problems: [] })
})
