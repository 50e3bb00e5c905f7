import type { Gaps } from './gaps.ts'
import { cut, type Container, type Sheet } from './sheet.ts'

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

/** Takes entries out of a container with what is theirs alone; commas between those that stay are not its business. */
export function removeEntries(sheet: Sheet, node: Container, gaps: Gaps, removed: ReadonlySet<number>): void {
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
