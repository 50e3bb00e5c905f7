/** The console output of a run, bounded whatever the child sends. */
export class ConsoleLog {
  readonly #limit: number
  readonly #lines: string[] = []
  #size = 0
  #isCut = false

  /** `limit`: UTF-16 units of all lines together, a line break counted for each. */
  constructor(limit: number) {
    this.#limit = limit
  }

  add(line: string): void {
    if (this.#isCut) return
    const room = this.#limit - this.#size
    if (line.length > room || room <= 0) this.cut()
    if (room > 0) this.#lines.push(line.slice(0, room))
    this.#size += line.length + 1
  }

  /** What comes from now on is left out. */
  cut(): void {
    this.#isCut = true
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** All lines; a last one says so if there were more. */
  lines(): string[] {
    return this.#isCut
      ? [...this.#lines, `[console output cut after ${this.#limit} characters]`]
      : this.#lines
  }
}
