import type { Spill } from './spill.ts'

/** Bytes of a command's output that are kept in memory. */
export const keptBytes = 200 * 1024

/** What was written from some place on: the bytes that are still there, and how many before them are not. */
export interface OutputPart {
  readonly bytes: Buffer
  readonly skipped: number
  /** Place after the last byte. */
  readonly end: number
}

/**
 * What a command has written: its end in memory, and all of it in a file once that is more than is kept. Takes any amount in bounded memory;
 * nothing is queued, so a command that writes faster than the disk waits for it.
 */
export class Output {
  #buffer: Buffer = Buffer.alloc(0)
  #used = 0
  #total = 0
  readonly #spill: Spill

  constructor(spill: Spill) {
    this.#spill = spill
  }

  /** Bytes written so far. */
  get total(): number {
    return this.#total
  }

  /** Whether memory holds less than all of it. */
  get isCut(): boolean {
    return this.#total > keptBytes
  }

  /** The file with all of it, where there is one. */
  get file(): string | null {
    return this.#spill.file
  }

  /** Bytes that are in no file, because it would have grown too large. */
  get lost(): number {
    return this.#spill.lost
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return
    if (!this.isCut && this.#total + chunk.length > keptBytes) this.keep()
    this.#spill.write(chunk)
    this.#total += chunk.length
    this.#append(chunk.length > keptBytes ? chunk.subarray(chunk.length - keptBytes) : chunk)
  }

  /** Puts what was written so far, and what comes, into the file, however little it is. */
  keep(): void {
    if (!this.isCut) this.#spill.open(this.#buffer.subarray(0, this.#used))
  }

  /** What was written from a place on. */
  from(place: number): OutputPart {
    const held = Math.min(this.#used, keptBytes)
    const first = this.#total - held
    const start = Math.max(place, first)
    const bytes = this.#buffer.subarray(this.#used - (this.#total - start), this.#used)
    return { bytes: Buffer.from(bytes), skipped: Math.max(0, first - place), end: this.#total }
  }

  /** Ends the file, and holds no more memory than is kept; more output is still taken. */
  close(): void {
    this.#spill.close()
    this.#buffer = this.from(0).bytes
    this.#used = this.#buffer.length
  }

  #append(chunk: Buffer): void {
    const needed = this.#used + chunk.length
    if (needed > this.#buffer.length) {
      if (needed > 2 * keptBytes) {
        const keep = Math.min(this.#used, keptBytes)
        this.#buffer.copyWithin(0, this.#used - keep, this.#used)
        this.#used = keep
      }
      const size = Math.min(2 * keptBytes, Math.max(4096, 2 * (this.#used + chunk.length)))
      if (size > this.#buffer.length) {
        const grown = Buffer.allocUnsafeSlow(size)
        this.#buffer.copy(grown, 0, 0, this.#used)
        this.#buffer = grown
      }
    }
    chunk.copy(this.#buffer, this.#used)
    this.#used += chunk.length
  }
}
