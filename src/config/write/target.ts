import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeDirectory } from '../make-directory.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/sha256.ts'
import { writeError } from './write-error.ts'

/** A file to be written, behind its symbolic links, with what has to stay of it. */
export interface Target {
  /** The path as it is known to the user. */
  readonly file: string
  /** The file itself. */
  readonly real: string
  readonly mode: number
  readonly owner: { readonly uid: number; readonly gid: number } | null
}

/** SHA-256 of a text as it stands in a file; null for no file. */
export function hashOf(text: string | null): string | null {
  return text === null ? null : sha256(Buffer.from(text))
}

/** What a file holds now; null when there is none. */
export function currentBytes(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Whether a file holds just this text; null is no file. */
export function holds(file: string, text: string | null): boolean {
  const bytes = currentBytes(file)
  return bytes === null || text === null ? bytes === text : bytes.equals(Buffer.from(text))
}

/** Hash of what a file holds now; null when there is none. */
export function currentHash(file: string): string | null {
  const bytes = currentBytes(file)
  return bytes === null ? null : sha256(bytes)
}

/** Sixteen hexadecimal digits that no other process has drawn; nothing secret depends on them. */
export function randomId(): string {
  const part = (): string =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return part() + part()
}

/** The file behind a path. */
export function realFile(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

/** Looks at a file before it is written; CONFIG_READONLY when nobody may write it. */
export function openTarget(file: string): Target {
  const real = realFile(file)
  const stats = statSync(real, { throwIfNoEntry: false })
  if (stats === undefined) return { file, real, mode: 0o600, owner: null }
  // A rename would get past the mode, and root past everything; whoever took the bits away meant it.
  if ((stats.mode & 0o222) === 0) {
    throw new OpenClawError(
      'CONFIG_READONLY',
      `${file} is read-only (mode ${(stats.mode & 0o777).toString(8)})`,
      {
        hints: [`chmod u+w ${file}`],
        data: { file },
      },
    )
  }
  return { file, real, mode: stats.mode & 0o7777, owner: { uid: stats.uid, gid: stats.gid } }
}

/** Creates the directory of a file that does not exist yet, for its owner only. */
export function ensureDirectory(file: string): void {
  try {
    makeDirectory(dirname(file))
  } catch (error) {
    throw writeError(error, dirname(file), 'create')
  }
}

const suffix = '.tmp'
const prefixOf = (real: string): string => `.${basename(real)}.`

function leftovers(real: string): string[] {
  const directory = dirname(real)
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefixOf(real)) && /\.[0-9a-f]{16}\.tmp$/.test(name))
    .map((name) => join(directory, name))
}

/** Path of the file that is locked in the place of another. */
export function lockFile(real: string): string {
  return join(dirname(real), `.${basename(real)}.lock`)
}

/** Whether writers that were killed have left something beside a file, or somebody is writing it. */
export function hasLeftovers(real: string): boolean {
  return existsSync(lockFile(real)) || leftovers(real).length > 0
}

/** Removes what writers that were killed have left beside a file; only for the holder of its lock. */
export function sweep(real: string): void {
  for (const path of leftovers(real)) rmSync(path, { force: true })
}

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
}

/** Writes a text to a new file beside `place`, down to the disk, and returns its path. */
export function stage(text: string, place: string, { mode, owner }: Pick<Target, 'mode' | 'owner'>): string {
  const temporary = join(dirname(place), `${prefixOf(place)}${randomId()}${suffix}`)
  let fd: number | null = null
  try {
    fd = openSync(temporary, 'wx', 0o600)
    writeAll(fd, text)
    if (owner !== null) keepOwner(fd, owner)
    fchmodSync(fd, mode)
    fsyncSync(fd)
    closeSync(fd)
    return temporary
  } catch (error) {
    if (fd !== null) {
      try {
        closeSync(fd)
      } catch {
        // The first error is the one to tell about.
      }
    }
    discard(temporary)
    throw error
  }
}

function keepOwner(fd: number, { uid, gid }: NonNullable<Target['owner']>): void {
  try {
    fchownSync(fd, uid, gid)
  } catch {
    // Only root may give files away; for everybody else the file is their own anyway.
  }
}

/** Removes a staged file that is not needed. */
export function discard(temporary: string): void {
  rmSync(temporary, { force: true })
}

/** Puts a staged file in the place of another in one step; on failure the staged file is gone. */
export function putInPlace(temporary: string, place: string): void {
  try {
    renameSync(temporary, place)
  } catch (error) {
    discard(temporary)
    throw error
  }
}

/** Makes renames in a directory outlast a power cut, where the system offers that. */
export function syncDirectory(directory: string): void {
  try {
    const fd = openSync(directory, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch {
    // Not every file system can; the rename itself is done.
  }
}
