import { describe, expect, test } from 'vitest'
import { keyBytes } from '../../../../src/tools/commands/keys.ts'
import { commandSettings, millisecondsOf } from '../../../../src/tools/commands/settings.ts'
import { open } from '../../policy/open.ts'

describe('settings of commands', () => {
  test('are the usual ones where nothing is said', () => {
    expect(commandSettings(open({}).view)).toEqual({
      backgroundMs: 10_000,
      timeoutMs: 1_800_000,
      cleanupMs: 1_800_000,
      notifyOnExit: true,
      notifyOnExitEmptySuccess: false,
      pathPrepend: [],
    })
  })

  test('come from the agent first, field by field, under the name of either edition', () => {
    const exec = { backgroundMs: 5, timeoutSec: 7, notifyOnExit: false, pathPrepend: ['/a'] }
    const list = [{ id: 'main', tools: { exec: { backgroundMs: 0, cleanupMs: 9 } } }]
    expect(commandSettings(open({ config: { tools: { exec }, agents: { list } } }).view)).toMatchObject({
      backgroundMs: 0,
      timeoutMs: 7_000,
      cleanupMs: 9,
      notifyOnExit: false,
      pathPrepend: ['/a'],
    })
    const newer = { tools: { exec: { timeoutSeconds: 3 } } }
    expect(commandSettings(open({ config: newer, edition: '2026.9' }).view).timeoutMs).toBe(3_000)
  })

  test('0 seconds are no limit', () => {
    expect(millisecondsOf(0)).toBe(Number.POSITIVE_INFINITY)
    expect(millisecondsOf(0.0001)).toBe(1)
  })
})

describe('keys', () => {
  test.each([
    [['Enter'], '\r'],
    [['C-c'], '\u0003'],
    [['^D'], '\u0004'],
    [['Up', 'DOWN'], '\u001B[A\u001B[B'],
    [['M-x'], '\u001Bx'],
    [['h', 'i', ' ', '€'], 'hi €'],
    [['F5', 'Escape'], '\u001B[15~\u001B'],
  ])('%j', (keys, bytes) => {
    expect(keyBytes(keys)).toBe(bytes)
  })

  test.each(['Entr', '', 'toString', 'C-ab'])('refuses %j', (key) => {
    expect(() => keyBytes([key])).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }))
  })
})
