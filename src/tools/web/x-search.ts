import { isRecord } from '../../config/path-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { CoreTool } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { AnswerCache } from './cache.ts'
import { asExternal, safeText } from './external-text.ts'
import { askProvider, providerUrl } from './provider-http.ts'
import { listOf, textOf } from './search-text.ts'
import { xaiKey, xaiSettings } from './xai-settings.ts'

interface Found {
  readonly text: string
  readonly citations: readonly { readonly url: string; readonly title?: string }[]
}

const answers = new AnswerCache<Found>(100, 4_000_000)
const mostChars = 50_000
const mostCitations = 50
const keyPath = 'plugins.entries.xai.config.xSearch.apiKey'

/** The x_search tool: xAI searches posts on X itself and answers with what it found (its Responses API, tool x_search). */
export function xSearch({ view, services, clock }: CodingToolOptions): CoreTool {
  return {
    run: async (args, { signal }) => {
      const { config } = view()
      const { query, ...filters } = args
      const text = typeof query === 'string' ? query.trim() : ''
      if (text === '') throw new OpenClawError('INPUT_INVALID', 'the query is empty')
      checkFilters(filters)
      const secret = await services.readSecret?.(xaiKey(config) ?? { source: 'env', id: 'XAI_API_KEY' })
      if (secret === undefined || 'missing' in secret) {
        throw new OpenClawError(
          'TOOL_UNAVAILABLE',
          `x_search needs a key for xAI: ${secret?.missing ?? 'nothing here reads secrets'}`,
          {
            hints: [`openclaw config set ${keyPath} '\${XAI_API_KEY}'`],
          },
        )
      }
      const { model, baseUrl, timeoutMs, cacheTtlMs, maxTurns } = xaiSettings(config)
      const key = JSON.stringify([baseUrl, model, maxTurns, text, filters])
      const now = clock()
      const kept = cacheTtlMs > 0 ? answers.get(key, now) : undefined
      if (kept !== undefined) return answer(text, model, kept, true)
      const urlPath = 'models.providers.xai.baseUrl'
      const call = { id: 'xai', baseUrl, urlPath, keyPath, timeoutMs, secrets: [secret.value] }
      const body = JSON.stringify({
        model,
        input: [{ role: 'user', content: text }],
        tools: [{ type: 'x_search', ...filters }],
        ...(maxTurns !== null && { max_turns: maxTurns }),
      })
      const url = providerUrl(call, '/responses')
      const headers = { authorization: `Bearer ${secret.value}`, 'content-type': 'application/json' }
      const found = read(await askProvider(call, { url, method: 'POST', headers, body }, signal))
      if (found.text !== '') answers.set(key, found, JSON.stringify(found).length, now + cacheTtlMs)
      return answer(text, model, found, false)
    },
  }
}

function checkFilters(filters: Readonly<Record<string, unknown>>): void {
  const { allowed_x_handles: allowed, excluded_x_handles: excluded, from_date: from, to_date: to } = filters
  if (allowed !== undefined && excluded !== undefined) {
    throw new OpenClawError(
      'INPUT_INVALID',
      'allowed_x_handles and excluded_x_handles cannot be used together',
    )
  }
  for (const day of [from, to]) {
    if (
      typeof day === 'string' &&
      (Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day)
    )
      throw new OpenClawError('INPUT_INVALID', `${JSON.stringify(day)} is no day of the calendar`)
  }
  if (typeof from === 'string' && typeof to === 'string' && from > to) {
    throw new OpenClawError('INPUT_INVALID', `from_date ${from} is later than to_date ${to}`)
  }
}

function read(received: unknown): Found {
  const own = isRecord(received) ? received : {}
  const parts = listOf(own['output'])
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => listOf(content))
    .filter(({ type }) => type === 'output_text')
  const text = parts.map((part) => textOf(part['text'])).join('\n')
  const cited = new Map<string, { url: string; title?: string }>()
  const add = (url: string, title: string): void => {
    if (cited.size >= mostCitations || url.length > 2_048 || !/^https?:\/\//i.test(url) || !URL.canParse(url))
      return
    const { href } = new URL(url)
    // The annotations number their sources; "1" is no title.
    const line = /^\d*$/.test(title.trim()) ? '' : cleanLine(title, 200)
    if (!cited.has(href)) cited.set(href, { url: href, ...(line !== '' && { title: line }) })
  }
  for (const part of parts)
    for (const note of listOf(part['annotations'])) add(textOf(note['url']), textOf(note['title']))
  const { citations } = own
  for (const url of Array.isArray(citations) ? citations : []) add(textOf(url), '')
  if (text === '' && cited.size === 0 && !('output' in own)) {
    throw new OpenClawError('PROVIDER_FAILED', 'xai: its answer is none of the Responses API', {
      hints: ['openclaw config get models.providers.xai.baseUrl'],
    })
  }
  return { text, citations: [...cited.values()] }
}

function answer(query: string, model: string, { text, citations }: Found, cached: boolean) {
  const safe = safeText(text, mostChars)
  const sources = citations.map(
    ({ url, title }, at) => `[${at + 1}] ${title === undefined ? '' : `${title} `}${url}`,
  )
  const shown = [
    safe.text === '' ? 'Nothing was found.' : safe.text,
    ...(sources.length > 0 ? ['', 'Sources:', ...sources] : []),
  ]
  return {
    result: {
      content: [{ type: 'text' as const, text: asExternal(shown.join('\n'), 'a search on X (xai)') }],
      details: {
        provider: 'xai',
        query,
        model,
        citations,
        truncated: safe.truncated,
        cached,
        untrusted: true,
      },
    },
  }
}
