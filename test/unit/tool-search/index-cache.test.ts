import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SearchDocument } from '../../../src/tool-search/document.ts'
import { cachedFrom, cachedIndex, indexDirectory } from '../../../src/tool-search/index-cache.ts'
import { buildIndex } from '../../../src/tool-search/index.ts'
import { rank } from '../../../src/tool-search/rank.ts'
import { tempDir } from '../../helpers/run-cli.ts'
import { mcp } from './fixtures.ts'

const many = (words: string, count = cachedFrom): SearchDocument[] =>
  Array.from({ length: count }, (_, at) =>
    mcp('m', `tool_${String(at).padStart(4, '0')}`, `${words} number ${at}`),
  )

/** Asks for the index of some tools and tells whether they had to be read for it. */
function ask(
  tools: readonly SearchDocument[],
  stateDir: string | null,
): { built: boolean; hits: readonly string[] } {
  let built = false
  const index = cachedIndex(
    {
      count: tools.length,
      content: () => JSON.stringify(tools),
      documents: () => {
        built = true
        return tools
      },
    },
    stateDir,
  )
  expect(rank(index, 'blue number 7', { limit: 5 })).toEqual(
    rank(buildIndex(tools), 'blue number 7', { limit: 5 }),
  )
  return { built, hits: rank(index, 'blue', { limit: 3 }).hits.map(({ id }) => id) }
}

const files = (stateDir: string): string[] => readdirSync(indexDirectory(stateDir))

test('an index is built once for the same tools', async () => {
  const dir = await tempDir()
  expect(ask(many('blue'), dir)).toMatchObject({ built: true })
  expect(ask(many('blue'), dir)).toMatchObject({ built: false })
  expect(files(dir)).toHaveLength(1)
})

test('another text is another index, wherever it differs', async () => {
  const dir = await tempDir()
  ask(many('blue'), dir)
  expect(ask(many('blux'), dir).built).toBe(true)
  const [first, ...rest] = many('blue')
  for (const description of ['Blue number 0', 'blue number 0 ', 'blue numbex 0']) {
    expect(ask([{ ...first!, description }, ...rest], dir).built).toBe(true)
  }
  expect(ask(many('blue'), dir).hits).toHaveLength(3)
})

test('few tools leave nothing on disk', async () => {
  const dir = await tempDir()
  expect(ask(many('blue', cachedFrom - 1), dir).built).toBe(true)
  expect(existsSync(indexDirectory(dir))).toBe(false)
})

test.each([
  ['empty', () => Buffer.alloc(0)],
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 8)],
  ['longer', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
  ['text', () => Buffer.from('not an index at all')],
  [
    'of another length of content',
    (bytes: Buffer) => Buffer.concat([Buffer.from([1, 0, 0, 0]), bytes.subarray(4)]),
  ],
])('a file that is %s is ignored and replaced', async (_, damage) => {
  const dir = await tempDir()
  ask(many('blue'), dir)
  const file = join(indexDirectory(dir), files(dir)[0]!)
  writeFileSync(file, damage(readFileSync(file)))
  expect(ask(many('blue'), dir).built).toBe(true)
  expect(ask(many('blue'), dir).built).toBe(false)
})

test('no single damaged byte gets through', async () => {
  const dir = await tempDir()
  const tools = many('blue')
  ask(tools, dir)
  const file = join(indexDirectory(dir), files(dir)[0]!)
  const bytes = readFileSync(file)
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 60)) {
    const damaged = Buffer.from(bytes)
    damaged[at] = (damaged[at] ?? 0) ^ 0x10
    writeFileSync(file, damaged)
    ask(tools, dir)
    expect(readFileSync(file).equals(bytes)).toBe(true)
  }
})

test('only the newest few are kept, and no drafts', async () => {
  const dir = await tempDir()
  for (let at = 0; at < 20; at += 1) ask(many(`blue ${at}`), dir)
  expect(files(dir)).toHaveLength(16)
  expect(files(dir).filter((name) => !name.endsWith('.index'))).toEqual([])
})

test('a place that cannot be written costs only time', async () => {
  const dir = await tempDir({ cache: 'a file where the directory should be' })
  expect(ask(many('blue'), dir).built).toBe(true)
  const locked = await tempDir()
  mkdirSync(indexDirectory(locked), { recursive: true })
  chmodSync(indexDirectory(locked), 0o500)
  expect(ask(many('blue'), locked).built).toBe(true)
  chmodSync(indexDirectory(locked), 0o700)
  expect(ask(many('blue'), null).built).toBe(true)
})
