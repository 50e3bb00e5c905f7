import { lstatSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fitsArguments } from './arg-pattern.ts'
import { withoutVersion } from './carriers.ts'
import type { Executable } from './executable.ts'
import type { Arg } from './line.ts'
import { fitsGlob, isLiteralPath } from './path-glob.ts'
import type { AllowlistEntry } from './types.ts'

/** A program with the arguments that it would get. */
export interface ProgramCall {
  readonly executable: Executable
  readonly args: readonly Arg[]
}

/** Many programs in one file: its path says nothing about what it does. */
const multiCall = /^(?:busybox|toybox|coreutils)$/

/** Whether the file of a program does different things under different names. */
export function isMultiCall({ real }: Executable): boolean {
  return multiCall.test(withoutVersion(basename(real)))
}

/** The pattern that stands for a program and no other: its real path, or its name where one file is many programs; null where there is none. */
export function ownPattern(executable: Executable): string | null {
  if (isMultiCall(executable)) return executable.isBare ? basename(executable.found) : null
  return isLiteralPath(executable.real) ? executable.real : null
}

/**
 * The entry that allows a program with these arguments, one that names them before one that does not (policy facts §8); null for none.
 * `onlyExact` leaves out entries that do
 * not name arguments, but for `*`, which is for everything.
 */
export function entryFor(
  call: ProgramCall,
  entries: readonly AllowlistEntry[],
  home: string,
  onlyExact: boolean,
): AllowlistEntry | null {
  const fitting = entries.filter((entry) => fitsProgram(entry.pattern.trim(), call.executable, home))
  const exact = fitting.find(
    (entry) => typeof entry.argPattern === 'string' && fitsArguments(entry.argPattern, call.args),
  )
  if (exact !== undefined) return exact
  const open = fitting.filter(({ argPattern }) => typeof argPattern !== 'string')
  return open.find(({ pattern }) => !onlyExact || pattern.trim() === '*') ?? null
}

function fitsProgram(pattern: string, executable: Executable, home: string): boolean {
  if (pattern === '*') return true
  if (!/[\\/~]/.test(pattern)) return executable.isBare && fitsGlob(pattern, basename(executable.found))
  if (isMultiCall(executable)) return false
  const path = pattern === '~' || pattern.startsWith('~/') ? home + pattern.slice(1) : pattern
  return fitsGlob(
    process.platform === 'win32' ? path.replaceAll('\\', '/') : rooted(path),
    executable.real.replaceAll('\\', process.platform === 'win32' ? '/' : '\\'),
  )
}

/**
 * A path whose first directory is a link of the system, as /bin is to usr/bin, with where that leads. Links further down are not followed:
 * whoever can change one would change what an entry means.
 */
function rooted(path: string): string {
  const [, first = '', rest = ''] = /^\/([^/*?]+)(\/.*)$/.exec(path) ?? []
  if (first === '') return path
  try {
    return lstatSync(`/${first}`).isSymbolicLink() ? join('/', readlinkSync(`/${first}`)) + rest : path
  } catch {
    return path
  }
}
