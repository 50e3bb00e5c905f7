import type { Claims } from './claims.ts'

const longestServer = 30
const longestName = 64

/** A name part as providers accept it: other characters become `-`, it starts with a letter, else with the prefix. */
function safePart(raw: string, prefix: string): string {
  if (raw.length <= longestName && /^[A-Za-z][A-Za-z0-9_-]*$/.test(raw)) return raw
  // A stranger's name may be a megabyte; only its start can ever count.
  const part = raw
    .slice(0, 256)
    .trim()
    .replaceAll(/[^A-Za-z0-9_-]/gu, '-')
  return /^[A-Za-z]/.test(part) ? part : `${prefix}-${part}`
}

/** Hands out the first of `part`, `part-2`, `part-3` … within a length that is free; remembers how far it got, so thousands of equal names stay cheap. */
class Numbering {
  readonly #longest: number
  readonly #last = new Map<string, number>()

  constructor(longest: number) {
    this.#longest = longest
  }

  first(part: string, isFree: (candidate: string) => boolean): string {
    const plain = part.slice(0, this.#longest)
    if (isFree(plain)) return plain
    const stem = part.slice(0, this.#longest - '-99999'.length).toLowerCase()
    for (let number = this.#last.get(stem) ?? 2; ; number++) {
      const suffix = `-${number}`
      const candidate = part.slice(0, this.#longest - suffix.length) + suffix
      if (!isFree(candidate)) continue
      this.#last.set(stem, number + 1)
      return candidate
    }
  }
}

/**
 * Safe names of MCP servers by raw name (tool search facts §5.5): at most 30 characters, different without regard to case.
 * Names that are safe already keep theirs, whatever else is configured; `mcp` would make the reserved `mcp__` and is prefixed.
 */
export function safeServerNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const result = new Map<string, string>()
  const taken = new Set<string>(['mcp'])
  const wanted = [...new Set(names)].toSorted(compareText).map((name) => {
    const part = safePart(name, 'mcp')
    return { name, part: part.toLowerCase() === 'mcp' ? `mcp-${part}` : part }
  })
  const numbering = new Numbering(longestServer)
  const isSafe = (entry: { name: string; part: string }) =>
    entry.name === entry.part && entry.part.length <= longestServer
  for (const entry of [...wanted.filter(isSafe), ...wanted.filter((item) => !isSafe(item))]) {
    const safe = numbering.first(entry.part, (candidate) => !taken.has(candidate.toLowerCase()))
    taken.add(safe.toLowerCase())
    result.set(entry.name, safe)
  }
  return result
}

/**
 * Exposed names `<server>__<tool>` of one server's tools in the order given, at most 64 characters, claimed as they are given;
 * `changed` tells at which indexes the tool part is not the raw name. Raw names must differ and be sorted. Names that need no
 * change come first, so a stranger's look-alike never takes the name of a tool that had it.
 */
export function exposedNames(
  safeServer: string,
  rawNames: readonly string[],
  claims: Claims,
): { readonly names: readonly string[]; readonly changed: readonly number[] } {
  const names: string[] = []
  const changed: number[] = []
  const owner = `MCP server "${safeServer}"`
  for (const [index, raw] of rawNames.entries()) {
    const name = `${safeServer}__${raw}`
    names.push(name)
    const fits = name.length <= longestName && safePart(raw, 'tool') === raw
    if (!fits || claims.take(name, owner) !== null) changed.push(index)
  }
  const numbering = new Numbering(longestName)
  for (const index of changed) {
    const part = `${safeServer}__${safePart(rawNames[index] ?? '', 'tool')}`
    names[index] = numbering.first(part, (candidate) => claims.take(candidate, owner) === null)
  }
  return { names, changed }
}

/** Order by code units: the same on every machine, whatever its locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
