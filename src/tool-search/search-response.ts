import { cleanLine } from '../kernel/untrusted-text.ts'
import type { Descriptor } from './descriptor.ts'
import type { FoundTool } from './find.ts'

/** Characters of one answer to a model: of a batch (tool search facts §1.1), and of a single search. */
export const responseChars = { batch: 4_000, one: 16_000 } as const
const candidateChars = 2_000
const lineChars = 180
/** Lengths to which the descriptions of a single search shrink in turn until the answer fits. */
const descriptionChars = [1_024, 360, lineChars] as const

/** The hits of one query of a batch. */
export interface BatchGroup {
  readonly query: string
  readonly candidates: readonly Descriptor[]
  readonly truncated?: true
}

/** The answer to a batch, in the order of its queries. */
export interface BatchResponse {
  readonly results: readonly BatchGroup[]
  readonly truncated?: true
}

/** Hits as a model gets them; their scores say nothing to it. */
export function withoutScore({ score: _score, ...hit }: FoundTool): Descriptor {
  return hit
}

const sizeOf = (value: unknown): number => JSON.stringify(value, null, 2).length

/** The hits of one search, their descriptions as long as the answer has room for. */
export function shapeHits(hits: readonly FoundTool[]): readonly Descriptor[] {
  let shaped: readonly Descriptor[] = []
  for (const chars of descriptionChars) {
    shaped = hits.map((hit) => ({ ...withoutScore(hit), description: cleanLine(hit.description, chars) }))
    if (sizeOf(shaped) <= responseChars.one) break
  }
  return shaped
}

/** Fits the hits of several searches into one answer: short descriptions, then the last hits of the longest groups go; identity is never cut. */
export function shapeBatch(
  groups: readonly { readonly query: string; readonly hits: readonly FoundTool[] }[],
): BatchResponse {
  const shaped = groups.map(({ query, hits }) => {
    const candidates = hits.flatMap((hit) => candidate(hit) ?? [])
    return { query, candidates, dropped: candidates.length < hits.length }
  })
  let response = compose(shaped)
  while (sizeOf(response) > responseChars.batch && shorten(shaped)) response = compose(shaped)
  return response
}

interface Group {
  readonly query: string
  readonly candidates: Descriptor[]
  dropped: boolean
}

function compose(groups: readonly Group[]): BatchResponse {
  const results = groups.map(({ query, candidates, dropped }): BatchGroup => ({
    query,
    candidates,
    ...(dropped && { truncated: true }),
  }))
  return { results, ...(groups.some(({ dropped }) => dropped) && { truncated: true }) }
}

/** A hit on few lines; null where even its identity is too long to be of use. */
function candidate(hit: FoundTool): Descriptor | null {
  const { id, source, name, input, label, sourceName, mcp, output } = hit
  const description = cleanLine(hit.description, lineChars)
  if (sizeOf({ id, source, name, input }) > candidateChars) return null
  const full: Descriptor = { ...withoutScore(hit), description }
  if (sizeOf(full) <= candidateChars) return full
  const extras: readonly Partial<Descriptor>[] = [
    label === undefined ? {} : { label },
    mcp === undefined ? {} : { mcp },
    output === undefined ? {} : { output },
  ]
  return extras.reduce<Descriptor>(
    (kept, extra) => {
      const more = { ...kept, ...extra }
      return sizeOf(more) <= candidateChars ? more : kept
    },
    { id, source, sourceName, name, description, input },
  )
}

/** Takes one hit away: the last of the group with most hits; among those the longest, then the earliest. False when none is left. */
function shorten(groups: readonly Group[]): boolean {
  const most = Math.max(0, ...groups.map(({ candidates }) => candidates.length))
  if (most === 0) return false
  let victim: Group | undefined
  let largest = -1
  for (const group of groups) {
    if (group.candidates.length < most) continue
    const size = sizeOf(group.candidates.at(-1))
    if (size > largest) {
      largest = size
      victim = group
    }
  }
  victim?.candidates.pop()
  if (victim) victim.dropped = true
  return true
}
