const newline = 0x0a

/** Cuts a byte stream into lines of UTF-8 text; never holds more than one line of at most `limit` bytes. */
export class LineReader {
  readonly #limit: number
  readonly #onLine: (line: string, bytes: number) => void
  readonly #onTooLong: () => void
  /** The beginning of a line whose end has not come yet; grows by doubling, so that single bytes stay cheap. */
  #held = Buffer.alloc(0)
  #size = 0
  #ended = false

  constructor(limit: number, onLine: (line: string, bytes: number) => void, onTooLong: () => void) {
    this.#limit = limit
    this.#onLine = onLine
    this.#onTooLong = onTooLong
  }

  /** Takes the next bytes; after a line that is too long nothing more is read. */
  push(chunk: Buffer): void {
    let start = 0
    while (!this.#ended && start < chunk.length) {
      const end = chunk.indexOf(newline, start)
      const part = chunk.subarray(start, end < 0 ? chunk.length : end)
      if (this.#size + part.length > this.#limit) return this.#stop()
      if (end < 0) return this.#hold(part)
      start = end + 1
      this.#finish(part)
    }
  }

  /** Whether the last line had no end, as when a process dies while it writes. */
  hasRest(): boolean {
    return this.#size > 0
  }

  /** Reads nothing more. */
  end(): void {
    this.#ended = true
    this.#held = Buffer.alloc(0)
    this.#size = 0
  }

  #hold(part: Buffer): void {
    const needed = this.#size + part.length
    if (needed > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(needed, this.#held.length * 2)))
      this.#held.copy(larger, 0, 0, this.#size)
      this.#held = larger
    }
    part.copy(this.#held, this.#size)
    this.#size = needed
  }

  #finish(part: Buffer): void {
    if (this.#size === 0) return this.#onLine(part.toString('utf8'), part.length)
    this.#hold(part)
    const line = this.#held.toString('utf8', 0, this.#size)
    const bytes = this.#size
    this.#held = Buffer.alloc(0)
    this.#size = 0
    this.#onLine(line, bytes)
  }

  #stop(): void {
    this.end()
    this.#onTooLong()
  }
}
