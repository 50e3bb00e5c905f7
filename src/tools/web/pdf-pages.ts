/** The text of one page of a PDF file. */
export interface PdfPage {
  readonly number: number
  readonly text: string
}

/** Pages that "1-3,7" means in a document of so many, in order and each once; the first range that is not in it as a text. */
export function pagesIn(wanted: string, count: number): readonly number[] | string {
  const numbers = new Set<number>()
  for (const range of wanted.split(',')) {
    const [from = 0, to = from] = range.split('-').map(Number)
    if (!(from >= 1 && to >= from && from <= count)) return range
    for (let number = from; number <= Math.min(to, count); number++) numbers.add(number)
  }
  return [...numbers].toSorted((a, b) => a - b)
}
