import { expect, test } from 'vitest'
import { ago } from '../../../src/mcp/age.ts'

const minute = 60_000

test.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [minute, '1 min ago'],
  [59.9 * minute, '59 min ago'],
  [60 * minute, '1 h ago'],
  [47.5 * 60 * minute, '1 d ago'],
  [400 * 24 * 60 * minute, '400 d ago'],
  [-5 * minute, 'just now'],
])('%d ms', (elapsed, expected) => {
  expect(ago(1e12, 1e12 + elapsed)).toBe(expected)
})
