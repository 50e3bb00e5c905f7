import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Args } from '../../src/calls/types.ts'
import { OpenClawError } from '../../src/kernel/errors.ts'
import { openFileTools, openPatchTool } from '../../src/tools/files/file-tools.ts'
import { callTool, familyOptions } from '../helpers/tool-family.ts'

const program = fileURLToPath(new URL('../helpers/file-program.ts', import.meta.url))
const secret = 'SECRET-7d1f'
const isFull = process.env['OPENCLAW_TEST_FULL'] === '1'

/** A workspace that is all the tools may reach, with a directory beside it that none of them may touch. */
async function house(config: unknown = { tools: { fs: { workspaceOnly: true } } }) {
  const options = await familyOptions({ config })
  const { workspace } = options
  const root = dirname(workspace)
  const outside = join(root, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.txt'), `${secret}\n`)
  // A name that starts as the workspace's does is not in it.
  mkdirSync(`${workspace}-other`)
  writeFileSync(`${workspace}-other/secret.txt`, `${secret}\n`)
  const families = [openFileTools(options), openPatchTool(options)]
  const call = async (name: string, args: Args): Promise<string> => {
    const family = families.find(({ tools }) => Object.hasOwn(tools, name))
    try {
      return JSON.stringify(await callTool(family ?? { tools: {} }, name, args))
    } catch (error) {
      if (!(error instanceof OpenClawError)) throw error
      const { code, message, hints, data } = error
      return JSON.stringify({ code, message, hints, data })
    }
  }
  const guarded = (): Record<string, string> =>
    Object.fromEntries(
      ['outside', 'workspace-other'].flatMap((dir) =>
        globSync(['**/*', '**/.*'], { cwd: join(root, dir) }).map((name): [string, string] => {
          const stat = statSync(join(root, dir, name))
          return [`${dir}/${name}`, stat.isFile() ? readFileSync(join(root, dir, name), 'utf8') : 'no file']
        }),
      ),
    )
  return { options, workspace, outside, root, call, guarded }
}

type House = Awaited<ReturnType<typeof house>>

/** Ways out that a path or something in the workspace could open; each gives paths that would lead to the secret, or to a new file outside. */
const ways: Record<string, (at: House) => readonly string[]> = {
  'an absolute path': ({ outside }) => [join(outside, 'secret.txt'), join(outside, 'new.txt')],
  dots: () => ['../outside/secret.txt', '../outside/new.txt'],
  'dots in the midst': ({ workspace }) => {
    mkdirSync(join(workspace, 'a/b'), { recursive: true })
    return ['a/b/../../../outside/secret.txt', './a/./../../outside/new.txt']
  },
  'dots behind what is not there': () => ['none/../../outside/secret.txt', 'none/../../outside/new.txt'],
  'dots at the root': ({ outside }) => [`/../../..${outside}/secret.txt`, `//${outside}//new.txt`],
  'a neighbour of the same beginning': ({ workspace }) => [
    `${workspace}-other/secret.txt`,
    `../workspace-other/new.txt`,
  ],
  home: () => ['~/.openclaw/outside/secret.txt', '~/.openclaw/outside/new.txt'],
  'a link to a file': ({ workspace, outside }) => {
    symlinkSync(join(outside, 'secret.txt'), join(workspace, 'file'))
    symlinkSync(join(outside, 'new.txt'), join(workspace, 'dangling'))
    return ['file', 'dangling']
  },
  'a link to a directory': ({ workspace, outside }) => {
    symlinkSync(outside, join(workspace, 'dir'))
    return ['dir/secret.txt', 'dir/new.txt', 'dir/new/deep.txt']
  },
  'a relative link': ({ workspace }) => {
    symlinkSync('../outside', join(workspace, 'dir'))
    return ['dir/secret.txt', 'dir/new.txt']
  },
  'a chain of links': ({ workspace }) => {
    symlinkSync('two', join(workspace, 'one'))
    symlinkSync('three', join(workspace, 'two'))
    symlinkSync('..', join(workspace, 'three'))
    return ['one/outside/secret.txt', 'one/outside/new.txt']
  },
  'a link to the root': ({ workspace, outside }) => {
    symlinkSync('/', join(workspace, 'root'))
    return [`root${outside}/secret.txt`, `root${outside}/new.txt`]
  },
  'a link and dots behind it': ({ workspace, outside }) => {
    mkdirSync(join(outside, 'sub'))
    symlinkSync(join(outside, 'sub'), join(workspace, 'sub'))
    return ['sub/../secret.txt', 'sub/../new.txt']
  },
  'a link through the kernel to the root': ({ outside }) => [
    `/proc/self/root${outside}/secret.txt`,
    `/proc/self/root${outside}/new.txt`,
  ],
  'a link through the kernel to a directory': ({ root }) => {
    const [own] = globSync('/proc/self/cwd')
    return [`${own ?? '/proc/self/cwd'}/../../..${root}/outside/secret.txt`, '/proc/self/cwd/new.txt']
  },
  'a link in the workspace to the kernel’s': ({ workspace, outside }) => {
    symlinkSync('/proc/self/root', join(workspace, 'kernel'))
    return [`kernel${outside}/secret.txt`, `kernel${outside}/new.txt`]
  },
  'file URLs and other spellings': ({ outside }) => [
    `file://${outside}/secret.txt`,
    `\\..\\outside\\secret.txt`,
  ],
  'dots in another script': () => [
    '．．/outside/secret.txt',
    '‥/outside/secret.txt',
    '%2e%2e/outside/secret.txt',
  ],
  'a zero byte': ({ outside }) => [`ok.txt\0/../../outside/secret.txt`, `${outside}/secret.txt\0.png`],
  'a line break': () => ['ok\n../../outside/secret.txt', '../outside/secret.txt\n'],
  'blanks around': ({ outside }) => [
    ` ${outside}/secret.txt`,
    `${outside}/secret.txt `,
    ' ../outside/secret.txt',
  ],
  'a slash at the end': ({ outside }) => [`${outside}/secret.txt/`, '../outside/secret.txt/.'],
  'very many dots': ({ outside }) => [`${'../'.repeat(100)}${outside}/secret.txt`],
  'an open directory of this process': ({ root }) => [
    ...Array.from({ length: 40 }, (_, fd) => `/proc/self/fd/${fd}/secret.txt`),
    `/dev/fd/3${root}/outside/secret.txt`,
  ],
  'a mount of the same workspace elsewhere': ({ workspace, outside }) => {
    symlinkSync(workspace, join(outside, 'back'))
    return ['../outside/back/../../secret.txt', `${outside}/back/../new.txt`]
  },
}

const attempts = (path: string): [string, Args][] => [
  ['read', { path }],
  ['write', { path, content: 'broken out' }],
  ['edit', { path, oldText: secret, newText: 'broken out' }],
  ['ls', { path: dirname(path) }],
  ['ls', { path }],
  ['apply_patch', { input: `*** Begin Patch\n*** Add File: ${path}\n+broken out\n*** End Patch` }],
  ['apply_patch', { input: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` }],
  [
    'apply_patch',
    { input: `*** Begin Patch\n*** Update File: ${path}\n-${secret}\n+broken out\n*** End Patch` },
  ],
  [
    'apply_patch',
    {
      input: `*** Begin Patch\n*** Update File: mine\n*** Move to: ${path}\n-mine\n+broken out\n*** End Patch`,
    },
  ],
  ['apply_patch', { input: `*** Begin Patch\n*** Update File: ${path}\n*** Move to: taken\n*** End Patch` }],
]

describe('no way leads out of the workspace', () => {
  test.each(Object.entries(ways))('%s', async (_, way) => {
    const at = await house()
    const paths = way(at)
    const before = at.guarded()
    for (const path of paths) {
      for (const [name, args] of attempts(path)) {
        writeFileSync(join(at.workspace, 'mine'), 'mine\n')
        const said = await at.call(name, args)
        expect({ path, name, said: said.includes(secret) }).toEqual({ path, name, said: false })
        expect({ path, name, guarded: at.guarded() }).toEqual({ path, name, guarded: before })
      }
    }
  })

  test('what is refused says which key would allow it, and nothing of what is there', async () => {
    const at = await house()
    const there = JSON.parse(await at.call('read', { path: '../outside/secret.txt' }))
    expect(there).toMatchObject({
      code: 'TOOL_DENIED',
      hints: [expect.stringContaining('openclaw config set tools.fs.workspaceOnly false')],
      data: { reason: 'outside-workspace', key: 'tools.fs.workspaceOnly' },
    })
    const path = '../outside/nothing.txt'
    const absent = JSON.parse(await at.call('read', { path }))
    expect(absent).toEqual({
      ...there,
      message: there.message.replace('secret', 'nothing'),
      data: { ...there.data, path },
    })
    const patch = '*** Begin Patch\n*** Add File: ../x\n+x\n*** End Patch'
    const open = await house({})
    expect(JSON.parse(await open.call('read', { path: '../outside/secret.txt' })).content[0].text).toContain(
      secret,
    )
    expect(JSON.parse(await open.call('apply_patch', { input: patch }))).toMatchObject({
      code: 'TOOL_DENIED',
      data: { key: 'tools.exec.applyPatch.workspaceOnly' },
    })
    const free = await house({ tools: { exec: { applyPatch: { workspaceOnly: false } } } })
    await free.call('apply_patch', { input: patch })
    expect(readFileSync(join(free.root, 'x'), 'utf8')).toBe('x\n')
    const both = { fs: { workspaceOnly: true }, exec: { applyPatch: { workspaceOnly: false } } }
    expect(await (await house({ tools: both })).call('apply_patch', { input: patch })).toContain(
      'TOOL_DENIED',
    )
  })

  test('an agent’s own word counts before the one for all', async () => {
    const agent = (workspaceOnly: boolean) => ({ list: [{ id: 'main', tools: { fs: { workspaceOnly } } }] })
    const strict = await house({ agents: agent(true) })
    expect(JSON.parse(await strict.call('read', { path: '../outside/secret.txt' }))).toMatchObject({
      code: 'TOOL_DENIED',
      data: { key: 'agents.list[0].tools.fs.workspaceOnly' },
    })
    const loose = await house({ tools: { fs: { workspaceOnly: true } }, agents: agent(false) })
    expect(await loose.call('read', { path: '../outside/secret.txt' })).toContain(secret)
  })

  test('links and dots that stay inside are no escape', async () => {
    const at = await house()
    mkdirSync(join(at.workspace, 'a/b'), { recursive: true })
    symlinkSync(join(at.workspace, 'a'), join(at.workspace, 'abs'))
    symlinkSync('a/b', join(at.workspace, 'rel'))
    expect(await at.call('write', { path: 'abs/b/../x', content: '1' })).toContain('Created')
    expect(await at.call('write', { path: `${at.workspace}/rel/../y`, content: '2' })).toContain('Created')
    expect(await at.call('ls', { path: '.' })).toContain('"total":3')
    expect(await at.call('ls', { path: `${at.workspace}/../workspace/a` })).toContain('"total":3')
    expect(await at.call('ls', { path: '..' })).toContain('TOOL_DENIED')
    renameSync(at.workspace, `${at.workspace}.real`)
    symlinkSync(`${at.workspace}.real`, at.workspace)
    expect(await at.call('read', { path: 'a/x' })).toContain('"text":"1"')
  })

  test('a second name of a file outside is read, noted, and never written to', async () => {
    const at = await house()
    linkSync(join(at.outside, 'secret.txt'), join(at.workspace, 'second'))
    expect(await at.call('read', { path: 'second' })).toContain('"hardLinks":2')
    const before = at.guarded()
    await at.call('edit', { path: 'second', oldText: secret, newText: 'x' })
    expect(readFileSync(join(at.workspace, 'second'), 'utf8')).toBe('x\n')
    expect(at.guarded()).toEqual(before)
  })
})

/** Runs the swapper in a directory until the test ends; resolves when it has begun. */
async function swapping(dir: string): Promise<void> {
  const child = spawn(process.execPath, [program, 'swap', dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  await once(child.stdout, 'data')
}

test(
  'a directory that is a link every other moment leads nowhere',
  { timeout: isFull ? 900_000 : 60_000 },
  async () => {
    const at = await house()
    mkdirSync(join(at.workspace, 'door'))
    writeFileSync(join(at.workspace, 'door/secret.txt'), 'harmless\n')
    const before = at.guarded()
    await swapping(at.root)
    const rounds = isFull ? 3_000 : 80
    const codes = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      const patch = `*** Begin Patch\n*** Add File: door/p${round}\n+x\n*** End Patch`
      const said = [
        await at.call('read', { path: 'door/secret.txt' }),
        await at.call('write', { path: `door/w${round}`, content: 'broken out' }),
        await at.call('write', { path: `door/new${round}/w`, content: 'broken out' }),
        await at.call('edit', { path: 'door/secret.txt', oldText: secret, newText: 'broken out' }),
        await at.call('ls', { path: 'door' }),
        ...(round % 10 === 0 ? [await at.call('apply_patch', { input: patch })] : []),
      ]
      for (const each of said) {
        expect(each).not.toContain(secret)
        const code = /"code":"([A-Z_]+)"/.exec(each)?.[1] ?? 'done'
        codes.set(code, (codes.get(code) ?? 0) + 1)
      }
    }
    expect(at.guarded()).toEqual(before)
    // Both the directory and the link were met, or nothing was tried.
    expect(codes.get('done') ?? 0).toBeGreaterThan(0)
    expect(codes.get('TOOL_DENIED') ?? 0).toBeGreaterThan(0)
    if (isFull) process.stdout.write(`${JSON.stringify(Object.fromEntries(codes))}\n`)
    expect(existsSync(join(at.outside, 'secret.txt'))).toBe(true)
  },
)
