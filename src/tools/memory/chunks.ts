/** A passage of a memory file. */
export interface Chunk {
  /** The headings above it, the nearest last. */
  readonly heading: string
  /** From 1, both included. */
  readonly startLine: number
  readonly endLine: number
  readonly text: string
}

/** Characters after which a passage ends at the next line that can end it, and at which it ends in any case. */
const usualChars = 700
const mostChars = 1_200
const headingLine = /^(#{1,6})\s+(.*?)\s*#*$/
const fence = /^\s*(?:```|~~~)/

/** Cuts Markdown into passages at headings, blank lines and, where a paragraph is long, at any line; every line that is not blank is in one of them. */
export function chunksOf(markdown: string): readonly Chunk[] {
  const chunks: Chunk[] = []
  const headings: string[] = []
  let start = 0
  let size = 0
  let inFence = false
  const lines = markdown.split(/\r\n?|\n/)
  const end = (to: number): void => {
    const text = lines.slice(start, to).join('\n')
    if (text.trim() !== '') chunks.push({ ...trimmed(lines, start, to), heading: headings.join(' > ') })
    start = to
    size = 0
  }
  for (const [at, line] of lines.entries()) {
    const heading = inFence ? null : headingLine.exec(line)
    if (heading !== null) {
      end(at)
      const [, marks = '', title = ''] = heading
      headings.length = Math.min(headings.length, marks.length - 1)
      headings.push(title)
    }
    if (fence.test(line)) inFence = !inFence
    size += line.length + 1
    const isBreak = line.trim() === '' && !inFence
    if (size >= mostChars || (size >= usualChars && isBreak)) end(at + 1)
  }
  end(lines.length)
  return chunks
}

/** The lines of a passage without the blank ones around them. */
function trimmed(lines: readonly string[], from: number, to: number): Omit<Chunk, 'heading'> {
  let [first, last] = [from, to]
  while (first < last && lines[first]?.trim() === '') first += 1
  while (last > first && lines[last - 1]?.trim() === '') last -= 1
  return { startLine: first + 1, endLine: last, text: lines.slice(first, last).join('\n') }
}
