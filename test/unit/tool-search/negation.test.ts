import { expect, test } from 'vitest'
import { withoutNegations } from '../../../src/tool-search/negation.ts'
import { readValueShapes } from '../../../src/tool-search/value-shapes.ts'

test.each([
  ['List all keys. Not for fetching a single key.', 'List all keys.'],
  ['Send mail. Do not use for chats; use chat_send instead. Attach files.', 'Send mail. Attach files.'],
  ['Read a file.\nThis tool does not read images!', 'Read a file.\n'],
  ["Don't call twice. Creates a branch.", ' Creates a branch.'],
  ['Find files that are not tracked.', 'Find files that are not tracked.'],
  ['Notify people. Avoidance of doubt.', 'Notify people. Avoidance of doubt.'],
  ['Plain text', 'Plain text'],
  ['', ''],
])('%j says %j', (description, kept) => {
  expect(withoutNegations(description)).toBe(kept)
})

test.each([
  ['add an entry to <ledger_name> with {"audit": "log"}', 'add an entry to with'],
  ['is 1 < 2 and 3 > 2', 'is 1 < 2 and 3 > 2'],
  ['fill the {placeholder} in', 'fill the {placeholder} in'],
])('of %j the words %j are wishes', (query, prose) => {
  expect(readValueShapes(query).text.replace(/\s+/g, ' ').trim()).toBe(prose)
})

test('hostile texts are read in a moment', () => {
  const before = process.cpuUsage()
  for (const text of [' '.repeat(100_000), '. '.repeat(50_000), 'not '.repeat(25_000)]) withoutNegations(text)
  for (const text of ['{:'.repeat(50_000), `{${':'.repeat(100_000)}`, '<a'.repeat(50_000)])
    readValueShapes(text)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(500)
})
