import { mkdirSync, statSync, type Stats } from 'node:fs'
import { resolve, sep } from 'node:path'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { CommandPlace } from '../place.ts'

/** The directory that a command runs in. Errors: INPUT_INVALID where it is none, or is out of reach in a sandbox. */
export function commandDirectory(place: CommandPlace, given: unknown, homeDir: string): string {
  const text = typeof given === 'string' && given.trim() !== '' ? given : '.'
  if (text.includes('\0')) throw new OpenClawError('INPUT_INVALID', 'workdir has a NUL character in it')
  const written = text === '~' || text.startsWith('~/') ? homeDir + text.slice(1) : text
  const directory = resolve(place.cwd, written)
  if (place.roots !== null && !place.roots.some(({ dir }) => isWithin(directory, dir))) {
    throw new OpenClawError('INPUT_INVALID', `workdir ${showName(directory, 400)} is not in the sandbox`, {
      hints: [`use a directory below ${place.cwd}`],
      data: { workdir: directory },
    })
  }
  // A workspace is made when it is first worked in.
  if (directory === place.cwd && place.backend === 'host') mkdirSync(directory, { recursive: true })
  const found = look(directory)
  if (found?.isDirectory() === true) return directory
  const problem = found === undefined ? 'does not exist or cannot be read' : 'is not a directory'
  throw new OpenClawError('INPUT_INVALID', `workdir ${showName(directory, 400)} ${problem}`, {
    hints: ['give a directory that exists, or leave workdir out for the workspace'],
    data: { workdir: directory },
  })
}

function isWithin(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith(sep) ? dir : dir + sep)
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
