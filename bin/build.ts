import { globSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Plugin } from '@oclif/core/config'
import { rolldown, type InputOptions, type Plugin as BuildPlugin } from 'rolldown'
import { isolatedDeclaration } from 'rolldown/experimental'
import { oclifSettings } from '../src/ui/oclif.ts'
import { groupByStart } from './chunks.ts'
import { lazyRequires } from './lazy-requires.ts'
import { inAscii, withoutPassing } from './lean-files.ts'
import { leanSdks } from './lean-sdks.ts'
import { plainBuiltins } from './plain-builtins.ts'
import { thirdPartyLicenses } from './third-party.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = `${root}dist`
// Built beside and moved at the end, so that a program started meanwhile never sees half a build.
const next = `${root}dist.next-${process.pid}`
const old = `${root}dist.old-${process.pid}`

const commandNames = globSync('**/*.ts', { cwd: `${root}commands` })
  .map((file) => file.slice(0, -'.ts'.length).replaceAll('\\', '/'))
  .toSorted()

/** The entry that bin/run.js loads: every command behind its own lazy import, so that no start reads another one's code. */
const mainSource = `
import { fileURLToPath } from 'node:url'
import { dispatch } from './src/ui/dispatch.ts'
const root = fileURLToPath(new URL('.', import.meta.url))
const commands = {
${commandNames.map((name) => `  ${JSON.stringify(name.replaceAll('/', ' '))}: () => import('./commands/${name}.ts'),`).join('\n')}
}
export const run = (argv, program) => dispatch(argv, { ...program, root, commands })
`

const mainId = `${root}virtual-main.ts`

function virtualMain(): BuildPlugin {
  return {
    name: 'virtual-main',
    resolveId: (source) => (source === 'virtual:main' ? mainId : null),
    load: (id) => (id === mainId ? mainSource : null),
  }
}

function sources(...names: readonly string[]): string[] {
  return names.map((name) => `${root}src/${name}.ts`)
}

const common: InputOptions = {
  cwd: root,
  platform: 'node',
  // Optional tools of ink, oclif and ws that no user of this program has; a native module and a browser driver that are installed beside it.
  external: [
    'react-devtools-core',
    'typescript',
    'bufferutil',
    'utf-8-validate',
    '@lydell/node-pty',
    'playwright-core',
  ],
  preserveEntrySignatures: 'allow-extension',
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  // A module may be lazy for one command and part of another; the groups below decide about files.
  checks: { ineffectiveDynamicImport: false },
}

/** Commands that come to all of it. */
const callers: ReadonlySet<string> = new Set(['agent', 'gateway/run'])

/**
 * What every start needs; what commands about the config need on top of it; what answers about tools need on top of that, with
 * the lazy parts that a plain `tools effective` comes to; then the rarer look at what is wrong with a config, changing it, and what was said in a session;
 * then search, the schema library, the server, and a turn of an agent, each with what it comes to soon after its start.
 * Commands themselves stay out: their files are what the manifest points at.
 */
const start = groupByStart(
  {
    start: [mainId, ...sources('ui/dispatch', 'ui/base-command', 'ui/flags')],
    config: sources(
      'config/load',
      'config/validate',
      'config/json5',
      'config/write/lock',
      'ui/progress',
      'ui/gateway-flags',
      'calls/approvals/types',
    ),
    answer: sources(
      'runtime/case',
      'runtime/answers',
      'policy/lint',
      'ui/session-flags',
      'ui/open-case',
      'ui/render/effective',
      'ui/render/place',
    ),
    report: sources('config/report/report'),
    write: sources(
      'runtime/config-edit/operate',
      'runtime/config-edit/change',
      'runtime/config-edit/effects',
      'ui/render/config-write',
    ),
    history: sources(
      'runtime/sessions',
      'sessions/repair',
      'sessions/sqlite-transcript',
      'sessions/transcript',
      'telemetry/turn',
    ),
    search: sources('runtime/tool-search', 'tool-search/search'),
    schema: sources('plugins/config-check'),
    serve: sources('runtime/gateway/run', 'runtime/gateway/secret', 'gateway/http/openai'),
    turn: [
      fileURLToPath(import.meta.resolve('openai/client')),
      ...sources(
        'runtime/gateway/agent',
        'runtime/agent-run',
        'agent/providers/model',
        'agent/providers/secrets',
        'agent/providers/openai-responses',
      ),
    ],
  },
  {
    late: ['schema', 'serve', 'turn'],
    others: commandNames.filter((name) => !callers.has(name)).map((name) => `${root}commands/${name}.ts`),
  },
)

/** Bundles entries that share code with each other and with nothing else; returns the ids of all modules in them. */
async function bundle(input: Record<string, string>, plugins: BuildPlugin[] = []): Promise<string[]> {
  const build = await rolldown({ ...common, input, plugins })
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: start.codeSplitting,
  })
  await build.close()
  const files = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code]] : [])))
  for (const [name, code] of withoutPassing(files)) {
    await mkdir(dirname(`${next}/${name}`), { recursive: true })
    await writeFile(`${next}/${name}`, inAscii(code))
  }
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/** What authors of plugins import: one file that shares nothing with the program, and its types, those of its parts below `plugin/`. */
async function writeAuthoring(): Promise<void> {
  const source = 'src/plugins/authoring'
  await bundle({ plugin: `./${source}.ts` })
  const parts = globSync('*.ts', { cwd: root + source })
  await mkdir(`${next}/plugin`)
  await writeTypes(`${source}.ts`, 'plugin.d.ts')
  for (const part of parts) await writeTypes(`${source}/${part}`, `plugin/${part.replace(/\.ts$/, '.d.ts')}`)
}

/** Writes the types of one source, which imports others as they are called in the build. */
async function writeTypes(source: string, target: string): Promise<void> {
  const { code, errors } = await isolatedDeclaration(source, await readFile(root + source, 'utf8'), {})
  if (errors.length > 0) throw new Error(errors.map((error) => error.message).join('\n'))
  const text = code.replaceAll(
    /(from ["'])\.\/(?:authoring\/)?([\w-]+)\.ts(["'])/g,
    (_, from, name, quote) => {
      const folder = target.startsWith('plugin/') ? './' : './plugin/'
      return `${from}${folder}${name}.js${quote}`
    },
  )
  await writeFile(`${next}/${target}`, text)
}

/** The program of the thread that tries a plugin: one file, since a thread has no compile cache and would read the whole program. */
async function writePluginProbe(): Promise<void> {
  const build = await rolldown({
    ...common,
    input: './src/plugins/probe-entry.ts',
    plugins: [plainBuiltins()],
  })
  await build.write({ file: `${next}/plugin-probe.js`, format: 'esm', minify: true, codeSplitting: false })
  await build.close()
}

/** The program of a code child: one file, because a locked process reads no second one, and CommonJS, which starts faster. */
async function writeCodeChild(): Promise<void> {
  const build = await rolldown({ ...common, input: './src/tool-search/code/child/main.ts' })
  await build.write({
    file: `${next}/code-child.cjs`,
    format: 'cjs',
    strict: true,
    minify: true,
    codeSplitting: false,
  })
  await build.close()
}

/** What oclif needs to find commands and show help without loading them: its settings and its manifest. */
async function writeManifest(): Promise<void> {
  const { name, version, description } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  const settings = {
    name,
    version,
    description,
    type: 'module',
    // The program itself finds the authoring helpers by their public name.
    exports: { './plugin': './plugin.js' },
    files: ['*'],
    oclif: oclifSettings,
  }
  await writeFile(`${next}/package.json`, `${JSON.stringify(settings, null, 2)}\n`)
  const plugin = new Plugin({
    root: next,
    name,
    type: 'core',
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  })
  await plugin.load()
  await writeFile(`${next}/oclif.manifest.json`, JSON.stringify(plugin.manifest))
}

/** Replaces the old build by the new one; each is complete at every moment. */
async function swap(): Promise<void> {
  await rename(dist, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(next, dist)
  await rm(old, { recursive: true, force: true })
}

const commandEntries = commandNames.map((name) => [`commands/${name}`, `./commands/${name}.ts`])
const entries = { main: 'virtual:main', ...Object.fromEntries(commandEntries) }
try {
  await mkdir(next)
  const modules = await bundle(entries, [
    virtualMain(),
    lazyRequires(),
    leanSdks(),
    plainBuiltins(),
    start.plugin,
  ])
  await writeFile(`${next}/third-party-licenses.txt`, thirdPartyLicenses(modules))
  await writeAuthoring()
  await writePluginProbe()
  await writeCodeChild()
  await writeManifest()
  // Users of --json find the schemas of the results beside the program.
  await cp(`${root}src/ui/results/generated`, `${next}/schemas`, { recursive: true })
  await swap()
} finally {
  await rm(next, { recursive: true, force: true })
}
