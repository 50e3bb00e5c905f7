import { random } from './random.ts'

/** Seeded choices; the same seed gives the same choices on every machine. */
export class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = random(seed)
  }

  /** A fraction from 0 (included) to 1 (excluded). */
  next(): number {
    return this.#next()
  }

  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit)
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }

  /** `count` draws from `items`, repeats included. */
  some<Item>(count: number, items: readonly Item[]): Item[] {
    return Array.from({ length: count }, () => this.pick(items))
  }

  /** The items that survive a coin with this probability, in their order. */
  subset<Item>(probability: number, items: readonly Item[]): Item[] {
    return items.filter(() => this.chance(probability))
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, rank: this.#next() }))
      .toSorted((left, right) => left.rank - right.rank)
      .map(({ item }) => item)
  }

  /** An object with `key` where the coin falls right, else an empty one; for optional fields. */
  maybe<Key extends string, Value>(
    probability: number,
    key: Key,
    make: () => Value,
  ): { [Name in Key]?: Value } {
    const field: { [Name in Key]?: Value } = {}
    if (this.chance(probability)) field[key] = make()
    return field
  }
}
