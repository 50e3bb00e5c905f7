import { type SearchIndex } from './index.ts'

/** How a query names a tool outright, weakest first; 0 means it does not. */
export const exactness = { none: 0, mentioned: 1, sameLetters: 2, id: 3, name: 4 } as const

const edges = /^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu
/** Has an inner border, so that it is an identifier and not an ordinary word. */
const identifier = /[\p{L}\p{N}][_.:/-]+[\p{L}\p{N}]|\p{Ll}\p{Lu}/u
const mentionsAtMost = 32
const lookAt = 8_192

/** Per index the tools by name, id and name without server prefix, all in lower case. */
const callNames = new WeakMap<SearchIndex, ReadonlyMap<string, readonly number[]>>()

/**
 * Tools that a query names: by the exact name, by the exact id, by either or the name without its server prefix in other letter case or
 * with spaces around it, or by an identifier inside a longer text.
 */
export function exactMatches(index: SearchIndex, query: string): Map<number, number> {
  const found = new Map<number, number>()
  const byName = callNames.get(index) ?? readNames(index)
  for (const text of mentions(query))
    for (const tool of byName.get(text) ?? []) found.set(tool, exactness.mentioned)
  const same = new Set([
    ...(byName.get(query.toLowerCase()) ?? []),
    ...(byName.get(query.trim().toLowerCase()) ?? []),
  ])
  for (const tool of same) {
    const exact =
      index.names[tool] === query
        ? exactness.name
        : index.ids[tool] === query
          ? exactness.id
          : exactness.sameLetters
    found.set(tool, exact)
  }
  return found
}

function readNames(index: SearchIndex): ReadonlyMap<string, readonly number[]> {
  const byName = new Map<string, number[]>()
  const add = (text: string, tool: number): void => {
    const key = text.toLowerCase()
    const tools = byName.get(key)
    if (tools === undefined) byName.set(key, [tool])
    else if (tools.at(-1) !== tool) tools.push(tool)
  }
  const prefixes = index.sources.map((source) => (source.startsWith('mcp:') ? `${source.slice(4)}__` : ''))
  for (const [tool, name] of index.names.entries()) {
    add(name, tool)
    add(index.ids[tool] ?? '', tool)
    const prefix = prefixes[index.sourceOf[tool] ?? 0] ?? ''
    if (prefix !== '' && name.length > prefix.length && name.startsWith(prefix))
      add(name.slice(prefix.length), tool)
  }
  byName.delete('')
  callNames.set(index, byName)
  return byName
}

/** Identifiers in a text, in lower case and without the punctuation around them. */
function mentions(query: string): string[] {
  return query
    .slice(0, lookAt)
    .split(/\s+/)
    .filter((piece) => identifier.test(piece))
    .slice(0, mentionsAtMost)
    .map((piece) => piece.replace(edges, '').toLowerCase())
}
