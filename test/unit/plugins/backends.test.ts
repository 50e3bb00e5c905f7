import { describe, expect, test } from 'vitest'
import type { Backend, BackendKind } from '../../../src/plugins/backends.ts'
import { joinBackends, takeBackend } from '../../../src/plugins/backends.ts'

const fn = async (): Promise<never> => {
  throw new Error('not called')
}

describe('a back end of a plugin', () => {
  test.each<[BackendKind, object]>([
    ['channel', { id: 'chat', send: fn }],
    ['channel', { id: 'chat', send: fn, act: fn, actions: ['react'], turn: fn, list: fn }],
    ['provider', { id: 'acme', ask: fn }],
    ['webSearch', { id: 'finder', search: fn }],
    ['media', { id: 'paint', kinds: ['image'], generate: fn }],
    ['media', { id: 'eye', kinds: ['vision', 'pdf'], describe: fn }],
  ])('%s is taken: %j', (kind, given) => {
    expect(takeBackend(kind, given)).toMatchObject({ kind, made: given })
  })

  test.each<[BackendKind, unknown, string]>([
    ['channel', null, 'it is no object'],
    ['channel', { send: fn }, 'its id undefined is not made of'],
    ['channel', { id: 'My Chat', send: fn }, 'its id My Chat is not made of'],
    ['channel', { id: 'webhook', send: fn }, 'webhook is built in'],
    ['channel', { id: 'chat' }, 'its send is no function'],
    ['channel', { id: 'chat', send: fn, turn: 1 }, 'its turn is no function'],
    [
      'channel',
      { id: 'chat', send: fn, actions: ['raect'], act: fn },
      'there is no action raect; did you mean react?',
    ],
    ['channel', { id: 'chat', send: fn, actions: ['react'] }, 'it names actions and has no act'],
    ['provider', { id: 'acme' }, 'its ask is no function'],
    ['webSearch', { id: 'brave', search: fn }, 'brave is built in'],
    ['webSearch', { id: 'finder', search: 'x' }, 'its search is no function'],
    ['media', { id: 'paint', kinds: [] }, 'its kinds are no list of names'],
    ['media', { id: 'paint', kinds: ['smell'], generate: fn }, 'there is no kind smell'],
    ['media', { id: 'paint', kinds: ['image'], describe: fn }, 'its generate is no function'],
    ['media', { id: 'eye', kinds: ['pdf'], generate: fn }, 'its describe is no function'],
  ])('%s %j is refused', (kind, given, words) => {
    const taken = takeBackend(kind, given)
    expect('problem' in taken ? taken.problem : '').toContain(words)
  })

  test('belongs to the first plugin of its name', () => {
    const [one, two]: Backend[] = [1, 2].map(() => ({
      kind: 'webSearch',
      made: { id: 'finder', search: fn },
    }))
    if (one === undefined || two === undefined) throw new Error('unreachable')
    const chat: Backend = { kind: 'channel', made: { id: 'finder', send: fn } }
    const clashes: string[] = []
    const joined = joinBackends(
      [
        { id: 'a', backends: [one, chat] },
        { id: 'b', backends: [two] },
      ],
      (id, { kind, id: name }, owner) => clashes.push(`${id} ${kind} ${name} ${owner}`),
    )
    expect(joined.webSearch.get('finder')).toBe(one.made)
    expect(joined.channels.get('finder')).toBe(chat.made)
    expect(clashes).toEqual(['b webSearch finder a'])
  })
})
