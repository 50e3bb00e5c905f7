const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

/** Columns that text takes in a terminal; wide East Asian characters and emoji count as two. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += /\p{M}/u.test(character) ? 0 : wide.test(character) ? 2 : 1
  return width
}

/** Cuts text to a number of columns, with an ellipsis where something is left out. */
export function cutText(text: string, columns: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (textWidth(line) <= columns) return line
  let cut = ''
  let width = 0
  for (const character of line) {
    width += textWidth(character)
    if (width > columns - 1) break
    cut += character
  }
  return `${cut.trimEnd()}…`
}

/** Breaks text into lines of at most so many columns, at spaces. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    if (line !== '' && textWidth(line) + 1 + textWidth(word) > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}

/** A column of a table; `paint` colours a cell after it is padded. */
export interface Column {
  readonly title: string
  readonly paint?: (text: string) => string
}

export interface TableOptions {
  readonly width: number
  /** Titles are for people at a terminal; piped output is for `grep` and `cut`. */
  readonly titles: boolean
  readonly indent?: string
  readonly heading: (text: string) => string
}

/** Lays out rows in aligned columns; the last column is cut to the width that is left. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): string {
  const indent = options.indent ?? ''
  const shown = options.titles ? [columns.map((column) => column.title), ...rows] : rows
  const widths = columns.map((_, index) => Math.max(0, ...shown.map((row) => textWidth(row[index] ?? ''))))
  const last = columns.length - 1
  const used = widths.slice(0, last).reduce((sum, width) => sum + width + 2, indent.length)
  const left = options.width - used
  // Where not even a word fits, every row breaks anyway, and then it may as well say something.
  const rest = left < 8 ? 20 : left
  return shown
    .map((row, rowIndex) => {
      const isTitle = options.titles && rowIndex === 0
      const cells = columns.map((column, index) => {
        const text = row[index] ?? ''
        const cell =
          index === last ? cutText(text, rest) : text + ' '.repeat(widths[index]! - textWidth(text))
        return isTitle ? options.heading(cell) : (column.paint?.(cell) ?? cell)
      })
      return `${indent}${cells.join('  ').trimEnd()}`
    })
    .join('\n')
}
