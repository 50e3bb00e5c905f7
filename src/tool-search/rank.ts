import { exactMatches, exactness } from './exact.ts'
import { idf, impactScale, type SearchIndex } from './index.ts'
import { readQuery, type Slot } from './query.ts'
import { best, withQuota, type Candidate } from './select.ts'
import { ranking } from './weights.ts'

export interface SearchHit {
  readonly id: string
  readonly name: string
  readonly score: number
}

export interface SearchResult {
  /** Best first. */
  readonly hits: readonly SearchHit[]
  /** Tools that match at all. */
  readonly total: number
  /** Why there are no hits: nothing in the query can be searched for, or no tool has it. */
  readonly reason?: 'no-usable-terms' | 'no-match'
}

/** Keeps every exact match above every other hit, whatever their scores. */
const exactBonus = 10_000

export interface RankOptions {
  readonly limit: number
  /** Words of this other index are neither slips of the pen nor foreign, although the index searched does not have them. */
  readonly besides?: SearchIndex
}

/**
 * The tools of an index that fit a query best, at most `limit` of them. A tool named outright (exact name, then exact id) comes first.
 * The order depends on the tools and the query alone; equal scores are ordered by id.
 */
export function rank(index: SearchIndex, query: string, options: RankOptions): SearchResult {
  const read = readQuery(index, query, options.besides)
  const covers = new Uint8Array(index.size)
  const scores = score(index, read.clauses, covers)
  for (const [tool, level] of exactMatches(index, query))
    scores[tool] = (scores[tool] ?? 0) + exactBonus * level
  const { candidates, total } = best(scores, Math.max(options.limit * 3, 30), index.sourceOf)
  if (total === 0) {
    const unusable = read.clauses.length === 0 || read.onlyOtherScripts
    return { hits: [], total, reason: unusable ? 'no-usable-terms' : 'no-match' }
  }
  const chosen = withQuota(candidates, options.limit, {
    sourceOf: ({ tool, score: value }) =>
      value >= exactBonus * exactness.mentioned ? undefined : (index.sourceOf[tool] ?? 0),
    covers: ({ tool }) => covers[tool] ?? 0,
  })
  return { hits: chosen.map((candidate) => toHit(index, candidate)), total }
}

function toHit(index: SearchIndex, { tool, score: value }: Candidate): SearchHit {
  return { id: index.ids[tool] ?? '', name: index.names[tool] ?? '', score: Math.round(value * 1e4) / 1e4 }
}

/** Score of every tool: the whole query and its best clause, raised when the query covers the tool's name. `covers` counts what of the query each tool has. */
function score(index: SearchIndex, clauses: readonly (readonly Slot[])[], covers: Uint8Array): Float64Array {
  const { size } = index
  const whole = new Float64Array(size)
  const named = new Float64Array(size)
  const bestClause = new Float64Array(size)
  const counted = new Set<string>()
  const clauseSum = new Float64Array(size)
  const scratch = { stamp: new Uint32Array(size), value: new Float64Array(size), slot: 0 }
  let highest = 0
  for (const clause of clauses) {
    const own = clauses.length === 1 ? whole : clauseSum.fill(0)
    for (const slot of clause) {
      addSlot(index, slot, scratch, own, counted.has(slot.key) ? undefined : { whole, named, covers })
      counted.add(slot.key)
    }
    let top = 0
    for (let tool = 0; tool < size; tool += 1) if ((own[tool] ?? 0) > top) top = own[tool] ?? 0
    highest = Math.max(highest, top)
    const factor = top > 0 ? top ** -ranking.clauseBalance : 0
    for (let tool = 0; tool < size; tool += 1) {
      const value = (own[tool] ?? 0) * factor
      if (value > (bestClause[tool] ?? 0)) bestClause[tool] = value
    }
  }
  const balance = highest ** ranking.clauseBalance
  for (let tool = 0; tool < size; tool += 1) {
    const sum = whole[tool] ?? 0
    if (sum === 0) continue
    const mixed = sum * (1 - ranking.clauseShare) + (bestClause[tool] ?? 0) * balance * ranking.clauseShare
    const covered = Math.min(1, (named[tool] ?? 0) / (index.nameIdf[tool] || 1))
    whole[tool] = mixed * (1 + ranking.nameCoverage * covered)
  }
  return whole
}

interface Scratch {
  readonly stamp: Uint32Array
  readonly value: Float64Array
  slot: number
}

/** Where a slot counts that no earlier clause had. */
interface FirstCounts {
  readonly whole: Float64Array
  readonly named: Float64Array
  readonly covers: Uint8Array
}

function addSlot(
  index: SearchIndex,
  slot: Slot,
  scratch: Scratch,
  own: Float64Array,
  first: FirstCounts | undefined,
): void {
  scratch.slot += 1
  const ceiling = literalWorth(index, slot)
  for (const { term, weight } of slot.variants) {
    const id = index.termIds.get(term)
    if (id === undefined) continue
    const from = index.starts[id] ?? 0
    const to = index.starts[id + 1] ?? 0
    const worth = Math.min(weight * idf(index.size, to - from), ceiling)
    for (let at = from; at < to; at += 1) {
      const tool = index.tools[at] ?? 0
      const packed = index.impacts[at] ?? 0
      const value = (worth * (packed >>> 1)) / impactScale
      const isNew = scratch.stamp[tool] !== scratch.slot
      const had = isNew ? 0 : (scratch.value[tool] ?? 0)
      if (had >= value) continue
      if (isNew && first !== undefined) first.covers[tool] = (first.covers[tool] ?? 0) + 1
      scratch.stamp[tool] = scratch.slot
      scratch.value[tool] = value
      own[tool] = (own[tool] ?? 0) + value - had
      if (first === undefined) continue
      if (own !== first.whole) first.whole[tool] = (first.whole[tool] ?? 0) + value - had
      if ((packed & 1) === 1) first.named[tool] = (first.named[tool] ?? 0) + worth
    }
  }
}

/** What the word itself is worth, as the most that what stands for it may be: in a catalogue where every tool has the word, a rare synonym says no more than it does. */
function literalWorth(index: SearchIndex, slot: Slot): number {
  const id = index.termIds.get(slot.key)
  const literal = slot.variants.find(({ term }) => term === slot.key)
  if (id === undefined || literal === undefined) return Infinity
  return literal.weight * idf(index.size, (index.starts[id + 1] ?? 0) - (index.starts[id] ?? 0))
}
