import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import { stripped, tidy, type Extracted, type ExtractMode } from './stripped-text.ts'

type Page = ReturnType<typeof parseHTML>['document']

/** Shorter main parts are mostly a guess gone wrong. */
const shortestArticle = 200
/** On the first row of a table while it is written. */
const headMark = 'data-openclaw-head'
/** Deeper pages are made to break parsers, which recurse. */
const deepest = 512

/** Takes the main part out of an HTML page and writes it as Markdown or plain text; links become absolute. Never throws for what a page holds. */
export function extractHtml(
  html: string,
  url: string,
  mode: ExtractMode,
  useReadability: boolean,
): Extracted {
  if (depthOf(html) > deepest) return stripped(html)
  try {
    const { document } = parseHTML(whole(html))
    const title = document.querySelector('title')?.textContent?.replace(/\s+/g, ' ').trim() || null
    document.querySelector('title')?.remove()
    const base = baseOf(document.querySelector('base')?.getAttribute('href') ?? null, url)
    dropHidden(document)
    const article = useReadability ? mainPart(html) : null
    const write = writer(mode, base)
    if (article !== null) {
      const text = tidy(write(article.content))
      if (
        text.length >= shortestArticle ||
        text.length * 2 > (document.body?.textContent?.trim().length ?? 0)
      ) {
        return { title: article.title || title, text, extractor: 'readability' }
      }
    }
    // The parser makes an empty body for pages that leave the tag out.
    const root = document.body?.textContent?.trim() ? document.body : document.documentElement
    return { title, text: tidy(root === null ? '' : write(root.innerHTML)), extractor: 'basic' }
  } catch {
    return stripped(html)
  }
}

/** A page that leaves out its outer tags, which the parser relies on, with them. */
function whole(html: string): string {
  return /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`
}

function mainPart(html: string): { title: string; content: string } | null {
  // It takes the document apart, so it gets one of its own.
  const { document } = parseHTML(whole(html))
  dropHidden(document)
  const parsed = new Readability(document, { maxElemsToParse: 50_000 }).parse()
  if (parsed === null || !parsed.content) return null
  return { title: parsed.title?.replace(/\s+/g, ' ').trim() ?? '', content: parsed.content }
}

const unseen =
  'script, style, noscript, template, iframe, frame, object, embed, svg, canvas, audio, video, dialog:not([open]), body title, [hidden], [aria-hidden="true"], input[type="hidden"]'
const invisible =
  /(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d]))/i

/** Takes out what a reader would not see: text is often hidden there for models only. */
function dropHidden(document: Page): void {
  for (const node of document.querySelectorAll(unseen)) node.remove()
  for (const node of document.querySelectorAll('[style]')) {
    if (invisible.test(node.getAttribute('style') ?? '')) node.remove()
  }
}

function baseOf(href: string | null, url: string): string {
  return href !== null && URL.canParse(href, url) ? new URL(href, url).href : url
}

function writer(mode: ExtractMode, base: string): (html: string) => string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  })
  // An expression for blanks around a line break takes for ever where there are only blanks.
  const inLine = (content: string): string =>
    content
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' ')
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content) => ` ${inLine(content).replaceAll('|', '\\|')} |`,
  })
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      const cells = content.split(/(?<!\\)\|/).length - 1
      const isHead = attribute(node, headMark) !== '' && mode === 'markdown'
      return `\n|${content}${isHead ? `\n|${' --- |'.repeat(cells)}` : ''}`
    },
  })
  service.addRule('section', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  service.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` })
  if (mode === 'text') {
    service.escape = (text) => text
    service.addRule('plain', {
      filter: ['a', 'em', 'i', 'strong', 'b', 'code', 'del', 's'],
      replacement: (content) => content,
    })
    service.addRule('blocks', {
      filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre'],
      replacement: (content) => `\n\n${content.trim()}\n\n`,
    })
    service.addRule('image', { filter: 'img', replacement: (_content, node) => altOf(node) })
  } else {
    const { escape } = service
    // What a page shows as text must not become a tag where the Markdown is rendered.
    service.escape = (text) => escape.call(service, text).replace(/<(?=[a-z/!?])/gi, '\\<')
    service.addRule('link', {
      filter: 'a',
      replacement: (content, node) => {
        const label = inLine(content)
        const href = webUrl(attribute(node, 'href'), base)
        return href === null || label === '' ? label : `[${label}](${href})`
      },
    })
    service.addRule('image', {
      filter: 'img',
      replacement: (_content, node) => {
        const src = webUrl(attribute(node, 'src'), base)
        const alt = altOf(node)
        return src === null || alt === '' ? alt : `![${alt}](${src})`
      },
    })
  }
  return (html) => {
    const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`)
    if (document.body === null) return ''
    for (const table of document.querySelectorAll('table')) {
      table.querySelector('tr')?.setAttribute(headMark, 'yes')
    }
    // It names the language of a fenced block, on the line of the fence.
    for (const code of document.querySelectorAll('pre > code[class]')) {
      if (!/^[\w\s#+.-]*$/.test(code.getAttribute('class') ?? '')) code.removeAttribute('class')
    }
    // The parser makes a node of every entity, and what has a meaning in Markdown is looked for node by node.
    document.body.normalize()
    return service.turndown(document.body)
  }
}

function altOf(node: object): string {
  return attribute(node, 'alt')
    .replace(/[\s[\]]+/g, ' ')
    .trim()
    .slice(0, 200)
}

/** An attribute of an element; empty where there is none. */
function attribute(node: object, name: string): string {
  const value: unknown =
    'getAttribute' in node && typeof node.getAttribute === 'function' ? node.getAttribute(name) : null
  return typeof value === 'string' ? value : ''
}

/** An address of the web in full; null for `javascript:`, `data:` and their like, which are noise at best. */
function webUrl(href: string, base: string): string | null {
  const text = href.trim()
  if (text === '' || text.length > 4_096 || !URL.canParse(text, base)) return null
  const url = new URL(text, base)
  if (!/^(?:https?|mailto):$/.test(url.protocol)) return null
  return url.href.replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))
}

/** Most elements that are open at once, roughly: what parsers would recurse into. */
function depthOf(html: string): number {
  let depth = 0
  let most = 0
  let foreign = 0
  for (const [, end, name = '', self] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,40})[^<>]*?(\/?)>/gi)) {
    if (/^(?:svg|math)$/i.test(name)) foreign = Math.max(0, foreign + (end === '/' ? -1 : 1))
    if (
      // Only foreign elements close themselves.
      (self === '/' && foreign > 0) ||
      /^(?:area|base|br|col|embed|hr|img|input|link|meta|p|li|source|track|wbr|t[dhr]|d[dt]|option|tbody|thead|colgroup)$/i.test(
        name,
      )
    )
      continue
    depth = end === '/' ? Math.max(0, depth - 1) : depth + 1
    if (depth > most) most = depth
  }
  return most
}
