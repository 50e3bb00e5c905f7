import { createHash } from 'node:crypto'
import type { SearchDocument } from '../../tool-search/document.ts'
import { buildIndex, type SearchIndex } from '../../tool-search/index.ts'
import { search } from '../../tool-search/search.ts'
import { chunksOf, type Chunk } from './chunks.ts'
import { memoryFiles, readMemory, type MemoryPlaces } from './files.ts'

/** A passage that fits a query. */
export interface MemoryHit {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  /** Share of the best score. */
  readonly score: number
  readonly snippet: string
  /** `path#Lfrom-Lto`. */
  readonly citation: string
  readonly source: 'memory'
}

export interface MemoryHits {
  readonly results: readonly MemoryHit[]
  /** Passages that match at all. */
  readonly total: number
  /** Files that were searched. */
  readonly files: number
  /** Files and folders that could not be searched, as too large ones. */
  readonly skipped: readonly string[]
}

interface Passage extends Chunk {
  readonly path: string
}

interface Indexed {
  readonly index: SearchIndex
  readonly passages: ReadonlyMap<string, Passage>
  readonly files: number
  readonly skipped: readonly string[]
}

const longestSnippet = 1_300
/** Characters that are indexed; twice as many take seconds, in which a Gateway does nothing else. */
const mostIndexed = 8 * 1024 * 1024

/** Searches memory files; they are read anew for each search, and indexed anew when their texts have changed. */
export class MemorySearch {
  #known: { readonly key: string; readonly indexed: Indexed } | null = null

  async find(
    places: MemoryPlaces,
    query: string,
    { maxResults, minScore }: { readonly maxResults: number; readonly minScore: number },
  ): Promise<MemoryHits> {
    const { index, passages, files, skipped } = await this.#indexed(places)
    const { hits, total } = await search(index, query, { limit: maxResults })
    const best = hits[0]?.score ?? 1
    const results = hits.flatMap(({ id, score }): MemoryHit[] => {
      const passage = passages.get(id)
      const share = Math.round((score / best) * 1e3) / 1e3
      if (passage === undefined || share < minScore) return []
      const { path, startLine, endLine, text } = passage
      const snippet =
        text.length > longestSnippet ? `${text.slice(0, longestSnippet).toWellFormed()} …` : text
      return [{ path, startLine, endLine, score: share, snippet, citation: id, source: 'memory' }]
    })
    return { results, total, files, skipped }
  }

  async #indexed(places: MemoryPlaces): Promise<Indexed> {
    const skipped: string[] = []
    const files = await memoryFiles(places, (path) => skipped.push(path))
    const found: { readonly path: string; readonly text: string }[] = []
    const hash = createHash('sha256')
    let size = 0
    for (const file of files) {
      const text = readMemory(file)
      // One at a time: all of them at once could be more than there is memory.
      if (text === null || size + text.length > mostIndexed) skipped.push(file.path)
      else {
        size += text.length
        found.push({ path: file.path, text })
        hash.update(JSON.stringify([file.path, text]))
      }
    }
    const key = hash.update(JSON.stringify(skipped)).digest('hex')
    if (this.#known?.key === key) return this.#known.indexed
    const indexed = indexOf(found, skipped)
    this.#known = { key, indexed }
    return indexed
  }
}

function indexOf(
  found: readonly { readonly path: string; readonly text: string }[],
  skipped: readonly string[],
): Indexed {
  const passages = new Map<string, Passage>()
  const documents: SearchDocument[] = []
  for (const { path, text } of found) {
    for (const chunk of chunksOf(text)) {
      const id = `${path}#L${chunk.startLine}-L${chunk.endLine}`
      passages.set(id, { ...chunk, path })
      documents.push({
        id,
        name: chunk.heading === '' ? path : chunk.heading,
        // Not the description: what a tool says it does not do is left out of that, and memory is prose.
        label: chunk.text,
        description: '',
        source: 'openclaw',
        sourceName: 'core',
        serverTitle: path,
      })
    }
  }
  return { index: buildIndex(documents), passages, files: found.length, skipped }
}
