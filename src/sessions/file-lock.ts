import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isRecord } from '../config/path-value.ts'

/** Milliseconds between two looks at a lock that somebody else holds. */
const lookMs = 100
/** Milliseconds between two signs of life, and after how long without one a holder counts as dead. */
const beatMs = 2_000
const deadMs = 30_000

/** A lock that is held; releasing it twice does nothing. */
export interface HeldLock {
  release(): void
}

/** Who holds a lock, as far as the file says. */
export interface Holder {
  readonly pid: number | null
  readonly host: string | null
}

/**
 * Takes a lock that other programs take, too, in the form of a file; waits for its holder, whose end is noticed however it ended. `onWait` is told once. Throws the signal's reason when it is aborted; an abort later on releases the lock at once.
 */
export async function lockFile(
  file: string,
  signal: AbortSignal,
  onWait: (holder: Holder) => void = () => {},
): Promise<HeldLock> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  let hasTold = false
  for (;;) {
    signal.throwIfAborted()
    if (create(file)) return hold(file, signal)
    const holder = holderOf(file)
    if (holder === null) continue
    if (isDead(file, holder)) {
      breakLock(file, holder)
      continue
    }
    if (!hasTold) onWait(holder)
    hasTold = true
    await delay(lookMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

function create(file: string): boolean {
  try {
    const handle = openSync(file, 'wx', 0o600)
    writeSync(handle, JSON.stringify({ pid: process.pid, host: hostname() }))
    closeSync(handle)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function hold(file: string, signal: AbortSignal): HeldLock {
  const beat = setInterval(() => {
    try {
      const now = new Date()
      utimesSync(file, now, now)
    } catch {
      // It was taken away; the run goes on, and whoever took it had waited for long.
    }
  }, beatMs)
  beat.unref()
  let isHeld = true
  const release = (): void => {
    if (!isHeld) return
    isHeld = false
    clearInterval(beat)
    signal.removeEventListener('abort', release)
    if (holderOf(file)?.pid === process.pid) rmSync(file, { force: true })
  }
  // A program that was interrupted ends before anything asynchronous is done.
  signal.addEventListener('abort', release, { once: true })
  return { release }
}

/** What the lock says; null where it has just gone. */
function holderOf(file: string): Holder | null {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  try {
    const value: unknown = JSON.parse(content)
    const { pid, host } = isRecord(value) ? value : {}
    return { pid: typeof pid === 'number' ? pid : null, host: typeof host === 'string' ? host : null }
  } catch {
    // Its holder is writing it, or died of it.
    return { pid: null, host: null }
  }
}

function isDead(file: string, { pid, host }: Holder): boolean {
  if (pid !== null && host === hostname() && pid !== process.pid) {
    try {
      process.kill(pid, 0)
    } catch (error) {
      if (codeOf(error) === 'ESRCH') return true
    }
  }
  try {
    return Date.now() - statSync(file).mtimeMs > deadMs
  } catch {
    return false
  }
}

/** Removes the lock of a dead holder. Whoever does that holds a second lock meanwhile, or a third program's fresh lock might go. */
function breakLock(file: string, dead: Holder): void {
  const breaker = `${file}.break`
  if (!create(breaker)) {
    try {
      if (Date.now() - statSync(breaker).mtimeMs > deadMs) rmSync(breaker, { force: true })
    } catch {
      // Gone meanwhile.
    }
    return
  }
  try {
    const now = holderOf(file)
    if (now?.pid === dead.pid && isDead(file, now)) rmSync(file, { force: true })
  } finally {
    rmSync(breaker, { force: true })
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
