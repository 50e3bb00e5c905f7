import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../helpers/project.ts'
import { isolatedEnv, tempDir } from '../helpers/run-cli.ts'

const manifest: { commands: Record<string, { id: string }> } = JSON.parse(
  readFileSync(`${projectRoot}dist/oclif.manifest.json`, 'utf8'),
)
const commandLines = Object.keys(manifest.commands)
  .toSorted()
  .map((id) => id.replaceAll(':', ' '))

/** Files, relative to the project, that a run of `entry` loads. */
async function modulesOf(entry: string, args: readonly string[]): Promise<string[]> {
  const home = await tempDir({ '.openclaw/openclaw.json': '{ "tools": { "deny": ["exec"] } }' })
  const record = join(home, 'modules.txt')
  const preload = fileURLToPath(new URL('../helpers/record-modules.ts', import.meta.url))
  spawnSync(process.execPath, ['--import', preload, `${projectRoot}${entry}`, ...args], {
    cwd: home,
    env: { ...isolatedEnv(home), RECORD_MODULES: record },
    timeout: 30_000,
  })
  const urls = readFileSync(record, 'utf8').split('\n')
  return urls.map((url) => fileURLToPath(url).slice(projectRoot.length))
}

describe('start-up', () => {
  // Each file costs its own resolution, read and compile; the bundler keeps them few and this keeps the bundler honest.
  test.each(commandLines)('%s starts from at most 12 files', async (command) => {
    const words = command === 'help' ? ['help', 'notices'] : command.split(' ')
    const modules = await modulesOf('bin/run.js', [...words, '--no-such-flag'])
    expect(modules).toContain('dist/main.js')
    expect(modules).toContain(`dist/commands/${command.replaceAll(' ', '/')}.js`)
    expect(modules.filter((file) => !file.startsWith('dist/') && file !== 'bin/run.js')).toEqual([])
    expect(modules.length).toBeLessThanOrEqual(12)
  })

  test('--version starts from one file', async () => {
    expect(await modulesOf('bin/run.js', ['--version'])).toEqual(['bin/run.js'])
  })

  // Help is compiled lazily and commands are not; a file of both would be thrown out of the compile cache again and again.
  test('--help shares no file with the answers of commands', async () => {
    const modules = await modulesOf('bin/run.js', ['--help'])
    expect(modules.filter((file) => /\/(?:config|answer|report)-/.test(file))).toEqual([])
    expect(modules.filter((file) => /\/help-/.test(file))).toHaveLength(1)
  })

  // One other character, and Node decodes the file in the slow way.
  test('every built file is ASCII', () => {
    const files = globSync('{main,plugin}.js', { cwd: `${projectRoot}dist` }).concat(
      globSync('{chunks,commands}/**/*.js', { cwd: `${projectRoot}dist` }),
    )
    expect(files.length).toBeGreaterThan(commandLines.length)
    const isAscii = (file: string) => /^[\0-\x7F]*$/.test(readFileSync(`${projectRoot}dist/${file}`, 'utf8'))
    expect(files.filter((file) => !isAscii(file))).toEqual([])
  })

  test('no lazy import goes through a file that only passes on', () => {
    const cwd = `${projectRoot}dist/chunks`
    const texts = new Map(
      globSync('*.js', { cwd }).map((file) => [file, readFileSync(join(cwd, file), 'utf8')]),
    )
    const imported = [...texts.values()].flatMap((text) =>
      [...text.matchAll(/import\(`\.\/([^`]+)`\)/g)].map(([, file = '']) => file),
    )
    expect(imported.length).toBeGreaterThan(20)
    expect(
      imported.filter((file) => /^export\{[^}]*\}from"[^"]+";?\s*$/.test(texts.get(file) ?? '')),
    ).toEqual([])
  })

  test.each([[['tools', 'effective']], [['tools', 'explain', 'no-such-tool', '--json']], [['--version']]])(
    'an answer to a pipe opens no stream: %j',
    async (args) => {
      const home = await tempDir({ '.openclaw/openclaw.json': '{ toolz: 1, tools: { deny: ["exec"] } }' })
      const record = join(home, 'loaded.txt')
      const preload = `import { writeFileSync } from 'node:fs'
        process.on('exit', () => writeFileSync(${JSON.stringify(record)}, process.moduleLoadList.join('\\n')))`
      const run = spawnSync(
        process.execPath,
        [
          '--import',
          `data:text/javascript,${encodeURIComponent(preload)}`,
          `${projectRoot}bin/run.js`,
          ...args,
        ],
        { cwd: home, env: isolatedEnv(home), encoding: 'utf8', timeout: 30_000 },
      )
      expect(run.stdout).not.toBe('')
      const loaded = readFileSync(record, 'utf8').split('\n')
      expect(
        loaded.filter((name) => /^NativeModule (?:net|tty|internal\/fs\/sync_write_stream)$/.test(name)),
      ).toEqual([])
    },
  )

  const heavy = [
    'ajv',
    'ajv-formats',
    'chalk',
    'cosmiconfig',
    'diff',
    'fuse.js',
    'ink',
    'json5',
    'react',
    'typebox',
  ]
  const hot = ['config file', 'tools effective'].filter((command) => commandLines.includes(command))
  test.each(hot)('%s loads no library that a plain answer does not need', async (command) => {
    const modules = await modulesOf('bin/dev.js', command.split(' '))
    expect(modules).toContain(`commands/${command.replaceAll(' ', '/')}.ts`)
    const packages = modules.map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1])
    expect(heavy.filter((name) => packages.includes(name))).toEqual([])
  })
})
