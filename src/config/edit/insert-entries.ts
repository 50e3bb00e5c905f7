import type { Gaps } from './gaps.ts'
import { put, type Container, type Entry, type Sheet } from './sheet.ts'
import { lineIndent } from './trivia.ts'

/** Writes entries behind one that stays, or with `before` in front of it. */
export function insertBeside(
  sheet: Sheet,
  gaps: Gaps,
  at: number,
  added: readonly Entry[],
  comma: boolean,
): void {
  const { text, style } = sheet
  const item = gaps.items[at]
  if (item === undefined) return
  const write = (indent: string): string[] => added.map((entry) => entry.write?.(indent) ?? '')
  const indent = lineIndent(text, item.start)
  if (gaps.odd) {
    put(
      sheet,
      item.end,
      write(indent)
        .map((entry) => `,${style.gap}${entry}`)
        .join(''),
    )
  } else if (gaps.startsLine(at) || gaps.endsInLineComment(at)) {
    if (item.comma < 0) put(sheet, item.end, ',')
    const inner = gaps.startsLine(at) ? indent : indent + style.unit
    const lines = write(inner).map((entry) => `${style.eol}${inner}${entry}`)
    put(sheet, gaps.breakAfter(at), lines.join(',') + (comma ? ',' : ''))
  } else {
    const place = item.comma < 0 ? gaps.tailEnd(at) : item.comma + 1
    const entries = write(indent).map((entry) => `${style.gap}${entry}`)
    put(sheet, place, (item.comma < 0 ? ',' : '') + entries.join(',') + (comma ? ',' : ''))
  }
}

/** Writes entries in front of the first one that stays. */
export function insertBefore(sheet: Sheet, gaps: Gaps, at: number, added: readonly Entry[]): void {
  const { text, style } = sheet
  const start = gaps.items[at]?.start ?? 0
  const indent = lineIndent(text, start)
  const entries = added.map((entry) => entry.write?.(indent) ?? '')
  if (!gaps.odd && gaps.startsLine(at)) {
    put(sheet, gaps.breakAfter(-1), entries.map((entry) => `${style.eol}${indent}${entry},`).join(''))
  } else {
    const gap = style.gap === '' ? '' : style.gap
    put(sheet, gaps.odd ? start : gaps.headStart(at), entries.map((entry) => `${entry},${gap}`).join(''))
  }
}

/** Fills a container that keeps none of its entries but some comments. */
export function fill(sheet: Sheet, node: Container, gaps: Gaps, added: readonly Entry[]): void {
  const { text, style } = sheet
  const outer = lineIndent(text, node.start)
  const pieces = gaps.piecesAfter(-1)
  if (!pieces.some(({ kind }) => kind === 'newline') && gaps.items.length === 0) {
    const end = pieces.findLast(({ kind }) => kind !== 'space')?.end ?? node.start + 1
    put(sheet, end, ` ${added.map((entry) => entry.write?.(outer) ?? '').join(`,${style.gap}`)}`)
    return
  }
  const inner = outer + style.unit
  const lines = added.map((entry) => `${style.eol}${inner}${entry.write?.(inner) ?? ''}`)
  const last = style.trailingComma ? ',' : ''
  const at = gaps.breakAfter(-1)
  const broken = gaps.items.length > 0 && !gaps.startsLine(0)
  put(sheet, at, `${lines.join(',')}${last}${broken ? style.eol + outer : ''}`)
}
