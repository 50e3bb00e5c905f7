import {
  array,
  assert,
  constantFrom,
  integer,
  oneof,
  property,
  record,
  string,
  uniqueArray,
} from 'fast-check'
import { expect, test } from 'vitest'
import type { SearchDocument } from '../../src/tool-search/document.ts'
import { buildIndex } from '../../src/tool-search/index.ts'
import { decodeIndex, encodeIndex } from '../../src/tool-search/index-codec.ts'
import { rank } from '../../src/tool-search/rank.ts'
import { runs, seedOf } from './random.ts'

const seed = seedOf('search') | 0
const size = { numRuns: runs(2_000), seed }

const word = constantFrom(
  'get',
  'list',
  'the',
  'search',
  'of',
  'file',
  'create',
  'weather',
  '查询',
  '天气',
  'Ünïcode',
  'PDFs',
  '42',
  'a',
)
const name = oneof(
  { weight: 4, arbitrary: array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('_')) },
  { weight: 1, arbitrary: array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) },
  { weight: 1, arbitrary: string({ unit: 'binary', minLength: 1, maxLength: 10 }) },
)
const text = oneof(
  array(word, { maxLength: 12 }).map((parts) => parts.join(' ')),
  string({ unit: 'grapheme', maxLength: 200 }),
)
const document = record({
  name,
  description: text,
  source: constantFrom('openclaw', 'mcp', 'client'),
  sourceName: constantFrom('a', 'b', 'c'),
}).map((made): SearchDocument => ({ ...made, id: `${made.source}:${made.sourceName}:${made.name}` }))
const catalogue = uniqueArray(document, { maxLength: 40, selector: (made) => made.id })

test('every tool is found first by its own exact name', () => {
  assert(
    property(catalogue, (tools) => {
      const index = buildIndex(tools)
      for (const tool of tools) expect(rank(index, tool.name, { limit: 1 }).hits[0]?.name).toBe(tool.name)
    }),
    size,
  )
})

test('every tool is found first by its id, unless another has it as its name', () => {
  assert(
    property(catalogue, (tools) => {
      const index = buildIndex(tools)
      const names = new Set(tools.map((tool) => tool.name))
      const unique = tools.filter((tool) => !names.has(tool.id))
      expect(unique.map((tool) => rank(index, tool.id, { limit: 1 }).hits[0]?.id)).toEqual(
        unique.map((tool) => tool.id),
      )
    }),
    size,
  )
})

test('hits do not depend on the order of the tools or on a stay in the cache', () => {
  assert(
    property(catalogue, text, (tools, query) => {
      const result = rank(buildIndex(tools), query, { limit: 8 })
      expect(rank(buildIndex(tools.toReversed()), query, { limit: 8 })).toEqual(result)
      const cached = decodeIndex(encodeIndex(buildIndex(tools)))
      expect(cached && rank(cached, query, { limit: 8 })).toEqual(result)
    }),
    size,
  )
})

test('results are bounded, finite and ordered, and empty ones have a reason', () => {
  assert(
    property(catalogue, text, integer({ min: 1, max: 50 }), (tools, query, limit) => {
      const { hits, total, reason } = rank(buildIndex(tools), query, { limit })
      expect(hits).toHaveLength(Math.min(limit, total))
      expect(new Set(hits.map((hit) => hit.id)).size).toBe(hits.length)
      for (const [at, hit] of hits.entries()) {
        expect(Number.isFinite(hit.score) && hit.score > 0).toBe(true)
        expect(hit.score).toBeLessThanOrEqual(hits[at - 1]?.score ?? Infinity)
      }
      expect(reason === undefined).toBe(total > 0)
    }),
    size,
  )
})

const long = 100_000
test.each([
  ['100 KB of one letter', 'a'.repeat(long)],
  [
    '100 KB of different words',
    Array.from({ length: long / 8 }, (_, at) => `w${(at * 7919).toString(36)}`).join(' '),
  ],
  ['100 KB of misspelt words', 'wether forcast brnach '.repeat(long / 22)],
  ['100 KB of Chinese', '查询天气'.repeat(long / 4)],
  ['100 KB of slashes', '/a'.repeat(long / 2)],
  ['100 KB of dots and dashes', '-.'.repeat(long / 2)],
  ['100 KB of camel case', 'aB'.repeat(long / 2)],
  ['100 KB of quotes and commas', '", '.repeat(long / 3)],
  ['control characters', '\u0000\u001b[31m\u202e'.repeat(5_000)],
  ['lone surrogates', '\ud800'.repeat(5_000)],
])('a hostile query ends soon: %s', (_kind, query) => {
  const tools = Array.from({ length: 2_000 }, (_, at): SearchDocument => {
    return {
      id: `mcp:m:tool_${at}_weather`,
      name: `tool_${at}_weather`,
      description: `Forecast number ${at} for branches`,
      source: 'mcp',
      sourceName: 'm',
    }
  })
  const index = buildIndex(tools)
  const { hits } = rank(index, query, { limit: 8 })
  const before = process.cpuUsage()
  rank(index, query, { limit: 8 })
  const { user, system } = process.cpuUsage(before)
  // A bound for what grows with the square of the query, not for the speed of a machine that does other work.
  expect((user + system) / 1000).toBeLessThan(3_000)
  for (const hit of hits) expect(Number.isFinite(hit.score)).toBe(true)
})

test('ten thousand equal names are one answer each, in order of id, soon', () => {
  const tools = Array.from({ length: 10_000 }, (_, at): SearchDocument => {
    const owner = `s${String(at).padStart(5, '0')}`
    return {
      id: `openclaw:${owner}:same`,
      name: 'same',
      description: 'The same',
      source: 'openclaw',
      sourceName: owner,
    }
  })
  const before = process.cpuUsage()
  const { hits, total } = rank(buildIndex(tools), 'same', { limit: 3 })
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(3_000)
  expect(total).toBe(10_000)
  expect(hits.map((hit) => hit.id)).toEqual([
    'openclaw:s00000:same',
    'openclaw:s00001:same',
    'openclaw:s00002:same',
  ])
})
