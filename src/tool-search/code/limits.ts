/** What one run may use. Sizes of text are in UTF-16 units of its JSON. */
export interface RunLimits {
  /** Wall-clock milliseconds of the whole run, waiting for calls included. */
  readonly timeoutMs: number
  /** Longest snippet. */
  readonly codeSize: number
  /** Largest argument list of one call, result of one call, and value of the run. */
  readonly valueSize: number
  /** All console output of a run together. */
  readonly logSize: number
  /** Deepest nesting of arguments and of the value. */
  readonly depth: number
  /** Search, describe and call requests of one run. */
  readonly calls: number
  /** Requests that may wait for their answer at the same time. */
  readonly pending: number
  /** Requests the bridge works on at the same time; the others wait their turn. */
  readonly concurrency: number
  /** Requests a second, after a burst of as many. */
  readonly callsPerSecond: number
  /** Resident bytes of the child. */
  readonly memory: number
  /** Everything a child may write in one run. */
  readonly traffic: number
}

const mebibyte = 1024 * 1024

/** The limits of a run that names none. */
export const defaultLimits: RunLimits = {
  timeoutMs: 10_000,
  codeSize: mebibyte,
  valueSize: mebibyte,
  logSize: 64 * 1024,
  depth: 1000,
  calls: 2000,
  pending: 1000,
  concurrency: 16,
  callsPerSecond: 200,
  memory: 256 * mebibyte,
  traffic: 64 * mebibyte,
}

/** JavaScript heap of a child in MiB; what lies outside of it (buffers) is bounded by the operating system. */
export const heapSize = { oldSpace: 64, semiSpace: 4 } as const

/** Writable memory of a child in bytes where the operating system can bound it: 50 MiB when it is ready, and 128 more. */
export const dataSize = 192 * mebibyte

/** CPU seconds of a child; the longest run has 60 s of wall clock, and an orphan must not go on for ever. */
export const cpuSeconds = 70

/** Milliseconds before the deadline at which a busy child stops by itself, to hand over its console output; of a short run a part. */
export function headStartMs(timeoutMs: number): number {
  return Math.min(50, timeoutMs / 20)
}

/** Milliseconds after the deadline until a child that still has not done so is killed. */
export const lastWordsMs = 100

/** Milliseconds after which a run that is still going has its spare replaced. */
export const refillMs = 50

/** Milliseconds a child may take until it is ready. */
export const startMs = 10_000

/** A size in words: `1 MiB`, `3.4 MiB`, `64 KiB`, `12 characters`. */
export function sizeInWords(size: number): string {
  if (size >= mebibyte) return `${Number((size / mebibyte).toFixed(1))} MiB`
  if (size >= 1024) return `${Number((size / 1024).toFixed(1))} KiB`
  return `${size} characters`
}
