/** Which sessions wait for which others. Runs of one session come one after the other, so a circle of waiting would never end. */
export class Waits {
  readonly #waits = new Map<string, string[]>()

  /** Whether `from` waits for `to`, directly or through others. */
  reaches(from: string, to: string): boolean {
    const goal = to.toLowerCase()
    const seen = new Set<string>()
    const open = [from.toLowerCase()]
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (key === goal) return true
      if (seen.has(key)) continue
      seen.add(key)
      open.push(...(this.#waits.get(key) ?? []))
    }
    return false
  }

  /** Notes that one waits for another until the returned function is called. */
  begin(from: string, to: string): () => void {
    const [key, goal] = [from.toLowerCase(), to.toLowerCase()]
    this.#waits.set(key, [...(this.#waits.get(key) ?? []), goal])
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const goals = this.#waits.get(key) ?? []
      const left = goals.toSpliced(goals.indexOf(goal), 1)
      if (left.length === 0) this.#waits.delete(key)
      else this.#waits.set(key, left)
    }
  }
}
