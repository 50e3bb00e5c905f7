/** A 1-based place in a text; columns count UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Maps offsets of a text to lines and columns; lines end at LF, CRLF or CR as in editors, and a byte order mark has no column. */
export function lineMap(text: string): (offset: number) => Position {
  const starts = [text.startsWith('\ufeff') ? 1 : 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
  }
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: Math.max(offset - (starts[low] ?? 0), 0) + 1 }
  }
}
