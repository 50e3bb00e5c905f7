import { realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { isProgram } from '../programs.ts'
import type { Scene } from './line.ts'

/** A program that a command would start. */
export interface Executable {
  /** Absolute path where it was found. */
  readonly found: string
  /** The same behind every symbolic link. */
  readonly real: string
  /** Whether it was named without a path and found on the PATH. */
  readonly isBare: boolean
}

/** Directories that only the owner of the machine fills. */
const systemDirectories = ['/bin', '/usr/bin', '/sbin', '/usr/sbin']

/** The program of a name as the shell or `execvp` would find it; null where there is none, or where that depends on what nobody knows. */
export function findExecutable(name: string, { cwd, path }: Pick<Scene, 'cwd' | 'path'>): Executable | null {
  if (name.includes('/')) {
    const named = pathAt(cwd, name)
    return named === null ? null : runnable(named, false)
  }
  for (const directory of path.split(delimiter)) {
    // An empty or relative entry makes the name mean whatever lies in the directory of the command.
    if (!isAbsolute(directory)) return null
    const found = runnable(join(directory, name), true)
    if (found !== null) return found
  }
  return null
}

/** A path as the system follows it from a directory: what `..` means after a link is up to where the link leads. Null where that is not known. */
function pathAt(cwd: string | null, path: string): string | null {
  if (!isAbsolute(path) && cwd === null) return null
  if (!path.split('/').includes('..')) return resolve(cwd ?? '/', path)
  const whole = isAbsolute(path) ? path : `${cwd}/${path}`
  const at = whole.lastIndexOf('/')
  const directory = realDirectory(whole.slice(0, at) || '/')
  const last = whole.slice(at + 1)
  return directory === null || last === '..' ? null : join(directory, last)
}

/** The directory that a path leads to from another one, on which shells and the system agree; null for none. */
export function directoryAt(cwd: string | null, path: string): string | null {
  if (!isAbsolute(path) && cwd === null) return null
  return realDirectory(isAbsolute(path) ? path : `${cwd}/${path}`)
}

function realDirectory(path: string): string | null {
  try {
    // The other kind of this function takes `..` for the text before it.
    return realpathSync.native(path)
  } catch {
    return null
  }
}

function runnable(found: string, isBare: boolean): Executable | null {
  if (!isProgram(found)) return null
  try {
    return { found, real: realpathSync(found), isBare }
  } catch {
    return null
  }
}

/** Whether a program comes from a directory of the system, or one of `more`, on every step from its name to its file. */
export function isSystems({ found, real }: Executable, more: readonly string[] = []): boolean {
  const directories = new Set([...systemDirectories, ...more])
  return directories.has(dirname(real)) && directories.has(dirname(found))
}

/** The names that a program may go by: as it was called, and as its file is called. */
export function namesOf({ found, real }: Executable): readonly string[] {
  return [...new Set([basename(found), basename(real)])]
}

/** What a path into a directory of the system would be, where nothing is there; null for any other. */
export function absentSystem(path: string): Executable | null {
  if (!systemDirectories.includes(dirname(path)) || resolve(path) !== path) return null
  return statSync(path, { throwIfNoEntry: false }) === undefined
    ? { found: path, real: path, isBare: false }
    : null
}
