import { describe, expect, test } from 'vitest'
import type { Config } from '../../../../src/config/types.ts'
import { matchesSender } from '../../../../src/tools/elevated/allow-from.ts'
import { resolveElevated, type ElevatedContext } from '../../../../src/tools/elevated/resolve.ts'
import { describeLevel, keptReply, statusReply, whyNoEffect } from '../../../../src/tools/elevated/words.ts'

const who: ElevatedContext = {
  agentId: 'main',
  channel: 'telegram',
  sender: { id: '42', e164: '+491234567', username: 'Bob', name: 'Bob B' },
  peer: null,
}

function config(elevated: object | undefined, agent?: object, elevatedDefault?: string): Config {
  const value = {
    tools: elevated === undefined ? {} : { elevated },
    agents: {
      ...(elevatedDefault !== undefined && { defaults: { elevatedDefault } }),
      list: [{ id: 'main', ...(agent && { tools: { elevated: agent } }) }],
    },
  }
  // Tests write configs as literals; the schema has its own tests.
  return value as unknown as Config
}

const open = { allowFrom: { telegram: ['42'] } }

describe('gates', () => {
  test.each([
    ['nothing configured', undefined, undefined, ['allowFrom tools.elevated.allowFrom.telegram']],
    ['listed', open, undefined, []],
    ['switched off globally', { ...open, enabled: false }, undefined, ['enabled tools.elevated.enabled']],
    [
      'switched off for the agent',
      open,
      { enabled: false },
      ['enabled agents.list[0].tools.elevated.enabled'],
    ],
    [
      'on for the agent alone',
      { ...open, enabled: false },
      { enabled: true },
      ['enabled tools.elevated.enabled'],
    ],
    [
      'an empty list refuses',
      { allowFrom: { telegram: [] } },
      undefined,
      ['allowFrom tools.elevated.allowFrom.telegram'],
    ],
    [
      'a list of another channel',
      { allowFrom: { discord: ['*'] } },
      undefined,
      ['allowFrom tools.elevated.allowFrom.telegram'],
    ],
    [
      'an agent cannot widen',
      undefined,
      { allowFrom: { telegram: ['*'] } },
      ['allowFrom tools.elevated.allowFrom.telegram'],
    ],
    [
      'an agent narrows',
      open,
      { allowFrom: { telegram: ['43'] } },
      ['allowFrom agents.list[0].tools.elevated.allowFrom.telegram'],
    ],
    [
      'an agent narrows by another channel',
      open,
      { allowFrom: { discord: ['42'] } },
      ['allowFrom agents.list[0].tools.elevated.allowFrom.telegram'],
    ],
    ['both lists', open, { allowFrom: { telegram: ['*'] } }, []],
    ['a channel in other letters', { allowFrom: { Telegram: [42] } }, undefined, []],
  ])('%s', (_name, global, agent, failures) => {
    const resolved = resolveElevated(config(global, agent), who, { session: 'full' })
    expect(resolved.failures.map(({ gate, key }) => `${gate} ${key}`)).toEqual(failures)
    expect(resolved.allowed).toBe(failures.length === 0)
    expect(resolved.level).toBe(failures.length === 0 ? 'full' : 'off')
  })

  test('a channel that is not known refuses, whatever the lists say', () => {
    const resolved = resolveElevated(config({ allowFrom: { telegram: ['*'] } }), { ...who, channel: null })
    expect(resolved).toEqual({
      enabled: true,
      allowed: false,
      level: 'off',
      failures: [{ gate: 'provider', key: 'tools.elevated.allowFrom' }],
    })
  })

  test('the message, else the session, else the default, else off', () => {
    const level = (directive?: string, session?: string, usual?: string) =>
      resolveElevated(config(open, undefined, usual), who, { directive, session }).level
    expect(level()).toBe('off')
    expect(level(undefined, undefined, 'on')).toBe('ask')
    expect(level(undefined, 'off', 'full')).toBe('off')
    expect(level('full', 'off', 'off')).toBe('full')
    expect(level('off', 'full', 'full')).toBe('off')
    expect(level('nonsense', 'ask')).toBe('ask')
  })
})

describe('entries', () => {
  const known = { channel: 'telegram', sender: who.sender, peer: '77' }
  test.each([
    ['*', true],
    ['42', true],
    [42, true],
    [' 42 ', true],
    ['telegram:42', true],
    ['discord:42', false],
    ['id:42', true],
    ['id:77', false],
    ['77', true],
    ['from:77', true],
    ['from:telegram:77', true],
    ['from:42', false],
    ['+49 123 4567', true],
    ['e164:491234567', true],
    ['telegram:+491234567', true],
    ['e164:42', false],
    ['bob', false],
    ['username:@bob', true],
    ['tag:bob', true],
    ['name:Bob B', true],
    ['name:', false],
    ['username:', false],
    ['', false],
    ['-42', false],
    ['4', false],
    ['*2', false],
  ])('%s', (entry, expected) => {
    expect(matchesSender([entry], known)).toBe(expected)
  })

  test('ids that look alike are not the same', () => {
    const group = { channel: 'telegram', sender: { id: '100123456' }, peer: null }
    expect(matchesSender(['-100123456'], group)).toBe(false)
    expect(matchesSender(['100-123-456'], group)).toBe(false)
    expect(
      matchesSender(['id:', 'name:', 'username:', 'tag:', 'e164:', 'from:'], { ...group, sender: null }),
    ).toBe(false)
  })
})

describe('what is said of it', () => {
  const effect = {
    sandboxed: true,
    harness: 'openclaw',
    execVisible: true,
    host: 'auto',
    skipsApprovals: true,
  } as const

  test('a level that has an effect', () => {
    expect(keptReply('full', effect)).toMatchInlineSnapshot(
      `"Elevated is now full for this session: exec runs on this machine, outside the sandbox, without approvals unless exec-approvals.json asks for them."`,
    )
    expect(keptReply('full', { ...effect, skipsApprovals: false })).toContain(
      'with the approvals that exec needs',
    )
    expect(keptReply('off', effect)).toContain('exec runs in the sandbox')
    expect(describeLevel('off', { ...effect, sandboxed: false })).toContain('as it does without it')
  })

  test.each([
    [{ harness: 'codex' } as const, 'the codex harness runs commands by tools of its own'],
    [{ execVisible: false }, 'elevated never restores it'],
    [{ host: 'node' } as const, 'no node is paired'],
    [{ sandboxed: false }, 'this session is not sandboxed'],
  ])('a level without one: %o', (less, words) => {
    expect(whyNoEffect('ask', { ...effect, ...less })).toContain(words)
    expect(keptReply('ask', { ...effect, ...less })).toContain('stored for this session but not applicable')
    expect(whyNoEffect('off', { ...effect, ...less })).toBeNull()
  })

  test('how things stand', () => {
    const resolved = resolveElevated(config(open), who, { session: 'ask' })
    expect(statusReply(resolved, 'ask', effect)).toContain('Elevated is ask: exec runs on this machine')
    const refused = resolveElevated(config(undefined), who, { session: 'full' })
    expect(statusReply(refused, 'full', effect)).toMatchInlineSnapshot(
      `"Elevated is not available here: the sender is not on the list (tools.elevated.allowFrom.telegram). The session keeps level full, which does not apply."`,
    )
  })
})
