/** Where the headers of a request or an answer can be read and changed; names in any case. */
export type HeaderSource = Iterable<readonly [string, string]> | Readonly<Record<string, string>>

/**
 * Headers without the HTTP client that Node's own class of that name brings along, which costs more than everything else in the first
 * request to a provider. As much of that class as the SDKs use; the build puts it into them.
 */
export class HeaderList {
  readonly #values = new Map<string, string>()

  constructor(source: HeaderSource = []) {
    const entries = isIterable(source) ? source : Object.entries(source)
    for (const [name, value] of entries) this.append(name, value)
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), String(value).trim())
  }

  /** A second value of a name stands behind the first one, after a comma. */
  append(name: string, value: string): void {
    const known = this.get(name)
    this.set(name, known === null ? value : `${known}, ${String(value).trim()}`)
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase())
  }

  forEach(work: (value: string, name: string, list: HeaderList) => void): void {
    for (const [name, value] of this) work(value, name, this)
  }

  keys(): MapIterator<string> {
    return this.#values.keys()
  }

  values(): MapIterator<string> {
    return this.#values.values()
  }

  entries(): MapIterator<[string, string]> {
    return this.#values.entries()
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries()
  }
}

function isIterable(source: HeaderSource): source is Iterable<readonly [string, string]> {
  return Symbol.iterator in source
}
