import { mkdir, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { discoverPlugins, type DiscoverOptions } from '../../../src/plugins/discover.ts'
import { folderOf, kit, lines } from './plugin-homes.ts'

const manifest = (id: string, more: object = {}): object => ({
  id,
  configSchema: { type: 'object' },
  ...more,
})
const withTools = (id: string, more: object = {}): object =>
  manifest(id, { contracts: { tools: [`${id}_go`] }, ...more })

/** Discovers in a folder and lists each plugin with its origin, folder, code and what is wrong. */
async function found(
  folder: string,
  options: Partial<DiscoverOptions> & { paths?: string[] },
): Promise<string> {
  const { paths = [], ...rest } = options
  const { plugins, diagnostics } = await discoverPlugins({
    loadPaths: paths.map((path) => ({ path, location: null })),
    baseDir: folder,
    home: join(folder, 'home'),
    stateRoots: [],
    ...rest,
  })
  const near = (path: string | null): string => (path === null ? 'no code' : path.replace(`${folder}/`, ''))
  return [
    lines(diagnostics, folder),
    ...plugins.map((plugin) => {
      const { id, origin, entry, problem, shadowedBy } = plugin
      const state = shadowedBy !== null ? ' (shadowed)' : problem === null ? '' : ' (invalid)'
      return [
        `${id}${state}: ${origin}, ${near(plugin.folder)}, ${near(entry)}`,
        lines(plugin.diagnostics, folder).replaceAll(/^(?=.)/gm, '    '),
      ]
        .filter((line) => line !== '')
        .join('\n')
    }),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

test('load paths: a folder, its manifest, its code, a folder of plugins, relative to the config and to the home', async () => {
  const folder = await folderOf({
    'one/openclaw.plugin.json': manifest('one'),
    'one/index.js': '',
    'two/openclaw.plugin.json': manifest('two'),
    'two/index.mjs': '',
    'three/openclaw.plugin.json': manifest('three'),
    'three/other.ts': '',
    'three/index.js': '',
    'many/a/openclaw.plugin.json': manifest('a'),
    'many/b/openclaw.plugin.json': manifest('b'),
    'many/b/index.ts': '',
    'many/readme/notes.txt': '',
    'home/mine/openclaw.plugin.json': manifest('mine'),
  })
  const paths = ['./one', 'two/openclaw.plugin.json', 'three/other.ts', 'many', '~/mine', join(folder, 'one')]
  expect(await found(folder, { paths })).toMatchInlineSnapshot(`
    "one: load-path, one, one/index.js
    two: load-path, two, two/index.mjs
    three: load-path, three, three/other.ts
    a: load-path, many/a, no code
    b: load-path, many/b, many/b/index.ts
    mine: load-path, home/mine, no code"
  `)
})

test('load paths that are no plugin', async () => {
  const folder = await folderOf({
    'empty/x': '',
    'plain/openclaw.plugin.json': manifest('plain'),
    'plain/data.txt': '',
    'plain/types.d.ts': '',
    'lonely.js': '',
  })
  await symlink(join(folder, 'loop'), join(folder, 'loop'))
  const paths = ['none', 'empty', 'plain/data.txt', 'plain/types.d.ts', 'lonely.js', 'loop', '', 'a\u0000b']
  expect(await found(folder, { paths })).toMatchInlineSnapshot(`
    "error place none: plugins.load.paths: "none" does not exist
    error place empty: plugins.load.paths: "empty" has no openclaw.plugin.json
    error place plain/data.txt: plugins.load.paths: "plain/data.txt" is neither a plugin folder nor its manifest nor its code
    error place plain/types.d.ts: plugins.load.paths: "plain/types.d.ts" is neither a plugin folder nor its manifest nor its code
    error place lonely.js: plugins.load.paths: "lonely.js" has no openclaw.plugin.json beside it
    error place loop: plugins.load.paths: "loop" is a loop of symbolic links
    error place .: plugins.load.paths: "" is empty
    error place a\\0b: plugins.load.paths: "a\\\\u{0}b" is no path"
  `)
})

test('the state dir: a folder per plugin, by name; what is none there is told', async () => {
  const folder = await folderOf({
    'plugins/zeta/openclaw.plugin.json': manifest('zeta'),
    'plugins/alpha/openclaw.plugin.json': manifest('alpha'),
    'plugins/@acme/kit/openclaw.plugin.json': manifest('@acme/kit'),
    'plugins/.git/openclaw.plugin.json': manifest('git'),
    'plugins/node_modules/x/openclaw.plugin.json': manifest('x'),
    'plugins/nothing/index.js': '',
    'plugins/file.txt': '',
    'linked/openclaw.plugin.json': manifest('linked'),
  })
  await symlink(join(folder, 'linked'), join(folder, 'plugins/link'))
  await symlink(join(folder, 'gone'), join(folder, 'plugins/dead'))
  const roots = { stateRoots: [join(folder, 'plugins'), join(folder, 'extensions')] }
  expect(await found(folder, roots)).toMatchInlineSnapshot(`
    "warning place plugins/dead: <folder>/plugins/dead does not exist
    warning place plugins/nothing: <folder>/plugins/nothing has no openclaw.plugin.json; it is skipped
    error place extensions: <folder>/extensions does not exist
    @acme/kit: state-dir, plugins/@acme/kit, no code
    alpha: state-dir, plugins/alpha, no code
    linked: state-dir, linked, no code
    zeta: state-dir, plugins/zeta, no code"
  `)
})

test('one id: the first in order of precedence counts, and one plugin reached twice is one', async () => {
  const folder = await folderOf({
    'path/openclaw.plugin.json': manifest('same'),
    'state/one/openclaw.plugin.json': manifest('SAME'),
    'state/two/openclaw.plugin.json': manifest('other'),
    'bundled/three/openclaw.plugin.json': manifest('other'),
    'bundled/four/openclaw.plugin.json': manifest('four'),
  })
  await symlink(join(folder, 'path'), join(folder, 'state/again'))
  const options = {
    paths: ['path'],
    stateRoots: [join(folder, 'state')],
    bundledRoots: [join(folder, 'bundled')],
  }
  expect(await found(folder, options)).toMatchInlineSnapshot(`
    "same: load-path, path, no code
    SAME (shadowed): state-dir, state/one, no code
        warning duplicate state/one/openclaw.plugin.json: the id SAME belongs to the plugin in <folder>/path; this one does not count
    other: state-dir, state/two, no code
    four: bundled, bundled/four, no code
    other (shadowed): bundled, bundled/three, no code
        warning duplicate bundled/three/openclaw.plugin.json: the id other belongs to the plugin in <folder>/state/two; this one does not count"
  `)
})

test("a broken plugin has its folder's name and takes no id away", async () => {
  const folder = await folderOf({
    'a/kit/openclaw.plugin.json': '{ "id": ',
    'b/tools/openclaw.plugin.json': kit('kit_run'),
    'b/tools/index.js': '',
  })
  const stateRoots = [join(folder, 'a'), join(folder, 'b')]
  expect(await found(folder, { stateRoots })).toMatchInlineSnapshot(`
    "kit (shadowed): state-dir, a/kit, no code
        error manifest a/kit/openclaw.plugin.json:1:9: expected a value, found the end of the file; the { at 1:1 is not closed
        warning duplicate a/kit/openclaw.plugin.json: the id kit belongs to the plugin in <folder>/b/tools; this one does not count
    kit: state-dir, b/tools, b/tools/index.js"
  `)
})

test('where the code is', async () => {
  const folder = await folderOf({
    'entry/openclaw.plugin.json': withTools('entry', { entry: 'lib/go.mjs' }),
    'entry/lib/go.mjs': '',
    'entry/index.js': '',
    'package/openclaw.plugin.json': withTools('package'),
    'package/package.json': { main: './main.js', openclaw: { extensions: ['./ext.js', './more.js'] } },
    'package/ext.js': '',
    'package/main.js': '',
    'main/openclaw.plugin.json': withTools('main'),
    'main/package.json': { main: 'main.cjs', openclaw: { extensions: 'x' } },
    'main/main.cjs': '',
    'usual/openclaw.plugin.json': withTools('usual'),
    'usual/package.json': 'no JSON',
    'usual/index.ts': '',
    'none/openclaw.plugin.json': withTools('none'),
    'skills/openclaw.plugin.json': manifest('skills', { skills: ['skills', 'more'] }),
    'skills/skills/a/SKILL.md': '',
    'folder/openclaw.plugin.json': withTools('folder', { entry: './lib' }),
    'folder/lib/index.js': '',
    'text/openclaw.plugin.json': withTools('text', { entry: './readme.md' }),
    'text/readme.md': '',
    'missing/openclaw.plugin.json': withTools('missing', { entry: './dist/index.js' }),
    'missing/index.js': '',
  })
  expect(await found(folder, { stateRoots: [folder] })).toMatchInlineSnapshot(`
    "entry: state-dir, entry, entry/lib/go.mjs
    folder (invalid): state-dir, folder, no code
        error entry folder/openclaw.plugin.json: the code cannot be used: ./lib is no regular file
    main: state-dir, main, main/main.cjs
    missing (invalid): state-dir, missing, no code
        error entry missing/openclaw.plugin.json: the code cannot be used: ./dist/index.js does not exist
    none (invalid): state-dir, none, no code
        error entry none/openclaw.plugin.json: no code: neither entry in openclaw.plugin.json nor openclaw.extensions in package.json nor index.js
    package: state-dir, package, package/ext.js
        warning entry package/package.json: openclaw.extensions names 2 files; only ./ext.js is loaded
    skills: state-dir, skills, no code
        warning skill skills/openclaw.plugin.json: skills: more does not exist
    text (invalid): state-dir, text, no code
        error entry text/openclaw.plugin.json: the code cannot be used: ./readme.md is no JavaScript or TypeScript file
    usual: state-dir, usual, usual/index.ts"
  `)
})

test('nothing of a plugin may lie outside its folder, by path or by link', async () => {
  const folder = await folderOf({
    'evil/code.js': '',
    'evil/openclaw.plugin.json': manifest('evil'),
    'up/openclaw.plugin.json': withTools('up', { entry: '../evil/code.js', skills: ['..', '/etc'] }),
    'absolute/openclaw.plugin.json': withTools('absolute', { entry: '/etc/passwd' }),
    'package/openclaw.plugin.json': withTools('package'),
    'package/package.json': { openclaw: { extensions: ['../evil/code.js'] } },
    'link/openclaw.plugin.json': withTools('link'),
    'inside/openclaw.plugin.json': withTools('inside', { entry: 'here.js' }),
    'inside/lib/real.js': '',
    'dotted/openclaw.plugin.json': withTools('dotted', { entry: '..code.js' }),
    'dotted/..code.js': '',
  })
  await symlink(join(folder, 'evil/code.js'), join(folder, 'link/index.js'))
  await symlink('lib/real.js', join(folder, 'inside/here.js'))
  await mkdir(join(folder, 'borrowed'))
  await symlink(join(folder, 'evil/openclaw.plugin.json'), join(folder, 'borrowed/openclaw.plugin.json'))
  await rename(join(folder, 'evil'), join(folder, '.evil'))
  await symlink(join(folder, '.evil'), join(folder, 'evil'))
  expect(await found(folder, { stateRoots: [folder] })).toMatchInlineSnapshot(`
    "absolute (invalid): state-dir, absolute, no code
        error entry absolute/openclaw.plugin.json: the code cannot be used: /etc/passwd is outside the folder of the plugin
    borrowed (invalid): state-dir, borrowed, no code
        error manifest borrowed/openclaw.plugin.json: openclaw.plugin.json is a symbolic link out of the folder of the plugin
    dotted: state-dir, dotted, dotted/..code.js
    evil: state-dir, .evil, no code
    inside: state-dir, inside, inside/lib/real.js
    link (invalid): state-dir, link, no code
        error entry link/openclaw.plugin.json: the code cannot be used: index.js is a symbolic link out of the folder of the plugin
    package (invalid): state-dir, package, no code
        error entry package/package.json: the code cannot be used: ../evil/code.js is outside the folder of the plugin
    up (invalid): state-dir, up, no code
        error entry up/openclaw.plugin.json: the code cannot be used: ../evil/code.js is outside the folder of the plugin
        warning skill up/openclaw.plugin.json: skills: .. is outside the folder of the plugin
        warning skill up/openclaw.plugin.json: skills: /etc is outside the folder of the plugin"
  `)
})

test('the old name of a manifest', async () => {
  const folder = await folderOf({ 'old/plugin.json': kit('kit_run'), 'old/index.js': '' })
  expect(await found(folder, { stateRoots: [folder] })).toMatchInlineSnapshot(`
    "kit: state-dir, old, old/index.js
        warning manifest old/plugin.json: plugin.json is the old name of a manifest; call it openclaw.plugin.json"
  `)
})

test('nothing that is told carries what a terminal would obey or a reader would not see', async () => {
  const nasty = '\u001b[31mx\u202e\u0007\n'
  const texts = {
    name: nasty,
    description: nasty,
    version: nasty,
    [nasty]: 1,
    skills: [nasty, `../${nasty}`],
    tools: [nasty, { name: nasty }],
    contracts: { tools: [nasty, `${nasty}2`] },
    toolMetadata: {
      [nasty]: { [nasty]: 1, profiles: [nasty], risk: nasty, availability: { allOf: [] } },
      [`${nasty}3`]: nasty,
    },
  }
  const folder = await folderOf({
    'a/openclaw.plugin.json': manifest('a', { ...texts, entry: nasty }),
    'b/openclaw.plugin.json': manifest('b', texts),
    'b/package.json': { openclaw: { extensions: [`${nasty}.txt`, nasty] } },
    'c/openclaw.plugin.json': manifest(nasty),
    'd/openclaw.plugin.json': `{ "id": "d", ${JSON.stringify(nasty)} 1 }`,
    [`e${nasty.trim()}/openclaw.plugin.json`]: '',
    [`f${nasty.trim()}/index.js`]: '',
  })
  const { plugins, diagnostics } = await discoverPlugins({
    loadPaths: [nasty, '.'].map((path) => ({ path, location: null })),
    baseDir: folder,
    home: folder,
    stateRoots: [folder],
  })
  expect(plugins).toHaveLength(5)
  const told = [
    ...diagnostics.map(({ message }) => message),
    ...plugins.flatMap((plugin) => [
      plugin.id,
      ...plugin.diagnostics.flatMap(({ message, tool }) => [message, tool ?? '']),
      ...[plugin.manifest?.name, plugin.manifest?.version, plugin.manifest?.description].map(
        (text) => text ?? '',
      ),
    ]),
  ]
  expect(told.length).toBeGreaterThan(40)
  expect(told.filter((text) => /[\p{Cc}\u202e]/u.test(text))).toEqual([])
})
