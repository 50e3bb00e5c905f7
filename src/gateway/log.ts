import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory } from '../config/make-directory.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** One line of the log besides level, time and message; never a secret, and nothing that a model or a user said. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Where the server says what it does. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void

export interface LogFileOptions {
  readonly file: string
  /** Bytes after which a new file is begun. */
  readonly maxBytes: number
  /** Files that are kept besides the one that is written: `.1` is the newest. */
  readonly archives: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Takes secrets out of texts. */
  readonly redact: (text: string) => string
}

/** Milliseconds a line may wait for others to be written with; warnings and errors do not wait. */
const holdMs = 20
/** Characters that wait at most. */
const mostHeld = 64 * 1024

/** A log of JSON lines that stays within its bounds. It never throws: what cannot be written is lost, and the next line tries again. */
export class LogFile {
  readonly #options: LogFileOptions
  #handle: number | null = null
  #size = 0
  #records: Parameters<Log>[] = []
  #times: number[] = []
  #held = ''
  #timer: NodeJS.Timeout | null = null
  #immediate: NodeJS.Immediate | null = null

  constructor(options: LogFileOptions) {
    this.#options = options
  }

  readonly write: Log = (...record) => {
    this.#records.push(record)
    this.#times.push(this.#options.clock())
    const [level] = record
    if (level === 'warn' || level === 'error') this.flush()
    // Whoever is waiting for an answer gets it first.
    else this.#immediate ??= setImmediate(() => this.#print())
  }

  /** Turns records into text, to be written soon. */
  #print(): void {
    this.#immediate = null
    const { redact } = this.#options
    for (const [at, [level, message, fields]] of this.#records.entries()) {
      const time = new Date(this.#times[at] ?? 0).toISOString()
      // What this program says of requests is its own words; only messages about failures quote others.
      const isQuoting = level === 'warn' || level === 'error'
      const record = isQuoting
        ? { ...redactFields(fields, redact), message: redact(message) }
        : { ...fields, message }
      this.#held += `${JSON.stringify({ time, level, ...record })}\n`
    }
    this.#records = []
    this.#times = []
    if (this.#held.length >= mostHeld) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), holdMs).unref()
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#immediate !== null) clearImmediate(this.#immediate)
    if (this.#records.length > 0) this.#print()
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const bytes = Buffer.from(this.#held)
    this.#held = ''
    if (bytes.length === 0) return
    try {
      for (let from = 0; from < bytes.length;) from = this.#append(bytes, from)
    } catch {
      this.#release()
    }
  }

  /** Writes the lines from a place on that the file still takes, one at least, and returns where the next ones begin. */
  #append(bytes: Buffer, from: number): number {
    this.#handle ??= this.#open()
    const room = this.#options.maxBytes - this.#size
    let end = from + room >= bytes.length ? bytes.length : from
    // A place below zero would be one from the end on.
    if (end === from && room > 0) end = bytes.lastIndexOf('\n', from + room - 1) + 1
    if (end <= from) {
      // Where the file cannot be put away, it grows.
      if (this.#size > 0) this.#rotate()
      this.#handle ??= this.#open()
      end = bytes.indexOf('\n', from) + 1
    }
    this.#size += writeSync(this.#handle, bytes.subarray(from, end))
    return end
  }

  /** Writes what waits and lets the file go. */
  close(): void {
    this.flush()
    this.#release()
  }

  #release(): void {
    const handle = this.#handle
    this.#handle = null
    if (handle === null) return
    try {
      closeSync(handle)
    } catch {
      return
    }
  }

  #open(): number {
    const { file, maxBytes } = this.#options
    makeDirectory(dirname(file))
    const handle = openSync(file, 'a', 0o600)
    this.#size = fstatSync(handle).size
    if (this.#size < maxBytes) return handle
    closeSync(handle)
    this.#shift()
    this.#size = 0
    return openSync(file, 'a', 0o600)
  }

  #rotate(): void {
    this.#release()
    this.#shift()
  }

  #shift(): void {
    const { file, archives } = this.#options
    for (let number = archives - 1; number >= 0; number--) {
      const from = number === 0 ? file : `${file}.${number}`
      try {
        // The oldest is written over.
        renameSync(from, `${file}.${number + 1}`)
      } catch {
        continue
      }
    }
  }
}

function redactFields(fields: LogFields | undefined, redact: (text: string) => string): LogFields {
  return Object.fromEntries(
    Object.entries(fields ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? redact(value) : value,
    ]),
  )
}
