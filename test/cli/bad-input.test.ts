import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, runCli, tempDir, type CliOptions } from '../helpers/run-cli.ts'

/*
 * Whatever is thrown at a command: the exit code and the error code of the contract, a message and not a stack trace, exactly one
 * JSON value on stdout under --json, and an end well before anybody loses patience.
 */

const limit = 30_000

interface Failure {
  readonly code: string
  readonly exit: number
}

/** Runs a command as a person and as a script, and checks that both are told the same failure. */
async function fails(args: readonly string[], expected: Failure, options: CliOptions = {}): Promise<string> {
  const plain = await runCli(args, { ...options, limit })
  expect(plain).toMatchObject({ code: expected.exit, stdout: '' })
  expect(plain.stderr).toMatch(/^error: \S/)
  expect(plain.stderr).not.toMatch(/\n {4}at |\bat .*:\d+:\d+\)|node:internal|unexpected:/)

  const script = await runCli([...args, '--json'], { ...options, limit })
  expect(script).toMatchObject({ code: expected.exit, stderr: '' })
  const { error } = JSON.parse(script.stdout)
  expect(error).toEqual({
    code: expected.code,
    message: expect.any(String),
    hints: expect.any(Array),
    data: expect.any(Object),
  })
  expect(plain.stderr).toContain(error.message)
  return plain.stderr
}

const invalid: Failure = { code: 'CONFIG_INVALID', exit: 5 }
const include: Failure = { code: 'INCLUDE_INVALID', exit: 5 }

describe('a config that cannot be read', () => {
  const texts: [string, string | Buffer, Failure][] = [
    ['nothing', '', invalid],
    ['comments alone', '// later\n', invalid],
    ['a list', '["exec"]', invalid],
    ['null', 'null', invalid],
    ['two values', '{} {}', invalid],
    ['a missing comma', '{\n  tools: {\n    deny: ["exec" "read"],\n  },\n}', invalid],
    ['an open string', '{ tools: { profile: "coding } }', invalid],
    ['an open brace', '{ tools: { deny: ["exec"] }\n', invalid],
    ['a bare word', '{ tools: { profile: coding } }', invalid],
    ['Python', '{ tools: { exec: { ask: None } } }', invalid],
    ['a merge conflict', '{\n<<<<<<< HEAD\n  tools: {},\n=======\n>>>>>>> b\n}', invalid],
    ['typographic quotes', '{ tools: { profile: “coding” } }', invalid],
    ['100,000 open brackets', `{ a: ${'['.repeat(100_000)}`, invalid],
    ['600 levels', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`, invalid],
    ['a number that is none', '{ gateway: { port: NaN } }', invalid],
    ['another encoding', Buffer.from('7b2061646465643a2022e4f6fc22207d', 'hex'), invalid],
    ['UTF-16', Buffer.from('\uFEFF{ tools: {} }', 'utf16le'), invalid],
    ['17 MB', `{ "a": "${'x'.repeat(17 * 1024 * 1024)}" }`, invalid],
    ['a NUL byte', '{ tools: \0 {} }', invalid],
    ['a prototype', '{ __proto__: { tools: { deny: ["exec"] } }, tools: {} }', invalid],
    ['a prototype further down', '{ "agents": { "entries": { "__proto__": { "tools": {} } } } }', invalid],
    ['an include of nothing', '{ $include: "./nope.json5" }', include],
    ['an include of itself', '{ $include: "./openclaw.json" }', include],
    ['an include of two that include each other', '{ $include: "./a.json5" }', include],
    ['an include outside', '{ $include: "../../../etc/hostname" }', include],
    ['an include by a link outside', '{ $include: "./link.json5" }', include],
    ['an include of a directory', '{ $include: "./dir" }', include],
    ['an include of 3 MB', '{ $include: "./huge.json5" }', include],
    ['an include that is broken', '{ $include: "./broken.json5" }', include],
    ['an include of a number', '{ $include: 7 }', include],
  ]

  test.each(texts)('%s', async (name, text, failure) => {
    const home = await tempDir({
      '.openclaw/a.json5': '{ $include: "./b.json5" }',
      '.openclaw/b.json5': '{ $include: "./a.json5" }',
      '.openclaw/broken.json5': '{\n  tools: { deny: [exec] },\n}',
      '.openclaw/dir/x.json': '{}',
      '.openclaw/huge.json5': `{ a: "${'x'.repeat(3 * 1024 * 1024)}" }`,
      'outside.json5': '{}',
    })
    symlinkSync(join(home, 'outside.json5'), join(home, '.openclaw/link.json5'))
    writeFileSync(join(home, '.openclaw/openclaw.json'), text)
    const stderr = await fails(['tools', 'effective'], failure, { home })
    expect(stderr.replaceAll(home, '~')).toMatchSnapshot()
    const readers =
      name === 'an open string'
        ? [
            'config get',
            'config list',
            'tools explain exec',
            'tools catalog',
            'tools snapshot',
            'tools diff --to-edition 2026.9',
          ]
        : []
    for (const reader of readers) expect(await fails(reader.split(' '), failure, { home })).toBe(stderr)
  })

  test.each<[string, (file: string) => void]>([
    ['a directory', (file) => mkdirSync(file)],
    ['a pipe', (file) => execFileSync('mkfifo', [file])],
    ['a link to itself', (file) => symlinkSync(file, file)],
    ['a link to /dev/zero', (file) => symlinkSync('/dev/zero', file)],
  ])('%s', async (_, make) => {
    const home = await tempDir({ '.openclaw/other': '' })
    make(join(home, '.openclaw/openclaw.json'))
    const stderr = await fails(['tools', 'effective'], invalid, { home })
    expect(stderr.replaceAll(home, '~')).toMatchSnapshot()
  })

  // The superuser reads everything, so there is no such file for it.
  test.skipIf(process.getuid?.() === 0)('a file of somebody else', async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': '{}' })
    chmodSync(join(home, '.openclaw/openclaw.json'), 0)
    expect(await fails(['tools', 'effective'], invalid, { home })).toContain('permission denied')
  })

  test('an endless one on standard input', async () => {
    const home = await tempDir()
    const zeros = openSync('/dev/zero', 'r')
    const child = spawn(
      process.execPath,
      [`${projectRoot}bin/run.js`, 'tools', 'effective', '--config', '-'],
      {
        env: isolatedEnv(home),
        cwd: home,
        stdio: [zeros, 'pipe', 'pipe'],
        timeout: limit,
      },
    )
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => (stderr += String(chunk)))
    const [code] = await once(child, 'close')
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "error: <stdin> is too large: the limit is 16777216 bytes
      try: split or shrink the config
      ",
      }
    `)
  })
})

describe('a config of the wrong kinds', () => {
  test('every error is named, with place and a way out', async () => {
    const home = await tempDir({
      '.openclaw/openclaw.json': `{
  tools: {
    profile: "codng",
    deny: "exec",
    allow: [1, null, ["read"]],
    byProvider: { openai: ["exec"] },
    toolsBySender: { "id:1": "deny" },
    toolSearch: { mode: 7, codeTimeoutMs: -5 },
  },
  agents: { list: { id: "main" }, defaults: { tools: { deny: [] } } },
  mcp: { server: {}, servers: [] },
  plugins: "none",
}`,
    })
    const stderr = await fails(['tools', 'effective'], invalid, { home })
    expect(stderr.replaceAll(home, '~')).toMatchInlineSnapshot(`
      "error: the config ~/.openclaw/openclaw.json has 14 errors
        ~/.openclaw/openclaw.json:3:14: tools.profile: expected "minimal", "coding", "messaging" or "full", got the string "codng"; did you mean "coding"?
        ~/.openclaw/openclaw.json:4:11: tools.deny: expected a list of strings, got the string "exec"; did you mean ["exec"]?
        ~/.openclaw/openclaw.json:5:13: tools.allow[0]: expected a string, got the number 1; did you mean "1"?
        ~/.openclaw/openclaw.json:5:16: tools.allow[1]: expected a string, got null
        ~/.openclaw/openclaw.json:5:22: tools.allow[2]: expected a string, got a list of 1
        ~/.openclaw/openclaw.json:6:27: tools.byProvider.openai: expected an object, got a list of 1; did you mean { allow: ["exec"] }?
        ~/.openclaw/openclaw.json:7:30: tools.toolsBySender["id:1"]: expected an object or null, got the string "deny"
        ~/.openclaw/openclaw.json:8:25: tools.toolSearch.mode: expected "code", "tools" or "directory", got the number 7
        ~/.openclaw/openclaw.json:8:43: tools.toolSearch.codeTimeoutMs: expected a whole number of at least 1, got the number -5
        ~/.openclaw/openclaw.json:10:19: agents.list: expected a list, got an object
        ~/.openclaw/openclaw.json:10:54: agents.defaults.tools: agents.defaults has no tools: put the policy under tools (every agent) or under agents.list[].tools (one agent)
        ~/.openclaw/openclaw.json:11:18: mcp.server: unknown key "server"; did you mean "servers"?
        ~/.openclaw/openclaw.json:11:31: mcp.servers: expected an object, got an empty list
        ~/.openclaw/openclaw.json:12:12: plugins: expected an object, got the string "none"
      try: openclaw config validate lists every error with its place
      "
    `)
  })

  test('10,000 wrong entries are not 10,000 lines', async () => {
    const home = await tempDir({
      '.openclaw/openclaw.json': JSON.stringify({
        tools: { deny: Array.from({ length: 10_000 }, (_, index) => index) },
      }),
    })
    const stderr = await fails(['tools', 'effective'], invalid, { home })
    expect(stderr.split('\n').length).toBeLessThan(40)
    expect(stderr).toContain('tools.deny: 9900 more entries of this list are wrong')
  })
})

describe('much of everything', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `tool_${index}`)
  const sizes: [string, unknown][] = [
    [
      '10,000 entries in every list',
      {
        tools: { allow: [...names, 'read'], deny: [...names, 'exec'], sandbox: { tools: { deny: names } } },
        agents: { list: [{ id: 'main', tools: { deny: names } }] },
      },
    ],
    ['10,000 patterns', { tools: { deny: [...names.map((name) => `*${name}*x*`), 'exec'] } }],
    ['one pattern of 20,000 stars', { tools: { deny: ['*a'.repeat(20_000), 'exec'] } }],
    [
      '10,000 senders',
      {
        tools: {
          deny: ['exec'],
          toolsBySender: Object.fromEntries(names.map((name) => [`id:${name}`, { deny: ['read'] }])),
        },
      },
    ],
    [
      '10,000 servers',
      {
        tools: { deny: ['exec'] },
        mcp: { servers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])) },
      },
    ],
    [
      '3,000 agents',
      { tools: { deny: ['exec'] }, agents: { list: names.slice(0, 3000).map((id) => ({ id })) } },
    ],
    [
      '400 levels',
      { tools: { deny: ['exec'] }, channels: JSON.parse(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`) },
    ],
    ['a text of 5 MB', { tools: { deny: ['exec'] }, channels: { a: { b: 'x'.repeat(5_000_000) } } }],
  ]
  test.each(sizes)('%s', async (name, config) => {
    const home = await tempDir({ '.openclaw/openclaw.json': JSON.stringify(config) })
    const every =
      name === '3,000 agents'
        ? ['tools explain exec --all-agents', 'tools diff --all-agents --unset tools.deny']
        : []
    const full =
      process.env.OPENCLAW_TEST_FULL === '1' ? ['tools explain exec --full', 'config validate'] : []
    for (const line of ['tools effective', ...full, ...every]) {
      const { code, stderr, stdout } = await runCli(line.split(' '), { home, limit })
      expect({ line, code }).toEqual({ line, code: 0 })
      expect(stderr).not.toContain('error:')
      expect(stdout).not.toBe('')
    }
  })
})

describe('command lines', () => {
  const home = () =>
    tempDir({
      '.openclaw/openclaw.json':
        '{ tools: { deny: ["exec"] }, agents: { list: [{ id: "main" }, { id: "work" }] } }',
      'list.json': '[]',
      'typo.json': '{ agent: "main" }',
      'inventory.json': '{ plugins: { a: { tool: [] } } }',
    })
  const cases: [string, Failure][] = [
    ['tools effective --agent wrok', { code: 'UNKNOWN_AGENT', exit: 1 }],
    ['tools effective --agent __proto__', { code: 'UNKNOWN_AGENT', exit: 1 }],
    ['tools effective --session agent:wrok:main', { code: 'UNKNOWN_AGENT', exit: 1 }],
    ['tools run', { code: 'USAGE', exit: 2 }],
    ['tools effective --session agent:work', { code: 'USAGE', exit: 2 }],
    ['tools effective --session agent:work:main --agent main', { code: 'USAGE', exit: 2 }],
    ['tools effective --agent=', { code: 'USAGE', exit: 2 }],
    ['tools effective --config=', { code: 'USAGE', exit: 2 }],
    ['tools effective --config nope.json', { code: 'CONFIG_NOT_FOUND', exit: 1 }],
    ['tools effective --config /dev/zero', invalid],
    ['tools effective --sender 100', { code: 'USAGE', exit: 2 }],
    ['tools effective --sender phone:100', { code: 'USAGE', exit: 2 }],
    ['tools effective --model openai/', { code: 'USAGE', exit: 2 }],
    ['tools effective --harness gpt', { code: 'USAGE', exit: 2 }],
    ['tools effective --set tools.profile', { code: 'USAGE', exit: 2 }],
    ['tools effective --set tools.profile=codng', invalid],
    ['tools effective --set tools.deny[9]=x', { code: 'PATH_INVALID', exit: 2 }],
    ['tools effective --set tools.deny.x=y', { code: 'PATH_INVALID', exit: 2 }],
    ['tools effective --set __proto__.x=y', { code: 'PATH_INVALID', exit: 2 }],
    ['tools effective --unset tools.allow', { code: 'PATH_UNSET', exit: 1 }],
    ['tools effective --unset tools..deny', { code: 'PATH_INVALID', exit: 2 }],
    ['tools effective --context nope.json', { code: 'INPUT_INVALID', exit: 1 }],
    ['tools effective --context list.json', { code: 'INPUT_INVALID', exit: 1 }],
    ['tools effective --context typo.json', { code: 'INPUT_INVALID', exit: 1 }],
    ['tools effective --context .', { code: 'INPUT_INVALID', exit: 1 }],
    ['tools effective --context - --inventory -', { code: 'USAGE', exit: 2 }],
    ['tools effective --config - --context -', { code: 'USAGE', exit: 2 }],
    ['tools effective --inventory inventory.json', { code: 'INPUT_INVALID', exit: 1 }],
    ['tools effective --inventory /dev/zero', { code: 'INPUT_INVALID', exit: 1 }],
    ['tools effective --profile ../x', { code: 'USAGE', exit: 2 }],
    ['tools effective --output json', { code: 'USAGE', exit: 2 }],
    ['tools effective --why --agnet main', { code: 'USAGE', exit: 2 }],
    ['tools effective exec', { code: 'USAGE', exit: 2 }],
    ['tools explain', { code: 'USAGE', exit: 2 }],
    ['tools explain exec read', { code: 'USAGE', exit: 2 }],
    ['tools test', { code: 'USAGE', exit: 2 }],
    ['tools efective', { code: 'COMMAND_UNKNOWN', exit: 2 }],
    ['tool effective', { code: 'COMMAND_UNKNOWN', exit: 2 }],
    ['explain exec', { code: 'COMMAND_UNKNOWN', exit: 2 }],
  ]
  test.each(cases)('%s', async (line, failure) => {
    const stderr = await fails(line.split(' '), failure, { home: await home(), stdin: '{}' })
    expect(stderr.replaceAll(/\/\S*openclaw-test-\w+/g, '~')).toMatchSnapshot()
  })

  test('control characters of any argument never reach the terminal', async () => {
    const evil = '\u001b[31m\u0007\u202eexec'
    for (const args of [
      ['tools', 'explain', evil],
      ['tools', 'effective', '--agent', evil],
      ['tools', evil],
      ['config', 'get', `tools.${evil}`],
      ['tools', 'effective', '--config', evil],
      ['tools', 'effective', `--${evil}`],
      ['tools', 'effective', '--sender', evil],
      ['tools', 'effective', '--set', evil],
    ]) {
      const { stdout, stderr } = await runCli(args, { home: await home() })
      expect({ args, stdout, stderr }).toEqual({
        args,
        stdout: stdout.replaceAll(/[\u001b\u0007\u202e]/g, ''),
        stderr: stderr.replaceAll(/[\u001b\u0007\u202e]/g, ''),
      })
    }
  })

  test('nor those of a config', async () => {
    const evil = '\u001b]0;owned\u0007\u202e'
    const config = {
      tools: {
        deny: [`exec${evil}`],
        byProvider: { [`open${evil}`]: { deny: ['read'] } },
        profile: `cod${evil}`,
      },
      [`chan${evil}`]: {},
      agents: { list: [{ id: `ma${evil}in` }] },
    }
    for (const value of [config, { ...config, tools: { ...config.tools, profile: 'coding' } }]) {
      const dir = await tempDir({ '.openclaw/openclaw.json': JSON.stringify(value) })
      for (const line of [
        'tools effective --why',
        'tools explain exec',
        'tools explain exec --all-agents',
        'config validate',
        'config list',
      ]) {
        const { stdout, stderr } = await runCli(line.split(' '), { home: dir })
        expect({ line, text: stdout + stderr }).toEqual({
          line,
          text: (stdout + stderr).replaceAll(/[\u001b\u0007\u202e]/g, ''),
        })
      }
    }
  })
})

describe('surroundings', () => {
  const config = '{ tools: { deny: ["exec"] } }'

  test('without HOME', async () => {
    const home = await tempDir({ 'openclaw.json': config })
    const { HOME: _home, USERPROFILE: _profile, ...env } = isolatedEnv(home)
    const child = spawn(
      process.execPath,
      [`${projectRoot}bin/run.js`, 'tools', 'explain', 'exec', '--config', 'openclaw.json'],
      { env, cwd: home, timeout: limit },
    )
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += String(chunk)))
    const [code] = await once(child, 'close')
    expect({ code, first: stdout.split('\n')[0] }).toEqual({
      code: 0,
      first: 'exec is hidden in agent:main:main',
    })
  })

  test('in a home that does not exist', async () => {
    expect(await runCli(['tools', 'explain', 'exec'], { env: { HOME: '/no/such/home' } })).toMatchObject({
      code: 0,
      stdout: 'exec is visible in agent:main:main\n',
      stderr: '',
    })
  })

  test('in a directory that was removed', async () => {
    const home = await tempDir({ 'openclaw.json': config, 'gone/x': '' })
    const script = `cd gone && rm -r ../gone && exec "$0" ${projectRoot}bin/run.js tools explain exec "$@"`
    const run = (...args: string[]) =>
      execFileSync('sh', ['-c', script, process.execPath, ...args], {
        cwd: home,
        env: isolatedEnv(home),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    expect(run('--config', join(home, 'openclaw.json'))).toContain('exec is hidden')
    mkdirSync(join(home, 'gone'))
    expect(() => run('--config', 'openclaw.json')).toThrow(
      /config file .*gone\/openclaw\.json does not exist/,
    )
  })

  test.skipIf(process.getuid?.() === 0)('in a directory where nothing can be written', async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': config })
    chmodSync(home, 0o555)
    expect(await runCli(['tools', 'explain', 'exec'], { home })).toMatchObject({ code: 0, stderr: '' })
    chmodSync(home, 0o755)
  })

  const readers = [
    'tools effective',
    'tools effective --json',
    'tools explain exec --full',
    'tools catalog',
    'tools snapshot',
    'config get',
    'config list',
    'config schema',
    'config validate',
  ]
  test.each(readers)('%s | head -1: 0, and silent', async (line) => {
    const home = await tempDir({ '.openclaw/openclaw.json': config })
    const child = spawn(process.execPath, [`${projectRoot}bin/run.js`, ...line.split(' ')], {
      env: isolatedEnv(home),
      cwd: home,
      timeout: limit,
    })
    child.stdout.destroy()
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => (stderr += String(chunk)))
    const [code] = await once(child, 'close')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test.each<[string, number]>([
    ['tools effective --agent nobody', 1],
    ['config validate --config broken.json', 5],
    ['tools explain exec --check', 3],
    ['tools efective', 2],
  ])('%s with nobody at stderr: %i', async (line, expected) => {
    const home = await tempDir({
      '.openclaw/openclaw.json': '{ toolz: {}, tools: { deny: ["exec", "exce"] } }',
      'broken.json': '{',
    })
    const child = spawn(process.execPath, [`${projectRoot}bin/run.js`, ...line.split(' ')], {
      env: isolatedEnv(home),
      cwd: home,
      timeout: limit,
    })
    child.stderr.destroy()
    child.stdout.resume()
    expect((await once(child, 'close'))[0]).toBe(expected)
  })

  // What such a pipe has no room for waits in the program; to end meanwhile would cut the answer off.
  test('a pipe that does not wait, with a reader that takes its time: all of the answer', async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': config })
    // Node makes a pipe that does not wait of its stdout, and killed it leaves it so to who shares it.
    const before = `process.stdout.write('x'.repeat(64_000), () => process.kill(process.pid, 'SIGKILL'))`
    const line = '{ "$0" -e "$1"; shift; "$0" "$@"; } | (sleep 1; cat)'
    const words = [before, `${projectRoot}bin/run.js`, 'tools', 'effective', '--json']
    const stdout = execFileSync('sh', ['-c', line, process.execPath, ...words], {
      env: isolatedEnv(home),
      cwd: home,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: limit,
    })
    expect(stdout.startsWith('x')).toBe(true)
    expect(JSON.parse(stdout.replace(/^x+/, ''))).toMatchObject({ agentId: 'main' })
    rmSync(home, { recursive: true, force: true })
  })

  test('a full disk is told', async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': config })
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [`${projectRoot}bin/run.js`, 'tools', 'effective'], {
      env: isolatedEnv(home),
      cwd: home,
      stdio: ['ignore', full, 'pipe'],
      timeout: limit,
    })
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => (stderr += String(chunk)))
    const [code] = await once(child, 'close')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^error: cannot write the output: .*no space left/),
    })
    rmSync(home, { recursive: true, force: true })
  })
})
