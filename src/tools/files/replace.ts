import { lineAt, mainLineEnd } from './text.ts'

/** One replacement that is asked for. */
export interface Replacement {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll?: boolean
}

/** Why a replacement cannot be made; `index` counts the replacements from 0. */
export type Misfit =
  | { readonly kind: 'empty' | 'same' | 'missing'; readonly index: number }
  | {
      readonly kind: 'several'
      readonly index: number
      readonly lines: readonly number[]
      readonly count: number
    }
  | { readonly kind: 'overlap'; readonly index: number; readonly other: number; readonly line: number }

export interface Replaced {
  readonly text: string
  readonly count: number
  /** Line of the first change, from 1. */
  readonly line: number
}

interface Change {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly index: number
}

const mostLinesNamed = 5

/**
 * Makes all replacements or none; each is looked for in the text as it was, exactly, and must be there once unless it says otherwise.
 * A text without `\r` also finds lines that end in `\r\n`, and what is put in then takes the line ends around it. Pure.
 */
export function replaceTexts(text: string, wanted: readonly Replacement[]): Replaced | Misfit {
  const view = new LineView(text)
  const changes: Change[] = []
  for (const [index, each] of wanted.entries()) {
    if (each.oldText === '') return { kind: 'empty', index }
    if (each.oldText === each.newText) return { kind: 'same', index }
    const found = find(view, each)
    if (found.length === 0) return { kind: 'missing', index }
    if (found.length > 1 && each.replaceAll !== true) {
      const lines = found.slice(0, mostLinesNamed).map(({ start }) => lineAt(text, start))
      return { kind: 'several', index, lines, count: found.length }
    }
    for (const { start, end } of found)
      changes.push({
        start,
        end,
        text: each.oldText.includes('\r') ? each.newText : fitted(text, start, end, each.newText),
        index,
      })
  }
  changes.sort((left, right) => left.start - right.start)
  for (const [at, change] of changes.entries()) {
    const next = changes[at + 1]
    if (next !== undefined && next.start < change.end)
      return { kind: 'overlap', index: next.index, other: change.index, line: lineAt(text, next.start) }
  }
  const parts: string[] = []
  let done = 0
  for (const change of changes) {
    parts.push(text.slice(done, change.start), change.text)
    done = change.end
  }
  parts.push(text.slice(done))
  return { text: parts.join(''), count: changes.length, line: lineAt(text, changes[0]?.start ?? 0) }
}

interface Range {
  readonly start: number
  readonly end: number
}

function find(view: LineView, { oldText, replaceAll }: Replacement): Range[] {
  const isRaw = oldText.includes('\r')
  const text = isRaw ? view.raw : view.text
  // Two places that overlap are two meanings, unless all are meant.
  const step = replaceAll === true ? oldText.length : 1
  const found: Range[] = []
  for (let at = text.indexOf(oldText); at >= 0; at = text.indexOf(oldText, at + step)) {
    const end = at + oldText.length
    found.push(isRaw ? { start: at, end } : { start: view.toRaw(at), end: view.toRaw(end) })
  }
  return found
}

/** A text with the line ends of the place it is put in; one that has `\r` itself is taken at its word. */
function fitted(text: string, start: number, end: number, given: string): string {
  if (given.includes('\r') || !given.includes('\n')) return given
  const first = text.indexOf('\n', start)
  const isCrlf = first >= 0 && first < end ? text[first - 1] === '\r' : mainLineEnd(text) === '\r\n'
  return isCrlf ? given.replaceAll('\n', '\r\n') : given
}

/** A text with every `\r\n` as `\n`, and the way back to where its characters stand. */
class LineView {
  readonly raw: string
  readonly text: string
  /** Places in `text` of line feeds that have a `\r` before them in `raw`, in order. */
  readonly #shortened: number[] = []

  constructor(raw: string) {
    this.raw = raw
    this.text = raw.includes('\r\n') ? raw.replaceAll('\r\n', '\n') : raw
    for (let at = raw.indexOf('\r\n'); at >= 0; at = raw.indexOf('\r\n', at + 2))
      this.#shortened.push(at - this.#shortened.length)
  }

  toRaw(index: number): number {
    let low = 0
    let high = this.#shortened.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#shortened[middle] ?? 0) < index) low = middle + 1
      else high = middle
    }
    return index + low
  }
}
