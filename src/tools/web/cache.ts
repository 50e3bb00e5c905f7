/** Answers that are kept for a while, the oldest going first. */
export class AnswerCache<Value> {
  readonly #entries = new Map<
    string,
    { readonly value: Value; readonly size: number; readonly until: number }
  >()
  readonly #most: number
  readonly #mostSize: number
  #size = 0

  /** `mostSize`: sum of what `set` is told. */
  constructor(most: number, mostSize: number) {
    this.#most = most
    this.#mostSize = mostSize
  }

  get(key: string, now: number): Value | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    if (found.until > now) return found.value
    this.#remove(key, found.size)
    return undefined
  }

  set(key: string, value: Value, size: number, until: number): void {
    const before = this.#entries.get(key)
    if (before !== undefined) this.#remove(key, before.size)
    if (size > this.#mostSize) return
    this.#entries.set(key, { value, size, until })
    this.#size += size
    for (const [oldest, { size: freed }] of this.#entries) {
      if (this.#entries.size <= this.#most && this.#size <= this.#mostSize) return
      this.#remove(oldest, freed)
    }
  }

  #remove(key: string, size: number): void {
    this.#entries.delete(key)
    this.#size -= size
  }
}
