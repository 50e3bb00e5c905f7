import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { coreToolSpec } from '../../../../src/catalog/core-tools/all.ts'
import type { ToolResult } from '../../../../src/calls/types.ts'
import { openCommandTools } from '../../../../src/tools/commands/open.ts'
import { compileSchema } from '../../../../src/calls/schema.ts'
import { openShell } from '../../../helpers/commands.ts'
import { failure, familyOptions } from '../../../helpers/tool-family.ts'

describe('a command', () => {
  test('is answered with what it wrote, in the order in which it wrote it', async () => {
    const { exec, options } = await openShell()
    const told = await exec('for i in 1 2 3; do echo out $i; echo err $i >&2; done')
    expect(told).toMatchObject({
      text: 'out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3',
      status: 'completed',
      exitCode: 0,
      signal: null,
      cwd: options.workspace,
    })
  })

  test.each([
    ['fails', 'echo no; exit 3', 'no\n\n(Command exited with code 3)', 'failed', 3, null],
    ['says nothing', 'true', '(no output)', 'completed', 0, null],
    ['ends itself', 'kill -9 $$', '(Command was ended by SIGKILL)', 'killed', null, 'SIGKILL'],
    [
      'begins with a dash',
      '-x 2>/dev/null',
      '(Command exited with code 127: command not found)',
      'failed',
      127,
      null,
    ],
    ['reads its input', 'cat; echo read', 'read', 'completed', 0, null],
    ['is no shell', 'if', null, 'failed', 2, null],
    ['is not there', 'no-such-program-x', null, 'failed', 127, null],
  ])('that %s has a result', async (_, command, text, status, exitCode, signal) => {
    const { exec } = await openShell()
    const told = await exec(command)
    expect(told).toMatchObject({ status, exitCode, signal, ...(text !== null && { text }) })
    expect(told.text).toContain(text ?? '/bin/bash: ')
  })

  test('has details as its schema says', async () => {
    const { exec } = await openShell()
    const compiled = await compileSchema(coreToolSpec('exec', '2026.9')?.outputSchema ?? {})
    if ('problem' in compiled) throw new Error(compiled.problem)
    const all = [
      await exec('echo a'),
      await exec('exit 1'),
      await exec('sleep 5', { timeout: 0.05 }),
      await exec('sleep 5', { background: true }),
      await exec('sleep 5 & echo a'),
    ]
    expect(all.map(({ details }) => [details.status, compiled.check(details).ok])).toEqual([
      ['completed', true],
      ['failed', true],
      ['timeout', true],
      ['running', true],
      ['completed', true],
    ])
  })

  test('runs where it is told, in the workspace first of all', async () => {
    const { exec, options } = await openShell()
    await exec('mkdir sub && touch file')
    expect((await exec('pwd', { workdir: 'sub' })).text).toBe(realpathSync(join(options.workspace, 'sub')))
    expect((await exec('pwd', { workdir: '~' })).text).toBe(realpathSync(options.homeDir))
    expect((await exec('pwd', { workdir: '/' })).text).toBe('/')
  })

  test('finds a workspace that nobody has made', async () => {
    const made = await familyOptions()
    const workspace = join(made.stateDir, 'later')
    const places = {
      ...made.places,
      commands: async () => ({ ...(await made.places.commands({})), cwd: workspace }),
    }
    const { exec } = await openShell({}, { places })
    expect((await exec('pwd')).text).toBe(realpathSync(workspace))
  })

  test.each([
    ['no command', '  ', {}, 'command is empty'],
    ['a NUL', 'echo \0', {}, 'NUL'],
    ['one that no system takes', `: ${'x'.repeat(200_000)}`, {}, 'longer than'],
    ['a directory that is not there', 'pwd', { workdir: 'nowhere' }, 'does not exist'],
    ['a file', 'pwd', { workdir: '/etc/passwd' }, 'is not a directory'],
    ['below a file', 'pwd', { workdir: '/etc/passwd/x' }, 'does not exist'],
    ['a directory with a NUL', 'pwd', { workdir: 'a\0b' }, 'NUL'],
    ['a directory without end', 'pwd', { workdir: 'x'.repeat(9_000) }, 'does not exist'],
    ['a loader', 'ls', { env: { LD_PRELOAD: '/x' } }, 'LD_PRELOAD'],
  ])('is refused with %s', async (_, command, more, why) => {
    const { exec } = await openShell()
    const { code, message } = await failure(exec(command, more))
    expect(code).toBe('INPUT_INVALID')
    expect(message).toContain(why)
  })

  test('does not see what this program was started with', async () => {
    const env = { PATH: process.env['PATH'], OPENAI_API_KEY: 'k-1', OPENCLAW_STATE_DIR: '/s', MY_OWN: 'x' }
    const { exec } = await openShell({ config: { env: { vars: { LEVEL: '7' } } } }, { env })
    const { text } = await exec('env', { env: { GIVEN: 'yes' } })
    expect(text).toContain('LEVEL=7')
    expect(text).toContain('GIVEN=yes')
    expect(text).toContain('OPENCLAW_SHELL=exec')
    expect(text).not.toMatch(/k-1|OPENCLAW_STATE_DIR|MY_OWN/)
  })

  test('finds programs of tools.exec.pathPrepend first', async () => {
    const { exec, options } = await openShell()
    writeFileSync(join(options.workspace, 'ls'), '#!/bin/sh\necho mine\n', { mode: 0o755 })
    const config = { tools: { exec: { pathPrepend: [options.workspace] } } }
    const other = await openShell({ config })
    expect((await other.exec('ls')).text).toBe('mine')
    expect((await exec('ls')).text).toBe('ls')
  })

  test('is ended when its time is over, as the call or the config says', async () => {
    const { exec } = await openShell()
    const told = await exec('echo begun; sleep 30', { timeout: 1 })
    expect(told).toMatchObject({ status: 'timeout', exitCode: null, signal: 'SIGTERM' })
    expect(told.text).toMatch(/^begun\n\n\(Command timed out after [\d.]+ s and was ended\)$/)
    const short = await openShell({ config: { tools: { exec: { timeoutSec: 0.2 } } } })
    expect((await short.exec('sleep 30')).status).toBe('timeout')
  })

  test('names the file with everything where that is more than it shows', async () => {
    const { exec, options } = await openShell()
    const { text, details } = await exec('seq 1 100000')
    const file = details.spillFile ?? ''
    expect(file.startsWith(join(options.stateDir, 'exec-output'))).toBe(true)
    expect(readFileSync(file, 'utf8').split('\n').length).toBe(100_001)
    expect(text.startsWith(`[the last 204800 of 588895 bytes. All of it is in ${file}]`)).toBe(true)
    expect(text).toMatch(/\]\n\n\d{5}\n/)
    expect(text.endsWith('99999\n100000')).toBe(true)
    expect(details).toMatchObject({ truncated: true, outputBytes: 588_895 })
  })

  test('shows all of what is not that much, and names a file for models that are shown less', async () => {
    const { exec } = await openShell()
    const { text, details } = await exec('seq 1 5000; exit 2')
    const file = details.spillFile ?? ''
    expect(text.startsWith('1\n2\n')).toBe(true)
    expect(text.endsWith(`\n5000\n\n(All of it is in ${file})\n\n(Command exited with code 2)`)).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(text.slice(0, text.indexOf('\n\n(All')) + '\n')
    expect(details.truncated).toBe(false)
  })

  test('shows no bytes that are no text', async () => {
    const { exec } = await openShell()
    const { text, details } = await exec('head -c 5000 /dev/urandom')
    expect(text).toBe(`[binary output, 5000 bytes. All of it is in ${details.spillFile}]`)
    expect(readFileSync(details.spillFile ?? '').length).toBe(5_000)
  })

  test('tells what it writes while it runs', async () => {
    const options = await familyOptions({}, { env: { PATH: process.env['PATH'] } })
    const family = openCommandTools(options)
    const updates: ToolResult[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const onUpdate = (partial: ToolResult): void => {
      updates.push(partial)
      resolve()
    }
    const flag = join(options.workspace, 'go')
    const command = `echo first; until [ -e ${flag} ]; do sleep 0.05; done; echo last`
    const { signal } = new AbortController()
    const call = family.tools['exec']?.run({ command }, { callId: 'c', signal, onUpdate })
    await promise
    writeFileSync(flag, '')
    await call
    await family.close?.()
    expect(updates[0]).toMatchObject({
      content: [{ type: 'text', text: 'first\n' }],
      details: { status: 'running' },
    })
  })

  test('runs in a terminal where it needs one', async () => {
    const { exec } = await openShell()
    expect((await exec('tty >/dev/null && echo yes; stty size; exit 5', { pty: true })).text).toBe(
      'yes\n30 120\n\n(Command exited with code 5)',
    )
    expect((await exec('tty')).text).toContain('not a tty')
  })
})

describe('whether it may run', () => {
  const denied = { config: { tools: { exec: { security: 'deny' } } } }

  test('is asked of the gate, which has reasons', async () => {
    const { exec, options } = await openShell(denied)
    const { code, data, hints } = await failure(exec('touch made'))
    expect({ code, data }).toMatchObject({ code: 'TOOL_DENIED', data: { tool: 'exec', layer: 'config' } })
    expect(hints.length).toBeGreaterThan(0)
    expect(existsSync(join(options.workspace, 'made'))).toBe(false)
  })

  test('a call can only be stricter', async () => {
    const { exec } = await openShell()
    expect((await failure(exec('true', { security: 'deny' }))).code).toBe('TOOL_DENIED')
    const { exec: other } = await openShell(denied)
    expect((await failure(other('true', { security: 'full' }))).code).toBe('TOOL_DENIED')
  })

  test('needs an answer where the config asks, to these very arguments', async () => {
    const options = await familyOptions(
      { config: { tools: { exec: { ask: 'always' } } } },
      { env: { PATH: process.env['PATH'] } },
    )
    const family = openCommandTools(options)
    const tool = family.tools['exec']
    const args = { command: 'echo asked' }
    const running = { callId: 'c', signal: new AbortController().signal, onUpdate: () => {} }
    if (tool === undefined) throw new Error('no exec')
    expect((await failure(tool.run(args, running))).code).toBe('TOOL_DENIED')
    expect(await tool.approval?.(args)).toMatchObject({ title: expect.any(String) })
    expect((await tool.run(args, running)).result).toMatchObject({ content: [{ text: 'asked' }] })
    expect((await failure(tool.run({ ...args }, running))).code).toBe('TOOL_DENIED')
    await family.close?.()
  })

  test('never on this machine where a node or a sandbox was asked for and is not there', async () => {
    const { exec } = await openShell()
    expect((await failure(exec('true', { host: 'node' }))).code).toMatch(/TOOL_(?:UNAVAILABLE|DENIED)/)
  })
})
