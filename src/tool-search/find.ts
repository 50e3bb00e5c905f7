import type { EditionId } from '../catalog/edition.ts'
import type { Catalogue } from './catalogue.ts'
import { describeBriefly, type Descriptor } from './descriptor.ts'
import type { SearchIndex } from './index.ts'
import { namedServer, type MissingServer } from './missing-servers.ts'
import { search } from './search.ts'

export interface FoundTool extends Descriptor {
  readonly score: number
}

/** Why a search found nothing, or what it could not look at. */
export interface SearchNote {
  readonly code: 'no-match' | 'hidden-by-policy' | 'no-usable-terms' | 'server-unavailable'
  readonly message: string
}

/** The answer of one search over a catalogue. */
export interface Findings {
  readonly query: string
  readonly limit: number
  readonly hits: readonly FoundTool[]
  /** Tools that match at all, also those beyond the limit. */
  readonly total: number
  readonly note?: SearchNote
}

/** What can be searched. */
export interface Searchable {
  readonly catalogue: Catalogue
  /** Index of exactly the tools of the catalogue. */
  readonly index: SearchIndex
  readonly edition: EditionId
  /** Servers to name when a query asks for them. */
  readonly missingServers: readonly MissingServer[]
}

const notes = {
  'no-usable-terms':
    'the query has no words to search for: say in English what the tool should do, or give an exact tool name',
  'no-match': 'no tool of this session matches: try other words, in English, or fewer of them',
} as const

/** Searches a catalogue; everything in the answer may be shown to a model. `limit` is a whole number from 1. */
export async function findTools(
  { catalogue, index, edition, missingServers }: Searchable,
  query: string,
  limit: number,
): Promise<Findings> {
  const { hits, total, reason } = await search(index, query, { limit })
  const found = hits.flatMap(({ id, score }): FoundTool[] => {
    const entry = catalogue.byId.get(id)
    return entry === undefined ? [] : [{ ...describeBriefly(entry, edition), score }]
  })
  const missing = namedServer(query, missingServers)
  const note =
    missing !== undefined
      ? serverNote([missing])
      : reason === undefined
        ? undefined
        : { code: reason, message: notes[reason] }
  return { query, limit, hits: found, total, ...(note && { note }) }
}

/** The note about servers that a search would have had to ask. */
export function serverNote(servers: readonly MissingServer[]): SearchNote {
  const message = servers.map(({ name, state }) => `the MCP server ${name} ${state}`).join('; ')
  return { code: 'server-unavailable', message: `${message}, so its tools cannot be found` }
}
