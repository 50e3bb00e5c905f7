import type { View } from '../../../src/policy/view.ts'
import { buildCatalogue, indexOf, type Catalogue } from '../../../src/tool-search/catalogue.ts'
import { findTools, type Findings, type SearchNote } from '../../../src/tool-search/find.ts'
import { HiddenTools, type HiddenMatch } from '../../../src/tool-search/hidden-matches.ts'
import { missingServers } from '../../../src/tool-search/missing-servers.ts'

/** One search as a model gets it, and what the operator learns besides. */
export interface Searched {
  readonly model: Findings
  readonly operator: { readonly hiddenMatches: readonly HiddenMatch[]; readonly note?: SearchNote }
}

/** Makes the tools of a judged session searchable, without a cache. */
export function searchOf(view: View): {
  readonly catalogue: Catalogue
  readonly search: (query: string, limit?: number) => Promise<Searched>
} {
  const catalogue = buildCatalogue(view)
  const index = indexOf(view, catalogue.entries, null)
  const missing = missingServers(view)
  const hidden = new HiddenTools(view, index, missing, null)
  const searchable = { catalogue, index, edition: view.edition.id, missingServers: missing }
  return {
    catalogue,
    search: async (query, limit = 8) => {
      const model = await findTools(searchable, query, limit)
      return { model, operator: hidden.matches(model) }
    },
  }
}
