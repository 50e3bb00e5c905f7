import { bareName, sourceKey, type SearchDocument } from './document.ts'
import { readRun } from './foreign.ts'
import { withoutNegations } from './negation.ts'
import { stem } from './porter2.ts'
import { words, type Word } from './tokenize.ts'
import { fields } from './weights.ts'

export type Field = keyof typeof fields
export const fieldNames = Object.keys(fields).filter((name): name is Field => name in fields)
const fieldBits = 3
export const fieldMask = (1 << fieldBits) - 1

/** Longer texts are cut before they are indexed, so that one tool cannot fill the index. */
const longest = { name: 512, description: 4_000, parameter: 600 }
const sentenceEnd = /[.!?](?=\s)|[。！？]|\n\s*\n/
const plainWord = /^[a-z]{4,32}$/

/** Words of all tools as numbers: the raw material of the postings. */
export interface Collected {
  readonly terms: readonly string[]
  readonly termIds: ReadonlyMap<string, number>
  /** Term and field of every word, tool after tool: `term << 3 | field`. */
  readonly tokens: Uint32Array
  /** Tool t has the tokens from `starts[t]` up to `starts[t + 1]`. */
  readonly starts: Uint32Array
  /** Words per tool and field: `lengths[tool * fieldNames.length + field]`. */
  readonly lengths: Uint32Array
  /** Plain words as written, sorted: what a misspelt word may have been. */
  readonly surfaces: readonly string[]
  readonly sources: readonly string[]
  readonly sourceOf: Uint32Array
}

/** Reads the texts of tools into numbered words. */
export function collect(documents: readonly SearchDocument[]): Collected {
  const collector = new Collector(documents.length)
  for (const [tool, document] of documents.entries()) collector.add(tool, document)
  return collector.done()
}

class Collector {
  readonly #termIds = new Map<string, number>()
  readonly #sourceIds = new Map<string, number>()
  readonly #surfaces = new Set<string>()
  readonly #starts: Uint32Array
  readonly #lengths: Uint32Array
  readonly #sourceOf: Uint32Array
  #tokens = new Uint32Array(1 << 14)
  #count = 0

  constructor(size: number) {
    this.#starts = new Uint32Array(size + 1)
    this.#lengths = new Uint32Array(size * fieldNames.length)
    this.#sourceOf = new Uint32Array(size)
  }

  add(tool: number, document: SearchDocument): void {
    this.#starts[tool] = this.#count
    this.#sourceOf[tool] = numberOf(this.#sourceIds, sourceKey(document))
    const name = words(bareName(document).slice(0, longest.name))
    this.#addWords(tool, 'name', name)
    this.#addNeighbours(name)
    this.#addText(tool, 'label', document.label)
    this.#addText(
      tool,
      'server',
      document.source === 'openclaw' && document.sourceName === 'core' ? undefined : document.sourceName,
    )
    this.#addText(tool, 'server', document.serverTitle)
    const description = withoutNegations(document.description.slice(0, longest.description)).trim()
    const end = sentenceEnd.exec(description)
    const cut = end === null ? description.length : end.index + 1
    this.#addText(tool, 'lead', description.slice(0, cut))
    this.#addText(tool, 'rest', description.slice(cut))
    for (const parameter of document.parameters ?? []) {
      this.#addText(tool, 'parameter', parameter.name)
      this.#addText(tool, 'parameterText', parameter.description?.slice(0, longest.parameter))
      this.#addText(tool, 'parameterText', parameter.values?.join(' ').slice(0, longest.parameter))
    }
  }

  done(): Collected {
    this.#starts[this.#starts.length - 1] = this.#count
    return {
      terms: [...this.#termIds.keys()],
      termIds: this.#termIds,
      tokens: this.#tokens.subarray(0, this.#count),
      starts: this.#starts,
      lengths: this.#lengths,
      surfaces: [...this.#surfaces].toSorted(),
      sources: [...this.#sourceIds.keys()],
      sourceOf: this.#sourceOf,
    }
  }

  #addText(tool: number, field: Field, text: string | undefined): void {
    if (text !== undefined && text !== '') this.#addWords(tool, field, words(text))
  }

  #addWords(tool: number, field: Field, list: readonly Word[]): void {
    let length = 0
    for (const word of list) {
      if (plainWord.test(word.text)) this.#surfaces.add(word.text)
      if (word.kind === 'unspaced') this.#addReadings(word, field)
      else {
        // Joined spellings and numbers are no words of a name: nobody has to say them to have said the name.
        const apart = field === 'name' && (word.kind === 'number' || word.parts.length > 0)
        this.#push(word.whole, apart ? 'compound' : field)
      }
      for (const part of word.parts) this.#push(part, field)
      length += word.kind === 'number' ? 0 : Math.max(1, word.parts.length)
    }
    const at = tool * fieldNames.length + fieldNames.indexOf(field)
    this.#lengths[at] = (this.#lengths[at] ?? 0) + length
  }

  /** English readings of Chinese, Japanese and Korean text, so that an English query finds such tools. */
  #addReadings(word: Word, field: Field): void {
    for (const { readings } of readRun(word.whole)) {
      for (const reading of readings) for (const english of reading) this.#push(stem(english), field)
    }
  }

  #addNeighbours(name: readonly Word[]): void {
    for (const [at, word] of name.entries()) {
      const next = name[at + 1]
      if (word.kind !== 'word' || next?.kind !== 'word') continue
      this.#push(stem(word.text + next.text), 'compound')
    }
  }

  #push(term: string, field: Field): void {
    if (this.#count === this.#tokens.length) {
      const bigger = new Uint32Array(this.#tokens.length * 2)
      bigger.set(this.#tokens)
      this.#tokens = bigger
    }
    this.#tokens[this.#count] = (numberOf(this.#termIds, term) << fieldBits) | fieldNames.indexOf(field)
    this.#count += 1
  }
}

function numberOf(ids: Map<string, number>, key: string): number {
  const known = ids.get(key)
  if (known !== undefined) return known
  const made = ids.size
  ids.set(key, made)
  return made
}
