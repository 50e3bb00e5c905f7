import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { CommandPlace } from '../place.ts'
import { makeWorkspace } from '../workspace.ts'

/** The directory that a command runs in. Errors: INPUT_INVALID where it is none, may not be entered, or is out of reach in a sandbox; TOOL_FAILED where the workspace cannot be made. */
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
  if (directory === place.cwd && place.backend === 'host') {
    const problem = makeWorkspace(directory)
    if (problem !== null) throw problem
  }
  const problem = problemWith(directory, place)
  if (problem === null) return directory
  throw new OpenClawError('INPUT_INVALID', `workdir ${showName(directory, 400)} ${problem}`, {
    hints: ['give a directory that exists, or leave workdir out for the workspace'],
    data: { workdir: directory },
  })
}

/** Why no command can start in a directory; null where one can. */
function problemWith(directory: string, { roots }: CommandPlace): string | null {
  const found = look(directory)
  // Where a link leads out of the sandbox, nothing may tell what is there.
  const isInside = found !== undefined && (roots ?? []).some(({ dir }) => isWithin(found.real, dir))
  if (roots !== null && !isInside) return 'does not exist in the sandbox'
  if (found === undefined) return 'does not exist or cannot be read'
  if (!found.isDirectory) return 'is not a directory'
  return mayEnter(directory) ? null : 'may not be entered: permission denied'
}

function isWithin(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith(sep) ? dir : dir + sep)
}

function look(path: string): { readonly real: string; readonly isDirectory: boolean } | undefined {
  try {
    return { real: realpathSync(path), isDirectory: statSync(path).isDirectory() }
  } catch {
    return undefined
  }
}

function mayEnter(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK)
    return true
  } catch {
    return false
  }
}
