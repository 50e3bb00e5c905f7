import type { SearchDocument } from '../../tool-search/document.ts'
import { buildIndex, type SearchIndex } from '../../tool-search/index.ts'
import { search } from '../../tool-search/search.ts'
import { chunksOf, type Chunk } from './chunks.ts'
import { memoryFiles, readMemory, type MemoryFile, type MemoryPlaces } from './files.ts'

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
  /** Files that could not be searched, as too large ones. */
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
const mostBytes = 16 * 1024 * 1024

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
    const found = (await memoryFiles(places)).map((file) => ({ file, text: readMemory(file) }))
    const key = JSON.stringify(found.map(({ file, text }) => [file.path, text]))
    if (this.#known?.key === key) return this.#known.indexed
    const indexed = indexOf(found)
    this.#known = { key, indexed }
    return indexed
  }
}

function indexOf(found: readonly { readonly file: MemoryFile; readonly text: string | null }[]): Indexed {
  const passages = new Map<string, Passage>()
  const documents: SearchDocument[] = []
  const skipped: string[] = []
  let bytes = 0
  for (const { file, text } of found) {
    bytes += text?.length ?? 0
    if (text === null || bytes > mostBytes) {
      skipped.push(file.path)
      continue
    }
    for (const chunk of chunksOf(text)) {
      const id = `${file.path}#L${chunk.startLine}-L${chunk.endLine}`
      passages.set(id, { ...chunk, path: file.path })
      documents.push({
        id,
        name: chunk.heading === '' ? file.path : chunk.heading,
        // Not the description: what a tool says it does not do is left out of that, and memory is prose.
        label: chunk.text,
        description: '',
        source: 'openclaw',
        sourceName: 'core',
        serverTitle: file.path,
      })
    }
  }
  return { index: buildIndex(documents), passages, files: found.length - skipped.length, skipped }
}
