/** One piece of what stands between two entries: white space, line ends, comments and the comma. */
export interface Trivia {
  readonly kind: 'space' | 'newline' | 'line-comment' | 'block-comment' | 'comma'
  readonly start: number
  readonly end: number
}

const lineEnds = '\n\r\u2028\u2029'

/** Whether a character ends a line of JSON5. */
export function isLineEnd(char: string): boolean {
  return char !== '' && lineEnds.includes(char)
}

function pieceEnd(text: string, start: number): Pick<Trivia, 'kind' | 'end'> {
  const char = text.charAt(start)
  if (char === ',') return { kind: 'comma', end: start + 1 }
  if (char === '\r' && text[start + 1] === '\n') return { kind: 'newline', end: start + 2 }
  if (isLineEnd(char)) return { kind: 'newline', end: start + 1 }
  let end = start + 1
  if (char !== '/') {
    while (end < text.length && !`${lineEnds},/`.includes(text.charAt(end))) end++
    return { kind: 'space', end }
  }
  if (text[start + 1] === '*') return { kind: 'block-comment', end: text.indexOf('*/', start + 2) + 2 }
  while (end < text.length && !isLineEnd(text.charAt(end))) end++
  return { kind: 'line-comment', end }
}

/** The pieces of a range that holds no value, as the scanner has found it. */
export function readTrivia(text: string, from: number, to: number): Trivia[] {
  const pieces: Trivia[] = []
  for (let at = from; at < to;) {
    const { kind, end } = pieceEnd(text, at)
    pieces.push({ kind, start: at, end: Math.min(end, to) })
    at = end
  }
  return pieces
}

/** Whether a piece is a comment. */
export function isComment({ kind }: Trivia): boolean {
  return kind === 'line-comment' || kind === 'block-comment'
}

/** The white space at the start of the line that an offset lies in. */
export function lineIndent(text: string, offset: number): string {
  let start = offset
  while (start > 0 && !isLineEnd(text.charAt(start - 1))) start--
  if (text.charAt(start) === '\ufeff') start++
  let end = start
  while (end < text.length && (text[end] === ' ' || text[end] === '\t')) end++
  return text.slice(start, end)
}
