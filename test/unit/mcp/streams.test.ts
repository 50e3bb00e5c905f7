import { array, assert, constantFrom, nat, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLine } from '../../../src/mcp/json-rpc.ts'
import { LineReader } from '../../../src/mcp/line-reader.ts'

/** Reads bytes in the given pieces and tells the lines, or `too long`. */
function read(bytes: Buffer, cuts: readonly number[], limit = 1000): readonly string[] {
  const lines: string[] = []
  const reader = new LineReader(
    limit,
    (line) => lines.push(line),
    () => lines.push('too long'),
  )
  let start = 0
  for (const cut of [...cuts, bytes.length].toSorted((a, b) => a - b)) {
    reader.push(bytes.subarray(start, cut))
    start = cut
  }
  return lines
}

describe('lines', () => {
  test('are the same however the bytes arrive', () => {
    const text = array(constantFrom('a', 'ß', '漢', '😀', '\n', ' '), { maxLength: 60 })
    assert(
      property(text, array(nat(200)), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''))
        const inside = cuts.filter((cut) => cut <= bytes.length)
        expect(read(bytes, inside)).toEqual(parts.join('').split('\n').slice(0, -1))
      }),
    )
  })

  test('end at a limit, and nothing is read after it', () => {
    const bytes = Buffer.from(`${'a'.repeat(10)}\n${'b'.repeat(11)}\nc\n`)
    const every = Array.from({ length: bytes.length }, (_, at) => at)
    expect(read(bytes, [], 10)).toEqual(['a'.repeat(10), 'too long'])
    expect(read(bytes, every, 10)).toEqual(['a'.repeat(10), 'too long'])
  })

  test('of many megabytes in single bytes are read in time', () => {
    const bytes = Buffer.from(`${'x'.repeat(2_000_000)}\n`)
    const every = Array.from({ length: bytes.length }, (_, at) => at)
    expect(read(bytes, every, 4_000_000)).toEqual(['x'.repeat(2_000_000)])
  })
})

test.each([
  ['', '[]'],
  ['Listening on port 80', 'noise'],
  ['{"half":', 'noise'],
  ['42', 'noise'],
  ['"text"', 'noise'],
  ['null', 'noise'],
  ['{"jsonrpc":"2.0","id":1,"result":{}}', 'message 1'],
  ['{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"m"}}', 'message a'],
  ['{"jsonrpc":"2.0","method":"m"}', 'message null'],
  ['{"jsonrpc":"2.0","id":1,"method":"m","params":{}}', 'message null'],
  ['[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"m"}]', 'message 1, message null'],
  ['{}', 'a message without jsonrpc: "2.0" (null)'],
  ['{"id":1,"result":{}}', 'a message without jsonrpc: "2.0" (1)'],
  ['{"jsonrpc":"2.0","id":1,"result":[]}', 'a result that is no object (1)'],
  ['{"jsonrpc":"2.0","id":1}', 'an answer without result and error (1)'],
  ['{"jsonrpc":"2.0","id":1,"error":"no"}', 'an error that is no object (1)'],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"m"}}', 'an error without code and message (1)'],
  ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}', 'the error "m" for no request (open)'],
  ['{"jsonrpc":"2.0","result":{}}', 'a result for no request (null)'],
  ['{"jsonrpc":"2.0","method":7}', 'a method that is no string (null)'],
  ['{"jsonrpc":"2.0","method":"m","params":[1]}', 'parameters that are no object (null)'],
  ['[1,{"jsonrpc":"2.0","method":"m"}]', 'a message that is no object (null), message null'],
])('the line %s', (line, expected) => {
  const told = readLine(line).map((reading) => {
    if (reading.kind === 'noise') return 'noise'
    return reading.kind === 'message'
      ? `message ${reading.answers}`
      : `${reading.problem} (${reading.answers})`
  })
  expect(told.length === 0 ? '[]' : told.join(', ')).toBe(expected)
})
