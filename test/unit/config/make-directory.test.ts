import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory } from '../../../src/config/make-directory.ts'
import { tempDir } from '../../helpers/run-cli.ts'

const codeOf = (work: () => void): unknown => {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

test('makes what is missing for its owner alone, and leaves what is there as it is', async () => {
  const root = await tempDir()
  mkdirSync(join(root, 'a'), { mode: 0o755 })
  makeDirectory(join(root, 'a', 'b', 'c'))
  makeDirectory(join(root, 'a', 'b', 'c'))
  expect(['a', 'a/b', 'a/b/c'].map((path) => statSync(join(root, path)).mode & 0o777)).toEqual([
    0o755, 0o700, 0o700,
  ])
  expect(() => makeDirectory('/')).not.toThrow()
})

test('goes through a link to a directory, and not over a file or a link that leads nowhere', async () => {
  const root = await tempDir()
  mkdirSync(join(root, 'real'))
  symlinkSync('real', join(root, 'link'))
  symlinkSync('gone', join(root, 'dangling'))
  writeFileSync(join(root, 'file'), '')
  makeDirectory(join(root, 'link', 'x'))
  expect(existsSync(join(root, 'real', 'x'))).toBe(true)
  expect(codeOf(() => makeDirectory(join(root, 'file')))).toBe('EEXIST')
  expect(codeOf(() => makeDirectory(join(root, 'file', 'x', 'y')))).toBe('ENOTDIR')
  expect(codeOf(() => makeDirectory(join(root, 'dangling', 'x')))).toBe('ENOENT')
  expect(existsSync(join(root, 'gone'))).toBe(false)
})

test.skipIf(process.platform !== 'linux')(
  'ends with an error where a file system takes no directories',
  () => {
    for (const path of ['/proc/x', '/proc/x/y/z', '/proc/self/fd/x'])
      expect(codeOf(() => makeDirectory(path))).toBe('ENOENT')
  },
)

test.skipIf(process.platform !== 'linux')(
  'says what the system says of a place where nobody may make any',
  () => {
    for (const path of ['/sys/x', '/sys/x/y']) {
      const code = codeOf(() => makeDirectory(path))
      // Owners, containers and read-only mounts have a word each.
      expect(['EACCES', 'EPERM', 'EROFS']).toContain(code)
    }
  },
)
