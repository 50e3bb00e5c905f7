import { globSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Plugin } from '@oclif/core/config'
import { rolldown, type InputOptions, type Plugin as BuildPlugin } from 'rolldown'
import { oclifSettings } from '../src/ui/oclif.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = `${root}dist`

const commandFiles = globSync('**/*.ts', { cwd: `${root}commands` }).toSorted()
const commandNames = commandFiles.map((file) => file.slice(0, -'.ts'.length).replaceAll('\\', '/'))

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

function virtualMain(): BuildPlugin {
  const id = `${root}virtual-main.ts`
  return {
    name: 'virtual-main',
    resolveId: (source) => (source === 'virtual:main' ? id : null),
    load: (source) => (source === id ? mainSource : null),
  }
}

const common: InputOptions = {
  cwd: root,
  platform: 'node',
  // Optional tools of ink and oclif that no user of this program has.
  external: ['react-devtools-core', 'typescript'],
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
}

async function bundle(input: Record<string, string>, plugins: BuildPlugin[]): Promise<void> {
  const build = await rolldown({ ...common, input, plugins })
  await build.write({
    dir: dist,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await build.close()
}

await rm(dist, { recursive: true, force: true })
await mkdir(dist)
await bundle(
  {
    main: 'virtual:main',
    ...Object.fromEntries(commandNames.map((name) => [`commands/${name}`, `./commands/${name}.ts`])),
  },
  [virtualMain()],
)

const { name, version, description } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
const settings = { name, version, description, type: 'module', files: ['*'], oclif: oclifSettings }
await writeFile(`${dist}/package.json`, `${JSON.stringify(settings, null, 2)}\n`)

const plugin = new Plugin({
  root: dist,
  name,
  type: 'core',
  ignoreManifest: true,
  errorOnManifestCreate: true,
  respectNoCacheDefault: true,
})
await plugin.load()
await writeFile(`${dist}/oclif.manifest.json`, JSON.stringify(plugin.manifest))
