import type { Node } from '../scan.ts'
import { draftValue, type Draft, type Fresh, type OpenArray, type OpenObject } from './draft.ts'
import { createGaps, type Gaps } from './gaps.ts'
import { fill, insertBefore, insertBeside } from './insert-entries.ts'
import { printKey, printValue, type Layout } from './print.ts'
import { removeEntries } from './remove-entries.ts'
import { cut, type Container, type Entry, type Sheet, type Splice } from './sheet.ts'
import { isOneLine, styleWithin, type Style } from './style.ts'
import { isComment, lineIndent } from './trivia.ts'

export type { Splice } from './sheet.ts'

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
  removeEntries(sheet, node, gaps, removed)

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
