import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Args } from '../../../../src/calls/types.ts'
import { OpenClawError } from '../../../../src/kernel/errors.ts'
import { openFileTools, openPatchTool } from '../../../../src/tools/files/file-tools.ts'
import type { Place, Root } from '../../../../src/tools/place.ts'
import { callTool, failure, familyOptions } from '../../../helpers/tool-family.ts'

/** The tools of a session whose files are in a sandbox with these directories of one parent. */
async function sandboxed(rootsOf: (base: string) => readonly Root[], config: unknown = {}) {
  const host = await familyOptions({ config })
  const base = host.homeDir
  for (const dir of ['work', 'work/vendor', 'shared', 'private']) mkdirSync(join(base, dir))
  writeFileSync(join(base, 'shared/lib.ts'), 'lib\n')
  writeFileSync(join(base, 'work/vendor/v.ts'), 'v\n')
  writeFileSync(join(base, 'private/key'), 'secret\n')
  const place: Place = {
    kind: 'sandbox',
    backend: 'bubblewrap',
    cwd: join(base, 'work'),
    roots: rootsOf(base),
    wrap: (command) => command,
  }
  const commands = async (): Promise<never> => {
    throw new OpenClawError('TOOL_UNAVAILABLE', 'not asked for here')
  }
  const options = { ...host, places: { files: async () => place, commands } }
  const families = [openFileTools(options), openPatchTool(options)]
  const call = (name: string, args: Args) => {
    const family = families.find(({ tools }) => Object.hasOwn(tools, name))
    return callTool(family ?? { tools: {} }, name, args)
  }
  return { base, call }
}

const add = (path: string): Args => ({ input: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch` })

describe('in a sandbox', () => {
  const roots = (base: string): readonly Root[] => [
    { dir: join(base, 'work'), writable: true },
    { dir: join(base, 'work/vendor'), writable: false },
    { dir: join(base, 'shared'), writable: false },
  ]

  test('tools reach its directories and nothing else', async () => {
    const { base, call } = await sandboxed(roots)
    expect((await call('read', { path: `${base}/shared/lib.ts` })).content[0]).toEqual({
      type: 'text',
      text: 'lib\n',
    })
    await call('write', { path: 'new/file', content: 'x' })
    expect(readFileSync(join(base, 'work/new/file'), 'utf8')).toBe('x')
    symlinkSync(join(base, 'private'), join(base, 'work/link'))
    for (const path of [
      `${base}/private/key`,
      '../private/key',
      'link/key',
      '~/private/key',
      '/etc/hostname',
    ]) {
      expect(await failure(call('read', { path }))).toMatchObject({
        code: 'TOOL_DENIED',
        message: `${path} is outside of what this session’s sandbox can reach`,
        data: { reason: 'outside-sandbox' },
      })
      expect((await failure(call('apply_patch', add(path)))).code).toBe('TOOL_DENIED')
    }
  })

  test('what is mounted read-only is read and not changed, also within what may be written', async () => {
    const { base, call } = await sandboxed(roots)
    for (const path of [`${base}/shared/lib.ts`, 'vendor/v.ts', 'vendor/new/file', '../shared/new']) {
      const written = await failure(call('write', { path, content: 'x' }))
      expect(written).toMatchObject({
        code: 'TOOL_DENIED',
        message: expect.stringContaining('which the sandbox mounts read-only'),
        hints: [expect.stringContaining('agents.defaults.sandbox.workspaceAccess')],
        data: { reason: 'read-only' },
      })
    }
    expect((await failure(call('edit', { path: 'vendor/v.ts', oldText: 'v', newText: 'w' }))).code).toBe(
      'TOOL_DENIED',
    )
    const halved = `*** Begin Patch\n*** Add File: fits\n+x\n*** Delete File: vendor/v.ts\n*** End Patch`
    expect((await failure(call('apply_patch', { input: halved }))).code).toBe('TOOL_DENIED')
    expect(readdirSync(join(base, 'work'))).toEqual(['vendor'])
    expect((await call('ls', { path: 'vendor' })).details).toMatchObject({ total: 1 })
  })

  test('a patch stays in the workspace unless it is told that it need not', async () => {
    const both = (base: string): readonly Root[] => [
      { dir: join(base, 'work'), writable: true },
      { dir: join(base, 'shared'), writable: true },
    ]
    const kept = await sandboxed(both)
    expect(await failure(kept.call('apply_patch', add('../shared/new')))).toMatchObject({
      code: 'TOOL_DENIED',
      data: { key: 'tools.exec.applyPatch.workspaceOnly' },
    })
    await kept.call('write', { path: '../shared/new', content: 'x' })
    const free = await sandboxed(both, { tools: { exec: { applyPatch: { workspaceOnly: false } } } })
    await free.call('apply_patch', add('../shared/new'))
    expect(readFileSync(join(free.base, 'shared/new'), 'utf8')).toBe('x\n')
    expect((await failure(free.call('apply_patch', add('../private/new')))).code).toBe('TOOL_DENIED')
  })

  test('a read-only workspace stays so when only it is in reach', async () => {
    const config = { tools: { fs: { workspaceOnly: true } } }
    const { base, call } = await sandboxed((dir) => [{ dir, writable: false }], config)
    expect((await failure(call('write', { path: 'x', content: '' }))).data).toMatchObject({
      reason: 'read-only',
    })
    expect((await failure(call('read', { path: '../shared/lib.ts' }))).code).toBe('TOOL_DENIED')
    expect((await call('ls', {})).details).toMatchObject({ path: join(base, 'work') })
  })
})
