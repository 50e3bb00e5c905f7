import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory } from '../config/make-directory.ts'

/** Bytes at the end of a log in which its last entry is looked for. */
const tailBytes = 256 * 1024
const version = 4

/** An entry as it is written; `id`, `parentId` and `timestamp` are added. */
export interface LogEntry {
  readonly type: string
  readonly [field: string]: unknown
}

export interface SessionLogOptions {
  readonly file: string
  /** Written into the header of a new log. */
  readonly header: Readonly<Record<string, unknown>> & { readonly id: string; readonly cwd: string }
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Appends to a session's JSONL file in the layout of edition 2026.7 (gateway facts §5.1): a header, then entries that each name the one
 * before. Every entry is one write of one whole line; a line that a dying writer left half is closed off and costs itself only.
 */
export class SessionLog {
  readonly #handle: number
  readonly #clock: () => number
  #last: string | null
  /** Lines that wait for others to be written with. */
  #held: string[] | null = null
  #time = { ms: Number.NaN, text: '' }

  /** Opens or starts a log, for the owner's eyes only. Throws what the file system throws. */
  constructor({ file, header, clock }: SessionLogOptions) {
    makeDirectory(dirname(file))
    this.#clock = clock
    this.#handle = openSync(file, 'a+', 0o600)
    const { size } = fstatSync(this.#handle)
    const tail = readTail(this.#handle, size)
    this.#last = lastId(tail)
    if (size === 0) this.#write({ type: 'session', version, ...header, timestamp: this.#now() })
    else if (!tail.endsWith('\n')) writeSync(this.#handle, '\n')
  }

  /** Appends one entry and returns its id. */
  append(entry: LogEntry): string {
    // Node draws these from a supply; asking for random bytes each time would cost as much as the write.
    const id = randomUUID().slice(0, 8)
    const { type, ...fields } = entry
    this.#write({ type, id, parentId: this.#last, timestamp: this.#now(), ...fields })
    this.#last = id
    return id
  }

  /** Appends a message of the conversation. */
  message(message: Readonly<Record<string, unknown>>): string {
    return this.append({ type: 'message', message })
  }

  /** Appends something that is no part of the conversation. */
  custom(customType: string, data: unknown): string {
    return this.append({ type: 'custom', customType, data })
  }

  /** From now on what is appended waits for `release`, to be written at once. */
  hold(): void {
    this.#held ??= []
  }

  /** Writes what was held. */
  release(): void {
    const lines = this.#held
    this.#held = null
    if (lines !== null && lines.length > 0) this.#put(lines.join(''))
  }

  close(): void {
    this.release()
    closeSync(this.#handle)
  }

  #now(): string {
    const ms = this.#clock()
    if (ms !== this.#time.ms) this.#time = { ms, text: new Date(ms).toISOString() }
    return this.#time.text
  }

  #write(record: object): void {
    const line = `${JSON.stringify(record)}\n`
    if (this.#held === null) this.#put(line)
    else this.#held.push(line)
  }

  #put(text: string): void {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length;) at += writeSync(this.#handle, bytes, at)
  }
}

function readTail(handle: number, size: number): string {
  const bytes = Buffer.alloc(Math.min(size, tailBytes))
  let filled = 0
  while (filled < bytes.length) {
    const read = readSync(handle, bytes, filled, bytes.length - filled, size - bytes.length + filled)
    if (read === 0) break
    filled += read
  }
  return bytes.toString('utf8', 0, filled)
}

/** Id of the last entry that can be read; null where none is in sight, which starts a new branch. */
function lastId(tail: string): string | null {
  for (const line of tail.split('\n').toReversed()) {
    try {
      const record: unknown = JSON.parse(line)
      if (typeof record !== 'object' || record === null || !('id' in record)) continue
      const isHeader = 'type' in record && record.type === 'session'
      if (typeof record.id === 'string') return isHeader ? null : record.id
    } catch {
      continue
    }
  }
  return null
}
