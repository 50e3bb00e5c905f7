export type ExtractMode = 'markdown' | 'text'

/** What a page says, in a form a model reads. */
export interface Extracted {
  readonly title: string | null
  readonly text: string
  /** `readability` where the main part of the page was found, `basic` for the whole page. */
  readonly extractor: 'readability' | 'basic' | 'stripped'
}

/** The words of a page without its marks, for pages that cannot be parsed. */
export function stripped(html: string): Extracted {
  const title = /<title[^<>]{0,200}>([^<]{0,500})/i.exec(html)?.[1]?.replace(/\s+/g, ' ').trim() || null
  const text = html
    .replace(/<(script|style|template|noscript)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, (blanks) => (blanks.includes('\n') ? '\n' : ' '))
  return { title, text: tidy(text), extractor: 'stripped' }
}

/** Text without blanks at the ends of lines and without more than one empty line in a row. */
export function tidy(text: string): string {
  // Line by line: an expression that looks for blanks before an end takes for ever where a page is made of blanks.
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
