import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newEntry } from '../../../../src/tools/exec-approvals/new-pattern.ts'
import { putProgram } from '../../../helpers/command-gate.ts'
import { tempDir } from '../../../helpers/run-cli.ts'

async function place() {
  const home = await tempDir({ 'bin/notes.txt': '' })
  const bin = join(home, 'bin')
  for (const name of ['tool', 'python3', 'bash', 'busybox', 'a*b']) putProgram(bin, name)
  symlinkSync(join(bin, 'tool'), join(bin, 'linked'))
  symlinkSync(join(bin, 'busybox'), join(bin, 'cat'))
  const entry = (text: string, more: { argPattern?: string; asWritten?: boolean } = {}) => {
    const { argPattern, asWritten = false } = more
    return newEntry({ text, argPattern, asWritten, cwd: home, path: bin, home })
  }
  return { home, bin, entry, pattern: (text: string) => entry(text).entry.pattern }
}

describe('what is kept', () => {
  test('is the real path of a program that is there, however it is named', async () => {
    const { bin, pattern } = await place()
    for (const text of ['tool', ' tool ', 'linked', 'bin/tool', './bin/linked', `${bin}/tool`, '~/bin/tool'])
      expect(pattern(text)).toBe(`${bin}/tool`)
  })

  test('is a pattern with wildcards as it stands, from the working directory on', async () => {
    const { home, pattern } = await place()
    for (const text of ['*', 'to?l', '~/bin/*', '/opt/**/x']) expect(pattern(text)).toBe(text)
    expect(pattern('bin/../tools/*')).toBe(`${home}/tools/*`)
  })

  test('is the text itself where that is wished', async () => {
    const { entry } = await place()
    expect(entry('tool', { asWritten: true }).entry).toEqual({ pattern: 'tool' })
    expect(entry('nosuch', { asWritten: true }).entry).toEqual({ pattern: 'nosuch' })
  })

  test('is the name where one file is many programs', async () => {
    expect((await place()).pattern('cat')).toBe('cat')
  })
})

describe('what could never fit is refused', () => {
  test.each([
    ['', 'empty'],
    ['x'.repeat(1_001), 'longer than'],
    ['a\u0007b', 'control characters'],
    ['nosuch', 'no program "nosuch" is on the PATH'],
    ['bin/nosuch', 'there is no program at bin/nosuch'],
    ['bin/notes.txt', 'there is no program at'],
    ['bin', 'no program "bin"'],
    ['~other/tool', 'only ~/ stands for'],
    ['bin/cat', 'many programs in one file'],
  ])('%j', async (text, message) => {
    const { entry } = await place()
    expect(() => entry(text)).toThrow(message)
  })

  test('an expression that is none, or too long', async () => {
    const { entry } = await place()
    expect(() => entry('tool', { argPattern: '(' })).toThrow('--arg-pattern')
    expect(() => entry('tool', { argPattern: 'x'.repeat(1_001) })).toThrow('longer than')
  })
})

describe('notes', () => {
  test.each([
    ['*', undefined, 'every program'],
    ['python3', undefined, 'whatever code'],
    ['bash', undefined, 'judged themselves'],
    ['tool', 'status', 'anywhere in the arguments'],
  ])('%s with %s', async (text, argPattern, note) => {
    const { entry } = await place()
    const { notes } = entry(text, argPattern === undefined ? {} : { argPattern })
    expect(notes).toEqual([expect.stringContaining(note)])
  })

  test('are not made of what is as it should be', async () => {
    const { entry } = await place()
    expect(entry('tool').notes).toEqual([])
    expect(entry('python3', { argPattern: '^--version$' }).notes).toEqual([])
  })
})
