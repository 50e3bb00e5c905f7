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

interface Shapes {
  /** Per word a 26-bit set of its letters: one edit changes at most two of them. */
  readonly sets: Uint32Array
  readonly lengths: Uint8Array
}
const shapes = new WeakMap<SearchIndex, Shapes>()

/**
 * Index terms that `word`, which the catalogue does not have, may be meant for: two known words written together, the beginning of
 * a longer word, or words one (up to five letters) or two edits away, the closest first. A swap of neighbours is one edit.
 */
export function nearWords(index: SearchIndex, word: string, edits: number): readonly NearWord[] {
  if (word.length < shortestWord || word.length > longestWord || !letters.test(word)) return []
  const limit = word.length <= 5 ? Math.min(1, edits) : edits
  const { sets, lengths } = shapes.get(index) ?? makeShapes(index)
  const wanted = letterSet(word)
  const found: { text: string; distance: number; used: number }[] = []
  for (let at = 0; at < sets.length; at += 1) {
    const difference = (lengths[at] ?? 0) - word.length
    if (difference > limit || difference < -limit || bits((sets[at] ?? 0) ^ wanted) > 2 * limit) continue
    const text = index.surfaces[at] ?? ''
    const distance = editDistance(word, text, limit)
    if (distance > limit) continue
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
  const found: string[] = []
  for (let at = firstFrom(index.surfaces, word); at < index.surfaces.length; at += 1) {
    const text = index.surfaces[at] ?? ''
    if (!text.startsWith(word)) break
    if (text.length > word.length) found.push(text)
  }
  return found
    .map((text) => ({ text, used: uses(index, text) }))
    .toSorted((a, b) => b.used - a.used || (a.text < b.text ? -1 : 1))
    .slice(0, keepAtMost)
    .map(({ text }) => stem(text))
}

/** Place of the first of the sorted words that is not before `word`. */
function firstFrom(sorted: readonly string[], word: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < word) low = middle + 1
    else high = middle
  }
  return low
}

function uses(index: SearchIndex, text: string): number {
  const term = index.termIds.get(stem(text))
  return term === undefined ? 0 : (index.starts[term + 1] ?? 0) - (index.starts[term] ?? 0)
}

function makeShapes(index: SearchIndex): Shapes {
  const made = {
    sets: Uint32Array.from(index.surfaces, letterSet),
    lengths: Uint8Array.from(index.surfaces, (text) => text.length),
  }
  shapes.set(index, made)
  return made
}

function letterSet(text: string): number {
  let set = 0
  for (let at = 0; at < text.length; at += 1) set |= 1 << (text.charCodeAt(at) - 97)
  return set
}

/** Count of set bits, all pairs, fours and bytes at once. */
function bits(set: number): number {
  const pairs = set - ((set >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
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
