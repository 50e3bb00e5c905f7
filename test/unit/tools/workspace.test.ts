import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCommandTools } from '../../../src/tools/commands/open.ts'
import { openFileTools, openPatchTool } from '../../../src/tools/files/file-tools.ts'
import { ensureDirectory } from '../../../src/tools/sandbox/protect.ts'
import type { CodingToolOptions } from '../../../src/tools/options.ts'
import { makeWorkspace } from '../../../src/tools/workspace.ts'
import { callTool, failure, familyOptions } from '../../helpers/tool-family.ts'
import { tempDir } from '../../helpers/run-cli.ts'

async function withFileAsWorkspace(config: unknown = {}): Promise<CodingToolOptions> {
  const options = await familyOptions({ config })
  rmSync(options.workspace, { recursive: true })
  writeFileSync(options.workspace, 'no directory\n')
  return options
}

test('a workspace is made when it is first worked in, for its owner alone', async () => {
  const options = await familyOptions({}, { env: { PATH: process.env['PATH'] } })
  rmSync(options.workspace, { recursive: true })
  const { result } = await openAndRun(options, 'pwd')
  expect(result.content[0]).toMatchObject({ text: options.workspace })
  expect(statSync(options.workspace).mode & 0o777).toBe(0o700)
})

async function openAndRun(options: CodingToolOptions, command: string) {
  const family = openCommandTools(options)
  const result = await callTool(family, 'exec', { command }).finally(() => family.close?.())
  return { result }
}

test('a file in its place is said to be one, by every tool that needs the workspace', async () => {
  const options = await withFileAsWorkspace()
  const said = `the workspace ${options.workspace} cannot be made: there is a file in its place`
  const patch = { input: '*** Begin Patch\n*** Add File: q\n+x\n*** End Patch' }
  const failures = [
    await failure(openAndRun(options, 'pwd')),
    await failure(callTool(openPatchTool(options), 'apply_patch', patch)),
  ]
  for (const error of failures) {
    expect(error).toMatchObject({ code: 'TOOL_FAILED', message: said })
    expect(error.hints).toEqual(['name another directory: openclaw config set agents.defaults.workspace DIR'])
  }
  expect(() => ensureDirectory(options.workspace)).toThrow(said)
  expect(() => ensureDirectory(join(options.workspace, 'sub'))).toThrow('there is a file in its place')
})

test('what is elsewhere can be read without a workspace, unless tools have to stay in it', async () => {
  const other = join(await tempDir({ note: 'hello\n' }), 'note')
  const free = await withFileAsWorkspace()
  expect(await callTool(openFileTools(free), 'read', { path: other })).toMatchObject({
    content: [{ text: 'hello\n' }],
  })
  const kept = await withFileAsWorkspace({ tools: { fs: { workspaceOnly: true } } })
  expect(await failure(callTool(openFileTools(kept), 'read', { path: other }))).toMatchObject({
    code: 'TOOL_FAILED',
  })
})

test('what else stands in the way is said', async () => {
  const base = await tempDir()
  symlinkSync(join(base, 'gone'), join(base, 'link'))
  const dir = join(base, 'link/ws')
  expect(makeWorkspace(dir)?.message).toBe(
    `the workspace ${dir} cannot be made: a link on the way leads nowhere`,
  )
  expect(makeWorkspace(join(base, 'x'.repeat(300)))).toMatchObject({ code: 'TOOL_FAILED' })
})
