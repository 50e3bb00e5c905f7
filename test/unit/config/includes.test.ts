import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Env } from '../../../src/config/env.ts'
import { loadConfig } from '../../../src/config/load.ts'
import type { LoadedConfig } from '../../../src/config/load.ts'
import { failure, home } from './homes.ts'

type Files = Readonly<Record<string, string>>

function loadFrom(directory: string, env: Env = {}): Promise<LoadedConfig> {
  return loadConfig({ file: 'openclaw.json', env: { HOME: directory, ...env }, cwd: directory })
}

async function merged(files: Files): Promise<unknown> {
  return (await loadFrom(home(files))).config
}

describe('merging', () => {
  const cases: [string, Files, unknown][] = [
    [
      'one file replaces the object',
      { 'openclaw.json': '{ tools: { $include: "./tools.json5" } }', 'tools.json5': "{ profile: 'coding' }" },
      { tools: { profile: 'coding' } },
    ],
    [
      'one file may hold a list or a scalar',
      {
        'openclaw.json': '{ a: { $include: "list.json" }, b: { $include: "sub/word.json" } }',
        'list.json': '[1, 2]',
        'sub/word.json': '"x"',
      },
      { a: [1, 2], b: 'x' },
    ],
    [
      'several files merge from left to right: objects by key, lists joined, scalars replaced',
      {
        'openclaw.json': '{ $include: ["a.json", "b.json"] }',
        'a.json': '{ "tools": { "deny": ["exec"], "profile": "coding" }, "x": 1 }',
        'b.json': '{ "tools": { "deny": ["browser"], "profile": "full" }, "y": { "z": 2 } }',
      },
      { tools: { deny: ['exec', 'browser'], profile: 'full' }, x: 1, y: { z: 2 } },
    ],
    [
      'siblings merge last, whichever side of the directive they stand on',
      {
        'openclaw.json': '{ tools: { deny: ["browser"], $include: "t.json", profile: "full" } }',
        't.json': '{ "deny": ["exec"], "profile": "coding", "allow": [] }',
      },
      { tools: { deny: ['exec', 'browser'], profile: 'full', allow: [] } },
    ],
    [
      'an included file includes relative to itself',
      {
        'openclaw.json': '{ agents: { entries: { alpha: { $include: "./agents/alpha.json5" } } } }',
        'agents/alpha.json5': '{ tools: { $include: "tools/alpha.json5" }, model: "p/m" }',
        'agents/tools/alpha.json5': '{ deny: [{ $include: "../../word.json" }] }',
        'word.json': '"exec"',
      },
      { agents: { entries: { alpha: { model: 'p/m', tools: { deny: ['exec'] } } } } },
    ],
    [
      'an empty list is an empty object',
      { 'openclaw.json': '{ a: { $include: [] }, b: { $include: [], c: 1 } }' },
      { a: {}, b: { c: 1 } },
    ],
    [
      'lists of several files join',
      { 'openclaw.json': '{ a: { $include: ["1.json", "2.json"] } }', '1.json': '[1]', '2.json': '[2, 3]' },
      { a: [1, 2, 3] },
    ],
    [
      'the same file may be used twice',
      { 'openclaw.json': '{ a: { $include: "x.json" }, b: { $include: "x.json" } }', 'x.json': '{"n":1}' },
      { a: { n: 1 }, b: { n: 1 } },
    ],
    [
      'ten files deep',
      {
        'openclaw.json': '{ a: { $include: "1.json" } }',
        ...Object.fromEntries(
          Array.from({ length: 9 }, (_, at) => [`${at + 1}.json`, `{"n": {"$include": "${at + 2}.json"}}`]),
        ),
        '10.json': '"end"',
      },
      { a: { n: { n: { n: { n: { n: { n: { n: { n: { n: 'end' } } } } } } } } } },
    ],
    [
      'an escaped directive key is one',
      { 'openclaw.json': '{ a: { "\\u0024include": "x.json" } }', 'x.json': '1' },
      { a: 1 },
    ],
  ]
  test.each(cases)('%s', async (_name, files, expected) => {
    expect(await merged(files)).toEqual(expected)
  })

  test('places lead into the file that owns the value', async () => {
    const directory = home({
      'openclaw.json':
        '{\n  tools: {\n    $include: ["./a.json5", "./b.json5"],\n    deny: ["browser"],\n  },\n}',
      'a.json5': "{ deny: ['exec'], profile: 'coding' }",
      'b.json5': "// more\n{\n  deny: [ 'process' ], web: { $include: 'web.json5' } }",
      'web.json5': '\n{ search: { enabled: false } }',
    })
    const loaded = await loadFrom(directory)
    expect(loaded.config).toEqual({
      tools: { deny: ['exec', 'process', 'browser'], profile: 'coding', web: { search: { enabled: false } } },
    })
    const paths = [
      ['tools', 'deny', 0],
      ['tools', 'deny', 1],
      ['tools', 'deny', 2],
      ['tools', 'deny'],
      ['tools', 'profile'],
      ['tools', 'web', 'search', 'enabled'],
      ['tools', 'nothing'],
      ['tools', 'deny', 0, 'deeper'],
      ['tools', '$include'],
    ]
    const lines = paths.map((path) => {
      const place = loaded.locate(path)
      const owner = loaded.ownerOf(path)
      if (place === null || owner === null) return `${path.join(' ')}: nowhere`
      const via = owner.via.map((step) => `${step.file}:${step.line}:${step.column}`).join(' → ')
      return `${place.path}: ${place.file}:${place.line}:${place.column}, there ${owner.path.join(' ')}, via ${via}, ${owner.parts.length} part(s)`
    })
    expect(lines.join('\n').replaceAll(`${directory}/`, '')).toMatchInlineSnapshot(`
      "tools.deny[0]: a.json5:1:10, there deny 0, via openclaw.json:3:16, 1 part(s)
      tools.deny[1]: b.json5:3:11, there deny 0, via openclaw.json:3:29, 1 part(s)
      tools.deny[2]: openclaw.json:4:12, there tools deny 0, via , 1 part(s)
      tools.deny: openclaw.json:4:11, there tools deny, via , 3 part(s)
      tools.profile: a.json5:1:28, there profile, via openclaw.json:3:16, 1 part(s)
      tools.web.search.enabled: web.json5:2:22, there search enabled, via openclaw.json:3:29 → b.json5:3:41, 1 part(s)
      tools nothing: nowhere
      tools deny 0 deeper: nowhere
      tools $include: nowhere"
    `)
  })

  test('files outside are allowed where OPENCLAW_INCLUDE_ROOTS says so', async () => {
    const outside = home({ 'x.json': '"shared"', 'more/y.json': '"home"' })
    const directory = home({
      'openclaw.json': `{ a: { $include: "${outside}/x.json" }, b: { $include: "~/more/y.json" } }`,
    })
    const env = { HOME: outside, OPENCLAW_INCLUDE_ROOTS: `relative:${outside}:~/more` }
    expect((await loadFrom(directory, env)).config).toEqual({ a: 'shared', b: 'home' })
  })

  test('standard input includes relative to the working directory', async () => {
    const directory = home({ 'x.json': '1' })
    const stdin = (async function* () {
      yield '{ a: { $inc'
      yield Buffer.from('lude: "x.json" }, é: "\u00e9" }')
    })()
    const loaded = await loadConfig({ file: '-', env: { HOME: directory }, cwd: directory, stdin })
    expect(loaded.config).toEqual({ a: 1, é: 'é' })
    expect(loaded.locate(['é'])).toEqual({ file: '<stdin>', path: '["é"]', line: 1, column: 33 })
  })
})

describe('errors', () => {
  const cases: [string, Files][] = [
    ['a value of another type', { 'openclaw.json': '{\n  tools: { $include: 5 } }' }],
    [
      'an entry that is no string',
      { 'openclaw.json': '{ tools: { $include: ["a.json", { x: 1 }] } }', 'a.json': '{}' },
    ],
    ['an empty path', { 'openclaw.json': '{ tools: { $include: " " } }' }],
    ['a NUL', { 'openclaw.json': '{ tools: { $include: "a\\0b" } }' }],
    ['a long path', { 'openclaw.json': `{ tools: { $include: "${'a'.repeat(4096)}" } }` }],
    ['a missing file', { 'openclaw.json': '{ tools: { $include: "a.json" } }' }],
    ['a variable in the path', { 'openclaw.json': '{ tools: { $include: "${DIR}/a.json" } }' }],
    ['a way out', { 'openclaw.json': '{ tools: { $include: "../../etc/passwd" } }' }],
    ['an absolute path', { 'openclaw.json': '{ tools: { $include: "/etc/hostname" } }' }],
    ['the directory itself', { 'openclaw.json': '{ tools: { $include: "." } }' }],
    ['a directory', { 'openclaw.json': '{ tools: { $include: "sub" } }', 'sub/x': '' }],
    [
      'broken syntax inside',
      { 'openclaw.json': '{ tools: { $include: "a.json" } }', 'a.json': '{\n  deny: [ "exec" \n}' },
    ],
    [
      'a cycle',
      {
        'openclaw.json': '{ a: { $include: "b.json" } }',
        'b.json': '{ c: { $include: "./c.json" } }',
        'c.json': '{\n $include: "./b.json" }',
      },
    ],
    ['the root itself', { 'openclaw.json': '{ a: { $include: "openclaw.json" } }' }],
    [
      'eleven files deep',
      {
        'openclaw.json': '{ $include: "1.json" }',
        ...Object.fromEntries(
          Array.from({ length: 11 }, (_, at) => [`${at + 1}.json`, `{"$include":"${at + 2}.json"}`]),
        ),
      },
    ],
    ['siblings of a list', { 'openclaw.json': '{ a: { $include: "a.json", b: 1, c: 2 } }', 'a.json': '[]' }],
    ['a root that becomes a list', { 'openclaw.json': '{ $include: "a.json" }', 'a.json': '[]' }],
    [
      'a number that is not finite inside',
      { 'openclaw.json': '{ a: { $include: "a.json" } }', 'a.json': '{ n: NaN }' },
    ],
    [
      'files that add up to too many levels',
      {
        'openclaw.json': `${'{"a":'.repeat(300)}{"$include":"a.json"}${'}'.repeat(300)}`,
        'a.json': `${'['.repeat(300)}${']'.repeat(300)}`,
      },
    ],
    [
      'files that multiply',
      Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [
          at === 0 ? 'openclaw.json' : `${at}.json`,
          `{"$include":[${Array(9)
            .fill(`"${at + 1}.json"`)
            .join()}]}`,
        ]).concat([['9.json', '{}']]),
      ),
    ],
  ]
  test.each(cases)('%s', async (_name, files) => {
    const directory = home(files)
    const said = await failure(() => loadFrom(directory), directory)
    expect(said.replaceAll('a'.repeat(4096), '<long>')).toMatchSnapshot()
  })

  test('links out of the directory, hard links, special and huge files', async () => {
    const outside = home({ 'x.json': '{}' })
    const directory = home({ 'x.json': '{}' })
    symlinkSync(join(outside, 'x.json'), join(directory, 'link.json'))
    mkdirSync(join(directory, 'sub'))
    symlinkSync(outside, join(directory, 'sub/dir'))
    symlinkSync('x.json', join(directory, 'inside.json'))
    writeFileSync(join(directory, 'one.json'), '{}')
    linkSync(join(directory, 'one.json'), join(directory, 'two.json'))
    writeFileSync(join(directory, 'huge.json'), '{}')
    truncateSync(join(directory, 'huge.json'), 2 * 1024 * 1024 + 1)
    const said: string[] = []
    for (const name of ['link.json', 'sub/dir/x.json', 'two.json', 'huge.json', 'inside.json']) {
      writeFileSync(join(directory, 'openclaw.json'), `{ a: { $include: "${name}" } }`)
      said.push(await failure(() => loadFrom(directory), directory))
    }
    expect(said.join('\n').replaceAll(outside, '<outside>')).toMatchInlineSnapshot(`
      "5 INCLUDE_INVALID <home>/openclaw.json:1:18: include "link.json" leaves the config directory <home> through a symbolic link to <outside>/x.json
        try: move the file there, or list its directory in OPENCLAW_INCLUDE_ROOTS
      5 INCLUDE_INVALID <home>/openclaw.json:1:18: include "sub/dir/x.json" leaves the config directory <home> through a symbolic link to <outside>/x.json
        try: move the file there, or list its directory in OPENCLAW_INCLUDE_ROOTS
      5 INCLUDE_INVALID <home>/openclaw.json:1:18: include "two.json": <home>/two.json has more than one hard link
        try: copy the file, so that it has one name only
      5 INCLUDE_INVALID <home>/openclaw.json:1:18: include "huge.json": <home>/huge.json is too large: 2097153 bytes, the limit is 2097152
        try: split or shrink the file
      no failure"
    `)
  })
})
