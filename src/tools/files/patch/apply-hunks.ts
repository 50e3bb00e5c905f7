import { mainLineEnd } from '../text.ts'
import type { Hunk } from './parse.ts'

/** Why a hunk does not fit. Line numbers from 1; `at` is the line of the patch. */
export type NoFit =
  | { readonly kind: 'header'; readonly at: number; readonly header: string }
  | {
      readonly kind: 'missing'
      readonly at: number
      readonly wanted: string
      readonly earlier: number | null
    }
  | { readonly kind: 'several'; readonly at: number; readonly lines: readonly number[] }
  | { readonly kind: 'not-end'; readonly at: number; readonly line: number }

interface Line {
  readonly text: string
  /** `\n`, `\r\n`, or nothing at the end of a file without one. */
  readonly end: string
}

/**
 * Applies hunks to a text, in their order, exactly: every line must be there as written. A hunk without a header that fits in several
 * places fits in none; behind a header the first place counts. New lines take the line ends of the file, which ends as it did. Pure.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): { readonly text: string } | NoFit {
  const lines = split(text)
  const end = mainLineEnd(text)
  const made: Line[] = []
  let done = 0
  for (const hunk of hunks) {
    const place = placeOf(lines, done, hunk)
    if ('kind' in place) return place
    made.push(...lines.slice(done, place.at))
    let at = place.at
    for (const { kind, text: added } of hunk.lines) {
      if (kind === '+') made.push({ text: added, end })
      else {
        const old = lines[at]
        at += 1
        if (kind === ' ' && old !== undefined) made.push(old)
      }
    }
    done = at
  }
  made.push(...lines.slice(done))
  const isOpen = lines.length > 0 && lines.at(-1)?.end === ''
  return {
    text: made
      .map((line, index) => {
        if (index < made.length - 1) return line.text + (line.end === '' ? end : line.end)
        return line.text + (isOpen ? '' : line.end === '' ? end : line.end)
      })
      .join(''),
  }
}

function split(text: string): Line[] {
  const parts = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  return parts.map((part) => {
    if (part.endsWith('\r\n')) return { text: part.slice(0, -2), end: '\r\n' }
    return part.endsWith('\n') ? { text: part.slice(0, -1), end: '\n' } : { text: part, end: '' }
  })
}

const mostLinesNamed = 5

function placeOf(lines: readonly Line[], from: number, hunk: Hunk): { readonly at: number } | NoFit {
  const { at, headers, isEnd } = hunk
  const old = hunk.lines.filter(({ kind }) => kind !== '+').map(({ text }) => text)
  let start = from
  for (const header of headers) {
    const found = headerAt(lines, start, header)
    if (found < 0) return { kind: 'header', at, header }
    // The line itself may be the first line of the hunk, too.
    start = old.length > 0 && fits(lines, found, old) ? found : found + 1
  }
  if (old.length === 0) return { at: headers.length > 0 && !isEnd ? start : lines.length }
  if (isEnd) {
    const place = lines.length - old.length
    if (place >= start && fits(lines, place, old)) return { at: place }
    const found = matches(lines, start, old, 1)[0]
    if (found !== undefined) return { kind: 'not-end', at, line: found + 1 }
  } else {
    const found = matches(lines, start, old, headers.length > 0 ? 1 : mostLinesNamed + 1)
    const [only] = found
    if (only !== undefined && (found.length === 1 || headers.length > 0)) return { at: only }
    if (found.length > 1) return { kind: 'several', at, lines: found.map((line) => line + 1) }
  }
  const earlier = matches(lines, 0, old, 1)[0]
  return { kind: 'missing', at, wanted: old.join('\n'), earlier: earlier === undefined ? null : earlier + 1 }
}

/** A header names a whole line; its indentation may be left out. */
function headerAt(lines: readonly Line[], from: number, header: string): number {
  const exact = lines.findIndex(({ text }, index) => index >= from && text === header)
  return exact >= 0
    ? exact
    : lines.findIndex(({ text }, index) => index >= from && text.trim() === header.trim())
}

function matches(lines: readonly Line[], from: number, wanted: readonly string[], most: number): number[] {
  const found: number[] = []
  for (let at = from; at <= lines.length - wanted.length && found.length < most; at++) {
    if (fits(lines, at, wanted)) found.push(at)
  }
  return found
}

function fits(lines: readonly Line[], at: number, wanted: readonly string[]): boolean {
  return wanted.every((text, index) => lines[at + index]?.text === text)
}
