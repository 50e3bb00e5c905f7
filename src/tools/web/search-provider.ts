/** What a web search may be narrowed by; a provider leaves out what it cannot do. */
export interface WebSearchOptions {
  /** Hits wanted, 1 to 20. */
  readonly count: number
  /** Two letters, upper case (ISO 3166), or absent for the whole world. */
  readonly country?: string
  /** A language code such as `de` or `pt-BR`. */
  readonly language?: string
  /** How old a page may be. */
  readonly freshness?: 'day' | 'week' | 'month' | 'year'
}

/** One hit, as the provider gives it; whoever shows it makes it safe to show. */
export interface WebSearchHit {
  readonly title: string
  readonly url: string
  readonly snippet?: string
  /** When the page is from, in the provider's words or as an ISO time. */
  readonly published?: string
  readonly siteName?: string
}

/** A place that answers web searches; what it throws is the failure of the call. */
export interface WebSearchProvider {
  /** As `tools.web.search.provider` names it. */
  readonly id: string
  search(query: string, options: WebSearchOptions, signal: AbortSignal): Promise<readonly WebSearchHit[]>
}
