import { describe, expect, test } from 'vitest'
import { ConsoleLog } from '../../../../src/tool-search/code/console-log.ts'
import { launchers, nodeFlags } from '../../../../src/tool-search/code/launcher.ts'
import { sizeInWords } from '../../../../src/tool-search/code/limits.ts'
import { isolationSupport } from '../../../../src/tool-search/code/support.ts'

describe('the console output of a run', () => {
  test('is kept whole up to its limit', () => {
    const log = new ConsoleLog(10)
    for (const line of ['abc', 'def', 'g']) log.add(line)
    expect([log.isCut, log.lines()]).toEqual([false, ['abc', 'def', 'g']])
  })

  test('is cut within a line, and says so', () => {
    const log = new ConsoleLog(10)
    for (const line of ['abc', 'defghijk', 'later']) log.add(line)
    expect([log.isCut, log.lines()]).toEqual([
      true,
      ['abc', 'defghi', '[console output cut after 10 characters]'],
    ])
  })

  test('counts empty lines, too', () => {
    const log = new ConsoleLog(3)
    for (let count = 0; count < 100; count++) log.add('')
    expect(log.lines()).toEqual(['', '', '', '[console output cut after 3 characters]'])
  })
})

test.each([
  [0, '0 characters'],
  [1023, '1023 characters'],
  [64 * 1024, '64 KiB'],
  [1024 * 1024, '1 MiB'],
  [3.44 * 1024 * 1024, '3.4 MiB'],
])('%i is %s', (size, words) => {
  expect(sizeInWords(size)).toBe(words)
})

test('every launcher is weaker than the one before, and the last one is bare', () => {
  const ways = launchers({ file: process.execPath, reads: null })
  const counts = ways.map(({ prefix }) => prefix.length)
  expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  expect(new Set(counts).size).toBe(counts.length)
  expect(ways.at(-1)).toEqual({ walls: [], prefix: [] })
})

test.each([
  [
    ['--permission', '--disallow-code-generation-from-strings', '--disable-sigusr1'],
    'cannot deny the network to a process (no --allow-net)',
  ],
  [[], 'cannot take permissions away from a process (no --permission)'],
])('a Node that knows %j alone cannot lock a child', (flags, because) => {
  expect(isolationSupport(new Set(flags))).toEqual({
    supported: false,
    because: `Node ${process.versions.node} ${because}`,
  })
})

test('this Node can lock a child', () => {
  expect(isolationSupport()).toEqual({ supported: true })
  expect(nodeFlags()).toMatchInlineSnapshot(`
    [
      "--permission",
      "--disallow-code-generation-from-strings",
      "--no-experimental-sqlite",
      "--no-experimental-ffi",
      "--no-addons",
      "--disable-proto=delete",
      "--disable-sigusr1",
      "--unhandled-rejections=none",
      "--max-old-space-size=64",
      "--max-semi-space-size=4",
      "--jitless",
    ]
  `)
})
