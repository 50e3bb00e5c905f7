import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { runCli, runJson, tempDir } from '../helpers/run-cli.ts'

let home: string
let workspace: string
beforeEach(async () => {
  home = await tempDir({ '.openclaw/openclaw.json': '{}' })
  workspace = join(home, '.openclaw/workspace')
})

const call = (name: string, args: unknown, ...more: readonly string[]) =>
  runJson(['tools', 'call', name, '--args', JSON.stringify(args), ...more], { home })
const configure = (config: unknown): void =>
  writeFileSync(join(home, '.openclaw/openclaw.json'), JSON.stringify(config))

describe('file tools of the program', () => {
  test('write, read, edit and patch a file', async () => {
    expect(await call('write', { path: 'src/a.txt', content: 'one\ntwo\n' })).toMatchObject({
      code: 0,
      json: {
        tool: { id: 'openclaw:core:write', name: 'write', source: 'openclaw' },
        result: {
          content: [{ type: 'text', text: 'Created src/a.txt (8 bytes).' }],
          details: { path: join(workspace, 'src/a.txt'), created: true, bytes: 8 },
        },
      },
    })
    const read = await runCli(['tools', 'call', 'read', '--args', '{path:"src/a.txt"}'], { home })
    expect(read).toMatchObject({ code: 0, stdout: 'one\ntwo\n', stderr: '' })
    const edit = await call('edit', { path: 'src/a.txt', oldText: 'two', newText: '2' })
    expect(edit).toMatchObject({
      code: 0,
      json: { result: { details: { replaced: 1, diff: expect.stringContaining('-two\n+2\n') } } },
    })
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/a.txt',
      '*** Move to: b.txt',
      ' one',
      '-2',
      '+zwei',
      '*** Add File: c.txt',
      '+new',
      '*** End Patch',
    ]
    const patched = await runCli(
      ['tools', 'call', 'apply_patch', '--args', JSON.stringify({ input: patch.join('\n') })],
      { home },
    )
    expect(patched).toMatchObject({ code: 0, stdout: 'R src/a.txt -> b.txt\nA c.txt\n', stderr: '' })
    expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('one\nzwei\n')
    expect(readdirSync(workspace).toSorted()).toEqual(['b.txt', 'c.txt', 'src'])
    const list = await runCli(['tools', 'call', 'ls', '--edition', '2026.9'], { home })
    expect(list).toMatchObject({ code: 0, stdout: 'b.txt (9 bytes)\nc.txt (4 bytes)\nsrc/\n' })
  })

  test('says what is wrong, where, and the way out', async () => {
    mkdirSync(workspace, { recursive: true })
    writeFileSync(join(workspace, 'notes.md'), 'alpha beta\ngamma\n')
    const missing = await runCli(['tools', 'call', 'read', '--args', '{path:"note.md"}'], { home })
    expect(missing).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'error: note.md does not exist\ntry: notes.md\n',
    })
    const edit = await runCli(
      ['tools', 'call', 'edit', '--args', '{path:"notes.md",oldText:"alpha  beta",newText:"x"}'],
      { home },
    )
    expect(edit).toMatchObject({
      code: 1,
      stderr:
        'error: oldText is not in notes.md; nearest: line 1\ntry: line 1: white space is all that differs; copy it exactly\n',
    })
    const patch = { input: '*** Begin Patch\n*** Add File: x\nno plus\n*** End Patch' }
    expect(await call('apply_patch', patch)).toMatchObject({
      code: 1,
      json: { error: { code: 'INPUT_INVALID', data: { line: 3 } } },
    })
    const wrong = await call('edit', { path: 'notes.md', old_text: 'a' })
    expect(wrong).toMatchObject({ code: 1, json: { error: { code: 'INPUT_INVALID' } } })
    expect(JSON.stringify(wrong.json)).toContain('oldText')
    const pipe = await call('read', { path: '/dev/zero' })
    expect(pipe).toMatchObject({ code: 1, json: { error: { code: 'INPUT_INVALID' } } })
  })

  test('stays inside where it is told to, and says which key does that', async () => {
    configure({ tools: { fs: { workspaceOnly: true } } })
    mkdirSync(workspace, { recursive: true })
    symlinkSync('/etc', join(workspace, 'etc'))
    for (const path of ['/etc/hostname', 'etc/hostname', '../openclaw.json', '~/x']) {
      expect(await call('read', { path })).toMatchObject({
        code: 3,
        json: { error: { code: 'TOOL_DENIED', data: { key: 'tools.fs.workspaceOnly' } } },
      })
    }
    const denied = await runCli(['tools', 'call', 'write', '--args', '{path:"../x",content:""}'], { home })
    expect(denied).toMatchObject({
      code: 3,
      stdout: '',
      stderr: `error: ../x is outside the workspace ${workspace}\ntry: tools.fs.workspaceOnly keeps file tools inside; openclaw config set tools.fs.workspaceOnly false allows it\n`,
    })
  })

  test('describes what it takes', async () => {
    const { json } = await runJson(['tools', 'describe', 'edit'], { home })
    expect(json).toMatchObject({ parameters: { required: ['path'], additionalProperties: false } })
    expect(await call('ls', {})).toMatchObject({ code: 1, json: { error: { code: 'UNKNOWN_TOOL' } } })
  })
})
