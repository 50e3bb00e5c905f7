import { OpenClawError } from '../kernel/errors.ts'
import type { Notice } from '../kernel/path.ts'
import type { View } from '../policy/view.ts'
import { buildCatalogue, ownerTitles, searchDocument, type Catalogue } from '../tool-search/catalogue.ts'
import { describeFully, type Description } from '../tool-search/descriptor.ts'
import { findTools, type Findings, type SearchNote } from '../tool-search/find.ts'
import { HiddenTools, type HiddenMatch } from '../tool-search/hidden-matches.ts'
import { cachedIndex } from '../tool-search/index-cache.ts'
import { missingServers } from '../tool-search/missing-servers.ts'
import { resolveForOperator } from '../tool-search/operator.ts'
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
  const titles = ownerTitles(view)
  const documents = catalogue.entries.map((entry) => searchDocument(entry, titles.get(entry.sourceName)))
  const missing = missingServers(view)
  const index = cachedIndex(documents, each.loaded?.stateDir ?? null)
  const searchable = { catalogue, index, edition: view.edition.id, missingServers: missing }
  const hidden = new HiddenTools(view, documents.length, missing)
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

/** A described tool, and whether the model has its schema anyway because it is not behind Tool Search. */
export interface DescribedTool {
  readonly description: Description
  readonly outsideCatalogue: boolean
}

/** Describes one tool of a session by id or name. Errors: TOOL_DENIED, TOOL_UNAVAILABLE, AMBIGUOUS_TOOL, UNKNOWN_TOOL. */
export async function describeTool(
  each: Case,
  selector: string,
  skills: () => readonly string[],
): Promise<DescribedTool> {
  if (selector.trim() === '') throw new OpenClawError('USAGE', 'the id or name of a tool must not be empty')
  const view = await each.view()
  const catalogue = buildCatalogue(view)
  const entry = resolveForOperator(view, catalogue, selector, skills)
  return {
    description: describeFully(entry, view.edition.id),
    outsideCatalogue: !catalogue.byId.has(entry.id),
  }
}
