import { getDocumentProxy } from 'unpdf'
import type { Extracted } from './stripped-text.ts'

const mostPages = 300
const mostChars = 4_000_000

/** The text of a PDF file, page by page; at most 300 pages. Throws for a file that is broken or locked. */
export async function extractPdf(bytes: Uint8Array): Promise<Extracted> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  const pages: string[] = []
  let size = 0
  for (let number = 1; number <= Math.min(pdf.numPages, mostPages) && size < mostChars; number += 1) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const text = items
      .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
      .join('')
      .trim()
    page.cleanup()
    pages.push(text)
    size += text.length
  }
  const rest = pdf.numPages - pages.length
  if (rest > 0) pages.push(`(${rest} more pages were not read)`)
  const { info } = await pdf.getMetadata()
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : ''
  return { title: title || null, text: pages.join('\n\n').trim(), extractor: 'pdf' }
}
