import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load.ts'
import { failure, home } from './homes.ts'

async function problemIn(content: string | Uint8Array): Promise<string> {
  const directory = home({ 'c.json5': content })
  return failure(() => loadConfig({ file: 'c.json5', env: { HOME: directory }, cwd: directory }), directory)
}

describe('broken syntax', () => {
  test.each([
    ['a missing comma', '{\n  tools: { deny: ["exec" "browser"] },\n}'],
    ['a missing bracket', '{\n  tools: { deny: ["exec", },\n}'],
    ['an unclosed object', '{ tools: {\n  deny: [] \n'],
    ['a template literal', '{ agents: { defaults: { systemPromptOverride: `line 1\\nline 2` } } }'],
    ['text without quotes', '{ tools: { profile: coding } }'],
    ['Python words', '{ a: True }'],
    ['a hash comment', '{\n# note\n}'],
    ['typographic quotes', '{ “a”: 1 }'],
    ['an equals sign', '{ a = 1 }'],
    ['a merge conflict', '{\n<<<<<<< HEAD\na: 1 }'],
    ['an empty file', ''],
    ['a second value', '{} {}'],
    ['an open string', '{ a: "x\n}'],
    ['a character that does not show', '{ a: \u200b1 }'],
    ['a list as root', '["tools"]'],
    ['a string as root', '// x\n  "tools"'],
    ['null as root', 'null'],
    ['Infinity', '{ a: [1, Infinity] }'],
    ['a number that overflows', '{ "a": 1e999 }'],
    ['deep nesting', `{ a: ${'['.repeat(600)}${']'.repeat(600)} }`],
    ['deep strict JSON', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a long line', `{ ${'a: 1, '.repeat(40)} b: }, ${'c: 1, '.repeat(40)} }`],
    ['a byte order mark and CRLF', '\ufeff{\r\n  a: 1\r\n  b: 2\r\n}'],
  ])('%s', async (_name, text) => {
    expect(await problemIn(text)).toMatchSnapshot()
  })

  test('no secret shows in an excerpt', async () => {
    const texts = [
      '{ gateway: { auth: { token: "hunter22" mode: "token" } } }',
      '{ gateway: { auth: { mode "token", token: "hunter22" } } }',
      '{ gateway: { auth: { token: hunter22 } } }',
      '{ gateway: { auth: { token: "hunter22 } } }',
      "{ gateway: { auth: { token: 'hunter22\n } } }",
      '{ mcp: { servers: { g: { env: { ANY: "hunter22" x } } } } }',
      '{ mcp: { servers: { g: { headers: { X: "hunter22 } } } } }',
      '{ mcp: { servers: { g: { env: { ANY: hunter22 } } } } }',
      '{ apiKeys: ["a", "hunter22" "b"] }',
      '{ mcp: { servers: { g: { args: ["--token", "hunter22" "x"] } } } }',
      '{ mcp: { servers: { g: { args: ["--token", hunter22] } } } }',
      '{ mcp: { servers: { g: { args: ["--token", "hunter22] } } } }',
      "{ tools: x, gateway: { auth: { token: 'hunter22' } } }",
      '{ tools: x, gateway: { auth: { token: hunter22 } } }',
      '{ "gateway": { "auth": { "token": "hunter22\\x" } } }',
    ]
    const problems = await Promise.all(texts.map(problemIn))
    expect(problems.filter((problem) => problem.includes('hunter22'))).toEqual([])
    expect(problems.filter((problem) => !problem.includes('CONFIG_INVALID'))).toEqual([])
    expect(problems.slice(0, 4).join('\n')).toMatchInlineSnapshot(`
      "5 CONFIG_INVALID <home>/c.json5:1:40: expected , or }, found m
      1 | { gateway: { auth: { token: ***********…
        |                                        ^
      5 CONFIG_INVALID <home>/c.json5:1:27: expected : behind the key, found "
      1 | { gateway: { auth: { mode "token"…
        |                           ^
      5 CONFIG_INVALID <home>/c.json5:1:29: expected a value, found h
      1 | { gateway: { auth: { token: …
        |                             ^
        try: put text in quotes
      5 CONFIG_INVALID <home>/c.json5:1:44: expected " at the end of the string, found the end of the file
      1 | { gateway: { auth: { token: "**************
        |                                            ^
        try: the " at 1:29 is not closed"
    `)
  })
})

describe('files that are none', () => {
  test('each kind has its message', async () => {
    const directory = home({ 'latin1.json': Buffer.from('{"a":"\xe9"}', 'latin1') })
    mkdirSync(join(directory, 'dir'))
    execFileSync('mkfifo', [join(directory, 'pipe')])
    symlinkSync('loop', join(directory, 'loop'))
    symlinkSync('/nowhere', join(directory, 'dangling'))
    writeFileSync(join(directory, 'utf16.json'), Buffer.from('\ufeff{}', 'utf16le'))
    writeFileSync(join(directory, 'huge.json'), '{}')
    truncateSync(join(directory, 'huge.json'), 17 * 1024 * 1024)
    const names = ['dir', 'pipe', 'loop', 'dangling', 'latin1.json', 'utf16.json', 'huge.json', '/dev/null']
    const problems: string[] = []
    for (const file of names) {
      problems.push(
        await failure(() => loadConfig({ file, env: { HOME: directory }, cwd: directory }), directory),
      )
    }
    expect(problems.join('\n')).toMatchInlineSnapshot(`
      "5 CONFIG_INVALID config file <home>/dir is a directory, not a regular file
        try: name a regular file
      5 CONFIG_INVALID config file <home>/pipe is a pipe, not a regular file
        try: name a regular file
      5 CONFIG_INVALID config file <home>/loop cannot be read: its symbolic links form a loop
        try: check the path and its permissions
      1 CONFIG_NOT_FOUND config file <home>/dangling does not exist
        try: check the path
      5 CONFIG_INVALID config file <home>/latin1.json is not UTF-8 text
        try: save it as UTF-8
      5 CONFIG_INVALID config file <home>/utf16.json is UTF-16 text
        try: save it as UTF-8
      5 CONFIG_INVALID config file <home>/huge.json is too large: 17825792 bytes, the limit is 16777216
        try: split or shrink the file
      5 CONFIG_INVALID config file /dev/null is a device, not a regular file
        try: name a regular file"
    `)
  })
})

describe('values', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{a: "x\u2028y", }', { a: 'x\u2028y' }],
    ['{"a":"x\u2028y", b: "\\u2029"}', { a: 'x\u2028y', b: '\u2029' }],
    ['{}', {}],
  ])('%j', async (text, expected) => {
    const directory = home({ 'c.json5': text })
    const loaded = await loadConfig({ file: 'c.json5', env: { HOME: directory }, cwd: directory })
    expect(loaded.config).toEqual(expected)
  })

  test.each([
    '{"__proto__":{"polluted":1}}',
    '{__proto__:{polluted:1}}',
    '{"$include":"./i.json","__proto__":{"x":1}}',
  ])('%s reaches no prototype', async (text) => {
    const directory = home({ 'c.json5': text, 'i.json': '{"__proto__":{"polluted":1,"s":"$A"}}' })
    const { config } = await loadConfig({ file: 'c.json5', env: { HOME: directory }, cwd: directory })
    expect(Object.getPrototypeOf(config)).toBe(Object.prototype)
    expect(Object.keys(config)).toEqual(['__proto__'])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})
