import { closeSync, fstatSync, readSync, statfsSync, type BigIntStats } from 'node:fs'
import { showName } from '../../kernel/untrusted-text.ts'
import { codeOf, idOf, openQuietly, openToRead, pathOfOpen, Swapped, type Dir } from './dir.ts'
import { inputError, isDirectoryError, notFound } from './errors.ts'
import { wholeBytes } from './limits.ts'
import type { Spot } from './walk.ts'

/** A regular file that is open for reading; whoever asked closes `fd`. */
export interface OpenFile {
  readonly fd: number
  readonly stat: BigIntStats
}

/** File systems that are windows into the kernel: reading may block or tell secrets of processes, writing may do anything. */
const kernelWindows: Readonly<Record<string, string>> = {
  '9fa0': 'proc',
  '62656572': 'sysfs',
  '64626720': 'debugfs',
  '74726163': 'tracefs',
  '63677270': 'cgroup2',
  '27e0eb': 'cgroup',
  '73636673': 'securityfs',
  '6165676c': 'pstore',
  cafe4a11: 'bpf',
}

/** Opens the file at a spot without ever waking a device or waiting at a pipe. Errors: INPUT_INVALID for what is no regular file, Swapped. */
export function openFile(spot: Spot): OpenFile {
  const { dir, name, given } = spot
  if (name === null) throw isDirectoryError(given)
  if (spot.stat === null) throw notFound(given, dir, name, spot.path)
  return openEntry(dir, name, given)
}

/** The same for an entry of a directory that is known to be there. */
export function openEntry(dir: Dir, name: string, given: string): OpenFile {
  // Not every system can open something without waking it, so a look comes first.
  const seen = dir.stat(name)
  if (seen === null || seen.isSymbolicLink()) throw new Swapped(name)
  mustBeFile(seen, given)
  const quiet = orSwapped(name, () => openQuietly(dir, name))
  try {
    if (idOf(quiet.stat) !== idOf(seen)) throw new Swapped(name)
    mustBeStored(quiet.fd, given)
    const fd = orSwapped(name, () => openToRead(quiet.fd, dir, name))
    if (idOf(fstatSync(fd, { bigint: true })) === idOf(seen)) return { fd, stat: quiet.stat }
    closeSync(fd)
    throw new Swapped(name)
  } finally {
    closeSync(quiet.fd)
  }
}

function orSwapped<Value>(name: string, open: () => Value): Value {
  try {
    return open()
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(codeOf(error) ?? '')) throw new Swapped(name, { cause: error })
    throw error
  }
}

/** Refuses what is no regular file, by the name of what it is. Error: INPUT_INVALID. */
export function mustBeFile(stat: BigIntStats, given: string): void {
  if (stat.isFile()) return
  if (stat.isDirectory()) throw isDirectoryError(given)
  const kind = stat.isFIFO()
    ? 'a named pipe'
    : stat.isSocket()
      ? 'a socket'
      : stat.isCharacterDevice() || stat.isBlockDevice()
        ? 'a device'
        : 'no regular file'
  throw inputError(`${showName(given, 300)} is ${kind}; file tools open regular files only`, given)
}

/** Refuses files that the kernel makes up. Error: INPUT_INVALID. */
function mustBeStored(fd: number, given: string): void {
  const path = pathOfOpen(fd)
  if (path !== null) mustBeStoredAt(path, given)
}

/** Refuses a directory or file of the kernel's own by a path that means it now. Error: INPUT_INVALID. */
export function mustBeStoredAt(path: string, given: string): void {
  const kind = kernelWindows[BigInt.asUintN(32, statfsSync(path, { bigint: true }).type).toString(16)]
  if (kind === undefined) return
  throw inputError(
    `${showName(given, 300)} is no stored file but a window into the kernel (${kind})`,
    given,
    ['read it with exec, where that is allowed'],
  )
}

/** Everything in an open file; null for more than `limit` bytes, however the file grows meanwhile. */
export function readWhole({ fd, stat }: OpenFile, limit: number = wholeBytes): Buffer | null {
  if (stat.size > BigInt(limit)) return null
  const chunks: Buffer[] = []
  let size = Number(stat.size)
  for (let total = 0; ;) {
    // One byte more than it should hold, so that a file that has grown is noticed.
    const chunk = Buffer.allocUnsafe(Math.max(size - total, 0) + 1)
    const count = readSync(fd, chunk, 0, chunk.length, total)
    if (count === 0) return Buffer.concat(chunks, total)
    chunks.push(chunk.subarray(0, count))
    total += count
    if (total > limit) return null
    if (total >= size) size = total + 64 * 1024
  }
}
