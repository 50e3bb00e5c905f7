import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, runCli, runJson, tempDir, type CliResult } from '../helpers/run-cli.ts'

const waitingProgram = fileURLToPath(new URL('../helpers/waiting-program.ts', import.meta.url))

/** Runs the test program and, once it has said something on stderr, sends it a signal. */
async function runWaiting(
  args: readonly string[],
  options: { readonly signal?: NodeJS.Signals; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<CliResult> {
  const home = await tempDir()
  const child = spawn(process.execPath, [waitingProgram, ...args], {
    env: { ...isolatedEnv(home), ...options.env },
    timeout: 20_000,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => {
    if (options.signal && stderr === '') child.kill(options.signal)
    stderr += String(chunk)
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

/** The Node.js of the system where it is too old for the program; null where there is none to try. */
function oldNode(): string | null {
  const node = '/usr/bin/node'
  const major = /^v(\d+)\./.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]
  return major !== undefined && Number(major) < 24 ? node : null
}

test.skipIf(oldNode() === null)('a Node.js that is too old is told the way in', () => {
  const run = (...args: string[]) =>
    spawnSync(oldNode() ?? '', [`${projectRoot}bin/run.js`, ...args], { encoding: 'utf8' })
  const { status, stdout, stderr } = run('tools', 'effective')
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^error: openclaw needs Node\.js \S+ \|\| \S+; this is .+\ntry: npx openclaw …, in /)
  const { error } = JSON.parse(run('tools', 'effective', '--json').stdout) as {
    error: { code: string; hints: string[] }
  }
  expect([error.code, error.hints.length]).toEqual(['USAGE', 1])
})

describe('--version', () => {
  test('prints program, Node and platform', async () => {
    expect(await runCli(['--version'])).toEqual({
      code: 0,
      stdout: `openclaw ${packageJson.version} node-${process.versions.node} ${process.platform}\n`,
      stderr: '',
    })
  })

  test('is JSON where that is asked for', async () => {
    const { code, stdout } = await runCli(['--json', '--version'])
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { version: packageJson.version, node: process.versions.node, platform: process.platform },
    ])
  })
})

describe('mistakes on the command line', () => {
  const cases: [string, string, string][] = [
    [
      'confg file',
      'COMMAND_UNKNOWN',
      `
      error: unknown command "confg file"
      try: openclaw config file
      try: openclaw config
      try: openclaw --help
      `,
    ],
    [
      'config fiel',
      'COMMAND_UNKNOWN',
      `
      error: unknown command "config fiel"
      try: openclaw config file
      try: openclaw config --help
      `,
    ],
    [
      '--jsn',
      'USAGE',
      `
      error: unknown flag --jsn
      try: --json
      try: openclaw --help
      `,
    ],
    [
      'config file --profil=work --foo',
      'USAGE',
      `
      error: unknown flags --profil, --foo
      try: --profile
      try: openclaw config file --help
      `,
    ],
    [
      'config file --constructor',
      'USAGE',
      `
      error: unknown flag --constructor
      try: openclaw config file --help
      `,
    ],
    [
      'config file extra words',
      'USAGE',
      `
      error: unexpected arguments extra words
      try: openclaw config file --help
      `,
    ],
    [
      'config file --config',
      'USAGE',
      `
      error: --config expects a value
      try: openclaw config file --help
      `,
    ],
    [
      'config file --config a --config b',
      'USAGE',
      `
      error: --config can only be specified once
      try: openclaw config file --help
      `,
    ],
    [
      'config file --edition 2025.1',
      'USAGE',
      `
      error: --edition: expected one of 2026.7, 2026.9, got "2025.1"
      try: openclaw config file --help
      `,
    ],
    [
      'config file --timeout soon',
      'USAGE',
      `
      error: --timeout: expected a number of seconds above 0, got "soon"
      try: openclaw config file --help
      `,
    ],
    [
      'constructor',
      'COMMAND_UNKNOWN',
      `
      error: unknown command "constructor"
      try: openclaw --help
      `,
    ],
  ]

  test.each(cases)('%s', async (line, code, text) => {
    const plain = await runCli(line.split(' '))
    expect(plain).toEqual({ code: 2, stdout: '', stderr: text.trim().replaceAll(/^ +/gm, '') + '\n' })

    const hints = plain.stderr.split('\n').flatMap((row) => (row.startsWith('try: ') ? [row.slice(5)] : []))
    const message = plain.stderr.split('\n')[0]?.slice('error: '.length)
    const { json, ...run } = await runJson(line.split(' '))
    expect(run).toMatchObject({ code: 2, stderr: '' })
    expect(json).toEqual({ error: { code, message, hints, data: expect.any(Object) } })
  })

  test('JSON can be asked for before the command and by variable', async () => {
    const before = await runCli(['--json', 'config', 'fiel'])
    const byVariable = await runCli(['config', 'fiel'], { env: { OPENCLAW_JSON: '1' } })
    expect(JSON.parse(before.stdout)).toMatchObject({ error: { code: 'COMMAND_UNKNOWN' } })
    expect(byVariable).toEqual(before)
  })
})

describe('common flags', () => {
  test('may stand before the command', async () => {
    const home = await tempDir()
    const after = await runCli(['config', 'file', '--state-dir', '/s', '--json'], { home })
    expect(await runCli(['--state-dir', '/s', '--json', 'config', 'file'], { home })).toEqual(after)
    expect(JSON.parse(after.stdout)).toEqual({ file: '/s/openclaw.json', exists: false, stateDir: '/s' })
  })

  test('come from variables, and the command line wins', async () => {
    const env = { OPENCLAW_PROFILE: 'a' }
    const home = await tempDir()
    expect((await runCli(['config', 'file'], { env, home })).stdout).toBe(
      `${home}/.openclaw-a/openclaw.json\n`,
    )
    const typed = await runCli(['config', 'file', '--profile', 'b'], { env, home })
    expect(typed.stdout).toBe(`${home}/.openclaw-b/openclaw.json\n`)
  })

  test('npm run openclaw works in the directory it was typed in', async () => {
    const home = await tempDir({ 'mine.json': '{}' })
    const run = await runCli(['config', 'file', '--config', 'mine.json'], {
      cwd: projectRoot,
      home,
      env: { INIT_CWD: home, npm_lifecycle_event: 'openclaw' },
    })
    expect(run).toEqual({ code: 0, stdout: `${home}/mine.json\n`, stderr: '' })
  })
})

describe('how a run ends', () => {
  test('Ctrl-C: 130, and the work is told', async () => {
    expect(await runWaiting(['wait'], { signal: 'SIGINT' })).toEqual({
      code: 130,
      stdout: '',
      stderr: 'waiting\ntold to stop\nerror: interrupted\n',
    })
    const { code, stdout } = await runWaiting(['wait', '--json'], { signal: 'SIGINT' })
    expect({ code, json: JSON.parse(stdout) }).toEqual({
      code: 130,
      json: { error: { code: 'ABORTED', message: 'interrupted', hints: [], data: {} } },
    })
  })

  test('--timeout: TIMEOUT', async () => {
    const { code, stdout } = await runWaiting(['wait', '--json', '--timeout', '0.05'])
    expect({ code, json: JSON.parse(stdout) }).toEqual({
      code: 1,
      json: {
        error: {
          code: 'TIMEOUT',
          message: 'not done after 0.05 s',
          hints: ['a larger --timeout'],
          data: { timeoutSeconds: 0.05 },
        },
      },
    })
  })

  test.each([
    ['crash', 'the sky fell'],
    ['stray', 'from elsewhere'],
  ])('%s: INTERNAL, with a stack only under --debug', async (command, message) => {
    expect(await runWaiting([command])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: unexpected: ${message}\ntry: rerun with --debug to see where it happened\n`,
    })
    const debug = await runWaiting([command, '--debug', '--json'])
    expect(JSON.parse(debug.stdout)).toMatchObject({ error: { code: 'INTERNAL' } })
    expect(debug.stderr).toMatch(/TypeError: .*\n +at .*waiting-program\.ts/s)
  })

  test.each([
    [['--help'], 0, ''],
    [['help', 'notices'], 0, ''],
    [['help', 'notices', '--json'], 0, ''],
    [['--nope'], 2, 'error: unknown flag --nope\ntry: openclaw --help\n'],
  ])('a closed pipe after %j: %i', async (args, expectedCode, expectedStderr) => {
    const home = await tempDir()
    const child = spawn(process.execPath, [`${projectRoot}bin/run.js`, ...args], { env: isolatedEnv(home) })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)))
    const [code] = await once(child, 'close')
    expect({ code, stderr }).toEqual({ code: expectedCode, stderr: expectedStderr })
  })

  test('an endless stream ends with its reader', async () => {
    const home = await tempDir()
    const child = spawn(process.execPath, [waitingProgram, 'stream'], { env: isolatedEnv(home) })
    const [first] = await once(child.stdout, 'data')
    child.stdout.destroy()
    const [code] = await once(child, 'close')
    expect(String(first).split('\n')[0]).toBe(JSON.stringify({ number: 0, padding: 'x'.repeat(1000) }))
    expect(code).toBe(0)
  })
})

describe('output', () => {
  test('a list prints text, names or JSON', async () => {
    expect((await runWaiting(['list'])).stdout).toBe('read\nwrite\nwidth 120\n')
    expect((await runWaiting(['list', '--output', 'names'])).stdout).toBe('read\nwrite\n')
    for (const more of [[], ['--output', 'names']]) {
      const { stdout } = await runWaiting(['list', '--json', ...more])
      expect(JSON.parse(stdout)).toEqual({ items: ['read', 'write'] })
    }
  })

  const colored = '\u001b[36mread\u001b[39m'
  test.each<[Record<string, string>, string[], string]>([
    [{}, [], 'read'],
    [{ FORCE_COLOR: '1' }, [], colored],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, [], colored],
    [{ FORCE_COLOR: '0' }, [], 'read'],
    [{ FORCE_COLOR: '1' }, ['--no-color'], 'read'],
    [{ FORCE_COLOR: '1', OPENCLAW_NO_COLOR: '1' }, [], 'read'],
  ])('colour with %j %j', async (env, flags, expected) => {
    const { stdout } = await runWaiting(['list', ...flags], { env })
    expect(stdout.split('\n')[0]).toBe(expected)
  })
})
