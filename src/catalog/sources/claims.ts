import type { Edition } from '../edition.ts'
import { reservedNames, toolKey } from '../names.ts'

/** Who has which tool name; one name means one tool, compared as policy entries are. */
export class Claims {
  readonly #edition: Edition
  readonly #owners = new Map<string, string>()
  readonly #reserved: ReadonlySet<string>

  constructor(edition: Edition) {
    this.#edition = edition
    this.#reserved = reservedNames(edition)
  }

  key(name: string): string {
    return toolKey(name, this.#edition)
  }

  /** Takes a name; answers null, or who has it already. */
  take(name: string, owner: string): string | null {
    const holder = this.holder(name)
    if (holder === null) this.#owners.set(this.key(name), owner)
    return holder
  }

  holder(name: string): string | null {
    const key = this.key(name)
    return this.#owners.get(key) ?? (this.#reserved.has(key) ? 'a built-in tool' : null)
  }

  /** Takes the name for a built-in tool; false where a plugin supplies that tool already. */
  takeOwn(name: string): boolean {
    const key = this.key(name)
    if (this.#owners.has(key)) return false
    this.#owners.set(key, 'a built-in tool')
    return true
  }
}
