import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { CoreTool } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { braveSearch } from './brave.ts'
import { AnswerCache } from './cache.ts'
import { asExternal } from './external-text.ts'
import { searchNeed, unknownProvider } from './needs.ts'
import type { ProviderCall } from './provider-http.ts'
import type { WebSearchHit, WebSearchOptions, WebSearchProvider } from './search-provider.ts'
import {
  namedProvider,
  ownProviders,
  ownSetting,
  pluginSection,
  searchPaths,
  searchVariables,
  type OwnProvider,
} from './search-settings.ts'
import { safeHits } from './search-text.ts'
import { searxngSearch } from './searxng.ts'

// One for the program: a Gateway opens its tools anew for every run.
const answers = new AnswerCache<readonly WebSearchHit[]>(200, 2_000_000)

const mostHits = 20
const defaultHits = 5

/** The web_search tool. */
export function webSearch(options: CodingToolOptions): CoreTool {
  return {
    run: async (args, { signal }) => {
      const { config } = options.view()
      const { maxResults = defaultHits, cacheTtlMinutes = 15 } = config.tools?.web?.search ?? {}
      const query = typeof args['query'] === 'string' ? args['query'].replace(/\s+/g, ' ').trim() : ''
      if (query === '') throw new OpenClawError('INPUT_INVALID', 'the query is empty')
      const wanted = wish(args, Math.min(maxResults, mostHits))
      const { provider, key: place } = await findProvider(options)
      const key = JSON.stringify([place, query, wanted])
      const now = options.clock()
      const kept = cacheTtlMinutes > 0 ? answers.get(key, now) : undefined
      const hits = kept ?? safeHits(await provider.search(query, wanted, signal), wanted.count)
      if (kept === undefined && hits.length > 0) {
        answers.set(key, hits, JSON.stringify(hits).length, now + cacheTtlMinutes * 60_000)
      }
      return answer(provider.id, query, hits, kept !== undefined)
    },
  }
}

function wish(args: Readonly<Record<string, unknown>>, most: number): WebSearchOptions {
  const { count, country, language, freshness } = args
  return {
    count: typeof count === 'number' ? Math.min(count, mostHits) : most,
    ...(typeof country === 'string' && { country: country.toUpperCase() }),
    ...(typeof language === 'string' && { language }),
    ...((freshness === 'day' || freshness === 'week' || freshness === 'month' || freshness === 'year') && {
      freshness,
    }),
  }
}

/** The provider to ask, with what tells it from another one of that name. TOOL_UNAVAILABLE where there is none. */
async function findProvider(
  options: CodingToolOptions,
): Promise<{ readonly provider: WebSearchProvider; readonly key: string }> {
  const { config } = options.view()
  const fromPlugins = options.services.webSearch ?? new Map<string, WebSearchProvider>()
  const named = namedProvider(config)
  if (named !== null) {
    const theirs = [...fromPlugins].find(([id]) => id.trim().toLowerCase() === named)?.[1]
    if (theirs !== undefined) return { provider: theirs, key: named }
    const own = ownProviders.find((id) => id === named)
    const opened = own === undefined ? null : await openOwn(own, options)
    if (opened !== null) return opened
    throw missing(own === undefined ? unknownProvider(named) : searchNeed(own))
  }
  const [first] = fromPlugins.values()
  if (first !== undefined) return { provider: first, key: first.id }
  for (const id of ownProviders) {
    const opened = await openOwn(id, options)
    if (opened !== null) return opened
  }
  throw missing(searchNeed(null))
}

function missing({
  needs,
  hints,
}: {
  readonly needs: string
  readonly hints: readonly string[]
}): OpenClawError {
  return new OpenClawError('TOOL_UNAVAILABLE', `web_search needs ${needs}`, { hints })
}

/** A provider of ours; null where nothing says how to reach it. */
async function openOwn(
  id: OwnProvider,
  { view, services }: CodingToolOptions,
): Promise<{ readonly provider: WebSearchProvider; readonly key: string } | null> {
  const { config } = view()
  const set = ownSetting(config, id)
  const read = services.readSecret
  if (read === undefined) return null
  const secret = await read(set ?? { source: 'env', id: searchVariables[id] })
  if ('missing' in secret) {
    if (set === undefined) return null
    throw new OpenClawError('TOOL_UNAVAILABLE', `${searchPaths[id]} cannot be used: ${secret.missing}`)
  }
  const section = pluginSection(config, id, 'webSearch')
  const urlPath = `plugins.entries.${id}.config.webSearch.baseUrl`
  const common = {
    id,
    urlPath,
    timeoutMs: Math.min(config.tools?.web?.search?.timeoutSeconds ?? 30, 300) * 1000,
  }
  if (id === 'searxng') {
    const call: ProviderCall = { ...common, baseUrl: secret.value, keyPath: null, secrets: [] }
    return { provider: searxngSearch(call), key: `searxng ${secret.value}` }
  }
  const baseUrl =
    typeof section['baseUrl'] === 'string' ? section['baseUrl'] : 'https://api.search.brave.com/res/v1'
  const call: ProviderCall = { ...common, baseUrl, keyPath: searchPaths.brave, secrets: [secret.value] }
  return { provider: braveSearch(call, secret.value), key: `brave ${baseUrl}` }
}

function answer(provider: string, query: string, hits: readonly WebSearchHit[], cached: boolean) {
  const text =
    hits.length === 0
      ? 'No results.'
      : hits
          .map(({ title, url, snippet, published, siteName }, at) =>
            [
              `${at + 1}. ${title}`,
              `   ${url}`,
              ...(published === undefined && siteName === undefined
                ? []
                : [`   ${[siteName, published].filter((part) => part !== undefined).join(', ')}`]),
              ...(snippet === undefined ? [] : [`   ${snippet}`]),
            ].join('\n'),
          )
          .join('\n')
  return {
    result: {
      content: [{ type: 'text' as const, text: asExternal(text, `a web search (${showName(provider)})`) }],
      details: { provider, query, count: hits.length, results: hits, cached, untrusted: true },
    },
  }
}
