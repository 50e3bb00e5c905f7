import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import { OpenClawError } from '../../../src/kernel/errors.ts'

const made: string[] = []

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true })
})

/** A new temporary directory with these files; removed after the test. */
export function home(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'openclaw-config-'))
  made.push(directory)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), content)
  }
  return directory
}

/** What a failing call says: exit code, code, message and hints, with the directory written as `<home>`. */
export async function failure(run: () => unknown, directory = ''): Promise<string> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    const hints = error.hints.map((hint) => `\n  try: ${hint}`).join('')
    const text = `${error.exitCode} ${error.code} ${error.message}${hints}`
    return directory === '' ? text : text.replaceAll(directory, '<home>')
  }
  return 'no failure'
}
