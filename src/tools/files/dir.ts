import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  type BigIntStats,
} from 'node:fs'
import { join } from 'node:path'

/*
 * Node has no openat(2). On Linux `/proc/self/fd/N/name` is the same thing: the kernel starts at the directory that is open as
 * N, whatever its path has come to mean since. Elsewhere paths have to do, and what was opened is compared with what was looked at.
 */
const proc = '/proc/self/fd'
const hasProc = process.platform === 'linux' && existsSync(proc)
// Only the right to pass through a directory is needed, not the right to list it; nothing is opened that would notice.
const pathOnly = hasProc ? 0o10000000 : constants.O_RDONLY

/** Something was put in the place of what had just been looked at; whoever resolves the path starts anew. */
export class Swapped extends Error {}

/** Code of an error of the system; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** What makes a file the same file: device and number. */
export function idOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`
}

/** A directory that is held open: what is done in it stays in it, even when somebody moves it or puts a link in its place. */
export class Dir {
  /** Where it was when it was opened, without symbolic links. */
  readonly path: string
  readonly id: string
  readonly #fd: number

  private constructor(path: string, fd: number, id: string) {
    this.path = path
    this.#fd = fd
    this.id = id
  }

  /** The root of the file system. */
  static root(): Dir {
    return Dir.#open('/', '/')
  }

  static #open(path: string, place: string): Dir {
    const fd = openSync(place, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    return new Dir(path, fd, idOf(fstatSync(fd, { bigint: true })))
  }

  /** Opens a directory in this one; never through a symbolic link. Errors: of the system, Swapped. */
  child(name: string): Dir {
    const path = join(this.path, name)
    let found: Dir
    try {
      found = Dir.#open(path, this.at(name))
    } catch (error) {
      if (['ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '')) throw new Swapped(path, { cause: error })
      throw error
    }
    const now = hasProc ? null : this.stat(name)
    if (now === null || idOf(now) === found.id) return found
    found.close()
    throw new Swapped(path)
  }

  /** A path that means this entry of this very directory, for one call of the system. */
  at(name: string): string {
    return hasProc ? `${proc}/${this.#fd}/${name}` : join(this.path, name)
  }

  /** A path that means this very directory. */
  get here(): string {
    return hasProc ? `${proc}/${this.#fd}/.` : this.path
  }

  /** What an entry is, links not followed; null where there is none. */
  stat(name: string): BigIntStats | null {
    return lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false }) ?? null
  }

  /** Where a symbolic link points. Error: Swapped where it is one no more. */
  link(name: string): string {
    try {
      return readlinkSync(this.at(name))
    } catch (error) {
      if (['EINVAL', 'ENOENT'].includes(codeOf(error) ?? '')) throw new Swapped(join(this.path, name))
      throw error
    }
  }

  /** Makes renames in it outlast a power cut, where the system offers that. */
  sync(): void {
    try {
      const fd = openSync(this.here, constants.O_RDONLY | constants.O_DIRECTORY)
      try {
        fsyncSync(fd)
      } finally {
        closeSync(fd)
      }
    } catch {
      // Not every file system can; what was done is done.
    }
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/** Opens what an entry is without waking it: a device, pipe or socket is looked at and never opened. Errors: of the system. */
export function openQuietly(dir: Dir, name: string): { fd: number; stat: BigIntStats } {
  const flags = constants.O_NOFOLLOW | constants.O_NONBLOCK
  const fd = openSync(dir.at(name), pathOnly | flags)
  return { fd, stat: fstatSync(fd, { bigint: true }) }
}

/** Opens the very file that `openQuietly` found for reading. */
export function openToRead(fd: number, dir: Dir, name: string): number {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  return hasProc ? openSync(`${proc}/${fd}`, flags) : openSync(dir.at(name), flags | constants.O_NOFOLLOW)
}

/** A path that means an open file, for calls that take paths only; null where the system has none. */
export function pathOfOpen(fd: number): string | null {
  return hasProc ? `${proc}/${fd}` : null
}
