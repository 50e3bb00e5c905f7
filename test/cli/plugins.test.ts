import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, runCli, runJson, tempDir, type CliResult } from '../helpers/run-cli.ts'

const example = `${projectRoot}fixtures/plugins/example`

/** A run as a person sees it, with the home directory as `~`. */
function shown({ code, stdout, stderr }: CliResult, home: string): string {
  return [stdout.trimEnd(), stderr.trimEnd(), `exit ${code}`]
    .filter((part) => part !== '')
    .join('\n')
    .replaceAll(home, '~')
}

/** The code blocks of one section of the README. */
function readmeSteps(section: string): string[] {
  const readme = readFileSync(`${projectRoot}README.md`, 'utf8')
  const [, text = ''] = readme.split(`## ${section}\n`)
  const [own = ''] = text.split('\n## ')
  return [...own.matchAll(/```sh\n(.*?)```/gs)].map(([, code = '']) => code)
}

/** Runs shell code as the README has it, with `npx openclaw` being the built program. */
function runSteps(code: string, home: string): { status: number | null; stdout: string; stderr: string } {
  const program = `npx() { test "$1" = openclaw || return 1; shift; '${process.execPath}' '${projectRoot}bin/run.js' "$@"; }`
  return spawnSync('bash', ['--norc', '-euc', `${program}\n${code}`], {
    cwd: home,
    env: isolatedEnv(home),
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: 60_000,
  })
}

test('the steps of the README lead from nothing to a working tool', async () => {
  const home = await tempDir()
  const steps = readmeSteps('Write a plugin')
  expect(steps).toHaveLength(1)
  const { status, stdout, stderr } = runSteps(steps[0] ?? '', home)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const [inspection = '', names = ''] = stdout.replaceAll(home, '~').split(/\n(?=read\n)/)
  expect(inspection).toMatchInlineSnapshot(`
    "hello (Hello) 1.0.0
      status: enabled
      from: .openclaw/plugins/hello
      code: .openclaw/plugins/hello/index.ts

    Tools (1) in agent:main:main, as its code registers them
      hello_say  visible  Greet somebody by name."
  `)
  expect(names.split('\n')).toContain('hello_say')

  const { json } = await runJson(['tools', 'explain', 'hello_say'], { home })
  expect(json).toMatchObject({ verdict: 'visible', source: 'plugin' })
})

test('types of the helpers and of the example hold for a plugin outside the project', async () => {
  const home = await tempDir({
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        module: 'nodenext',
        target: 'es2025',
        types: ['node'],
        typeRoots: [`${projectRoot}node_modules/@types`],
        skipLibCheck: false,
        noEmit: true,
        paths: { 'openclaw-toolchain/plugin': [`${projectRoot}dist/plugin.d.ts`] },
      },
      files: ['example/index.ts', 'typed.ts'],
    }),
    'package.json': '{ "type": "module" }',
    'typed.ts': readFileSync(`${projectRoot}fixtures/plugins/typed-plugin.ts`, 'utf8'),
  })
  cpSync(example, join(home, 'example'), { recursive: true })
  const { status, stdout } = spawnSync(
    process.execPath,
    [`${projectRoot}node_modules/typescript/bin/tsc`, '-p', home],
    { encoding: 'utf8' },
  )
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
})

describe('the example plugin', () => {
  const config = (more: object = {}): string =>
    JSON.stringify({ plugins: { load: { paths: [example] } }, ...more }, null, 2)

  test('list, inspect and inspect --runtime', async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': config() })
    const clean = async (...args: string[]) =>
      shown(await runCli(args, { home, cwd: home }), home).replaceAll(projectRoot, '<project>/')
    expect(await clean('plugins', 'list')).toMatchInlineSnapshot(`
      "notes  1.0.0  enabled  3  <project>/fixtures/plugins/example
      exit 0"
    `)
    expect(await clean('plugins', 'list', '--output', 'names')).toMatchInlineSnapshot(`
      "notes
      exit 0"
    `)
    expect(await clean('plugins', 'inspect', 'notes')).toMatchInlineSnapshot(`
      "notes (Notes) 1.0.0
        Keeps short notes in a file of the agent's workspace.
        status: enabled
        from: <project>/fixtures/plugins/example
        code: <project>/fixtures/plugins/example/index.ts

      Tools (3) in agent:main:main, as its manifest declares them
        note_add    visible           Add a note for later.
        note_clear  hidden, optional  plugin: it is an optional tool of the plugin notes: an allow list must name it, the plugin, group:plugins or *
        note_list   visible           List all notes.

      Skills (1)
        note-taking  <project>/fixtures/plugins/example/skills/note-taking/SKILL.md
      exit 0"
    `)
    expect(await clean('plugins', 'inspect', 'notes', '--runtime', '--set', 'tools.alsoAllow=["note_clear"]'))
      .toMatchInlineSnapshot(`
      "notes (Notes) 1.0.0
        Keeps short notes in a file of the agent's workspace.
        status: enabled
        from: <project>/fixtures/plugins/example
        code: <project>/fixtures/plugins/example/index.ts

      Tools (3) in agent:main:main, as its code registers them
        note_add    visible            Add a note for later.
        note_clear  visible, optional  Delete all notes.
        note_list   visible            List all notes.

      Skills (1)
        note-taking  <project>/fixtures/plugins/example/skills/note-taking/SKILL.md

      Hooks (1)
        before_tool_call  priority 0, at most 5000 ms
      exit 0"
    `)
  })

  test('settings are checked with their place', async () => {
    const entries = { notes: { config: { longest: 0, fiel: 'x' } } }
    const home = await tempDir({
      '.openclaw/openclaw.json': config({ plugins: { load: { paths: [example] }, entries } }),
    })
    const run = await runCli(['plugins', 'inspect', 'notes', '--runtime'], { home, cwd: home })
    expect(shown(run, home).replaceAll(projectRoot, '<project>/')).toMatchInlineSnapshot(`
      "notes (Notes) 1.0.0
        Keeps short notes in a file of the agent's workspace.
        status: invalid: the plugin notes cannot run: plugins.entries.notes: config.fiel is not known (.openclaw/openclaw.json:12:19)
        from: <project>/fixtures/plugins/example
        code: <project>/fixtures/plugins/example/index.ts

      Tools (3) in agent:main:main, as its manifest declares them
        note_add    unavailable            plugin: the plugin notes cannot run: plugins.entries.notes: config.fiel is not known (.openclaw/openclaw.json:12:19)
        note_clear  unavailable, optional  plugin: the plugin notes cannot run: plugins.entries.notes: config.fiel is not known (.openclaw/openclaw.json:12:19)
        note_list   unavailable            plugin: the plugin notes cannot run: plugins.entries.notes: config.fiel is not known (.openclaw/openclaw.json:12:19)

      Skills (1)
        note-taking  <project>/fixtures/plugins/example/skills/note-taking/SKILL.md

      error plugins.entries.notes: config.fiel is not known
          at .openclaw/openclaw.json:12:19
      error plugins.entries.notes: config.longest must be >= 1
          at .openclaw/openclaw.json:11:22
      its code was not run: the plugin is off, broken or not installed here
      exit 0"
    `)
  })

  test('and explain blames the entry', async () => {
    const entries = { Notes: { config: { longest: 'SECRET' } } }
    const home = await tempDir({
      '.openclaw/openclaw.json': config({ plugins: { load: { paths: [example] }, entries } }),
    })
    const run = await runCli(['tools', 'explain', 'note_add'], { home, cwd: home })
    expect(shown(run, home)).toMatchInlineSnapshot(`
      "note_add is unavailable in agent:main:main
        plugin: the plugin notes cannot run: plugins.entries.notes: config.longest must be integer
          at .openclaw/openclaw.json:11:22  plugins.entries.Notes.config.longest
      exit 0"
    `)
    const snapshot = await runCli(['tools', 'snapshot'], { home })
    const replay = await runJson(['tools', 'explain', 'note_add', '--replay', '-'], {
      home,
      stdin: snapshot.stdout,
    })
    expect(replay.json).toMatchObject({
      verdict: 'unavailable',
      decidedBy: { step: 'plugin', rule: 'plugin invalid', location: null },
    })
  })

  test('its skill is known as one', async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': config() })
    const { json } = await runJson(['tools', 'explain', 'note-taking'], { home })
    expect(json).toMatchObject({ verdict: 'unknown', isA: 'skill' })
  })

  test('the JSON of both commands', async () => {
    const home = await tempDir({ '.openclaw/openclaw.json': config({ tools: { profile: 'messaging' } }) })
    const list = await runJson(['plugins', 'list', '--edition', '2026.9'], { home })
    expect(list.json).toEqual({
      items: [
        {
          id: 'notes',
          name: 'Notes',
          version: '1.0.0',
          origin: 'load-path',
          path: example,
          enabled: true,
          status: 'enabled',
          off: null,
          tools: 3,
          diagnostics: [],
        },
      ],
      diagnostics: [],
    })
    const { json } = await runJson(
      ['plugins', 'inspect', 'Notes', '--edition', '2026.9', '--agent', 'main'],
      { home },
    )
    expect(json).toMatchObject({
      id: 'notes',
      agentId: 'main',
      sessionKey: 'agent:main:main',
      entry: `${example}/index.ts`,
      manifest: `${example}/openclaw.plugin.json`,
      skills: [{ name: 'note-taking', file: `${example}/skills/note-taking/SKILL.md` }],
      runtime: null,
      tools: [
        { name: 'note_add', verdict: 'deferred', exposure: 'deferred', optional: false, decidedBy: null },
        {
          name: 'note_clear',
          verdict: 'hidden',
          exposure: null,
          optional: true,
          decidedBy: { step: 'tools.profile', effect: 'not-allowed', location: { path: 'tools.profile' } },
        },
        { name: 'note_list', verdict: 'deferred' },
      ],
    })
  })
})

test('an unknown plugin is an error with a suggestion', async () => {
  const home = await tempDir({ '.openclaw/openclaw.json': '{ plugins: { entries: { telegram: {} } } }' })
  const { json, code } = await runJson(['plugins', 'inspect', 'telegramm'], { home })
  expect({ json, code }).toMatchInlineSnapshot(`
    {
      "code": 1,
      "json": {
        "error": {
          "code": "PLUGIN_INVALID",
          "data": {
            "id": "telegramm",
            "suggestions": [
              "telegram",
            ],
          },
          "hints": [
            "openclaw plugins inspect telegram",
            "openclaw plugins list",
          ],
          "message": "no plugin "telegramm" is installed here or named in the config",
        },
      },
    }
  `)
})

test('no plugins at all', async () => {
  const home = await tempDir()
  expect(shown(await runCli(['plugins', 'list'], { home }), home)).toMatchInlineSnapshot(`
    "No plugins. They lie in plugins/ of the state dir, or where plugins.load.paths points.
    exit 0"
  `)
  expect((await runJson(['plugins', 'list'], { home })).json).toEqual({ items: [], diagnostics: [] })
})
