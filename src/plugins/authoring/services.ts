/** What a web search may be narrowed by; a back end leaves out what it cannot do. */
export interface WebSearchOptions {
  /** Hits wanted, 1 to 20. */
  readonly count: number
  /** Two letters, upper case (ISO 3166). */
  readonly country?: string
  /** A language code such as `de` or `pt-BR`. */
  readonly language?: string
  readonly freshness?: 'day' | 'week' | 'month' | 'year'
}

export interface WebSearchHit {
  readonly title: string
  readonly url: string
  readonly snippet?: string
  readonly published?: string
  readonly siteName?: string
}

/** A place that answers web searches; what it throws is the failure of the call. */
export interface WebSearch {
  /** As `tools.web.search.provider` names it. */
  readonly id: string
  search(query: string, options: WebSearchOptions, signal: AbortSignal): Promise<readonly WebSearchHit[]>
}

/** A file that a media back end is given or has made. */
export interface MediaFile {
  readonly data: Uint8Array
  /** As `image/png`. */
  readonly mimeType: string
  readonly name?: string
}

/** Something to be made. */
export interface MediaRequest {
  readonly kind: 'image' | 'video' | 'music' | 'speech'
  /** What it shows or sounds like; for speech the words to be spoken. */
  readonly prompt: string
  readonly model?: string
  readonly count?: number
  readonly inputs?: readonly MediaFile[]
  /** Whatever else was asked for, as `size`, `voice`, `durationSeconds`, `format`. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** Files to be looked into. */
export interface DescribeRequest {
  readonly kind: 'vision' | 'pdf'
  readonly prompt: string
  readonly files: readonly MediaFile[]
  readonly model?: string
}

/** Makes media, or looks into them; what it throws is the failure of the call. */
export interface Media {
  /** As the media models of the config name it: `<id>/<model>`. */
  readonly id: string
  /** What it can be asked for; with image, video, music or speech it needs `generate`, with vision or pdf `describe`. */
  readonly kinds: readonly (MediaRequest['kind'] | DescribeRequest['kind'])[]
  generate?(request: MediaRequest, signal: AbortSignal): Promise<readonly MediaFile[]>
  describe?(request: DescribeRequest, signal: AbortSignal): Promise<string>
}
