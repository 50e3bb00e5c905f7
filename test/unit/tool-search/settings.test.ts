import { describe, expect, test } from 'vitest'
import { resolveToolSearch, type ToolSearchFacts } from '../../../src/tool-search/settings.ts'

const facts: ToolSearchFacts = {
  edition: '2026.7',
  harness: 'openclaw',
  lean: false,
  isolationProblem: null,
  canUseTools: true,
}

/** The settings in one line: on or off, asked mode → mode, timeout / default limit / maximum. */
function line(raw: unknown, changes: Partial<ToolSearchFacts> = {}): string {
  const state = resolveToolSearch(raw, { ...facts, ...changes })
  const mode = state.enabled
    ? `${state.requestedMode}→${state.mode}`
    : `off${state.because ? `: ${state.because}` : ''}`
  return `${mode} ${state.codeTimeoutMs}/${state.searchDefaultLimit}/${state.maxSearchLimit}`
}

describe('values handed to the library (tool search facts §1.2)', () => {
  test.each([
    [undefined, 'off 10000/8/20'],
    ['str', 'off 10000/8/20'],
    [{}, 'off 10000/8/20'],
    [false, 'off 10000/8/20'],
    [true, 'code→code 10000/8/20'],
    [{ enabled: true }, 'code→code 10000/8/20'],
    [{ mode: 'x' }, 'code→code 10000/8/20'],
    [{ enabled: 'yes', mode: 'tools' }, 'tools→tools 10000/8/20'],
    [{ mode: 'directory' }, 'directory→directory 10000/8/20'],
    [{ codeTimeoutMs: 10 }, 'code→code 1000/8/20'],
    [{ codeTimeoutMs: 999_999 }, 'code→code 60000/8/20'],
    [{ codeTimeoutMs: '5000' }, 'code→code 10000/8/20'],
    [{ codeTimeoutMs: Number.NaN }, 'code→code 10000/8/20'],
    [{ maxSearchLimit: 0 }, 'code→code 10000/8/20'],
    [{ maxSearchLimit: 500 }, 'code→code 10000/8/50'],
    [{ maxSearchLimit: 3 }, 'code→code 10000/3/3'],
    [{ maxSearchLimit: 5.5, searchDefaultLimit: -1 }, 'code→code 10000/8/20'],
    [{ searchDefaultLimit: 1000 }, 'code→code 10000/20/20'],
    [{ enabled: false, mode: 'tools' }, 'off 10000/8/20'],
  ])('%j', (raw, expected) => {
    expect(line(raw)).toBe(expected)
  })
})

describe('what decides besides the setting', () => {
  test.each<[string, unknown, Partial<ToolSearchFacts>, string]>([
    ['on in tools mode when unset in 2026.9', undefined, { edition: '2026.9' }, 'tools→tools 10000/8/20'],
    ['true still means code mode there', true, { edition: '2026.9' }, 'code→code 10000/8/20'],
    ['false wins over the edition', false, { edition: '2026.9' }, 'off 10000/8/20'],
    ['lean mode forces a small tools mode', undefined, { lean: true }, 'tools→tools 10000/5/10'],
    ['a set value wins over lean mode', false, { lean: true }, 'off 10000/8/20'],
    ['the codex harness has no controls', true, { harness: 'codex' }, 'off: codex harness 10000/8/20'],
    [
      'a run without tools has no controls',
      true,
      { canUseTools: false },
      'off: the run has no tools 10000/8/20',
    ],
    ['code mode needs the locked child', true, { isolationProblem: 'old Node' }, 'code→tools 10000/8/20'],
    [
      'other modes do not',
      { mode: 'directory' },
      { isolationProblem: 'old Node' },
      'directory→directory 10000/8/20',
    ],
  ])('%s', (_name, raw, changes, expected) => {
    expect(line(raw, changes)).toBe(expected)
  })

  test('every adjustment and the fallback are reported', () => {
    const state = resolveToolSearch(
      { codeTimeoutMs: 999_999, maxSearchLimit: 3, mode: 'x' },
      { ...facts, isolationProblem: 'old Node' },
    )
    expect(state.adjusted).toEqual([
      { key: 'codeTimeoutMs', from: 999_999, to: 60_000, because: 'maximum is 60000' },
      { key: 'searchDefaultLimit', from: 8, to: 3, because: 'maxSearchLimit is 3' },
      { key: 'mode', from: 'x', to: 'code', because: 'unknown mode' },
    ])
    expect(state.fallback).toEqual({ from: 'code', to: 'tools', because: 'old Node' })
  })
})
