import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { putProgram } from '../helpers/command-gate.ts'
import { runCli, runJson, tempDir, type CliResult } from '../helpers/run-cli.ts'

interface Home {
  readonly home: string
  readonly bin: string
  /** `openclaw approvals allowlist …`. */
  list(...words: readonly string[]): Promise<CliResult>
  json(...words: readonly string[]): Promise<{ readonly code: number | null; readonly json: unknown }>
  /** Exit code of a call of exec. */
  exec(command: string): Promise<CliResult>
  approvals(): string
}

/** A home where only what is on the allowlist may run, with a program of its own. */
async function openHome(files: Readonly<Record<string, string>> = {}, mode = 'allowlist'): Promise<Home> {
  const home = await tempDir(files)
  const bin = join(home, 'bin')
  putProgram(bin, 'mytool', 'echo "mytool ran"')
  const config = {
    tools: { exec: { mode, pathPrepend: [bin] } },
    agents: { list: [{ id: 'main' }, { id: 'work' }] },
  }
  putProgram(join(home, 'elsewhere'), 'mytool')
  const env = { PATH: `${bin}:/usr/bin:/bin`, OPENCLAW_HOME: home }
  mkdirSync(join(home, '.openclaw'), { recursive: true })
  writeFileSync(join(home, '.openclaw/openclaw.json'), JSON.stringify(config))
  const words = ['approvals', 'allowlist']
  return {
    home,
    bin,
    list: (...more) => runCli([...words, ...more], { home, env }),
    json: (...more) => runJson([...words, ...more], { home, env }),
    exec: (command) =>
      runCli(['tools', 'call', 'exec', '--args', JSON.stringify({ command })], { home, env }),
    approvals: () => readFileSync(join(home, '.openclaw/exec-approvals.json'), 'utf8'),
  }
}

test('what a refusal hints at lets the command run, until it is taken back', async () => {
  const { bin, list, exec } = await openHome()
  const refused = await exec('mytool --version')
  expect(refused.code).toBe(3)
  const [, hint = ''] = /openclaw approvals allowlist (add .*)/.exec(refused.stderr) ?? []
  expect(hint).toBe(`add ${bin}/mytool --agent main`)
  expect(await list(...hint.split(' '))).toMatchObject({
    code: 0,
    stdout: `agent main may run ${bin}/mytool\n`,
    stderr: '',
  })
  expect(await exec('mytool --version')).toMatchObject({ code: 0 })
  expect((await exec('../../elsewhere/mytool')).code).toBe(3)
  expect(await list('remove', 'mytool')).toMatchObject({
    code: 0,
    stdout: `${bin}/mytool is off the allowlist of agent main\n`,
  })
  expect((await exec('mytool --version')).code).toBe(3)
})

test('arguments narrow an entry', async () => {
  const { list, exec } = await openHome()
  await list('add', 'mytool', '--arg-pattern', '^status$')
  expect((await exec('mytool status')).code).toBe(0)
  expect((await exec('mytool wipe')).code).toBe(3)
})

describe('entries', () => {
  test('are for every agent or for one, once each', async () => {
    const { bin, json } = await openHome()
    expect(await json('add', 'mytool')).toMatchObject({
      code: 0,
      json: { added: true, entry: { agent: '*' } },
    })
    expect(await json('add', `${bin}/mytool`)).toMatchObject({ code: 0, json: { added: false } })
    await json('add', 'mytool', '--agent', 'WORK')
    const of = async (...words: readonly string[]) => {
      const { json: listed } = await json('list', ...words)
      return (listed as { items: { agent: string }[] }).items.map(({ agent }) => agent)
    }
    expect(await of()).toEqual(['*', 'work'])
    expect(await of('--agent', 'work')).toEqual(['work'])
    expect(await of('--agent', '*')).toEqual(['*'])
    expect(await of('--agent', 'main')).toEqual([])
    expect(await json('remove', 'mytool', '--agent', 'work')).toMatchObject({
      json: { removed: [{ agent: 'work' }] },
    })
    expect(await of()).toEqual(['*'])
  })

  test('are all there when many add at once', async () => {
    const { list } = await openHome()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const ends = await Promise.all(names.map((name) => list('add', name, '--as-written')))
    expect(ends.map(({ code }) => code)).toEqual(names.map(() => 0))
    const { stdout } = await list('list', '--output', 'names')
    expect(stdout.trimEnd().split('\n').toSorted()).toEqual(names)
  })

  test('of agents that are gone can still be seen and removed', async () => {
    const file = JSON.stringify({
      version: 1,
      agents: { gone: { allowlist: ['git', { pattern: '/bin/x' }] } },
    })
    const { json } = await openHome({ '.openclaw/exec-approvals.json': file })
    expect(await json('list', '--agent', 'gone')).toMatchObject({
      json: { items: [{ pattern: 'git', id: null }, { pattern: '/bin/x' }] },
    })
    expect(await json('remove', 'git', '--agent', 'gone')).toMatchObject({ code: 0 })
    expect(await json('list')).toMatchObject({ json: { items: [{ pattern: '/bin/x' }] } })
  })
})

test('a yes for always goes with its last entry', async () => {
  const { home, json, exec } = await openHome({}, 'ask')
  const asked = await exec('mytool')
  const [, id = ''] = /approvals allow (\S+)/.exec(asked.stderr) ?? []
  expect(asked.code).toBe(4)
  await runCli(['approvals', 'allow', id, '--always'], { home })
  expect(await json('list')).toMatchObject({ json: { items: [{ source: 'allow-always', approvalId: id }] } })
  expect((await json('remove', 'mytool')).code).toBe(0)
  expect((await runJson(['approvals', 'list'], { home })).json).toEqual({ items: [] })
  expect((await exec('mytool')).code).toBe(4)
})

describe('the file', () => {
  const byHand = `{
  // written by hand
  version: 1,
  agents: {
    "*": { allowlist: [
      { pattern: "/bin/x", note: "mine" }, // keep
    ] },
  },
}
`

  test('keeps its comments and what nobody knows', async () => {
    const { list, approvals } = await openHome({ '.openclaw/exec-approvals.json': byHand })
    expect((await list('add', 'mytool')).code).toBe(0)
    for (const text of ['// written by hand', '// keep', 'note: "mine"']) expect(approvals()).toContain(text)
    expect((await list('remove', 'mytool')).code).toBe(0)
    expect(approvals()).toContain('note: "mine"')
  })

  test.each([
    ['not read', '{ "agents": '],
    ['of another version', '{ "version": 2 }'],
    ['with a list that is none', '{ "agents": { "*": { "allowlist": "git" } } }'],
    ['with agents that are none', '{ "agents": [] }'],
    ['with an agent that is none', '{ "agents": { "*": 7 } }'],
  ])('is not written when it is %s', async (_, text) => {
    const { json, approvals, home } = await openHome({ '.openclaw/exec-approvals.json': text })
    expect(await json('add', 'mytool')).toMatchObject({
      code: 5,
      json: { error: { code: 'CONFIG_INVALID' } },
    })
    expect(approvals()).toBe(text)
    expect(readdirSync(join(home, '.openclaw')).toSorted()).toEqual(['exec-approvals.json', 'openclaw.json'])
  })

  test('is not made for nothing', async () => {
    const { json, home } = await openHome()
    expect(await json('remove', 'mytool')).toMatchObject({
      code: 1,
      json: { error: { code: 'INPUT_INVALID' } },
    })
    expect(await json('add', 'nosuch')).toMatchObject({ code: 1, json: { error: { code: 'INPUT_INVALID' } } })
    expect(await json('add', 'mytool', '--agent', 'wrok')).toMatchObject({
      code: 1,
      json: { error: { code: 'UNKNOWN_AGENT', data: { suggestions: ['work'] } } },
    })
    expect(readdirSync(join(home, '.openclaw'))).toEqual(['openclaw.json'])
  })
})

test('an entry that decides nothing yet is noted', async () => {
  for (const [mode, note] of [
    ['full', 'every command may run now'],
    ['deny', 'no command runs at all while tools.exec.mode says so'],
    ['ask', ''],
  ] as const) {
    const { list } = await openHome({}, mode)
    const { stderr } = await list('add', 'mytool')
    expect(stderr.includes('note:')).toBe(note !== '')
    expect(stderr).toContain(note)
  }
})

test('a near miss is told', async () => {
  const { bin, list } = await openHome()
  await list('add', 'mytool')
  const { code, stderr } = await list('remove', 'mytol')
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`openclaw approvals allowlist remove ${bin}/mytool\n`),
  ])
})
