import { tryParseSessionKey } from '../../sessions/key.ts'
import type { SeenStored } from './store.ts'

/** Milliseconds since 1970 as ISO; null where nobody knows, or no clock could say so. */
export function isoTime(time: number | null | undefined): string | null {
  return time === undefined || time === null || Math.abs(time) > 8.64e15 ? null : new Date(time).toISOString()
}

/** A session in a list. */
export function sessionRow({ agentId, key, entry }: SeenStored): object {
  const { provider, model } = entry
  return {
    key,
    agentId,
    kind: kindOf(key),
    label: entry.label ?? null,
    channel: entry.channel ?? tryParseSessionKey(key)?.channel ?? null,
    model: model === undefined ? null : provider === undefined ? model : `${provider}/${model}`,
    updatedAt: isoTime(entry.updatedAt),
    spawnedBy: entry.spawnedBy ?? null,
    status: entry.status ?? null,
    ...(entry.pinned && { pinned: true }),
    ...(entry.archived && { archived: true }),
    ...(entry.groups && entry.groups.length > 0 && { groups: entry.groups }),
  }
}

/** What a session is for, by its key. */
export function kindOf(key: string): string {
  return tryParseSessionKey(key)?.kind ?? 'other'
}
