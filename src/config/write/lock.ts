import { closeSync, fstatSync, openSync, statSync, unlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseSync } from 'node:sqlite'
import { OpenClawError } from '../../kernel/errors.ts'
import { lockFile } from './target.ts'
import { writeError } from './write-error.ts'

/*
 * The lock is the operating system's own, taken through SQLite, which Node brings along: it ends with the process that holds
 * it, so kill -9 leaves nothing to be judged stale, a stopped or slow holder keeps it, and no clock is asked. Lock files that
 * are told stale by their age have all three faults; two waiters that both find one stale can even both remove it.
 */

export interface LockOptions {
  readonly signal?: AbortSignal | undefined
  /** How long to wait for other writers, in milliseconds. */
  readonly limitMs?: number
  /** Told once when it takes long enough for somebody to wonder. */
  readonly onWait?: (() => void) | undefined
  /** What is as it was where no lock can be taken, in words; else the file. */
  readonly unchanged?: string
}

const defaultLimitMs = 120_000
const noticeableMs = 500
const busy = 5

/** Milliseconds of a clock that nobody sets; `node:perf_hooks` would cost two more of them. */
function monotonicMs(): number {
  return process.uptime() * 1000
}

interface Identity {
  readonly ino: bigint
  readonly birthtimeNs: bigint
}

function touch(path: string): Identity {
  const fd = openSync(path, 'a', 0o600)
  try {
    return fstatSync(fd, { bigint: true })
  } finally {
    closeSync(fd)
  }
}

/** Whether the path still names the file that was locked; the holder before may have removed it while we waited. */
function isStill(path: string, { ino, birthtimeNs }: Identity): boolean {
  const now = statSync(path, { bigint: true, throwIfNoEntry: false })
  return now?.ino === ino && now.birthtimeNs === birthtimeNs
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busy
}

/** A lock file that is open, not necessarily locked. */
interface Candidate {
  readonly database: DatabaseSync
  readonly identity: Identity
}

function openCandidate(path: string, Database: typeof DatabaseSync): Candidate {
  const identity = touch(path)
  return { identity, database: new Database(path, { timeout: 0 }) }
}

/** Tries to lock; false means that somebody else holds it, or that the file is no longer the one at the path. */
function tryLock(path: string, { database, identity }: Candidate): boolean {
  try {
    // Nothing is ever stored in the file, so SQLite has no need of a journal beside it.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return isStill(path, identity)
  } catch (error) {
    if (isBusy(error) || !isStill(path, identity)) return false
    throw error
  }
}

/** The longer somebody has waited, the more often he asks, so that late comers do not pass him for ever. */
function pauseAfter(waitedMs: number): number {
  const steady = waitedMs < 50 ? 5 : waitedMs < 1500 ? 45 : waitedMs < 5000 ? 25 : 12
  // Random, so that waiters that came together do not knock together again.
  return steady * (0.5 + Math.random())
}

async function acquire(
  path: string,
  file: string,
  { signal, limitMs = defaultLimitMs, onWait }: LockOptions,
) {
  const { DatabaseSync: Database } = await import('node:sqlite')
  const start = monotonicMs()
  let told = false
  let candidate = openCandidate(path, Database)
  while (!tryLock(path, candidate)) {
    const waitedMs = monotonicMs() - start
    if (!told && waitedMs > noticeableMs) {
      told = true
      onWait?.()
    }
    if (waitedMs >= limitMs) {
      candidate.database.close()
      throw new OpenClawError(
        'CONFIG_CONFLICT',
        `another process has been writing ${file} for ${Math.round(limitMs / 1000)} s`,
        { hints: ['try again when it has ended'], data: { file } },
      )
    }
    if (!isStill(path, candidate.identity)) {
      candidate.database.close()
      candidate = openCandidate(path, Database)
    } else await sleep(pauseAfter(waitedMs), undefined, signal && { signal })
  }
  return candidate.database
}

/** Runs work while no other process of this program writes the file; waits for its turn. Errors: CONFIG_CONFLICT after the time limit, CONFIG_READONLY where no lock can be taken. */
export async function withLock<Result>(
  file: string,
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const path = lockFile(file)
  let lock: DatabaseSync
  try {
    lock = await acquire(path, file, options)
  } catch (error) {
    throw options.signal?.aborted === true
      ? error
      : writeError(error, path, 'lock', options.unchanged ?? file)
  }
  try {
    return await work()
  } finally {
    try {
      // While it is still held: whoever waits for this file finds that it is gone and takes the next one.
      unlinkSync(path)
    } catch {
      // Windows does not remove open files; an empty lock file does no harm.
    }
    lock.close()
  }
}
