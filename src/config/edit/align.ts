import { isRecord } from '../path-value.ts'
import { isSame } from '../same-value.ts'

/** Indices of an old and a new entry that are the same one; null where one side has nothing. */
export type Pair = readonly [from: number | null, to: number | null]

/** Largest comparison table; past it entries are paired by position. */
const maxCells = 250_000

function idOf(value: unknown): unknown {
  return isRecord(value) && Object.hasOwn(value, 'id') ? value['id'] : undefined
}

function isSameEntry(old: unknown, now: unknown): boolean {
  const id = idOf(old)
  return (id !== undefined && id === idOf(now)) || isSame(old, now)
}

/** Whether one entry may become the other in place, so that its comments stay with it. */
function mayBecome(old: unknown, now: unknown): boolean {
  if (isRecord(old) && isRecord(now)) return idOf(old) === idOf(now)
  return Array.isArray(old) === Array.isArray(now) && isRecord(old) === isRecord(now)
}

/** Entries between two matches: paired from the front while they may become each other, the rest goes or comes. */
function pairGap(
  old: readonly unknown[],
  now: readonly unknown[],
  [from, fromEnd]: readonly [number, number],
  [to, toEnd]: readonly [number, number],
): Pair[] {
  const pairs: Pair[] = []
  let [left, right] = [from, to]
  while (left < fromEnd && right < toEnd && mayBecome(old[left], now[right])) pairs.push([left++, right++])
  while (left < fromEnd) pairs.push([left++, null])
  while (right < toEnd) pairs.push([null, right++])
  return pairs
}

/** Longest common subsequence of two ranges, as pairs in order. */
function matches(
  old: readonly unknown[],
  now: readonly unknown[],
  [from, fromEnd]: readonly [number, number],
  [to, toEnd]: readonly [number, number],
): [number, number][] {
  const [rows, columns] = [fromEnd - from, toEnd - to]
  if (rows * columns > maxCells) return []
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  const same = new Uint8Array(rows * columns)
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const equal = isSameEntry(old[from + row], now[to + column])
      same[row * columns + column] = equal ? 1 : 0
      const at = row * width + column
      lengths[at] = equal
        ? (lengths[at + width + 1] ?? 0) + 1
        : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0)
    }
  }
  const found: [number, number][] = []
  for (let row = 0, column = 0; row < rows && column < columns;) {
    const at = row * width + column
    if (same[row * columns + column] === 1) found.push([from + row++, to + column++])
    else if ((lengths[at + width] ?? 0) >= (lengths[at + 1] ?? 0)) row++
    else column++
  }
  return found
}

/** Which entries of a list became which, in order of both; entries with the same `id` are the same, whatever else changed. */
export function align(old: readonly unknown[], now: readonly unknown[]): Pair[] {
  let start = 0
  while (start < old.length && start < now.length && isSameEntry(old[start], now[start])) start++
  let tail = 0
  const limit = Math.min(old.length, now.length) - start
  while (tail < limit && isSameEntry(old[old.length - 1 - tail], now[now.length - 1 - tail])) tail++

  const [fromEnd, toEnd] = [old.length - tail, now.length - tail]
  const anchors = matches(old, now, [start, fromEnd], [start, toEnd])
  const pairs: Pair[] = Array.from({ length: start }, (_, at) => [at, at])
  let [left, right] = [start, start]
  for (const [from, to] of anchors) {
    pairs.push(...pairGap(old, now, [left, from], [right, to]), [from, to])
    ;[left, right] = [from + 1, to + 1]
  }
  pairs.push(...pairGap(old, now, [left, fromEnd], [right, toEnd]))
  for (let at = 0; at < tail; at++) pairs.push([fromEnd + at, toEnd + at])
  return pairs
}
