import type { Notice } from '../kernel/path.ts'
import type { View } from '../policy/view.ts'
import { buildCatalogue, indexOf, type Catalogue } from '../tool-search/catalogue.ts'
import { findTools, type Findings, type SearchNote } from '../tool-search/find.ts'
import { HiddenTools, type HiddenMatch } from '../tool-search/hidden-matches.ts'
import { missingServers } from '../tool-search/missing-servers.ts'
import type { Case } from './case.ts'

/** The answer of `tools search` (contract §5). */
export interface SearchResult extends Findings {
  readonly hiddenMatches: readonly HiddenMatch[]
  readonly note?: SearchNote
}

/** Searches of one session, for the person who runs it. */
export interface SessionSearch {
  /** Most hits of a search, after the session's own bounds. */
  readonly limit: number
  readonly notices: readonly Notice[]
  one(query: string): Promise<SearchResult>
  /** The answers in the order of the queries, one at a time. */
  all(queries: readonly string[]): AsyncIterable<SearchResult>
}

/** Makes the tools of a session searchable; `wanted` hits are lowered to `maxSearchLimit` and default to `searchDefaultLimit`. */
export async function openSearch(each: Case, wanted?: number): Promise<SessionSearch> {
  const view = await each.view()
  const { searchDefaultLimit, maxSearchLimit } = view.toolSearch
  const limit = Math.min(wanted ?? searchDefaultLimit, maxSearchLimit)
  const catalogue = buildCatalogue(view)
  const missing = missingServers(view)
  const stateDir = each.loaded?.stateDir ?? null
  const index = indexOf(view, catalogue.entries, stateDir)
  const searchable = { catalogue, index, edition: view.edition.id, missingServers: missing }
  const hidden = new HiddenTools(view, searchable.index, missing, stateDir)
  const one = async (query: string): Promise<SearchResult> => {
    const findings = await findTools(searchable, query, limit)
    const { hits, total } = findings
    return { query, limit, hits, total, ...hidden.matches(findings) }
  }
  return {
    limit,
    notices: searchNotices(each, view, catalogue),
    one,
    all: async function* (queries) {
      for (const query of queries) yield await one(query)
    },
  }
}

/** Notices about tools that a search cannot see. */
const telling: ReadonlySet<string> = new Set(['mcp-stale', 'mcp-unreachable', 'duplicate-id'])

function searchNotices(each: Case, view: View, { duplicateIds }: Catalogue): Notice[] {
  const known = view.inventory.notices
    .filter(({ id }) => telling.has(id))
    .map(({ path, ...notice }) => ({ ...notice, location: path && each.locate(path) }))
  const duplicates = duplicateIds.map((id): Notice => ({
    id: 'duplicate-id',
    severity: 'warning',
    message: `several tools have the id ${id}; only the first can be found`,
    location: null,
  }))
  return [...known, ...duplicates]
}
