import { getDocumentProxy } from 'unpdf'
import { pagesIn, type PdfPage } from './pdf-pages.ts'

const mostPages = 300
const mostChars = 4_000_000

/** What a PDF file says. */
export interface PdfText {
  readonly title: string | null
  /** Pages of the document, whatever was read. */
  readonly count: number
  /** Those that were wanted, 300 pages or four million characters at most; none where one that was wanted is not there. */
  readonly pages: readonly PdfPage[]
}

/** The text of a PDF file, page by page. Throws for a file that is broken or locked. */
export async function extractPdf(bytes: Uint8Array, wanted: string | null): Promise<PdfText> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  const count = pdf.numPages
  const numbers = wanted === null ? Array.from({ length: count }, (_, at) => at + 1) : pagesIn(wanted, count)
  const pages: PdfPage[] = []
  let size = 0
  for (const number of typeof numbers === 'string' ? [] : numbers.slice(0, mostPages)) {
    if (size >= mostChars) break
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const text = items
      .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
      .join('')
      .trim()
    page.cleanup()
    pages.push({ number, text })
    size += text.length
  }
  const { info } = await pdf.getMetadata()
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : ''
  return { title: title || null, count, pages }
}
