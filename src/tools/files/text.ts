import { isUtf8 } from 'node:buffer'

/** How a file writes its characters. `latin1` stands for any 8-bit set: byte n is character n, so that nothing is lost. */
export interface Coding {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1'
  readonly bom: boolean
}

export interface Decoded extends Coding {
  readonly text: string
}

export type LineEnds = 'lf' | 'crlf' | 'mixed' | 'none'

export const utf8: Coding = { encoding: 'utf-8', bom: false }

const marks = [
  { encoding: 'utf-8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
] as const

/** Bytes of a file as text, so that `encode` gives the very same bytes back; null for what is no text. */
export function decode(bytes: Buffer): Decoded | null {
  const mark = marks.find((each) => bytes.subarray(0, each.bytes.length).equals(each.bytes))
  const body = bytes.subarray(mark?.bytes.length ?? 0)
  const encoding = mark?.encoding ?? 'utf-8'
  if (encoding !== 'utf-8') {
    if (body.length % 2 !== 0) return null
    const text = encoding === 'utf-16le' ? body.toString('utf16le') : swapped(body).toString('utf16le')
    return text.includes('\0') ? null : { text, encoding, bom: true }
  }
  if (body.includes(0)) return null
  if (isUtf8(body)) return { text: body.toString('utf8'), encoding, bom: mark !== undefined }
  const text = bytes.toString('latin1')
  return /[\u0001-\u0007\u000E-\u001A\u001C-\u001F]/.test(text)
    ? null
    : { text, encoding: 'latin1', bom: false }
}

/** A text in the bytes of a file; null where its encoding has no such characters, as `unfit` tells. */
export function encode(text: string, { encoding, bom }: Coding): Buffer | null {
  if (unfit(text, encoding) !== null) return null
  const body =
    encoding === 'utf-8'
      ? Buffer.from(text)
      : encoding === 'latin1'
        ? Buffer.from(text, 'latin1')
        : encoding === 'utf-16le'
          ? Buffer.from(text, 'utf16le')
          : swapped(Buffer.from(text, 'utf16le'))
  const mark = bom ? marks.find((each) => each.encoding === encoding)?.bytes : undefined
  return mark === undefined ? body : Buffer.concat([mark, body])
}

/** The first character that an encoding does not have; null where it has all. */
export function unfit(text: string, encoding: Coding['encoding']): string | null {
  if (encoding === 'latin1') return /[^\u0000-\u00FF]/u.exec(text)?.[0] ?? null
  // A lone surrogate would silently become a question mark in a box.
  return encoding === 'utf-8' && !text.isWellFormed() ? (/\p{Surrogate}/u.exec(text)?.[0] ?? null) : null
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16()
}

/** Which line ends a text has. */
export function lineEndsOf(text: string): LineEnds {
  const crlf = text.match(/\r\n/g)?.length ?? 0
  const all = text.match(/\n/g)?.length ?? 0
  if (all === 0) return 'none'
  return crlf === 0 ? 'lf' : crlf === all ? 'crlf' : 'mixed'
}

/** The line end that most lines of a text have. */
export function mainLineEnd(text: string): '\n' | '\r\n' {
  const crlf = text.match(/\r\n/g)?.length ?? 0
  const all = text.match(/\n/g)?.length ?? 0
  return crlf * 2 > all ? '\r\n' : '\n'
}

/** The number of the line, from 1, that a place in a text is on. */
export function lineAt(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

/** How many lines a text has; a line end at the very end starts none. */
export function lineCount(text: string): number {
  if (text === '') return 0
  return lineAt(text, text.length) - (text.endsWith('\n') ? 1 : 0)
}
