import type { ArrayNode, Node, ObjectNode } from '../scan.ts'
import type { Draft, Fresh, OpenArray, OpenObject } from './draft.ts'
import { draftValue } from './draft.ts'
import { createGaps, type Gaps } from './gaps.ts'
import { printKey, printValue, type Layout } from './print.ts'
import { isOneLine, styleWithin, type Style } from './style.ts'
import { isComment, lineIndent } from './trivia.ts'

/** One replaced range of a text; `start === end` inserts. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

interface Sheet {
  readonly text: string
  readonly style: Style
  readonly splices: Splice[]
}

type Container = ObjectNode | ArrayNode

/** An entry of the container as it is to be: its place among the old ones, or its text. */
type Entry =
  | { readonly source: number; readonly write: null }
  | { readonly source: null; readonly write: (indent: string) => string }

function cut(sheet: Sheet, start: number, end: number): void {
  if (end > start) sheet.splices.push({ start, end, text: '' })
}

function put(sheet: Sheet, at: number, text: string): void {
  sheet.splices.push({ start: at, end: at, text })
}

/** How a new container is laid out among the entries of another. */
function layoutAmong(text: string, parent: Container, kind: Container['type']): Layout {
  const sibling = parent.items.findLast(({ value }) => value.type === kind && value.items.length > 0)?.value
  if (sibling !== undefined) return isOneLine(text, sibling) ? 'short' : 'lines'
  return parent.items.length > 0 && isOneLine(text, parent) ? 'one-line' : 'auto'
}

function layoutOf(sheet: Sheet, parent: Container | null, fresh: Fresh): Layout {
  const { replaced, value } = fresh
  if (replaced !== null && replaced.type !== 'scalar' && replaced.items.length > 0) {
    return isOneLine(sheet.text, replaced) ? 'short' : 'lines'
  }
  if (parent === null) return 'lines'
  return layoutAmong(sheet.text, parent, Array.isArray(value) ? 'array' : 'object')
}

function replaceNode(sheet: Sheet, parent: Container | null, node: Node, fresh: Fresh): void {
  const { text } = sheet
  const within = parent === null ? sheet.style : styleWithin(sheet.style, text, parent)
  const quote = text.charAt(node.start)
  const quoted = node.type === 'scalar' && (quote === '"' || quote === "'")
  const style = quoted ? { ...within, stringQuote: quote } : within
  sheet.splices.push({
    start: node.start,
    end: node.end,
    text: printValue(fresh.value, style, lineIndent(text, node.start), layoutOf(sheet, parent, fresh)),
  })
}

function entriesOf(sheet: Sheet, container: OpenObject | OpenArray): Entry[] {
  const { source } = container
  const indices = new Map<object, number>(source.items.map((item, at) => [item, at]))
  const style = styleWithin(sheet.style, sheet.text, source)
  return container.members.map((member): Entry => {
    const at = member.source === null ? undefined : indices.get(member.source)
    if (at !== undefined) return { source: at, write: null }
    const value = draftValue(member.draft)
    const layout = layoutOf(sheet, source, { kind: 'fresh', value, replaced: null })
    const head = 'key' in member ? `${printKey(member.key, style)}${style.colon}` : ''
    return { source: null, write: (indent) => head + printValue(value, style, indent, layout) }
  })
}

type Run = readonly [first: number, last: number]

/** The runs of entries that go, each on one line of the text. */
function removedRuns(gaps: Gaps, removed: ReadonlySet<number>): Run[] {
  const runs: [number, number][] = []
  for (const at of removed) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === at - 1 && !gaps.startsLine(at)) run[1] = at
    else runs.push([at, at])
  }
  return runs
}

/** Whether the line end in front of an entry has to stay, because the bracket that closes on the entry's line would become part of a comment. */
function closesOpenComment(gaps: Gaps, [first, last]: Run, removed: ReadonlySet<number>): boolean {
  if (gaps.endsLine(last)) return false
  for (let at = first; at === first || removed.has(at); at--) {
    const start = gaps.lineStart(at)
    if (gaps.endsComment(at, start)) return true
    // The entry above may be taken out, too, up to this very line end.
    if (gaps.breakAfter(at - 1) !== start) return false
  }
  return false
}

function lineEndBehind(text: string, start: number): number {
  return text.startsWith('\r\n', start) ? start + 2 : start + 1
}

/** Takes out entries that share a line, with the white space that only they needed. */
function removeRun(
  sheet: Sheet,
  node: Container,
  gaps: Gaps,
  [first, last]: Run,
  removed: ReadonlySet<number>,
): void {
  const { items } = gaps
  const [from, to] = [items[first], items[last]]
  if (from === undefined || to === undefined) return
  const opensLine = first === 0 || gaps.startsLine(first)
  const closesLine = last === items.length - 1 || gaps.endsLine(last)
  if (opensLine && closesLine && gaps.startsLine(first)) {
    const start = gaps.lineStart(first)
    const keepsBreak = closesOpenComment(gaps, [first, last], removed)
    const end = removed.has(last + 1) ? gaps.breakAfter(last) : gaps.lineEnd(last)
    cut(sheet, keepsBreak ? lineEndBehind(sheet.text, start) : start, end)
  } else if (opensLine && closesLine) {
    const blank = gaps.piecesAfter(-1).every(({ kind }) => kind === 'space')
    cut(sheet, blank ? node.start + 1 : from.start, gaps.tailEnd(last))
  } else if (!closesLine)
    cut(sheet, first === 0 ? from.start : gaps.headStart(first), gaps.headStart(last + 1))
  else {
    const before = items[first - 1]
    const end = gaps.endsLine(last) ? (to.comma < 0 ? to.end : to.comma + 1) : gaps.tailEnd(last)
    cut(sheet, before === undefined || before.comma < 0 ? from.start : before.comma + 1, end)
  }
}

function remove(sheet: Sheet, node: Container, gaps: Gaps, removed: ReadonlySet<number>): void {
  if (!gaps.odd) {
    for (const run of removedRuns(gaps, removed)) removeRun(sheet, node, gaps, run, removed)
    return
  }
  const { items } = gaps
  const stays = items.findLastIndex((_item, at) => !removed.has(at))
  for (const [at, { start, end, comma }] of items.entries()) {
    if (!removed.has(at)) continue
    const closing = at === items.length - 1 && comma >= 0 && stays >= 0
    // The comma behind the last entry stays as that of the one before it.
    const before = items[stays]?.comma ?? -1
    const blank = closing && sheet.text.slice(before + 1, start).trim() === ''
    cut(sheet, blank ? before : start, end)
    if (closing && !blank) cut(sheet, before, before + 1)
    if (!closing && comma >= 0) cut(sheet, comma, comma + 1)
  }
}

/** Writes entries behind one that stays, or with `before` in front of it. */
function insertBeside(sheet: Sheet, gaps: Gaps, at: number, added: readonly Entry[], comma: boolean): void {
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

function insertBefore(sheet: Sheet, gaps: Gaps, at: number, added: readonly Entry[]): void {
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
function fill(sheet: Sheet, node: Container, gaps: Gaps, added: readonly Entry[]): void {
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

function survivingComments(sheet: Sheet, gaps: Gaps, from: number): boolean {
  const cuts = sheet.splices.slice(from)
  const gone = (start: number): boolean => cuts.some((splice) => splice.start <= start && start < splice.end)
  for (let at = -1; at < gaps.items.length; at++) {
    if (gaps.piecesAfter(at).some((piece) => isComment(piece) && !gone(piece.start))) return true
  }
  return false
}

function spliceEntries(sheet: Sheet, parent: Container | null, container: OpenObject | OpenArray): void {
  const node = container.source
  const entries = entriesOf(sheet, container)
  const stays = new Set(entries.flatMap(({ source }) => (source === null ? [] : [source])))
  const removed = new Set([...node.items.keys()].filter((at) => !stays.has(at)))
  if (removed.size === 0 && entries.length === stays.size) return
  const gaps = createGaps(sheet.text, node)
  const mark = sheet.splices.length
  remove(sheet, node, gaps, removed)

  if (stays.size === 0) {
    if (survivingComments(sheet, gaps, mark)) {
      if (entries.length > 0) fill(sheet, node, gaps, entries)
    } else {
      sheet.splices.length = mark
      const value = draftValue(container)
      replaceNode(sheet, parent, node, { kind: 'fresh', value, replaced: node })
    }
    return
  }

  const trailing = (gaps.items.at(-1)?.comma ?? -1) >= 0
  let anchor: number | null = null
  let added: Entry[] = []
  const flush = (next: number | null): void => {
    if (added.length > 0) {
      if (anchor !== null) insertBeside(sheet, gaps, anchor, added, next !== null || trailing)
      else if (next !== null) insertBefore(sheet, gaps, next, added)
    } else if (next === null && anchor !== null && !trailing) {
      const comma = gaps.items[anchor]?.comma ?? -1
      if (comma >= 0) cut(sheet, comma, comma + 1)
    }
    added = []
    anchor = next
  }
  for (const entry of entries) {
    if (entry.source === null) added.push(entry)
    else flush(entry.source)
  }
  flush(null)
}

function spliceDraft(sheet: Sheet, parent: Container | null, draft: Draft): void {
  if (draft.kind === 'kept') return
  if (draft.kind === 'fresh') {
    if (draft.replaced !== null) replaceNode(sheet, parent, draft.replaced, draft)
    return
  }
  spliceEntries(sheet, parent, draft)
  for (const member of draft.members) {
    if (member.source !== null) spliceDraft(sheet, draft.source, member.draft)
  }
}

/** The changes of a text that make it say what the draft says; they do not overlap and are in order. */
export function splicesOf(text: string, draft: Draft, style: Style): Splice[] {
  const sheet: Sheet = { text, style, splices: [] }
  spliceDraft(sheet, null, draft)
  const merged: Splice[] = []
  const insertsFirst = (splice: Splice): number => (splice.end > splice.start ? 1 : 0)
  const ordered = sheet.splices.toSorted((a, b) => a.start - b.start || insertsFirst(a) - insertsFirst(b))
  for (const splice of ordered) {
    const last = merged.at(-1)
    const overlaps = last !== undefined && splice.start < last.end
    // Only what is taken out can meet: blank lines that two neighbours both claim.
    if (overlaps) merged[merged.length - 1] = { ...last, end: Math.max(last.end, splice.end) }
    else merged.push(splice)
  }
  return merged
}

/** Applies splices that are in order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = ''
  let done = 0
  for (const { start, end, text: replacement } of splices) {
    result += text.slice(done, start) + replacement
    done = Math.max(done, end)
  }
  return result + text.slice(done)
}
