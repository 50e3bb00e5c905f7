/** Web search providers whose settings once stood in `tools.web.search.<id>` and now belong to their plugins. */
export const searchProviders: readonly string[] = [
  'brave',
  'firecrawl',
  'gemini',
  'grok',
  'kimi',
  'perplexity',
]
