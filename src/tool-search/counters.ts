import type { Catalogue } from './catalogue.ts'

/** What Tool Search did in a run, in whatever mode and whether or not it succeeded (tool search facts §3.1). */
export interface SearchTelemetry {
  readonly catalogSize: number
  readonly sources: { readonly openclaw: number; readonly mcp: number; readonly client: number }
  readonly searchCount: number
  readonly describeCount: number
  readonly callCount: number
}

/** Counts searches, descriptions and calls; each counts when it is asked for, whatever comes of it, a call once its tool is known. */
export class SearchCounters {
  #searches = 0
  #describes = 0
  #calls = 0

  search(): void {
    this.#searches += 1
  }

  describe(): void {
    this.#describes += 1
  }

  call(): void {
    this.#calls += 1
  }

  /** The counts so far, over the catalogue as it is now. */
  telemetry(catalogue: Catalogue): SearchTelemetry {
    return {
      catalogSize: catalogue.entries.length,
      sources: sourcesOf(catalogue),
      searchCount: this.#searches,
      describeCount: this.#describes,
      callCount: this.#calls,
    }
  }
}

type Sources = SearchTelemetry['sources']

// Every call of a long-lived session asks, and the catalogue may be large.
const counted = new WeakMap<Catalogue, Sources>()

function sourcesOf(catalogue: Catalogue): Sources {
  const known = counted.get(catalogue)
  if (known !== undefined) return known
  const sources = { openclaw: 0, mcp: 0, client: 0 }
  for (const { source } of catalogue.entries) sources[source] += 1
  counted.set(catalogue, sources)
  return sources
}
