import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Env } from '../../../src/config/env.ts'
import { expandHome, findConfig, findHome } from '../../../src/config/find.ts'
import type { FindOptions } from '../../../src/config/find.ts'
import { failure, home } from './homes.ts'

const files = [
  'a/custom.json5',
  'state/openclaw.json',
  '.openclaw/openclaw.json',
  '.openclaw-work/openclaw.json',
  '.openclaw-old/clawdbot.json',
  '.openclaw-both/openclaw.json',
  '.openclaw-both/clawdbot.json',
  '.openclaw-blank/clawdbot.json',
]

describe('findConfig', () => {
  const cases: [string, Omit<FindOptions, 'env' | 'cwd'>, Env, string, string][] = [
    ['the default', {}, {}, '.openclaw/openclaw.json', '.openclaw'],
    ['--config, relative to cwd', { file: 'a/custom.json5' }, {}, 'a/custom.json5', '.openclaw'],
    ['--config with ~', { file: '~/a/custom.json5' }, {}, 'a/custom.json5', '.openclaw'],
    ['OPENCLAW_CONFIG_PATH', {}, { OPENCLAW_CONFIG_PATH: '~/a/custom.json5' }, 'a/custom.json5', '.openclaw'],
    [
      '--config before OPENCLAW_CONFIG_PATH',
      { file: 'a/custom.json5' },
      { OPENCLAW_CONFIG_PATH: '/x' },
      'a/custom.json5',
      '.openclaw',
    ],
    ['OPENCLAW_STATE_DIR', {}, { OPENCLAW_STATE_DIR: '~/state' }, 'state/openclaw.json', 'state'],
    [
      '--state-dir before OPENCLAW_STATE_DIR',
      { stateDir: 'state' },
      { OPENCLAW_STATE_DIR: '/x' },
      'state/openclaw.json',
      'state',
    ],
    [
      'OPENCLAW_CONFIG_PATH before OPENCLAW_STATE_DIR',
      {},
      { OPENCLAW_CONFIG_PATH: 'a/custom.json5', OPENCLAW_STATE_DIR: 'state' },
      'a/custom.json5',
      'state',
    ],
    ['--profile', { profile: 'work' }, {}, '.openclaw-work/openclaw.json', '.openclaw-work'],
    ['OPENCLAW_PROFILE', {}, { OPENCLAW_PROFILE: 'work' }, '.openclaw-work/openclaw.json', '.openclaw-work'],
    [
      'a state directory the user set before a profile',
      { profile: 'work' },
      { OPENCLAW_STATE_DIR: 'state' },
      'state/openclaw.json',
      'state',
    ],
    ['the earlier file name', { profile: 'old' }, {}, '.openclaw-old/clawdbot.json', '.openclaw-old'],
    [
      'an empty file under the earlier name',
      { profile: 'blank' },
      {},
      '.openclaw-blank/clawdbot.json',
      '.openclaw-blank',
    ],
    [
      'the new name before the earlier one',
      { profile: 'both' },
      {},
      '.openclaw-both/openclaw.json',
      '.openclaw-both',
    ],
    [
      'blank variables as unset',
      {},
      { OPENCLAW_CONFIG_PATH: ' ', OPENCLAW_STATE_DIR: 'undefined', OPENCLAW_PROFILE: 'null' },
      '.openclaw/openclaw.json',
      '.openclaw',
    ],
  ]
  test.each(cases)('%s', async (_name, options, env, file, stateDir) => {
    const directory = home(
      Object.fromEntries(files.map((name) => [name, name.includes('blank') ? '' : '{}'])),
    )
    const found = await findConfig({ ...options, env: { HOME: directory, ...env }, cwd: directory })
    expect(found).toEqual({
      file: join(directory, file),
      exists: true,
      stateDir: join(directory, stateDir),
      home: directory,
    })
  })

  test('- is standard input', async () => {
    const directory = home()
    expect(await findConfig({ file: '-', env: { HOME: directory }, cwd: directory })).toMatchObject({
      file: '<stdin>',
      exists: true,
    })
  })

  test.each([{}, { '.openclaw/other.txt': '' }])(
    'a default that is missing exists nowhere: %j',
    async (present) => {
      const directory = home(present)
      expect(await findConfig({ env: { HOME: directory }, cwd: directory })).toEqual({
        file: join(directory, '.openclaw/openclaw.json'),
        exists: false,
        stateDir: join(directory, '.openclaw'),
        home: directory,
      })
    },
  )

  test('a missing explicit file is an error that names what is there', async () => {
    const directory = home({ 'openclaw.json': '{}' })
    const env = { HOME: directory }
    const problems = [
      await failure(() => findConfig({ file: 'conf.json', env, cwd: directory }), directory),
      await failure(
        () => findConfig({ env: { ...env, OPENCLAW_CONFIG_PATH: '~/x/y.json' }, cwd: '/' }),
        directory,
      ),
      await failure(() => findConfig({ profile: '../up', env, cwd: directory }), directory),
    ]
    expect(problems.join('\n')).toMatchInlineSnapshot(`
      "1 CONFIG_NOT_FOUND config file <home>/conf.json does not exist
        try: there is <home>/openclaw.json
      1 CONFIG_NOT_FOUND config file <home>/x/y.json does not exist
        try: check --config and OPENCLAW_CONFIG_PATH
      2 USAGE "../up" is no profile name
        try: use letters, digits, _ and -"
    `)
  })

  test('a default that is a dangling link is not taken for missing', async () => {
    const directory = home({ '.openclaw/x': '' })
    symlinkSync('/nowhere', join(directory, '.openclaw/openclaw.json'))
    expect(await findConfig({ env: { HOME: directory }, cwd: directory })).toMatchObject({ exists: true })
  })

  test('settings and code in the working directory have no say in the search', () => {
    const directory = home({
      '.openclaw/clawdbot.json': '{}',
      'package.json': '{"cosmiconfig":{"searchPlaces":["evil.json"]},"openclaw":{"tools":{}}}',
      'evil.json': '{}',
      '.openclaw/evil.json': '{}',
      '.config/config.js': 'throw new Error("ran")',
    })
    const program = `
      import { findConfig } from ${JSON.stringify(new URL('../../../src/config/find.ts', import.meta.url))}
      const cwd = process.cwd()
      console.log((await findConfig({ env: { HOME: cwd }, cwd })).file)`
    const found = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: directory,
      encoding: 'utf8',
    })
    expect(found.trim()).toBe(join(directory, '.openclaw/clawdbot.json'))
  })
})

describe('findHome', () => {
  test.each<[Env, string]>([
    [{ OPENCLAW_HOME: '/o', HOME: '/h', USERPROFILE: '/u' }, '/o'],
    [{ OPENCLAW_HOME: '~/o', HOME: '/h' }, '/h/o'],
    [{ OPENCLAW_HOME: '', HOME: '/h' }, '/h'],
    [{ HOME: 'undefined', USERPROFILE: '/u' }, '/u'],
    [{ HOME: 'null', USERPROFILE: ' ' }, homedir()],
    [{ OPENCLAW_HOME: 'rel' }, '/cwd/rel'],
  ])('%j', (env, expected) => {
    expect(findHome(env, '/cwd')).toBe(expected)
  })

  test('a blank HOME of the program itself does not make the current directory the home', () => {
    const program = `import { findHome } from ${JSON.stringify(new URL('../../../src/config/find.ts', import.meta.url))}; console.log(findHome({ HOME: '' }, '/cwd'))`
    const found = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      env: { HOME: '' },
      encoding: 'utf8',
    })
    expect(found.trim()).toBe(userInfo().homedir)
  })

  test('~ expands only as a whole first segment', () => {
    expect(['~', '~/x', '~x/y', '/~/x', 'a~'].map((path) => expandHome(path, '/h'))).toEqual([
      '/h',
      '/h/x',
      '~x/y',
      '/~/x',
      'a~',
    ])
  })
})
