import type { SearchIndex } from './index.ts'
import { stem } from './porter2.ts'

export interface NearWord {
  readonly term: string
  /** 1 for one edit, lower for more. */
  readonly closeness: number
}

/** Words shorter than this are not corrected: too much is one edit away from them. */
const shortestWord = 4
const longestWord = 32
const keepAtMost = 4
const letters = /^[a-z]+$/

/** Per index a 26-bit set of letters for each of its words: one edit changes at most two of them. */
const letterSets = new WeakMap<SearchIndex, Uint32Array>()

/**
 * Index terms that `word`, which the catalogue does not have, may be meant for: two known words written together, the beginning of
 * a longer word, or words one (up to five letters) or two edits away, the closest first. A swap of neighbours is one edit.
 */
export function nearWords(index: SearchIndex, word: string, edits: number): readonly NearWord[] {
  if (word.length < shortestWord || word.length > longestWord || !letters.test(word)) return []
  const limit = word.length <= 5 ? Math.min(1, edits) : edits
  const sets = letterSets.get(index) ?? makeSets(index)
  const wanted = letterSet(word)
  const found: { text: string; distance: number; used: number }[] = []
  for (const [at, text] of index.surfaces.entries()) {
    if (Math.abs(text.length - word.length) > limit || bits((sets[at] ?? 0) ^ wanted) > 2 * limit) continue
    const distance = editDistance(word, text, limit)
    if (distance <= limit)
      found.push({ text, distance: distance + (text[0] === word[0] ? 0 : 0.5), used: uses(index, text) })
  }
  found.sort((a, b) => a.distance - b.distance || b.used - a.used || (a.text < b.text ? -1 : 1))
  const best = found[0]?.distance ?? 0
  const near = new Map<string, number>()
  for (const { text, distance } of found) {
    if (near.size === keepAtMost || distance > best + 0.5) break
    const term = stem(text)
    if (!near.has(term)) near.set(term, distance < 2 ? 1 : 0.7)
  }
  return [...near].map(([term, closeness]) => ({ term, closeness }))
}

/** Two words of the catalogue that `word` is made of, such as `filesystem`; undefined when there are none. */
export function splitWord(index: SearchIndex, word: string): readonly [string, string] | undefined {
  if (word.length < 6 || word.length > longestWord || !letters.test(word)) return undefined
  for (let at = word.length - 3; at >= 3; at -= 1) {
    const head = stem(word.slice(0, at))
    const tail = stem(word.slice(at))
    if (index.termIds.has(head) && index.termIds.has(tail)) return [head, tail]
  }
  return undefined
}

/** Words of the catalogue that begin with `word`, the most used first. */
export function completions(index: SearchIndex, word: string): readonly string[] {
  if (word.length < 3 || !letters.test(word)) return []
  return index.surfaces
    .filter((text) => text.length > word.length && text.startsWith(word))
    .map((text) => ({ text, used: uses(index, text) }))
    .toSorted((a, b) => b.used - a.used || (a.text < b.text ? -1 : 1))
    .slice(0, keepAtMost)
    .map(({ text }) => stem(text))
}

function uses(index: SearchIndex, text: string): number {
  const term = index.termIds.get(stem(text))
  return term === undefined ? 0 : (index.starts[term + 1] ?? 0) - (index.starts[term] ?? 0)
}

function makeSets(index: SearchIndex): Uint32Array {
  const sets = Uint32Array.from(index.surfaces, letterSet)
  letterSets.set(index, sets)
  return sets
}

function letterSet(text: string): number {
  let set = 0
  for (let at = 0; at < text.length; at += 1) set |= 1 << (text.charCodeAt(at) - 97)
  return set
}

function bits(set: number): number {
  let rest = set
  let count = 0
  while (rest !== 0) {
    rest &= rest - 1
    count += 1
  }
  return count
}

/** Edits between two words (insert, delete, replace, swap of neighbours), or `limit + 1` when there are more. */
export function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let value = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, (before[j - 2] ?? 0) + 1)
      row.push(value)
      if (value < least) least = value
    }
    if (least > limit) return limit + 1
    before = previous
    previous = row
  }
  return previous[b.length] ?? limit + 1
}
