import { isRecord } from '../../config/path-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { askProvider, providerUrl, strangeAnswer, type ProviderCall } from './provider-http.ts'
import type { WebSearchHit, WebSearchProvider } from './search-provider.ts'
import { htmlLine, listOf, textOf } from './search-text.ts'

/** Web search by an instance of SearXNG; countries are asked for as part of the language. */
export function searxngSearch(call: ProviderCall): WebSearchProvider {
  return {
    id: call.id,
    search: async (query, { count, country, language, freshness }, signal) => {
      const url = providerUrl(call, '/search')
      url.searchParams.set('q', query)
      url.searchParams.set('format', 'json')
      if (language !== undefined) {
        const region = country !== undefined && !language.includes('-') ? `-${country}` : ''
        url.searchParams.set('language', `${language}${region}`)
      }
      if (freshness !== undefined) url.searchParams.set('time_range', freshness)
      const answer = await askProvider(call, { url }, signal).catch((error: unknown) => {
        if (error instanceof OpenClawError && /HTTP 403/.test(error.message)) {
          throw new OpenClawError('PROVIDER_FAILED', error.message, {
            hints: ['add json to search.formats in the settings.yml of that instance'],
            data: error.data,
          })
        }
        throw error
      })
      const results = isRecord(answer) ? answer['results'] : undefined
      if (!Array.isArray(results)) throw strangeAnswer(call)
      return listOf(results).slice(0, count).map(hitOf)
    },
  }
}

function hitOf(result: Readonly<Record<string, unknown>>): WebSearchHit {
  const published = textOf(result['publishedDate'])
  return {
    title: htmlLine(textOf(result['title'])),
    url: textOf(result['url']),
    snippet: htmlLine(textOf(result['content'])),
    ...(published !== '' && { published }),
  }
}
