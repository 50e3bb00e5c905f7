/** Edits between two words where swapping two neighbours counts as one; stops counting past `limit`. */
function distance(left: string, right: string, limit: number): number {
  const tooMany = limit + 1
  if (Math.abs(left.length - right.length) > limit) return tooMany
  // Three rows of the usual table, of which only the diagonal band matters that can still end within the limit.
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current: number[] = Array.from({ length: right.length + 1 }, () => tooMany)
    current[0] = row
    let least = row
    const end = Math.min(right.length, row + limit)
    for (let column = Math.max(1, row - limit); column <= end; column++) {
      const same = left[row - 1] === right[column - 1]
      let cost = (last[column - 1] ?? tooMany) + (same ? 0 : 1)
      const around = Math.min(last[column] ?? tooMany, current[column - 1] ?? tooMany) + 1
      if (around < cost) cost = around
      if (
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      ) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? tooMany) + 1)
      }
      current[column] = cost
      if (cost < least) least = cost
    }
    if (least > limit) return tooMany
    beforeLast = last
    last = current
  }
  return last[right.length] ?? tooMany
}

const longestWord = 100

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[-_\s]/g, '')
}

/**
 * The candidates a misspelled word most likely meant, best first, at most `limit`; case, `-`, `_` and spaces do not count.
 * A candidate is near when at most a third of the word differs, or when one starts with the other (three letters or more).
 */
export function suggest(word: string, candidates: Iterable<string>, limit = 3): string[] {
  if (word.length > longestWord) return []
  const target = plain(word)
  if (target === '') return []
  const allowed = Math.max(1, Math.floor(target.length / 3))
  const near: { candidate: string; cost: number }[] = []
  for (const candidate of new Set(candidates)) {
    const other = plain(candidate)
    const edits = distance(target, other, allowed)
    const shorter = Math.min(target.length, other.length)
    const prefix = shorter >= 3 && (other.startsWith(target) || target.startsWith(other))
    if (edits <= allowed && edits < other.length) near.push({ candidate, cost: edits })
    else if (prefix) near.push({ candidate, cost: allowed + 2 })
  }
  near.sort((a, b) => a.cost - b.cost || (a.candidate < b.candidate ? -1 : 1))
  // Behind a good guess a poor one only distracts.
  const worst = (near[0]?.cost ?? 0) + 1
  return near
    .filter((entry) => entry.cost <= worst)
    .slice(0, limit)
    .map((entry) => entry.candidate)
}
