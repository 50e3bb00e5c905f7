import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { browserSettings, findBrowser } from '../../../src/tools/browser/settings.ts'
import { findProgram } from '../../../src/tools/programs.ts'
import { tempDir } from '../../helpers/run-cli.ts'

function program(dir: string, name: string, mode = 0o755): string {
  const file = join(dir, name)
  writeFileSync(file, '#!/bin/sh\n')
  chmodSync(file, mode)
  return file
}

test('a program is found in the absolute directories of a PATH, in their order', async () => {
  const [first, second] = [await tempDir(), await tempDir()]
  program(second, 'tool')
  expect(findProgram('tool', `${first}:${second}`)).toBe(join(second, 'tool'))
  program(first, 'tool')
  expect(findProgram('tool', `${first}:${second}`)).toBe(join(first, 'tool'))
  expect(findProgram('other', `${first}:${second}`)).toBeNull()
  expect(findProgram('tool', undefined)).toBeNull()
})

test('what lies in the current directory is no program of the PATH, whatever entry leads there', async () => {
  const here = await tempDir()
  program(here, 'bwrap')
  program(here, 'chromium')
  const before = process.cwd()
  process.chdir(here)
  try {
    for (const path of ['', '.', ':', './', '::.', 'bin:.']) {
      expect(findProgram('bwrap', path)).toBeNull()
      expect(findBrowser(browserSettings({}), path)).toBeNull()
    }
    expect(findBrowser(browserSettings({ browser: { executablePath: 'chromium' } }), here)).toBeNull()
    expect(findBrowser(browserSettings({ browser: { executablePath: join(here, 'chromium') } }), '')).toBe(
      join(here, 'chromium'),
    )
  } finally {
    process.chdir(before)
  }
})

test('directories and files that cannot be run are no programs', async () => {
  const dir = await tempDir()
  mkdirSync(join(dir, 'bwrap'))
  program(dir, 'chromium', 0o644)
  expect(findProgram('bwrap', dir)).toBeNull()
  expect(findProgram('chromium', dir)).toBeNull()
})
