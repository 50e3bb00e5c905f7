import { getIn, isRecord } from '../../config/path-value.ts'

function idOf(value: unknown): unknown {
  return isRecord(value) ? getIn(value, ['id']) : undefined
}

/** A list whose entries all have an id of their own. */
function hasIds(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) return false
  const ids = value.map(idOf)
  return (
    ids.every((id) => typeof id === 'string' || typeof id === 'number') && new Set(ids).size === ids.length
  )
}

function mergeList(target: readonly unknown[], patch: readonly unknown[]): unknown[] {
  const merged = target.map((item) => {
    const change = patch.find((entry) => idOf(entry) === idOf(item))
    return change === undefined ? item : mergePatch(item, change, true)
  })
  const known = new Set(target.map(idOf))
  return [
    ...merged,
    ...patch.filter((entry) => !known.has(idOf(entry))).map((entry) => mergePatch({}, entry, true)),
  ]
}

/** Applies a JSON merge patch (RFC 7396): objects merge, `null` deletes, everything else replaces; with `byId` lists of objects merge entry by entry, new ones at the end. */
export function mergePatch(target: unknown, patch: unknown, byId: boolean): unknown {
  if (byId && hasIds(patch) && hasIds(target)) return mergeList(target, patch)
  if (!isRecord(patch)) return patch
  const entries = new Map<string, unknown>(isRecord(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) entries.delete(key)
    else entries.set(key, mergePatch(entries.get(key), value, byId))
  }
  return Object.fromEntries(entries)
}
