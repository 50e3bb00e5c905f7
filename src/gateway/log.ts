import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

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

/** A log of JSON lines that stays within its bounds. It never throws: what cannot be written is lost, and the next line tries again. */
export class LogFile {
  readonly #options: LogFileOptions
  #handle: number | null = null
  #size = 0

  constructor(options: LogFileOptions) {
    this.#options = options
  }

  readonly write: Log = (level, message, fields) => {
    const { clock, redact, maxBytes } = this.#options
    const record = { time: new Date(clock()).toISOString(), level, message: redact(message), ...fields }
    const bytes = Buffer.from(`${JSON.stringify(record)}\n`)
    try {
      if (this.#handle !== null && this.#size + bytes.length > maxBytes) this.#rotate()
      this.#handle ??= this.#open()
      this.#size += writeSync(this.#handle, bytes)
    } catch {
      this.close()
    }
  }

  close(): void {
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
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const handle = openSync(file, 'a', 0o600)
    this.#size = fstatSync(handle).size
    if (this.#size < maxBytes) return handle
    closeSync(handle)
    this.#shift()
    this.#size = 0
    return openSync(file, 'a', 0o600)
  }

  #rotate(): void {
    this.close()
    this.#shift()
  }

  #shift(): void {
    const { file, archives } = this.#options
    rmSync(`${file}.${archives}`, { force: true })
    for (let number = archives - 1; number >= 0; number--) {
      const from = number === 0 ? file : `${file}.${number}`
      try {
        renameSync(from, `${file}.${number + 1}`)
      } catch {
        continue
      }
    }
  }
}
