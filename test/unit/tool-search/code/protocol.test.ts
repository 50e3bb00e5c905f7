import { describe, expect, test } from 'vitest'
import { isDeeper, readLine } from '../../../../src/tool-search/code/protocol.ts'

describe('a line of a child', () => {
  test.each([
    [
      { t: 'ready', granted: [] },
      { t: 'ready', granted: [] },
    ],
    [
      { t: 'log', text: 'x' },
      { t: 'log', text: 'x' },
    ],
    [{ t: 'full', more: 1 }, { t: 'full' }],
    [
      { t: 'call', id: 1, method: 'call', args: ['x', { a: 1 }] },
      { t: 'call', id: 1, method: 'call', args: ['x', { a: 1 }], size: 56 },
    ],
    [
      { t: 'value', idle: 2, value: [1] },
      { t: 'value', idle: 2, value: [1] },
    ],
    [
      { t: 'value', idle: 0 },
      { t: 'value', idle: 0, value: null },
    ],
    [
      { t: 'failure', failure: 'thrown', message: 'm', position: { line: 1, column: 2 }, idle: 0 },
      { t: 'failure', failure: 'thrown', message: 'm', position: { line: 1, column: 2 }, idle: 0 },
    ],
    [
      { t: 'failure', failure: 'thrown', message: 'm', position: { line: -1, column: 'x' }, idle: 0 },
      { t: 'failure', failure: 'thrown', message: 'm', position: null, idle: 0 },
    ],
  ])('is read: %j', (line, message) => {
    expect(readLine(JSON.stringify(line))).toEqual(message)
  })

  test.each([
    '',
    'garbage',
    'null',
    '1',
    '"value"',
    '[]',
    '{}',
    '{"t":"other"}',
    '{"t":null}',
    '{"t":"ready"}',
    '{"t":"ready","granted":[1]}',
    '{"t":"log","text":1}',
    '{"t":"call","id":1.5,"method":"call","args":[1,2]}',
    '{"t":"call","id":-1,"method":"call","args":[1,2]}',
    '{"t":"call","id":"1","method":"call","args":[1,2]}',
    '{"t":"call","id":1e300,"method":"call","args":[1,2]}',
    '{"t":"call","id":1,"method":"constructor","args":[1,2]}',
    '{"t":"call","id":1,"method":"__proto__","args":[1,2]}',
    '{"t":"call","id":1,"method":["call"],"args":[1,2]}',
    '{"t":"call","id":1,"method":"call","args":{"length":2}}',
    '{"t":"call","id":1,"method":"call","args":[1]}',
    '{"t":"call","id":1,"method":"call","args":[1,2,3]}',
    '{"t":"value","value":1}',
    '{"t":"value","value":1,"idle":-1}',
    '{"t":"failure","failure":"unavailable","message":"m","idle":0}',
    '{"t":"failure","failure":"aborted","message":"m","idle":0}',
    '{"t":"failure","failure":"thrown","message":{},"idle":0}',
    '{"t":"failure","failure":"thrown","message":"m"}',
    '{"__proto__":{"t":"full"}}',
    '{"t":"value","idle":0,"value":1',
  ])('that no intact child writes is nothing: %s', (line) => {
    expect(readLine(line)).toBe(null)
  })

  test('keeps odd keys as data', () => {
    const message = readLine('{"t":"value","idle":0,"value":{"__proto__":{"polluted":1}}}')
    expect(message).toMatchObject({ t: 'value' })
    expect('polluted' in {}).toBe(false)
    expect(JSON.stringify(message)).toContain('"__proto__":{"polluted":1}')
  })
})

test.each([
  [1, 1, false],
  [null, 0, false],
  [[], 1, false],
  [[], 0, true],
  [{ a: [{ b: 1 }] }, 3, false],
  [{ a: [{ b: 1 }] }, 2, true],
  [[[1], 2, [[3]]], 3, false],
  [[[1], 2, [[3]]], 2, true],
])('%j lies deeper than %i levels: %s', (value, limit, answer) => {
  expect(isDeeper(value, limit)).toBe(answer)
})

test('depth is measured without recursion', () => {
  expect(isDeeper(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)), 50_000)).toBe(true)
})
