import { describe, expect, test } from 'vitest'
import { OpenClawError } from '../../../src/kernel/errors.ts'
import { parsePath, parseSteps } from '../../../src/config/path-syntax.ts'
import {
  appendIn,
  getIn,
  hasIn,
  removeIn,
  resolveSteps,
  setIn,
  unsetIn,
} from '../../../src/config/path-value.ts'

const config = Object.freeze({
  tools: Object.freeze({ deny: Object.freeze(['exec', 'browser', 'exec']), profile: null }),
  agents: Object.freeze({
    list: Object.freeze([Object.freeze({ id: 'main' }), Object.freeze({ id: 'work' })]),
  }),
  auth: Object.freeze({ 0: 'zero' }),
})

function problemOf(run: () => unknown): string {
  try {
    return `no error: ${JSON.stringify(run())}`
  } catch (error) {
    if (error instanceof OpenClawError) return `${error.code} ${error.message} | ${error.hints.join('; ')}`
    throw error
  }
}

describe('reading', () => {
  test.each([
    ['tools.deny[1]', 'browser'],
    ['tools.deny.1', 'browser'],
    ['auth.0', 'zero'],
    ['auth[0]', 'zero'],
    ['tools.profile', null],
    ['tools.profile.x', undefined],
    ['tools.deny[3]', undefined],
    ['tools.deny.length', undefined],
    ['tools.toString', undefined],
    ['tools.profile.length', undefined],
  ])('%s', (path, value) => {
    expect(getIn(config, parsePath(path))).toEqual(value)
    expect(hasIn(config, parsePath(path))).toBe(value !== undefined)
  })

  test('the root', () => {
    expect(getIn(config, [])).toBe(config)
  })

  test('selectors become indexes', () => {
    expect(resolveSteps(config, parseSteps('agents.list[id=work].tools'))).toEqual([
      'agents',
      'list',
      1,
      'tools',
    ])
    expect(problemOf(() => resolveSteps(config, parseSteps('agents.list[id=nobody]')))).toBe(
      'PATH_UNSET agents.list has no entry with id "nobody" | entries there have the id main, work',
    )
    const keyed = { agents: { entries: { work: {} } } }
    for (const path of ['agents.list[id=work]', 'agents.entries[id=work]']) {
      expect(problemOf(() => resolveSteps(keyed, parseSteps(path)))).toContain(
        'did you mean agents.entries.work?',
      )
    }
  })
})

describe('changing', () => {
  test.each([
    ['replaces', {}, 'tools.profile', 'coding', { tools: { profile: 'coding' } }],
    ['creates a list before an index', {}, 'a.b[0].c', 1, { a: { b: [{ c: 1 }] } }],
    [
      'keeps digit names as keys',
      {},
      'auth.profiles.0.mode',
      'x',
      { auth: { profiles: { 0: { mode: 'x' } } } },
    ],
    ['replaces a list entry', { a: [1, 2] }, 'a[1]', 9, { a: [1, 9] }],
    ['adds behind the last entry', { a: [1, 2] }, 'a[2]', 9, { a: [1, 2, 9] }],
    ['indexes a list by a digit name', { a: [1, 2] }, 'a.0', 9, { a: [9, 2] }],
    ['uses a number as a record key', { a: { x: 1 } }, 'a[7]', 9, { a: { x: 1, 7: 9 } }],
    ['stores null', { a: 1 }, 'a', null, { a: null }],
  ])('setIn %s', (_name, value, path, next, expected) => {
    expect(setIn(value, parsePath(path), next)).toEqual(expected)
  })

  test('key order stays', () => {
    expect(JSON.stringify(setIn({ b: 1, a: 2 }, ['b'], 3))).toBe('{"b":3,"a":2}')
  })

  test('input is never changed', () => {
    const before = JSON.stringify(config)
    setIn(config, ['tools', 'deny', 0], 'x')
    unsetIn(config, ['tools', 'deny', 0])
    appendIn(config, ['tools', 'deny'], 'x')
    removeIn(config, ['tools', 'deny'], 'exec')
    expect(JSON.stringify(config)).toBe(before)
  })

  test('unsetIn splices lists, drops keys and leaves the rest', () => {
    expect(getIn(unsetIn(config, ['tools', 'deny', 0]), ['tools', 'deny'])).toEqual(['browser', 'exec'])
    expect(unsetIn({ a: 1, b: 2 }, ['a'])).toEqual({ b: 2 })
    expect(unsetIn(config, ['tools', 'missing', 'deeper'])).toBe(config)
    expect(unsetIn(config, [])).toBe(config)
  })

  test('appendIn and removeIn', () => {
    expect(appendIn({}, ['tools', 'deny'], 'exec')).toEqual({ tools: { deny: ['exec'] } })
    expect(appendIn({ a: [1] }, ['a'], { b: 1 })).toEqual({ a: [1, { b: 1 }] })
    expect(getIn(removeIn(config, ['tools', 'deny'], 'exec'), ['tools', 'deny'])).toEqual(['browser'])
    expect(removeIn({ a: [{ b: 1 }, { b: 2 }] }, ['a'], { b: 1 })).toEqual({ a: [{ b: 2 }] })
    expect(removeIn(config, ['tools', 'deny'], 'nothing')).toBe(config)
    expect(removeIn(config, ['tools', 'allow'], 'nothing')).toBe(config)
  })

  test('an own __proto__ key is carried along and pollutes nothing', () => {
    const parsed: unknown = JSON.parse('{"__proto__":{"x":1},"a":1}')
    const changed = setIn(parsed, ['a'], 2)
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"x":1},"a":2}')
    expect(JSON.stringify(unsetIn(parsed, ['a']))).toBe('{"__proto__":{"x":1}}')
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype)
  })

  test('what is in the way is named', () => {
    const problems = [
      () => setIn(config, ['tools', 'profile', 'x'], 1),
      () => setIn(config, ['auth', '0', 'x'], 1),
      () => setIn(config, ['tools', 'deny', 'x'], 1),
      () => setIn(config, ['tools', 'deny', 9], 1),
      () => setIn({}, ['a', 1], 1),
      () => setIn(3, ['a'], 1),
      () => appendIn(config, ['auth'], 1),
      () => removeIn(config, ['auth', '0'], 1),
    ]
    expect(problems.map(problemOf).join('\n')).toMatchInlineSnapshot(`
      "PATH_INVALID tools.profile is null and has nothing inside | replace tools.profile itself
      PATH_INVALID auth["0"] is a string and has nothing inside | replace auth["0"] itself
      PATH_INVALID tools.deny is a list and has no key "x" | use an index: tools.deny[0]
      PATH_INVALID tools.deny has 3 entries, so nothing can stand at [9] | the next free place is tools.deny[3]
      PATH_INVALID a has 0 entries, so nothing can stand at [1] | the next free place is a[0]
      PATH_INVALID the config is a number and has nothing inside | replace the config itself
      PATH_INVALID auth is an object, not a list | replace auth by a list
      PATH_INVALID auth["0"] is a string, not a list | replace auth["0"] by a list"
    `)
  })
})
