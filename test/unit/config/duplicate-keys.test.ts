import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasDuplicateKeys } from '../../../src/config/duplicate-keys.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { parseDocument } from '../../../src/config/read.ts'
import { home } from './homes.ts'

/** The notices of a config on keys that are written more than once, as `path line:column message`. */
async function duplicates(files: Readonly<Record<string, string>>): Promise<string[]> {
  const directory = home(files)
  const { notices } = await loadConfig({ file: 'c.json5', env: { HOME: directory }, cwd: directory })
  return notices
    .filter(({ id }) => id === 'duplicate-key')
    .map(({ location, message }) => {
      const file = location?.file.slice(join(directory, '/').length)
      return `${file} ${location?.path} ${location?.line}:${location?.column} ${message}`
    })
}

test('a key that is written twice is told at its first value, with the line of the one that counts', async () => {
  const text = '{ "tools": {\n  "deny": ["exec"],\n  "profile": "coding",\n  "deny": []\n} }'
  expect(await duplicates({ 'c.json5': text })).toEqual([
    'c.json5 tools.deny 2:11 tools.deny: the key is written twice in one object; only the last, on line 4, is read',
  ])
})

test('colons in strings and comments are no keys, and neither are equal keys of different objects', async () => {
  const text = `{ // a: 1
    /* b: 2 // */ tools: { deny: ["group:fs", 'it\\'s: "x"', "\\\\"] }, 'a:b': { deny: 1 }, "https://x": { deny: 2 } }`
  expect(await duplicates({ 'c.json5': text })).toEqual([])
  // Nor is the file looked through for them.
  const isLookedThrough = async (content: string): Promise<boolean> =>
    hasDuplicateKeys((await parseDocument('c.json5', content)).document)
  expect(await isLookedThrough(text)).toBe(false)
  expect(await isLookedThrough(`${text.slice(0, -1)}, tools: {} }`)).toBe(true)
})

test('keys are compared as they are read: quotes and escapes do not tell them apart', async () => {
  expect(await duplicates({ 'c.json5': `{ a: 1, "a": 2, '\\u0061': 3 }` })).toEqual([
    'c.json5 a 1:6 a: the key is written 3 times in one object; only the last, on line 1, is read',
  ])
})

test('an included file is told with its own name and with the path of the merged config', async () => {
  const files = {
    'c.json5': '{ agents: { list: [{ id: "a", tools: { $include: "t.json5" } }] } }',
    't.json5': '{\n deny: ["exec"],\n deny: ["read"] }',
  }
  expect(await duplicates(files)).toEqual([
    't.json5 agents.list[0].tools.deny 2:8 agents.list[0].tools.deny: the key is written twice in one object; only the last, on line 3, is read',
  ])
})

test('of two includes in one object the first is lost, beside other keys or alone', async () => {
  const files = {
    'c.json5':
      '{ tools: { $include: "a.json5", $include: "b.json5" }, agents: { $include: "a.json5", list: [], $include: "b.json5" } }',
    'a.json5': '{}',
    'b.json5': '{}',
  }
  const lost = (path: string) =>
    `${path}: the key is written twice in one object; only the last, on line 1, is read`
  expect(await duplicates(files)).toEqual([
    `c.json5 agents.$include 1:76 ${lost('agents.$include')}`,
    `c.json5 tools.$include 1:22 ${lost('tools.$include')}`,
  ])
})

test('of very many repeated keys the first are told and the rest is counted', async () => {
  const pairs = Array.from({ length: 500 }, (_, index) => `k${index}: 1, k${index}: 2`)
  const notices = await duplicates({ 'c.json5': `{ meta: { ${pairs.join(', ')} } }` })
  expect(notices).toHaveLength(21)
  expect(notices.at(-1)).toContain('480 more keys are written more than once')
})
