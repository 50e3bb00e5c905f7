import { type SearchIndex } from './index.ts'

/** How a query names a tool outright, weakest first; 0 means it does not. */
export const exactness = { none: 0, mentioned: 1, sameLetters: 2, id: 3, name: 4 } as const

const edges = /^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu
/** Has an inner border, so that it is an identifier and not an ordinary word. */
const identifier = /[\p{L}\p{N}][_.:/-]+[\p{L}\p{N}]|\p{Ll}\p{Lu}/u
const mentionsAtMost = 32
/** An id has `mcp:` and `:` around its server where the name has `__` behind it. */
const idExtra = 'mcp::'.length - '__'.length
const lookAt = 8_192

/**
 * Tools that a query names: by the exact name, by the exact id, by either or the name that its server gave it in other letter case
 * or with spaces around it, or by an identifier inside a longer text.
 */
export function exactMatches(index: SearchIndex, query: string): Map<number, number> {
  const same = new Set([query.toLowerCase(), query.trim().toLowerCase()])
  const wanted = new Set([...mentions(query), ...same])
  wanted.delete('')
  const found = new Map<number, number>()
  // Lower-casing every name on every query would cost more than the ranking; nearly all names differ in length already.
  const lengths = new Uint8Array(Math.max(0, ...[...wanted].map((text) => text.length)) + 1)
  for (const text of wanted) lengths[text.length] = 1
  const call = (tool: number, text: string): void => {
    const key = text.toLowerCase()
    if (!wanted.has(key)) return
    const level = same.has(key) ? exactness.sameLetters : exactness.mentioned
    found.set(tool, Math.max(level, found.get(tool) ?? exactness.none))
  }
  const { size, names, ids, sourceOf } = index
  const prefixes = index.sources.map((source) => (source.startsWith('mcp:') ? `${source.slice(4)}__` : ''))
  for (let tool = 0; tool < size; tool += 1) {
    const name = names[tool] ?? ''
    const id = ids[tool] ?? ''
    const prefix = prefixes[sourceOf[tool] ?? 0] ?? ''
    if (lengths[name.length] === 1) call(tool, name)
    if (lengths[id.length] === 1) call(tool, id)
    if (prefix !== '' && lengths[name.length - prefix.length] === 1 && name.startsWith(prefix)) {
      call(tool, name.slice(prefix.length))
    }
    // Where the name that its server gave it had to be changed, only the id still has that.
    if (prefix !== '' && lengths[id.length - prefix.length - idExtra] === 1) {
      call(tool, id.slice(prefix.length + idExtra))
    }
    if (id === query && id !== '') found.set(tool, exactness.id)
    if (name === query && name !== '') found.set(tool, exactness.name)
  }
  return found
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
