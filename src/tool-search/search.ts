import type Fuse from 'fuse.js'
import type { SearchIndex } from './index.ts'
import { rank, type SearchHit, type SearchResult } from './rank.ts'

/** Only texts that can be one misspelt name are compared with names. */
const longestName = 64
const shortestName = 4
const options = { includeScore: true, ignoreLocation: true, threshold: 0.3, minMatchCharLength: 3 } as const

/**
 * `rank`, and when no tool has any word of the query, the tools whose names are spelt much like it (fuse.js, loaded only then). Such hits
 * score below 1.
 */
export async function search(
  index: SearchIndex,
  query: string,
  limits: { readonly limit: number },
): Promise<SearchResult> {
  const ranked = rank(index, query, limits)
  const text = query.trim()
  if (ranked.reason !== 'no-match' || text.length < shortestName || text.length > longestName) return ranked
  const found = (await spellings(index)).search(letters(text))
  if (found.length === 0) return ranked
  const hits = found
    .map(({ refIndex, score = 1 }): SearchHit => ({
      id: index.ids[refIndex] ?? '',
      name: index.names[refIndex] ?? '',
      score: Math.max(0.0001, Math.round((1 - score) * 1e4) / 1e4 - 0.0001),
    }))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  return { hits: hits.slice(0, limits.limit), total: hits.length }
}

const known = new WeakMap<SearchIndex, Fuse<string>>()

/** The names of an index, ready to be compared; a batch may ask thousands of times. */
async function spellings(index: SearchIndex): Promise<Fuse<string>> {
  const made = known.get(index)
  if (made !== undefined) return made
  const { default: Comparer } = await import('fuse.js')
  const fresh = new Comparer(index.names.map(letters), options)
  known.set(index, fresh)
  return fresh
}

/** Separators are what a misspelt name lacks first. */
function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
}
