import { type SearchIndex } from './index.ts'

/** How a query names a tool outright, weakest first; 0 means it does not. */
export const exactness = { none: 0, mentioned: 1, sameLetters: 2, id: 3, name: 4 } as const

const edges = /^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu
/** Has an inner border, so that it is an identifier and not an ordinary word. */
const identifier = /[\p{L}\p{N}][_.:/-]+[\p{L}\p{N}]|\p{Ll}\p{Lu}/u
const mentionsAtMost = 32
const lookAt = 8_192

/**
 * Tools that a query names: by the exact name, by the exact id, by either or the name without its server prefix in other letter case or
 * with spaces around it, or by an identifier inside a longer text.
 */
export function exactMatches(index: SearchIndex, query: string): Map<number, number> {
  const found = new Map<number, number>()
  const trimmed = query.trim()
  const whole = trimmed.toLowerCase()
  const mentioned = new Set(
    query
      .slice(0, lookAt)
      .split(/\s+/)
      .filter((piece) => identifier.test(piece))
      .slice(0, mentionsAtMost)
      .map((piece) => piece.replace(edges, '').toLowerCase()),
  )
  for (let tool = 0; tool < index.size; tool += 1) {
    const name = index.names[tool] ?? ''
    const id = index.ids[tool] ?? ''
    const level = levelOf(name, id, bare(index, tool, name), query, trimmed, whole, mentioned)
    if (level > exactness.none) found.set(tool, level)
  }
  return found
}

function levelOf(
  name: string,
  id: string,
  short: string,
  query: string,
  trimmed: string,
  whole: string,
  mentioned: ReadonlySet<string>,
): number {
  if (name === query) return exactness.name
  if (id === query) return exactness.id
  if (name === trimmed || id === trimmed || short === trimmed) return exactness.sameLetters
  if (same(name, whole) || same(id, whole) || same(short, whole)) return exactness.sameLetters
  if (mentioned.size === 0) return exactness.none
  return mentioned.has(name.toLowerCase()) || (short !== name && mentioned.has(short.toLowerCase()))
    ? exactness.mentioned
    : exactness.none
}

function same(text: string, lower: string): boolean {
  return text.length === lower.length && text.toLowerCase() === lower
}

function bare(index: SearchIndex, tool: number, name: string): string {
  const source = index.sources[index.sourceOf[tool] ?? 0] ?? ''
  const prefix = source.startsWith('mcp:') ? `${source.slice(4)}__` : undefined
  return prefix !== undefined && name.length > prefix.length && name.startsWith(prefix)
    ? name.slice(prefix.length)
    : name
}
