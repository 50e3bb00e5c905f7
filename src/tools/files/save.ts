import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
  type BigIntStats,
} from 'node:fs'
import { join } from 'node:path'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { codeOf, idOf, type Dir } from './dir.ts'
import type { Spot } from './walk.ts'

/** What stays of a file when its content is replaced. */
export type Kept = Pick<BigIntStats, 'mode' | 'uid' | 'gid'>

/** Name of a new file beside others that is not theirs and can be told as ours. */
export function besideName(name: string, kind: 'new' | 'old'): string {
  return `.${name.slice(0, 100)}.${randomBytes(8).toString('hex')}.openclaw-${kind}`
}

/** Writes bytes to a new file in a directory, down to the disk; returns its identity. Whatever goes wrong, nothing is left of it. */
export function stage(dir: Dir, name: string, bytes: Buffer, kept: Kept | null): string {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants
  // Nobody may look into it before it has the rights that the old file had.
  const fd = openSync(dir.at(name), O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, kept === null ? 0o666 : 0o600)
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
    if (kept !== null) {
      keepOwner(fd, kept)
      // As with any write, new bytes do not run as somebody else.
      fchmodSync(fd, Number(kept.mode & 0o777n))
    }
    fsyncSync(fd)
    return idOf(fstatSync(fd, { bigint: true }))
  } catch (error) {
    discard(dir, name)
    throw error
  } finally {
    closeSync(fd)
  }
}

function keepOwner(fd: number, { uid, gid }: Kept): void {
  try {
    fchownSync(fd, Number(uid), Number(gid))
  } catch {
    // Only root may give files away; for everybody else the file is their own anyway.
  }
}

/** Removes an entry that may be gone already. */
export function discard(dir: Dir, name: string): void {
  try {
    unlinkSync(dir.at(name))
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** Makes the directories that a spot lacks, each in the one before; the last of them is open, and closed by whoever asked. */
export function makeDirs(dir: Dir, missing: readonly string[]): Dir {
  let open = dir
  for (const name of missing) {
    try {
      mkdirSync(open.at(name))
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const next = open.child(name)
    if (open !== dir) open.close()
    open = next
  }
  return open
}

/** Whether a file is still as it was when it was read. */
export function isSame(now: BigIntStats | null, then: BigIntStats | null): boolean {
  if (now === null || then === null) return now === then
  return idOf(now) === idOf(then) && now.size === then.size && now.mtimeNs === then.mtimeNs
}

/** Refuses to change a file that nobody may write: a rename would get past its mode, and root past everything. Error: TOOL_FAILED. */
export function mustBeWritable(stat: BigIntStats, given: string): void {
  if ((stat.mode & 0o222n) !== 0n) return
  const path = showName(given, 300)
  throw new OpenClawError('TOOL_FAILED', `${path} is read-only (mode ${(stat.mode & 0o777n).toString(8)})`, {
    hints: [`chmod u+w ${path}, if it should change`],
    data: { path: given },
  })
}

/** The error for a file that somebody else changed between a look and a write. */
export function changedMeanwhile(given: string): OpenClawError {
  return new OpenClawError(
    'TOOL_FAILED',
    `${showName(given, 300)} was changed by somebody else meanwhile; nothing was written`,
    {
      hints: ['read it again, then repeat the change'],
      data: { path: given },
    },
  )
}

/**
 * Replaces the file at a spot in one step, or creates it with the directories it lacks: whoever looks sees the old bytes or the new ones.
 * Mode and owner stay, but for the bits that lend rights. Errors: TOOL_FAILED where it was changed since `then`, Swapped, and those of the system.
 */
export function save(spot: Spot, name: string, bytes: Buffer, then: BigIntStats | null): void {
  const dir = makeDirs(spot.dir, spot.missing)
  try {
    const staged = besideName(name, 'new')
    stage(dir, staged, bytes, then)
    try {
      if (!isSame(dir.stat(name), then)) throw changedMeanwhile(spot.given)
      renameSync(dir.at(staged), dir.at(name))
    } catch (error) {
      discard(dir, staged)
      throw error
    }
    dir.sync()
  } finally {
    if (dir !== spot.dir) dir.close()
  }
}

/** Where directories that are to be made would be, outermost first. */
export function pathsOf(dir: Dir, missing: readonly string[]): string[] {
  return missing.map((_, at) => join(dir.path, ...missing.slice(0, at + 1)))
}
