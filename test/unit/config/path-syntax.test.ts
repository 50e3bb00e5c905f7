import { describe, expect, test } from 'vitest'
import { OpenClawError } from '../../../src/kernel/errors.ts'
import { formatPath } from '../../../src/kernel/path.ts'
import { parsePath, parseSteps } from '../../../src/config/path-syntax.ts'

function problemOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof OpenClawError) return `${error.code} ${error.message}`
    throw error
  }
  return 'no error'
}

describe('parseSteps', () => {
  test.each([
    ['', []],
    ['tools', ['tools']],
    ['tools.deny[0]', ['tools', 'deny', 0]],
    ['tools.byProvider["openai/gpt-5"].profile', ['tools', 'byProvider', 'openai/gpt-5', 'profile']],
    ["channels['team.ops[west]']", ['channels', 'team.ops[west]']],
    [' tools . deny [ 2 ] ', ['tools', 'deny', 2]],
    ['auth.profiles.0.mode', ['auth', 'profiles', '0', 'mode']],
    ['groups["-100"]', ['groups', '-100']],
    ['a["0"]', ['a', '0']],
    ['a[""]', ['a', '']],
    [String.raw`a\.b.c\[0\]`, ['a.b', 'c[0]']],
    [String.raw`a.\ b\ `, ['a', ' b ']],
    [String.raw`a["say \"hi\" \\"]`, ['a', String.raw`say "hi" \ `.trimEnd()]],
    ['["x y"].z', ['x y', 'z']],
    ['a[0][1]', ['a', 0, 1]],
    ['groups.*.tools', ['groups', '*', 'tools']],
    ['mcp.servers.my server.url', ['mcp', 'servers', 'my server', 'url']],
    ['agents.list[id=work].tools', ['agents', 'list', { key: 'id', value: 'work' }, 'tools']],
    ['agents.list[ id = "a]b" ]', ['agents', 'list', { key: 'id', value: 'a]b' }]],
    ['agents.list[id=]', ['agents', 'list', { key: 'id', value: '' }]],
  ])('%s', (source, steps) => {
    expect(parseSteps(source)).toEqual(steps)
  })

  test('says what is wrong and where', () => {
    const wrong = [
      'a..b',
      '.a',
      'a.',
      'a[0',
      'a[]',
      'a["x',
      'a["x" y]',
      'a[0]b',
      'a]b',
      'a.[0]',
      'a[x]',
      'a[01]',
      'a[1.5]',
      'a\\',
      'a["\\',
      'a.__proto__.b',
      'constructor',
      'a["prototype"]',
      'a[__proto__=1]',
    ]
    expect(wrong.map((source) => problemOf(() => parseSteps(source))).join('\n')).toMatchInlineSnapshot(`
      "PATH_INVALID "a..b" is not a config path: a name is missing at character 3
      PATH_INVALID ".a" is not a config path: a name is missing at character 1
      PATH_INVALID "a." is not a config path: a name is missing behind the last . at character 2
      PATH_INVALID "a[0" is not a config path: a ] is missing at character 4
      PATH_INVALID "a[]" is not a config path: the [] is empty at character 2
      PATH_INVALID "a[\\"x" is not a config path: the quote " is not closed at character 3
      PATH_INVALID "a[\\"x\\" y]" is not a config path: a ] is missing at character 7
      PATH_INVALID "a[0]b" is not a config path: text follows ] without a . at character 5
      PATH_INVALID "a]b" is not a config path: the ] has no [ at character 2
      PATH_INVALID "a.[0]" is not a config path: a name is missing between . and [ at character 3
      PATH_INVALID "a[x]" is not a config path: x is no list index at character 3
      PATH_INVALID "a[01]" is not a config path: 01 is no list index at character 3
      PATH_INVALID "a[1.5]" is not a config path: 1.5 is no list index at character 3
      PATH_INVALID "a\\\\" is not a config path: nothing follows the backslash at character 2
      PATH_INVALID "a[\\"\\\\" is not a config path: nothing follows the backslash at character 4
      PATH_INVALID "a.__proto__.b" is not a config path: __proto__ is reserved
      PATH_INVALID "constructor" is not a config path: constructor is reserved
      PATH_INVALID "a[\\"prototype\\"]" is not a config path: prototype is reserved
      PATH_INVALID "a[__proto__=1]" is not a config path: __proto__ is reserved"
    `)
  })

  test('numbers that no list has as an index are keys', () => {
    expect(parsePath('groups[-1002].x')).toEqual(['groups', '-1002', 'x'])
    expect(parsePath('guilds[99999999999999999999]')).toEqual(['guilds', '99999999999999999999'])
    expect(parsePath('a[0]')).toEqual(['a', 0])
  })

  test('parsePath refuses selectors', () => {
    expect(problemOf(() => parsePath('agents.list[id=work]'))).toMatchInlineSnapshot(
      `"PATH_INVALID "agents.list[id=work]" selects by id, which is not possible here"`,
    )
  })

  test('formatPath writes what parsePath reads, control characters too', () => {
    const path = ['a"b\\c', 'new\nline', '', '0', 0, '*', 'x-y', 'a b']
    expect(parsePath(formatPath(path))).toEqual(path)
  })
})
