import { expect, test } from 'vitest'
import { buildIndex } from '../../../src/tool-search/index.ts'
import { decodeIndex, encodeIndex } from '../../../src/tool-search/index-codec.ts'
import { rank } from '../../../src/tool-search/rank.ts'
import { index, plugin } from './fixtures.ts'

test('a decoded index answers like the original', () => {
  const decoded = decodeIndex(encodeIndex(index))
  expect(decoded).toEqual(index)
  for (const query of ['create branch', '天气', 'wether', 'sessions_spawn']) {
    expect(decoded && rank(decoded, query, { limit: 5 })).toEqual(rank(index, query, { limit: 5 }))
  }
})

test('bytes at an odd place of a larger buffer', () => {
  const bytes = encodeIndex(index)
  const larger = new Uint8Array(bytes.length + 3)
  larger.set(bytes, 3)
  expect(decodeIndex(larger.subarray(3))).toEqual(index)
})

test('names with line breaks and an empty catalogue survive', () => {
  for (const made of [buildIndex([plugin('a', 'x\ny', '')]), buildIndex([])])
    expect(decodeIndex(encodeIndex(made))).toEqual(made)
})

test.each([
  ['empty', new Uint8Array(0)],
  ['too short', new Uint8Array(12)],
  ['of another kind', new TextEncoder().encode('{"not":"an index, and long enough to look at"}!!')],
  ['cut off', encodeIndex(index).subarray(0, 400)],
  ['of another version', damaged(4)],
  ['damaged in the head', damaged(60)],
  ['damaged in the postings', damaged(-9)],
])('bytes that are %s give no index', (_kind, bytes) => {
  expect(decodeIndex(bytes)).toBeUndefined()
})

function damaged(at: number): Uint8Array {
  const bytes = encodeIndex(index)
  const place = at < 0 ? bytes.length + at : at
  bytes[place] = (bytes[place] ?? 0) ^ 0x55
  return bytes
}
