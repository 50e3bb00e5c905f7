import { clauses } from './clauses.ts'
import { readRun, readWords, type ForeignQuery, type Readings } from './foreign.ts'
import { hasTerm, type SearchIndex } from './index.ts'
import { stopWords, weakWords } from './lexicon/stop-words.ts'
import { stem } from './porter2.ts'
import { relatedTerms } from './synonyms.ts'
import { type Word } from './tokenize.ts'
import { completions, nearWords, splitWord } from './typo.ts'
import { readValueShapes, type ShapeHint } from './value-shapes.ts'
import { queryWeights as weights } from './weights.ts'

export interface Variant {
  readonly term: string
  readonly weight: number
}

/** One thing the query asks for: a tool is credited with the best variant it has, never with the sum. */
export interface Slot {
  readonly key: string
  readonly variants: readonly Variant[]
}

export interface Query {
  readonly clauses: readonly (readonly Slot[])[]
  /** No word of the query is written in Latin letters. */
  readonly onlyOtherScripts: boolean
}

const readAtMost = 8_192
const wordsAtMost = 200
/** Looking for near words walks the whole vocabulary, so only so many words of a query get it. */
const correctionsAtMost = 6
/** In a longer query an unknown word is a value more often than a slip of the pen. */
const shortQuery = 8
const latin = /[a-z]/

/** What a query asks for, as weighted index terms; bounded in time for queries of any length. Words of the index `besides` count as known. */
export function readQuery(index: SearchIndex, text: string, besides?: SearchIndex): Query {
  const isKnown = (term: string): boolean =>
    hasTerm(index, term) || (besides !== undefined && hasTerm(besides, term))
  const { text: prose, hints } = readValueShapes(text.slice(0, readAtMost))
  const read = clauses(prose)
  let room = wordsAtMost
  const bounded = read.map((clause) => {
    const kept = clause.slice(0, room)
    room -= kept.length
    return kept
  })
  const all = bounded.flat()
  const plain = all.filter((word) => word.kind === 'word')
  const foreign = readWords(
    plain.map((word) => word.text),
    (word) => isKnown(stem(word)),
    (word) => stopWords.has(word),
  )
  const builder = new SlotBuilder(index, isKnown, all, foreign)
  const made = bounded.map((clause, at) => builder.clause(clause, at === bounded.length - 1 ? hints : []))
  return {
    clauses: made.filter((slots) => slots.length > 0),
    onlyOtherScripts: !all.some((word) => latin.test(word.text)),
  }
}

class SlotBuilder {
  readonly #index: SearchIndex
  readonly #isKnown: (term: string) => boolean
  readonly #foreign: ForeignQuery | undefined
  readonly #literal: ReadonlySet<string>
  readonly #editsAtMost: number
  #corrections = correctionsAtMost
  #plainWord = 0
  #slots = new Map<string, Variant[]>()
  #synonymShare = new Map<string, number>()

  constructor(
    index: SearchIndex,
    isKnown: (term: string) => boolean,
    all: readonly Word[],
    foreign: ForeignQuery | undefined,
  ) {
    this.#index = index
    this.#isKnown = isKnown
    this.#foreign = foreign
    this.#literal = new Set(all.flatMap((word) => [word.whole, ...word.parts]))
    const telling = all.filter((word) => word.kind === 'word' && !stopWords.has(word.text))
    this.#editsAtMost = telling.length > shortQuery ? 1 : 2
  }

  clause(words: readonly Word[], hints: readonly ShapeHint[]): Slot[] {
    this.#slots = new Map()
    this.#synonymShare = new Map()
    for (const [at, word] of words.entries()) {
      if (word.kind === 'unspaced') this.#addRun(word)
      else this.#addWord(word, words[at + 1])
    }
    for (const { word, weight } of hints) {
      const term = stem(word)
      if (this.#slots.has(term)) continue
      this.#put(term, term, weight)
      this.#addSynonyms(term, term, weight)
    }
    return [...this.#slots].map(([key, variants]) => ({
      key,
      variants: variants.toSorted((a, b) => b.weight - a.weight),
    }))
  }

  #put(key: string, term: string, weight: number): void {
    const variants = this.#slots.get(key)
    if (variants === undefined) this.#slots.set(key, [{ term, weight }])
    else variants.push({ term, weight })
  }

  #addRun(word: Word): void {
    for (const pair of word.parts) if (!this.#slots.has(pair)) this.#put(pair, pair, weights.characterPair)
    for (const entry of readRun(word.whole)) {
      this.#addReadings(word.whole.slice(entry.from, entry.from + entry.length), entry.readings)
    }
  }

  #addWord(word: Word, next: Word | undefined): void {
    const reading = word.kind === 'word' ? this.#foreign?.words[this.#plainWord] : undefined
    if (word.kind === 'word') this.#plainWord += 1
    if (reading === 'stop' || (reading === undefined && stopWords.has(word.text))) return
    const key = word.whole
    if (this.#slots.has(key)) return
    const known = this.#isKnown(word.whole)
    if (reading !== undefined) this.#addReadings(key, reading)
    const weight = reading === undefined ? this.#wordWeight(word) : weights.translatedWord
    this.#put(key, word.whole, weight)
    const partWeight = known ? weights.knownCompoundPart : 1
    for (const part of word.parts) {
      this.#put(part, part, partWeight)
      this.#addSynonyms(part, part, partWeight)
    }
    if (reading === undefined) this.#addSynonyms(key, word.whole, weight)
    this.#addJoined(word, next)
    if (!known && reading === undefined && word.kind === 'word' && word.parts.length === 0)
      this.#addGuesses(key, word)
  }

  #wordWeight(word: Word): number {
    if (word.kind === 'number') return weights.number
    return this.#foreign === undefined && weakWords.has(word.text) ? weights.weakWord : 1
  }

  #addSynonyms(key: string, term: string, weight: number): void {
    const standsIn = this.#isKnown(term) ? 1 : weights.synonymOfUnknown
    for (const related of relatedTerms(term)) {
      if (this.#literal.has(related.term)) continue
      const used = this.#synonymShare.get(related.term) ?? 0
      const share = Math.min(weight * weights.synonym[related.relation], weights.synonymAtMost - used)
      if (share <= 0) continue
      this.#synonymShare.set(related.term, used + share)
      // A short form stands for all of its words, other synonyms stand for each other.
      this.#put(
        related.relation === 'abbreviation' ? `${key}>${related.term}` : key,
        related.term,
        share * standsIn,
      )
    }
  }

  #addReadings(key: string, readings: Readings): void {
    for (const [rank, reading] of readings.entries()) {
      const weight = weights.translation * (rank === 0 ? 1 : weights.laterTranslation)
      for (const [at, word] of reading.entries()) {
        const term = stem(word)
        this.#put(`${key}.${at}`, term, weight)
        for (const related of relatedTerms(term)) {
          if (related.relation !== 'topic' && related.relation !== 'abbreviation') {
            this.#put(`${key}.${at}`, related.term, weight * weights.translatedSynonym)
          }
        }
      }
    }
  }

  #addJoined(word: Word, next: Word | undefined): void {
    if (word.kind !== 'word' || next?.kind !== 'word' || word.text.length < 2 || next.text.length < 2) return
    const joined = stem(word.text + next.text)
    if (hasTerm(this.#index, joined)) this.#put(joined, joined, weights.joined)
  }

  /** What an unknown word may have been meant for. A word with synonyms is an English word, so it is not a slip. */
  #addGuesses(key: string, word: Word): void {
    if (this.#corrections === 0) return
    this.#corrections -= 1
    if (!relatedTerms(word.whole).some((related) => hasTerm(this.#index, related.term))) {
      const near = nearWords(this.#index, word.text, this.#editsAtMost)
      for (const { term, closeness } of near) this.#put(key, term, closeness * weights.nearWord)
      const halves = near.length > 0 ? undefined : splitWord(this.#index, word.text)
      for (const half of halves ?? []) this.#put(`${key}>${half}`, half, weights.splitWord)
      if (this.#editsAtMost === 1 && near.length > 0) return
    }
    for (const term of completions(this.#index, word.text)) this.#put(key, term, weights.completion)
  }
}
