import { realpathSync, writeFileSync } from 'node:fs'
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
