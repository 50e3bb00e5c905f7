import { describe, expect, test } from 'vitest'
import { readCall, readSearch } from '../../../src/tool-search/control-requests.ts'
import { buildCatalogue } from '../../../src/tool-search/catalogue.ts'
import { nestedCallId, isNestedCallId } from '../../../src/tool-search/nested-id.ts'
import { shapeBatch, shapeHits } from '../../../src/tool-search/search-response.ts'
import type { FoundTool } from '../../../src/tool-search/find.ts'
import { open } from '../policy/open.ts'

const limits = { searchDefaultLimit: 8, maxSearchLimit: 20 }

/** What reading yields: `query/limit` of every search, or the message of the error. */
function read(args: Readonly<Record<string, unknown>>): string {
  try {
    const request = readSearch(args, limits)
    const items = request.kind === 'one' ? [request.item] : request.items
    return `${request.kind} ${items.map(({ query, limit }) => `${query}/${limit}`).join(' ')}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('a search', () => {
  test.each([
    [{ query: 'x' }, 'one x/8'],
    [{ query: '' }, 'one /8'],
    [{ query: 'x', limit: 3 }, 'one x/3'],
    [{ query: 'x', limit: 500 }, 'one x/20'],
    [{ query: 'x', options: { limit: 2 } }, 'one x/2'],
    [{ query: 'x', limit: null, queries: null }, 'one x/8'],
    [{ query: 'x', queries: [] }, 'one x/8'],
    [{ queries: [{ query: 'a' }, { query: 'b', limit: 2 }, 'c'] }, 'batch a/8 b/2 c/8'],
    [{ query: 'x', limit: 1, queries: [{ query: 'a' }] }, 'batch x/1 a/8'],
    [{ query: ' ', queries: [{ query: 'a' }] }, 'batch a/8'],
    [{}, 'provide query or queries.'],
    [{ query: 7 }, 'query must be a string.'],
    [{ query: 'x', limit: 0 }, 'limit must be a positive integer.'],
    [{ query: 'x', limit: 1.5 }, 'limit must be a positive integer.'],
    [{ query: 'x', limit: '5' }, 'limit must be a positive integer.'],
    [{ queries: 'a' }, 'queries must be a non-empty array.'],
    [{ queries: [] }, 'queries must be a non-empty array.'],
    [{ query: ' ', queries: [] }, 'queries must be a non-empty array.'],
    [{ queries: [{ query: 'a' }], limit: 5 }, 'set limit on each batch query, not on the batch request.'],
    [{ queries: [{ query: 'a' }, { query: ' ' }] }, 'queries[1].query must be a non-empty string.'],
    [{ queries: [{ query: 'a' }, 7] }, 'queries[1].query must be a non-empty string.'],
    [{ queries: [{ query: 'a', limit: -1 }] }, 'queries[0].limit must be a positive integer.'],
    [{ queries: [{ query: 'a'.repeat(513) }] }, 'queries[0].query may have at most 512 characters.'],
    [{ queries: Array<string>(17).fill('a') }, 'queries may contain at most 16 entries.'],
    [{ query: 'x', queries: Array<string>(16).fill('a') }, 'queries may contain at most 16 entries.'],
    [
      { queries: Array<string>(7).fill('a') },
      'the limits of the queries add up to 56, at most 50 are allowed; a query without a limit counts as 8.',
    ],
    [
      { queries: Array.from({ length: 10 }, () => ({ query: 'ä'.repeat(30), limit: 1 })) },
      'serialized batch query text may use at most 512 UTF-8 bytes.',
    ],
  ])('%o', (args, expected) => {
    expect(read(args)).toBe(expected)
  })
})

const { view } = open({
  config: { tools: { toolSearch: { mode: 'tools' } } },
  inventory: {
    plugins: { kit: { tools: ['board_add', 'board_wipe', { name: 'solo', catalogMode: 'direct-only' }] } },
    mcp: { cal: { tools: [{ name: 'create_event' }] } },
  },
})
const catalogue = buildCatalogue(view)

/** Tool and arguments of a call as it was read, or the error. */
function target(args: Readonly<Record<string, unknown>>): string {
  try {
    const { entry, args: own } = readCall(args, catalogue)
    return `${entry.name} ${JSON.stringify(own)}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('a call', () => {
  test.each([
    ['as it should be', { id: 'board_add', args: { title: 'x' } }, 'board_add {"title":"x"}'],
    ['by id', { id: 'mcp:cal:create_event', args: {} }, 'cal__create_event {}'],
    ['by another selector', { toolId: 'board_add', input: { title: 'x' } }, 'board_add {"title":"x"}'],
    ['by name', { name: 'board_add' }, 'board_add {}'],
    ['with null', { id: 'board_add', args: null }, 'board_add {}'],
    ['flat', { id: 'board_add', title: 'x' }, 'board_add {"title":"x"}'],
    [
      'openclaw#143180: flat beside an empty object',
      { id: 'board_add', args: {}, title: 'x' },
      'board_add {"title":"x"}',
    ],
    [
      'flat with an id and a name of the target',
      { toolId: 'board_add', id: 'card-7', name: 'n', title: 'x' },
      'board_add {"id":"card-7","name":"n","title":"x"}',
    ],
    [
      'id and name of one tool',
      { id: 'openclaw:kit:board_add', name: 'board_add', title: 'x' },
      'board_add {"title":"x"}',
    ],
    ['dotted', { id: 'board_add', 'args.title': 'x', 'args.n': 1 }, 'board_add {"title":"x","n":1}'],
    [
      'dotted beside nested, which wins',
      { id: 'board_add', 'args.title': 'no', 'args.n': 1, args: { title: 'x' } },
      'board_add {"title":"x","n":1}',
    ],
    ['JSON in a string', { id: 'board_add', args: '{"title":"x"}' }, 'board_add {"title":"x"}'],
    ['an empty string', { id: 'board_add', args: '' }, 'board_add {}'],
    ['under another wrapper', { id: 'board_add', arguments: { title: 'x' } }, 'board_add {"title":"x"}'],
    ['the selector inside', { args: { id: 'board_add', title: 'x' } }, 'board_add {"title":"x"}'],
    ['all of it inside', { args: { id: 'board_add', args: { title: 'x' } } }, 'board_add {"title":"x"}'],
    ['blanks around', { id: ' board_add ' }, 'board_add {}'],
    [
      'flat with two tools',
      { id: 'board_add', name: 'board_wipe' },
      'Ambiguous tool selectors: pass the target tool id and nest target arguments under args.',
    ],
    [
      'nested with two tools: the proper selector counts',
      { id: 'board_add', name: 'board_wipe', args: { a: 1 } },
      'board_add {"a":1}',
    ],
    ['a list of arguments', { id: 'board_add', args: [1] }, 'args must be an object.'],
    ['text for arguments', { id: 'board_add', args: 'title' }, 'args must be an object.'],
    ['nothing', {}, 'id must be a non-empty string.'],
    ['a number', { id: 7 }, 'id must be a non-empty string.'],
    ['a tool that is not there', { id: 'ghost', a: 1 }, 'unknown tool "ghost"'],
    [
      'a direct tool',
      { id: 'solo' },
      '"solo" is not behind Tool Search: call solo directly, its schema is in the request',
    ],
  ])('%s', (_, args, expected) => {
    expect(target(args)).toBe(expected)
  })
})

test.each([
  ['c1', 'add', 'tool_search_code:c1:add:1'],
  ['call id/1', 'add', 'tool_search_code:call_id_1:add:1'],
  ['', 'add', 'tool_search_code:call:add:1'],
  [undefined, 'cal__x', 'tool_search_code:direct:cal__x:1'],
  ['x'.repeat(200), 'add', `tool_search_code:${'x'.repeat(120)}:add:1`],
])('the id of a call from %o', (parent, name, expected) => {
  expect(nestedCallId(parent, name, 1)).toBe(expected)
  expect(isNestedCallId(expected)).toBe(true)
  expect(isNestedCallId(parent ?? '')).toBe(false)
})

describe('answers', () => {
  const hit = (at: number, more: Partial<FoundTool> = {}): FoundTool => ({
    id: `openclaw:kit:t${at}`,
    source: 'openclaw',
    sourceName: 'kit',
    name: `t${at}`,
    description: 'd',
    input: '{}',
    score: 1,
    ...more,
  })
  const sizeOf = (value: unknown): number => JSON.stringify(value, null, 2).length

  test('a single search shortens descriptions and keeps every hit', () => {
    const hits = Array.from({ length: 50 }, (_, at) => hit(at, { description: 'word '.repeat(200) }))
    const shaped = shapeHits(hits)
    expect(shaped).toHaveLength(50)
    expect(sizeOf(shaped)).toBeLessThanOrEqual(20_000)
    expect(shapeHits([hit(1, { description: 'x'.repeat(900) })])[0]?.description).toHaveLength(900)
    expect(shaped[0]).not.toHaveProperty('score')
  })

  test('a batch stays within its budget, takes from the longest groups and says so', () => {
    const groups = [2, 20, 5].map((count, group) => ({
      query: `q${group}`,
      hits: Array.from({ length: count }, (_, at) =>
        hit(at, { description: 'word '.repeat(200), label: 'Label' }),
      ),
    }))
    const response = shapeBatch(groups)
    expect(sizeOf(response)).toBeLessThanOrEqual(4000)
    expect(response.truncated).toBe(true)
    const counts = response.results.map(({ candidates, truncated }) => [candidates.length, truncated])
    expect(counts[0]).toEqual([2, undefined])
    expect(counts[1]?.[0]).toBeGreaterThanOrEqual(2)
    expect(Math.abs(Number(counts[1]?.[0]) - Number(counts[2]?.[0]))).toBeLessThanOrEqual(1)
    expect(
      response.results
        .flatMap(({ candidates }) => candidates)
        .every(({ description }) => description.length <= 180),
    ).toBe(true)
  })

  test('identity is never cut: extras go first, and a hit whose identity is too long goes whole', () => {
    const wide = hit(1, { output: 'x'.repeat(1900), label: 'L' })
    const endless = hit(2, { id: `openclaw:kit:${'y'.repeat(3000)}` })
    const [group] = shapeBatch([{ query: 'q', hits: [wide, endless] }]).results
    expect(group?.candidates).toEqual([
      expect.objectContaining({ id: 'openclaw:kit:t1', label: 'L', input: '{}' }),
    ])
    expect(group?.candidates[0]).not.toHaveProperty('output')
    expect(group?.truncated).toBe(true)
  })

  test('a batch that fits is left alone', () => {
    const response = shapeBatch([{ query: 'q', hits: [hit(1)] }])
    expect(response).toEqual({
      results: [
        {
          query: 'q',
          candidates: [Object.fromEntries(Object.entries(hit(1)).filter(([key]) => key !== 'score'))],
        },
      ],
    })
  })
})
