import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { earlierJournal, journalFile, rotateJournal } from '../../../src/sessions/journal.ts'
import { SessionLog } from '../../../src/sessions/session-log.ts'
import { readSqliteTranscript } from '../../../src/sessions/sqlite-transcript.ts'
import { readTranscript } from '../../../src/sessions/transcript.ts'
import { tempDir } from '../../helpers/run-cli.ts'

let directory: string
let file: string
beforeEach(async () => {
  directory = await tempDir()
  file = join(directory, 'agents', 'main', 'sessions', 's.jsonl')
})

const openLog = () =>
  new SessionLog({ file, header: { id: 's', cwd: '/w' }, clock: () => Date.parse('2026-07-01T00:00:00Z') })
const records = () =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))

describe('a session log', () => {
  test('begins with a header; entries name the one before, also over several writers', () => {
    const first = openLog()
    const a = first.message({ role: 'user', content: 'hi' })
    const b = first.custom('x', { n: 1 })
    first.close()
    const second = openLog()
    second.append({ type: 'reset' })
    second.close()
    expect(records()).toEqual([
      { type: 'session', version: 4, id: 's', cwd: '/w', timestamp: '2026-07-01T00:00:00.000Z' },
      {
        type: 'message',
        id: a,
        parentId: null,
        timestamp: '2026-07-01T00:00:00.000Z',
        message: { role: 'user', content: 'hi' },
      },
      {
        type: 'custom',
        id: b,
        parentId: a,
        timestamp: '2026-07-01T00:00:00.000Z',
        customType: 'x',
        data: { n: 1 },
      },
      {
        type: 'reset',
        id: expect.stringMatching(/^[0-9a-f]{8}$/),
        parentId: b,
        timestamp: '2026-07-01T00:00:00.000Z',
      },
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('a line that a dying writer left half costs itself only', async () => {
    const first = openLog()
    const a = first.custom('x', 1)
    first.close()
    appendFileSync(file, '{"type":"message","id":"dead')
    const second = openLog()
    second.custom('y', 2)
    second.close()
    const events = []
    for await (const event of readTranscript(file)) events.push(event)
    expect(events.map(({ type }) => type)).toEqual(['session', 'custom', 'unreadable', 'custom'])
    expect(events.at(-1)?.parentId).toBe(a)
  })

  test('an end without a line break that is whole is an entry', () => {
    const first = openLog()
    first.close()
    appendFileSync(file, '{"type":"custom","id":"abc"}')
    const second = openLog()
    second.custom('y', 2)
    second.close()
    expect(records().map(({ id, parentId }) => [id, parentId])).toEqual([
      ['s', undefined],
      ['abc', undefined],
      [expect.any(String), 'abc'],
    ])
  })

  test('line breaks inside of texts are none of the file', () => {
    const log = openLog()
    log.message({ role: 'user', content: 'a\nb\r\n\u2028c' })
    log.close()
    expect(records()).toHaveLength(2)
  })
})

describe('a journal', () => {
  test.each([
    ['main', 'agent:main:main', 'agents/main/calls/agent-main-main.6d9217fe.jsonl'],
    [
      'Work',
      'agent:Work:telegram:group:-100',
      'agents/work/calls/agent-work-telegram-group--100.5c04d01b.jsonl',
    ],
    ['main', '../../etc', 'agents/main/calls/-etc.'],
  ])('of %s %s', (agentId, key, expected) => {
    expect(journalFile('/s', agentId, key)).toMatch(new RegExp(`^/s/${expected.replaceAll('.', '\\.')}`))
  })

  test.each(['..', '.', '', 'a/b', 'a\\b', 'a\0'])('an agent called %o has none', (agentId) => {
    expect(journalFile('/s', agentId, 'k')).toBeNull()
  })

  test('keys that differ in what no file name can hold differ all the same; case makes no other key', () => {
    const files = ['agent:main:a/b', 'agent:main:a:b', 'agent:main:a-b'].map((key) =>
      journalFile('/s', 'main', key),
    )
    expect(new Set(files).size).toBe(3)
    expect(journalFile('/s', 'main', 'AGENT:main:X')).toBe(journalFile('/s', 'main', 'agent:main:x'))
  })

  test('a large one is put aside once', () => {
    const log = openLog()
    log.close()
    rotateJournal(file)
    expect(statSync(file).isFile()).toBe(true)
    writeFileSync(file, Buffer.alloc(16 * 1024 * 1024 + 1))
    rotateJournal(file)
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
    expect(statSync(earlierJournal(file)).isFile()).toBe(true)
    rotateJournal(file)
  })
})

describe('a transcript in a database', () => {
  function database(schema: string): { readonly path: string; readonly db: DatabaseSync } {
    const path = join(directory, 'x.sqlite')
    const db = new DatabaseSync(path)
    db.exec(schema)
    return { path, db }
  }

  test('plain and packed events in their order; one that cannot be unpacked is unreadable', async () => {
    const { path, db } = database(
      'CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB)',
    )
    const add = db.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?)')
    add.run('s', 2, null, zstdCompressSync('{"type":"reset","id":"b"}'))
    add.run('s', 1, '{"type":"session","id":"a"}', null)
    add.run('s', 3, null, Buffer.from('not zstd'))
    add.run('other', 1, '{"type":"reset"}', null)
    db.close()
    const events = await readSqliteTranscript(path, 's')
    expect(events.map(({ type, id }) => [type, id])).toEqual([
      ['session', 'a'],
      ['reset', 'b'],
      ['unreadable', undefined],
    ])
    expect(await readSqliteTranscript(path, 'none')).toEqual([])
  })

  test.each(['CREATE TABLE x (a)', 'CREATE TABLE transcript_events (session_id TEXT, seq INTEGER)'])(
    '%s has none',
    async (schema) => {
      const { path, db } = database(schema)
      db.close()
      expect(await readSqliteTranscript(path, 's')).toEqual([])
    },
  )
})
