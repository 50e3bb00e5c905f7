import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  dictionary,
  pre,
  property,
  record,
  type Arbitrary,
} from 'fast-check'
import { expect, test } from 'vitest'
import type { Config } from '../../src/config/types.ts'
import { resolveElevated, type ElevatedContext } from '../../src/tools/elevated/resolve.ts'

const entry = constantFrom('*', '1', '2', 'id:1', 'telegram:1', 'name:ann', '@ann', '', '+491')
const lists = dictionary(constantFrom('telegram', 'discord', 'Telegram'), array(entry, { maxLength: 3 }))
const elevated = record({ enabled: boolean(), allowFrom: lists }, { requiredKeys: [] })
const who: Arbitrary<ElevatedContext> = record({
  agentId: constant('main'),
  channel: constantFrom('telegram', 'discord', null),
  sender: constantFrom(null, { id: '1' }, { id: '2', name: 'Ann' }, { e164: '+491' }),
  peer: constantFrom(null, '1'),
})
const word = constantFrom(undefined, 'off', 'on', 'ask', 'full', 'nonsense')

function config(global: object | undefined, agent?: object): Config {
  const value = {
    tools: { elevated: global },
    agents: { list: [{ id: 'main', ...(agent && { tools: { elevated: agent } }) }] },
  }
  // Generated configs are valid by how they are made.
  return value as unknown as Config
}

test('an agent can only narrow', () => {
  assert(
    property(elevated, elevated, who, (global, agent, context) => {
      const alone = resolveElevated(config(global), context)
      const both = resolveElevated(config(global, agent), context)
      expect(both.allowed && !alone.allowed).toBe(false)
      expect(both.enabled && !alone.enabled).toBe(false)
    }),
  )
})

test('whoever is not allowed has no level, and every refusal names a gate', () => {
  assert(
    property(elevated, elevated, who, word, word, (global, agent, context, directive, session) => {
      const { allowed, level, failures } = resolveElevated(config(global, agent), context, {
        directive,
        session,
      })
      expect(allowed).toBe(failures.length === 0)
      expect(allowed || level === 'off').toBe(true)
    }),
  )
})

test('an entry more never refuses anybody', () => {
  assert(
    property(lists, entry, who, (allowFrom, more, context) => {
      const wider = { ...allowFrom, telegram: [...(allowFrom['telegram'] ?? []), more] }
      const before = resolveElevated(config({ allowFrom }), context)
      // Two spellings of a channel are not merged: the first one counts.
      pre(!('Telegram' in allowFrom))
      expect(before.allowed && !resolveElevated(config({ allowFrom: wider }), context).allowed).toBe(false)
    }),
  )
})
