import { isRecord } from '../../config/path-value.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { WebSearchHit } from './search-provider.ts'

/** A text, or empty where something else stands. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The objects of a list, 100 at most. */
export function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.slice(0, 100).filter(isRecord) : []
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** The words of a line that is written with marks of HTML, as providers write titles. */
export function htmlLine(text: string): string {
  return text
    .slice(0, 4_000)
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (all, decimal, hex, name) => {
      if (typeof name === 'string') return entities[name.toLowerCase()] ?? all
      const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
}

/** Hits as they may be shown: web addresses only, each once, at most `count`, every text on one line and of bounded length. */
export function safeHits(hits: unknown, count: number): readonly WebSearchHit[] {
  const safe = new Map<string, WebSearchHit>()
  for (const hit of listOf(hits)) {
    if (safe.size >= count) break
    const url = textOf(hit['url']).trim()
    if (url.length > 2_048 || !URL.canParse(url)) continue
    const { href, protocol } = new URL(url)
    if ((protocol !== 'http:' && protocol !== 'https:') || safe.has(href)) continue
    const optional = (key: 'snippet' | 'published' | 'siteName', most: number) => {
      const line = cleanLine(textOf(hit[key]), most)
      return line === '' ? {} : { [key]: line }
    }
    safe.set(href, {
      title: cleanLine(textOf(hit['title']), 200) || href,
      url: href,
      ...optional('snippet', 800),
      ...optional('published', 60),
      ...optional('siteName', 80),
    })
  }
  return [...safe.values()]
}
