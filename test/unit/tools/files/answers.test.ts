import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ApprovalStore } from '../../../../src/calls/approvals/store.ts'
import type { Args } from '../../../../src/calls/types.ts'
import { openFileTools, openPatchTool } from '../../../../src/tools/files/file-tools.ts'
import { callTool, failure, familyOptions } from '../../../helpers/tool-family.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

async function opened(withFiles = true) {
  const options = await familyOptions({
    config: { tools: { exec: { applyPatch: { workspaceOnly: false } } } },
  })
  const { stateDir, workspace } = options
  const list = join(stateDir, 'exec-approvals.json')
  if (withFiles) {
    mkdirSync(join(stateDir, 'approvals'))
    writeFileSync(list, '{"version":1}')
  }
  const families = [openFileTools(options), openPatchTool(options)]
  const call = (name: string, args: Args) => {
    const family = families.find(({ tools }) => Object.hasOwn(tools, name))
    return callTool(family ?? { tools: {} }, name, args)
  }
  return { stateDir, workspace, list, call }
}

const refused = { code: 'TOOL_DENIED', data: { reason: 'approvals' } }
const patch = (...lines: readonly string[]): Args => ({
  input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
})
const edits = [{ oldText: '1', newText: '2' }]

test.each([
  ['written over', 'write', { path: '../exec-approvals.json', content: '{}' }],
  ['edited', 'edit', { path: '../exec-approvals.json', edits }],
  ['reached by a link', 'write', { path: 'link', content: '{}' }],
  ['reached by a link to its directory', 'write', { path: 'state/exec-approvals.json', content: '{}' }],
  ['reached by another name', 'edit', { path: 'hard', edits }],
  ['patched', 'apply_patch', patch('*** Update File: ../exec-approvals.json', '@@', '-{"version":1}', '+{}')],
  ['deleted', 'apply_patch', patch('*** Delete File: ../exec-approvals.json')],
  ['made beside others', 'write', { path: '../approvals/0a1b2c3d.answer.json', content: '{}' }],
  ['made in a folder', 'write', { path: '../approvals/a/b', content: '{}' }],
  [
    'moved there',
    'apply_patch',
    patch('*** Update File: a', '*** Move to: ../approvals/x', '@@', '-a', '+b'),
  ],
])('what people have answered is not %s', async (_, tool, args) => {
  const { stateDir, workspace, list, call } = await opened()
  symlinkSync(list, join(workspace, 'link'))
  symlinkSync(stateDir, join(workspace, 'state'))
  linkSync(list, join(workspace, 'hard'))
  writeFileSync(join(workspace, 'a'), 'a\n')
  expect(await failure(call(tool, args))).toMatchObject(refused)
  expect(readFileSync(list, 'utf8')).toBe('{"version":1}')
  expect(existsSync(join(stateDir, 'approvals/x'))).toBe(false)
})

test.each(['../exec-approvals.json', '../approvals/0a1b2c3d.answer.json', '../Exec-Approvals.json'])(
  'nor is %s made where there is none',
  async (path) => {
    const { stateDir, call } = await opened(false)
    expect(await failure(call('write', { path, content: '{}' }))).toMatchObject(refused)
    expect(existsSync(join(stateDir, path.slice(3)))).toBe(false)
  },
)

test('files that people keep elsewhere and link to are theirs, too', async () => {
  const { stateDir, call } = await opened(false)
  const dotfiles = await tempDir({ 'approvals.json': '{}', 'answers/x': '' })
  symlinkSync(join(dotfiles, 'approvals.json'), join(stateDir, 'exec-approvals.json'))
  symlinkSync(join(dotfiles, 'answers'), join(stateDir, 'approvals'))
  for (const name of ['approvals.json', 'answers/x', 'answers/y'])
    expect(await failure(call('write', { path: join(dotfiles, name), content: '{}' }))).toMatchObject(refused)
})

test('they can be read, and names like theirs elsewhere are free', async () => {
  const { stateDir, call } = await opened()
  expect(new ApprovalStore(stateDir, Date.now).list()).toEqual([])
  expect(await call('read', { path: '../exec-approvals.json' })).toMatchObject({ failed: false })
  for (const path of ['approvals/x', 'exec-approvals.json', '../notes.json'])
    expect(await call('write', { path, content: '{}' })).toMatchObject({ failed: false })
})
