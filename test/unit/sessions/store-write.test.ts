import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { saveSessionEntry, writableStore } from '../../../src/sessions/store-write.ts'
import { openSessionStore } from '../../../src/sessions/store.ts'
import { tempDir } from '../../helpers/run-cli.ts'

const read = async (file: string) => JSON.parse(await readFile(file, 'utf8'))

describe('saving an entry', () => {
  test('begins a store, for the owner only', async () => {
    const dir = await tempDir()
    const file = join(dir, 'agents/main/sessions/sessions.json')
    await saveSessionEntry(file, 'agent:main:main', { sessionId: 'a', updatedAt: 1 })
    expect(await read(file)).toEqual({ 'agent:main:main': { sessionId: 'a', updatedAt: 1 } })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const { session } = await openSessionStore({ stateDir: dir, homeDir: dir }).readSessionEntry({
      agentId: 'main',
      sessionKey: 'agent:main:main',
    })
    expect(session?.entry).toEqual({ sessionId: 'a', updatedAt: 1 })
  })

  test.each([
    { name: 'other sessions and fields', key: 'agent:main:main', stored: 'agent:main:main' },
    { name: 'the spelling of a key', key: 'agent:main:main', stored: 'Agent:Main:main' },
    { name: 'a key without its agent', key: 'agent:main:main', stored: 'main' },
  ])('keeps $name', async ({ key, stored }) => {
    const before = { other: { sessionId: 'o' }, [stored]: { sessionId: 'a', label: 'mine', deep: { x: 1 } } }
    const dir = await tempDir({ 'sessions.json': JSON.stringify(before) })
    await saveSessionEntry(join(dir, 'sessions.json'), key, { updatedAt: 2 })
    expect(await read(join(dir, 'sessions.json'))).toEqual({
      other: { sessionId: 'o' },
      [stored]: { sessionId: 'a', label: 'mine', deep: { x: 1 }, updatedAt: 2 },
    })
  })

  test('loses nothing when many write at once, and leaves nothing behind', async () => {
    const dir = await tempDir()
    const file = join(dir, 'sessions.json')
    const keys = Array.from({ length: 20 }, (_, at) => `agent:main:s${at}`)
    await Promise.all(keys.map((key) => saveSessionEntry(file, key, { sessionId: key })))
    expect(Object.keys(await read(file)).toSorted()).toEqual(keys.toSorted())
    expect(await readdir(dir)).toEqual(['sessions.json'])
  })

  test.each(['[]', '{"a": ', 'null'])('does not overwrite %s', async (text) => {
    const dir = await tempDir({ 'sessions.json': text })
    const file = join(dir, 'sessions.json')
    await expect(saveSessionEntry(file, 'agent:main:main', {})).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('is not a JSON object of sessions by key'),
    })
    expect(await readFile(file, 'utf8')).toBe(text)
  })
})

describe('the store of an agent', () => {
  test.each([
    { store: undefined, agentId: 'Main', is: 'agents/main/sessions/sessions.json' },
    { store: 'all/{agentId}.json', agentId: 'main', is: 'all/main.json' },
    { store: undefined, agentId: '../up', is: null },
  ])('is $is for $agentId with store $store', async ({ store, agentId, is }) => {
    const stateDir = await tempDir()
    const found = writableStore({ stateDir, homeDir: stateDir, store }, agentId)
    expect(found).toBe(is === null ? null : join(stateDir, is))
  })

  test('is none where a database is in its place', async () => {
    const stateDir = await tempDir()
    await writeFile(join(stateDir, 'all.json'), 'SQLite format 3\0 and so on')
    expect(writableStore({ stateDir, homeDir: stateDir, store: 'all.json' }, 'main')).toBe(null)
  })
})
