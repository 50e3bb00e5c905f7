import { chmodSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandDirectory } from '../../../../src/tools/commands/workdir.ts'
import type { CommandPlace } from '../../../../src/tools/place.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

const sandbox = (cwd: string): CommandPlace => ({
  kind: 'sandbox',
  backend: 'bubblewrap',
  cwd,
  roots: [{ dir: cwd, writable: true }],
  elevated: 'off',
  wrap: (command) => command,
})

test('a command in a sandbox starts inside what the sandbox has', async () => {
  const cwd = realpathSync(await tempDir({ 'sub/file': '' }))
  const place = sandbox(cwd)
  expect(commandDirectory(place, undefined, '/home/u')).toBe(cwd)
  expect(commandDirectory(place, 'sub/../sub', '/home/u')).toBe(join(cwd, 'sub'))
  for (const outside of ['/', '..', `${cwd}-other`, '~', '/etc']) {
    expect(() => commandDirectory(place, outside, '/home/u')).toThrow('is not in the sandbox')
  }
})

test('no directory is made where none was asked for', async () => {
  const cwd = realpathSync(await tempDir())
  writeFileSync(join(cwd, 'file'), '')
  const place = sandbox(join(cwd, 'gone'))
  expect(() => commandDirectory(place, undefined, '/home/u')).toThrow('does not exist')
  expect(() => commandDirectory(sandbox(cwd), 'file', '/home/u')).toThrow('is not a directory')
})

test('a link out of a sandbox tells nothing of what is there', async () => {
  const cwd = realpathSync(await tempDir({ 'sub/file': '' }))
  const outside = realpathSync(await tempDir({ 'there/file': '' }))
  symlinkSync(outside, join(cwd, 'out'))
  symlinkSync(join(cwd, 'sub'), join(cwd, 'in'))
  expect(commandDirectory(sandbox(cwd), 'in', '/home/u')).toBe(join(cwd, 'in'))
  const told = ['out', 'out/there', 'out/there/file', 'out/gone', 'gone'].map((workdir) => {
    try {
      return commandDirectory(sandbox(cwd), workdir, '/home/u')
    } catch (error) {
      return error instanceof Error ? error.message.replace(/^workdir \S+/, '') : error
    }
  })
  expect(new Set(told)).toEqual(new Set([' does not exist in the sandbox']))
})

// Root enters every directory.
test.skipIf(process.geteuid?.() === 0)('a directory that may not be entered is said to be one', async () => {
  const cwd = realpathSync(await tempDir({ 'shut/file': '' }))
  chmodSync(join(cwd, 'shut'), 0o600)
  const place: CommandPlace = { ...sandbox(cwd), kind: 'host', backend: 'host', roots: null }
  expect(() => commandDirectory(place, 'shut', '/home/u')).toThrow('may not be entered: permission denied')
})
