import { isRecord } from '../../config/path-value.ts'
import { askProvider, providerUrl, strangeAnswer, type ProviderCall } from './provider-http.ts'
import type { WebSearchHit, WebSearchProvider } from './search-provider.ts'
import { htmlLine, listOf, textOf } from './search-text.ts'

const periods = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const

/** Web search by the API of Brave, or by what speaks it. */
export function braveSearch(call: ProviderCall, key: string): WebSearchProvider {
  return {
    id: call.id,
    search: async (query, { count, country, language, freshness }, signal) => {
      const url = providerUrl(call, '/web/search')
      url.searchParams.set('q', query)
      url.searchParams.set('count', String(count))
      if (country !== undefined) url.searchParams.set('country', country)
      if (language !== undefined) url.searchParams.set('search_lang', language.toLowerCase())
      if (freshness !== undefined) url.searchParams.set('freshness', periods[freshness])
      const answer = await askProvider(call, { url, headers: { 'x-subscription-token': key } }, signal)
      // Where nothing is found, `web` is left out.
      if (!isRecord(answer) || (answer['web'] === undefined && answer['error'] !== undefined))
        throw strangeAnswer(call)
      const { web } = answer
      return listOf(isRecord(web) ? web['results'] : undefined).map(hitOf)
    },
  }
}

function hitOf(result: Readonly<Record<string, unknown>>): WebSearchHit {
  const { profile } = result
  const published = textOf(result['page_age']) || textOf(result['age'])
  const siteName = isRecord(profile) ? textOf(profile['name']) : ''
  return {
    title: htmlLine(textOf(result['title'])),
    url: textOf(result['url']),
    snippet: htmlLine(textOf(result['description'])),
    ...(published !== '' && { published }),
    ...(siteName !== '' && { siteName }),
  }
}
