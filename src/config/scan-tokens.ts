/** A reading position in a JSON5 text; the first thing that does not fit ends the reading. */
export interface Cursor {
  readonly text: string
  at: number
  problem: ScanProblem | null
  /** Ranges of the comments passed so far, marks included. */
  readonly comments: [start: number, end: number][]
}

/** Why a text is no JSON5: where, what could have stood there, and where the innermost open bracket is. */
export interface ScanProblem {
  readonly offset: number
  readonly expected: string
  readonly openedAt: number | null
}

const space = /[\t\v\f\r\n\u2028\u2029\ufeff\p{Zs}]/u
// Made where they are used: few texts come to them, and making the second one costs half a millisecond of a start.
const isNameStart = (char: string): boolean => /[$_\p{L}\p{Nl}]/u.test(char)
const isNamePart = (char: string): boolean =>
  /[$_\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\u200c\u200d]/u.test(char)
const plainName = /[A-Za-z_$][\w$]*/y
const numeral =
  /[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|NaN|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)/y
const hex4 = /[0-9a-fA-F]{4}/y
const hex2 = /[0-9a-fA-F]{2}/y

const simpleEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Records the first problem of a text; later ones are echoes of it. */
export function reject(cursor: Cursor, offset: number, expected: string): null {
  cursor.problem ??= { offset, expected, openedAt: null }
  return null
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029
}

function skipComment(cursor: Cursor): boolean {
  const { text, at: start } = cursor
  const kind = text[start + 1]
  if (kind === '/') {
    let at = start + 2
    while (at < text.length && !isLineEnd(text.charCodeAt(at))) at++
    cursor.at = at
  } else if (kind === '*') {
    const close = text.indexOf('*/', start + 2)
    if (close < 0) {
      reject(cursor, start, '*/ at the end of this comment')
      return false
    }
    cursor.at = close + 2
  } else {
    reject(cursor, start + 1, '// or /* (a comment)')
    return false
  }
  cursor.comments.push([start, cursor.at])
  return true
}

/** Moves past white space and comments; false when a comment is not closed. */
export function skipSpace(cursor: Cursor): boolean {
  const { text } = cursor
  let { at } = cursor
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 32 || (code >= 9 && code <= 13)) continue
    if (code === 47) {
      cursor.at = at
      if (!skipComment(cursor)) return false
      at = cursor.at - 1
    } else if (code <= 126 || !space.test(text.charAt(at))) break
  }
  cursor.at = at
  return true
}

/** Reads the escape behind the backslash at `at`; gives its text and the offset behind it. */
function readEscape(cursor: Cursor, at: number): { text: string; end: number } | null {
  const { text } = cursor
  const point = text.codePointAt(at + 1)
  if (point === undefined) return reject(cursor, at + 1, 'an escaped character')
  const char = String.fromCodePoint(point)
  const end = at + 1 + char.length
  if (char === '\r') return { text: '', end: text[end] === '\n' ? end + 1 : end }
  if (isLineEnd(point)) return { text: '', end }
  if (char === 'u' || char === 'x') {
    const digits = matchAt(char === 'u' ? hex4 : hex2, text, end)
    if (digits === null) return reject(cursor, end, `${char === 'u' ? 'four' : 'two'} hexadecimal digits`)
    return { text: String.fromCharCode(Number.parseInt(digits, 16)), end: end + digits.length }
  }
  if (char === '0') {
    if (/[0-9]/.test(text.charAt(end))) return reject(cursor, end, 'no digit behind \\0')
    return { text: '\0', end }
  }
  if (char >= '1' && char <= '9') return reject(cursor, at + 1, 'an escape other than a digit')
  return { text: simpleEscapes[char] ?? char, end }
}

/** Reads the quoted string at the cursor. */
export function readString(cursor: Cursor): string | null {
  const { text } = cursor
  const quote = text.charCodeAt(cursor.at)
  let value = ''
  let from = cursor.at + 1
  for (let at = from; ;) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      cursor.at = at + 1
      return value + text.slice(from, at)
    }
    if (code === 92) {
      const escape = readEscape(cursor, at)
      if (escape === null) return null
      value += text.slice(from, at) + escape.text
      at = from = escape.end
    } else if (at >= text.length || code === 10 || code === 13) {
      return reject(cursor, at, `${String.fromCharCode(quote)} at the end of the string`)
    } else at++
  }
}

/** Reads the number at the cursor; `NaN` and the infinities are numbers here. */
export function readNumber(cursor: Cursor): number | null {
  const literal = matchAt(numeral, cursor.text, cursor.at)
  if (literal === null) return null
  cursor.at += literal.length
  const size = Number(literal.replace(/^[+-]/, ''))
  return literal.startsWith('-') ? -size : size
}

/** Reads an unquoted key, `\uXXXX` escapes included. */
function readName(cursor: Cursor, expected: string): string | null {
  const { text } = cursor
  const plain = matchAt(plainName, text, cursor.at)
  if (plain !== null) {
    const next = text.charCodeAt(cursor.at + plain.length)
    if (!(next > 126) && next !== 92) {
      cursor.at += plain.length
      return plain
    }
  }
  const start = cursor.at
  let name = ''
  while (cursor.at < text.length) {
    let char = String.fromCodePoint(text.codePointAt(cursor.at) ?? 0)
    let width = char.length
    if (char === '\\') {
      const digits = text[cursor.at + 1] === 'u' ? matchAt(hex4, text, cursor.at + 2) : null
      if (digits === null) return reject(cursor, cursor.at, '\\u and four hexadecimal digits')
      char = String.fromCharCode(Number.parseInt(digits, 16))
      width = 6
      if (!(name === '' ? isNameStart : isNamePart)(char))
        return reject(cursor, cursor.at, 'an escape that may stand in a key')
    }
    if (!(name === '' ? isNameStart : isNamePart)(char)) break
    name += char
    cursor.at += width
  }
  return cursor.at === start ? reject(cursor, start, expected) : name
}

/** Reads a key, quoted or not. */
export function readKey(cursor: Cursor, expected: string): string | null {
  const char = cursor.text[cursor.at]
  return char === '"' || char === "'" ? readString(cursor) : readName(cursor, expected)
}
