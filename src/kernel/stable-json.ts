/** JSON with the keys of every object sorted, so that equal values give equal text; what JSON cannot hold is left out or null, as JSON.stringify does. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? 'null'
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const keys = Object.keys(value)
  // Most objects come sorted or with one key; copying them would double the work.
  if (keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') < key)) return value
  return Object.fromEntries(keys.toSorted().map((key) => [key, Reflect.get(value, key)]))
}

const deepest = 64

/**
 * A copy of any value as JSON could hold it: what has no JSON form (functions, undefined members) is gone, cycles, values deeper than
 * 64 levels and members that cannot be read become short texts, big integers their digits. Never throws.
 */
export function jsonCopy(value: unknown): unknown {
  try {
    const text = JSON.stringify(value)
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return copy(value, [], 0)
  }
}

function copy(value: unknown, above: readonly object[], depth: number): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (above.includes(value)) return '[circular]'
  if (depth >= deepest) return '[too deep]'
  const path = [...above, value]
  if (Array.isArray(value)) return value.map((item: unknown) => copy(item, path, depth + 1) ?? null)
  const entries: [string, unknown][] = []
  for (const key of Object.keys(value)) {
    let member: unknown
    try {
      member = copy(Reflect.get(value, key), path, depth + 1)
    } catch {
      member = '[unreadable]'
    }
    if (member !== undefined) entries.push([key, member])
  }
  return Object.fromEntries(entries)
}
