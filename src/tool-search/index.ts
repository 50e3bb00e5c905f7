import { collect, fieldMask, fieldNames, type Collected } from './collect.ts'
import type { SearchDocument } from './document.ts'
import { fields, rarityExponent, saturation } from './weights.ts'

/** An inverted index over tools, ordered by id. Plain data: see `index-codec.ts` for its bytes. */
export interface SearchIndex {
  readonly size: number
  readonly ids: readonly string[]
  readonly names: readonly string[]
  /** `<source>:<owner>` of the tools; `sourceOf` gives the place in here per tool. */
  readonly sources: readonly string[]
  readonly sourceOf: Uint32Array
  readonly terms: readonly string[]
  readonly termIds: ReadonlyMap<string, number>
  /** Plain words as written, sorted. */
  readonly surfaces: readonly string[]
  /** Postings of term t are at `starts[t]` up to `starts[t + 1]`. */
  readonly starts: Uint32Array
  readonly tools: Uint32Array
  /** Saturated weight of the term in the tool (times `impactScale`), shifted left by one; the low bit says that it is in the name. */
  readonly impacts: Uint16Array
  /** Sum of the rarity of the distinct words of each name. */
  readonly nameIdf: Float32Array
}

/** Changes whenever the same tools give other bytes or other ranks, so that cached indexes of older versions are not used. */
export const indexVersion = 3

/** A weight is below saturation + 1 = 2.2, so shifted left it fits 16 bits. */
export const impactScale = 14_000

/** Rarity of a term that `found` of `size` tools have. */
export function idf(size: number, found: number): number {
  return Math.log(1 + (size - found + 0.5) / (found + 0.5)) ** rarityExponent
}

/** Whether any tool has a term. */
export function hasTerm(index: SearchIndex, term: string): boolean {
  return index.termIds.has(term)
}

/** Index of tools. The order of `documents` does not matter; a caller caches it by the hash of their content and `indexVersion`. */
export function buildIndex(documents: readonly SearchDocument[]): SearchIndex {
  const ordered = documents.toSorted(byIdentity)
  const collected = collect(ordered)
  const postings = invert(collected, weigh(collected, ordered.length))
  return {
    size: ordered.length,
    ids: ordered.map((document) => document.id),
    names: ordered.map((document) => document.name),
    sources: collected.sources,
    sourceOf: collected.sourceOf,
    terms: collected.terms,
    termIds: collected.termIds,
    surfaces: collected.surfaces,
    ...postings,
    nameIdf: nameRarity(postings, ordered.length),
  }
}

function byIdentity(a: SearchDocument, b: SearchDocument): number {
  return (
    compare(a.id, b.id) ||
    compare(a.name, b.name) ||
    compare(a.sourceName, b.sourceName) ||
    compare(a.description, b.description) ||
    compare(a.label ?? '', b.label ?? '')
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

interface Weighed {
  /** Term, tool and packed impact of every posting, tool after tool. */
  readonly term: Uint32Array
  readonly tool: Uint32Array
  readonly impact: Uint16Array
  readonly count: number
}

/** BM25F: the occurrences of a term in all fields are weighed, divided by the length of their field, summed, then saturated. */
function weigh(collected: Collected, size: number): Weighed {
  const { tokens, starts, terms } = collected
  const weights = new Float64Array(terms.length)
  const inName = new Uint8Array(terms.length)
  const term = new Uint32Array(tokens.length)
  const tool = new Uint32Array(tokens.length)
  const impact = new Uint16Array(tokens.length)
  const averages = averageLengths(collected, size)
  const nameField = fieldNames.indexOf('name')
  let count = 0
  for (let at = 0; at < size; at += 1) {
    const factors = fieldFactors(collected, averages, at)
    const first = count
    for (let place = starts[at] ?? 0; place < (starts[at + 1] ?? 0); place += 1) {
      const token = tokens[place] ?? 0
      const id = token >>> 3
      const field = token & fieldMask
      if (weights[id] === 0) {
        term[count] = id
        count += 1
      }
      weights[id] = (weights[id] ?? 0) + (factors[field] ?? 0)
      if (field === nameField) inName[id] = 1
    }
    for (let place = first; place < count; place += 1) {
      const id = term[place] ?? 0
      const weight = weights[id] ?? 0
      tool[place] = at
      impact[place] =
        (Math.round(((weight * (saturation + 1)) / (saturation + weight)) * impactScale) << 1) |
        (inName[id] ?? 0)
      weights[id] = 0
      inName[id] = 0
    }
  }
  return { term, tool, impact, count }
}

/** Average length of each field over the tools that have it; 1 for a field no tool has. */
function averageLengths({ lengths }: Collected, size: number): number[] {
  return fieldNames.map((_, field) => {
    let sum = 0
    let having = 0
    for (let tool = 0; tool < size; tool += 1) {
      const length = lengths[tool * fieldNames.length + field] ?? 0
      sum += length
      if (length > 0) having += 1
    }
    return having === 0 ? 1 : sum / having
  })
}

function fieldFactors({ lengths }: Collected, averages: readonly number[], tool: number): number[] {
  return fieldNames.map((name, field) => {
    const { weight, b } = fields[name]
    const relative = (lengths[tool * fieldNames.length + field] ?? 0) / (averages[field] ?? 1)
    return weight / (1 - b + b * relative)
  })
}

type Postings = Pick<SearchIndex, 'starts' | 'tools' | 'impacts'>

function invert({ terms }: Collected, weighed: Weighed): Postings {
  const starts = new Uint32Array(terms.length + 1)
  for (let at = 0; at < weighed.count; at += 1) {
    const slot = (weighed.term[at] ?? 0) + 1
    starts[slot] = (starts[slot] ?? 0) + 1
  }
  for (let term = 0; term < terms.length; term += 1)
    starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0)
  const next = starts.slice()
  const tools = new Uint32Array(weighed.count)
  const impacts = new Uint16Array(weighed.count)
  for (let at = 0; at < weighed.count; at += 1) {
    const term = weighed.term[at] ?? 0
    const to = next[term] ?? 0
    next[term] = to + 1
    tools[to] = weighed.tool[at] ?? 0
    impacts[to] = weighed.impact[at] ?? 0
  }
  return { starts, tools, impacts }
}

function nameRarity({ starts, tools, impacts }: Postings, size: number): Float32Array {
  const sums = new Float32Array(size)
  for (let term = 0; term + 1 < starts.length; term += 1) {
    const from = starts[term] ?? 0
    const to = starts[term + 1] ?? 0
    const rarity = idf(size, to - from)
    for (let at = from; at < to; at += 1) {
      if (((impacts[at] ?? 0) & 1) === 0) continue
      const tool = tools[at] ?? 0
      sums[tool] = (sums[tool] ?? 0) + rarity
    }
  }
  return sums
}
