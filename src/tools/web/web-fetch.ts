import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import type { CoreTool } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import { AnswerCache } from './cache.ts'
import { decodeText } from './charset.ts'
import { download, type Download } from './download.ts'
import { extractPage, extractPdfFile } from './extract-thread.ts'
import { asExternal, safeText } from './external-text.ts'
import { AddressGuard, hostOf, type Resolve } from './guard.ts'
import { fetchSettings, type FetchSettings } from './settings.ts'
import type { ExtractMode } from './stripped-text.ts'

/** A page as it is kept: what it says, before it is cut for a call. */
interface Page {
  readonly finalUrl: string
  readonly status: number
  readonly statusText: string
  readonly contentType: string
  readonly title: string | null
  readonly extractor: string
  readonly text: string
  /** The download was cut. */
  readonly truncated: boolean
  readonly fetchedAt: string
}

/** Milliseconds for taking the text out of a page. */
const extractMs = 10_000
/** Characters of all kept pages. */
const cacheSize = 16_000_000

// One for the program: a Gateway opens its tools anew for every run.
const pages = new AnswerCache<Page>(100, cacheSize)

/** The web_fetch tool. `resolve` finds the addresses of names instead of DNS. */
export function webFetch(options: CodingToolOptions, resolve?: Resolve): CoreTool {
  return {
    run: async (args, { signal }) => {
      const settings = fetchSettings(options.view().config)
      const { url: text, extractMode, maxChars } = args
      const mode: ExtractMode = extractMode === 'text' ? 'text' : 'markdown'
      const most = Math.min(typeof maxChars === 'number' ? maxChars : settings.maxChars, settings.maxCharsCap)
      const { provider = '' } = options.view().config.tools?.web?.fetch ?? {}
      if (!/^(?:|auto|none|direct|local|readability)$/i.test(provider.trim())) {
        options.tell(
          `tools.web.fetch.provider ${JSON.stringify(showName(provider))} is not known here; the page is fetched directly`,
        )
      }
      const guard = new AddressGuard(settings.rules, resolve)
      const url = guard.check(typeof text === 'string' ? text.trim() : '')
      url.hash = ''
      const key = JSON.stringify([
        url.href,
        mode,
        guard.fingerprint,
        settings.headers,
        settings.userAgent,
        settings.readability,
        settings.maxResponseBytes,
      ])
      const now = options.clock()
      const kept = settings.cacheTtlMs > 0 ? pages.get(key, now) : undefined
      if (kept !== undefined) return answer(url, kept, mode, most, true)
      const { page, keep } = await fetchPage({ url, mode, guard, settings, signal, options })
      if (keep) pages.set(key, page, page.text.length, now + settings.cacheTtlMs)
      return answer(url, page, mode, most, false)
    },
  }
}

interface Wanted {
  readonly url: URL
  readonly mode: ExtractMode
  readonly guard: AddressGuard
  readonly settings: FetchSettings
  readonly signal: AbortSignal
  readonly options: Pick<CodingToolOptions, 'clock' | 'env'>
}

async function fetchPage(wanted: Wanted): Promise<{ readonly page: Page; readonly keep: boolean }> {
  const { url, mode, guard, settings, signal, options } = wanted
  const found = await download(
    {
      url,
      headers: {
        accept:
          'text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.8,application/pdf;q=0.7,*/*;q=0.1',
        'accept-language': 'en;q=0.9,*;q=0.5',
        'user-agent': settings.userAgent,
      },
      ownHeaders: settings.headers,
    },
    guard,
    {
      timeoutMs: settings.timeoutMs,
      maxBytes: settings.maxResponseBytes,
      maxRedirects: settings.maxRedirects,
    },
    signal,
    settings.useTrustedEnvProxy ? options.env : undefined,
  )
  const read = await readPage(found, mode, settings, signal)
  const page = {
    finalUrl: found.url.href,
    status: found.status,
    statusText: found.statusText,
    contentType: found.contentType,
    ...read,
    truncated: found.truncated,
    fetchedAt: new Date(options.clock()).toISOString(),
  }
  const control = found.headers['cache-control'] ?? ''
  return { page, keep: isGood(found.status) && !/\bno-store\b/i.test(control) }
}

type Read = Pick<Page, 'title' | 'extractor' | 'text'>

async function readPage(
  found: Download,
  mode: ExtractMode,
  { readability }: FetchSettings,
  signal: AbortSignal,
): Promise<Read> {
  const { bytes, contentType, url } = found
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/pdf' || startsWith(bytes, '%PDF-')) {
    if (found.truncated) {
      throw new OpenClawError('TOOL_FAILED', `the PDF file has more than ${bytes.length} bytes`, {
        hints: ['openclaw config set tools.web.fetch.maxResponseBytes 20000000'],
      })
    }
    return pdfPage(await extractPdfFile(bytes, null, extractMs, signal))
  }
  // Even a page of text is nothing to hand on with zero bytes in it, unless they are how its characters are written.
  const { text, charset } = decodeText(bytes, contentType)
  const isBinary = !charset.startsWith('utf-16') && bytes.subarray(0, 4096).includes(0)
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)$/.test(type) || (type === '' && looksLikeHtml(text))
  if (isBinary || !(isHtml || type === '' || isText(type))) {
    const what = type === '' ? 'it' : `its content (${showName(type)})`
    throw new OpenClawError('TOOL_FAILED', `${hostOf(url)}: ${what} is not text, and is not read`, {
      data: { contentType: type, bytes: bytes.length },
    })
  }
  if (!isHtml) return { title: null, extractor: /\bjson$/.test(type) ? 'json' : 'raw', text }
  return extractPage({ what: 'html', html: text, url: url.href, mode, readability }, extractMs, signal)
}

function pdfPage({ title, count, pages: read }: Awaited<ReturnType<typeof extractPdfFile>>): Read {
  const rest = count - read.length
  const parts = [...read.map(({ text }) => text), ...(rest > 0 ? [`(${rest} more pages were not read)`] : [])]
  return { title, extractor: 'pdf', text: parts.join('\n\n').trim() }
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

function isText(type: string): boolean {
  return (
    type.startsWith('text/') ||
    /^application\/(?:.*\+)?(?:json|xml|yaml|toml|javascript|ecmascript|x-javascript|x-yaml|x-ndjson|ndjson|jsonl|x-sh|sql|graphql|x-www-form-urlencoded)$/.test(
      type,
    ) ||
    /^image\/svg\+xml$/.test(type)
  )
}

function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body|title|script|style|iframe|h1|div|font|table|p)\b/i.test(
    text.slice(0, 4096),
  )
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.subarray(0, text.length).toString('latin1') === text
}

function answer(url: URL, page: Page, mode: ExtractMode, most: number, cached: boolean) {
  const { finalUrl, status, contentType, extractor, fetchedAt } = page
  const { text, truncated } = safeText(page.text, most)
  const title = page.title === null ? null : cleanLine(page.title, 300)
  const host = showName(hostOf(new URL(finalUrl)), 120)
  const failed = !isGood(status)
  const head = [
    failed ? `HTTP ${status}${page.statusText === '' ? '' : ` ${page.statusText}`}` : null,
    title === null || title === '' ? null : `Title: ${title}`,
    `URL: ${cleanLine(finalUrl, 2_000)}`,
  ].filter((line) => line !== null)
  const rest = truncated || page.truncated ? '\n[cut: there is more]' : ''
  const body = asExternal(`${head.join('\n')}\n\n${text}${rest}`, `the web (${host})`)
  return {
    result: {
      content: [{ type: 'text' as const, text: body }],
      details: {
        url: url.href,
        finalUrl,
        status,
        contentType,
        title,
        extractMode: mode,
        extractor,
        length: text.length,
        truncated: truncated || page.truncated,
        fetchedAt,
        cached,
        untrusted: true,
      },
    },
    ...(failed && { failed }),
  }
}
