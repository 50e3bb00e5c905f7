import { ranking } from './weights.ts'

export interface Candidate {
  readonly tool: number
  readonly score: number
}

/**
 * The `count` highest positive scores and the highest of every source, best first and by place for equal ones, with the number of
 * positive scores.
 */
export function best(
  scores: Float64Array,
  count: number,
  sourceOf: Uint32Array,
): { candidates: Candidate[]; total: number } {
  const heap: Candidate[] = []
  const firsts: Candidate[] = []
  let total = 0
  for (let tool = 0; tool < scores.length; tool += 1) {
    const score = scores[tool] ?? 0
    if (!(score > 0)) continue
    total += 1
    const source = sourceOf[tool] ?? 0
    const first = firsts[source]
    if (first === undefined || score > first.score) firsts[source] = { tool, score }
    if (heap.length < count) {
      heap.push({ tool, score })
      rise(heap)
    } else if (score > (heap[0]?.score ?? 0)) {
      heap[0] = { tool, score }
      sink(heap)
    }
  }
  const kept = new Set(heap.map((candidate) => candidate.tool))
  const left = Object.values(firsts).filter((first) => !kept.has(first.tool))
  return { candidates: [...heap, ...left].toSorted(byScore), total }
}

function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || a.tool - b.tool
}

/** Whether `a` leaves the heap before `b`. */
function worse(a: Candidate | undefined, b: Candidate | undefined): boolean {
  return a !== undefined && b !== undefined && byScore(a, b) > 0
}

function rise(heap: Candidate[]): void {
  let at = heap.length - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!worse(heap[at], heap[parent])) return
    swap(heap, at, parent)
    at = parent
  }
}

function sink(heap: Candidate[]): void {
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    const child = worse(heap[left + 1], heap[left]) ? left + 1 : left
    if (!worse(heap[child], heap[at])) return
    swap(heap, at, child)
    at = child
  }
}

function swap(heap: Candidate[], a: number, b: number): void {
  const first = heap[a]
  const second = heap[b]
  if (first === undefined || second === undefined) return
  heap[a] = second
  heap[b] = first
}

/** What the quota asks about a candidate. */
export interface QuotaFacts {
  /** Undefined where the quota does not concern it. */
  readonly sourceOf: (candidate: Candidate) => number | undefined
  /** How much of the query it has. */
  readonly covers: (candidate: Candidate) => number
}

/**
 * The first `limit` candidates with a fair share per source. What a source has beyond half of the list (at least 3) keeps only a part of its
 * score, so hits of other sources that are nearly as good come first, and gives way to any hit of another source that has as much of the query:
 * between those the score only says how common the words are. A single source is left alone.
 */
export function withQuota(
  candidates: readonly Candidate[],
  limit: number,
  { sourceOf, covers }: QuotaFacts,
): Candidate[] {
  const quota = Math.max(3, Math.ceil(limit / 2))
  const used = new Map<number, number>()
  const over = new Set<Candidate>()
  const shared = candidates.map((candidate) => {
    const source = sourceOf(candidate)
    if (source === undefined) return candidate
    const count = (used.get(source) ?? 0) + 1
    used.set(source, count)
    if (count <= quota) return candidate
    const less = { ...candidate, score: candidate.score * ranking.overQuota }
    over.add(less)
    return less
  })
  if (used.size < 2) return candidates.slice(0, limit)
  const left = shared.toSorted(byScore)
  const chosen: Candidate[] = []
  while (chosen.length < limit) {
    const [next] = left
    if (next === undefined) break
    const equal = over.has(next)
      ? left.findIndex((other) => !over.has(other) && covers(other) >= covers(next))
      : 0
    const [taken = next] = left.splice(Math.max(0, equal), 1)
    // Scores fall along the list, also after one that gave way.
    chosen.push({ ...taken, score: Math.min(taken.score, chosen.at(-1)?.score ?? Infinity) })
  }
  return chosen
}
