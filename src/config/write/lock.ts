import { closeSync, fstatSync, openSync, statSync, unlinkSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
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
}

const defaultLimitMs = 60_000
const busy = 5

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

async function tryLock(path: string): Promise<DatabaseSync | null> {
  const { DatabaseSync: Database } = await import('node:sqlite')
  const identity = touch(path)
  const database = new Database(path, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    if (isStill(path, identity)) return database
  } catch (error) {
    database.close()
    // A lock file that went away while we waited for it cannot be locked; there is a new one.
    if (isBusy(error) || !isStill(path, identity)) return null
    throw error
  }
  database.close()
  return null
}

/** Runs work while no other process of this program writes the file; waits for its turn. Errors: CONFIG_CONFLICT after the time limit, CONFIG_READONLY where no lock can be taken. */
export async function withLock<Result>(
  file: string,
  { signal, limitMs = defaultLimitMs }: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const path = lockFile(file)
  const start = performance.now()
  let lock: DatabaseSync | null = null
  for (let pause = 2; lock === null; pause = Math.min(pause * 1.5, 40)) {
    try {
      lock = await tryLock(path)
    } catch (error) {
      throw writeError(error, path, 'lock')
    }
    if (lock !== null) break
    if (performance.now() - start > limitMs) {
      throw new OpenClawError(
        'CONFIG_CONFLICT',
        `another process has been writing ${file} for ${Math.round(limitMs / 1000)} s`,
        {
          hints: ['try again when it has ended'],
          data: { file },
        },
      )
    }
    // Random, so that waiters that came together do not knock together again.
    await sleep(pause * (0.5 + Math.random()), undefined, signal && { signal })
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
