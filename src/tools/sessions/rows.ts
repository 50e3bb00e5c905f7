import { tryParseSessionKey } from '../../sessions/key.ts'
import type { SeenStored } from './store.ts'

/** Milliseconds since 1970 as ISO; null where nobody knows, or no clock could say so. */
export function isoTime(time: number | null | undefined): string | null {
  return time === undefined || time === null || Math.abs(time) > 8.64e15 ? null : new Date(time).toISOString()
}

/** A session in a list; `isLive` where a run of it is under way in this program. */
export function sessionRow({ agentId, key, entry }: SeenStored, isLive: boolean): object {
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
    status: storedStatus(entry.status, isLive),
    ...(entry.pinned && { pinned: true }),
    ...(entry.archived && { archived: true }),
    ...(entry.groups && entry.groups.length > 0 && { groups: entry.groups }),
  }
}

/** How the last run of a sub-agent ended, by its entry. One that is not under way here was cut off, or is another program's. */
export function storedStatus(status: string | undefined, isLive: boolean): string | null {
  return status === 'running' && !isLive ? 'unfinished' : (status ?? null)
}

/** What a session is for, by its key. */
export function kindOf(key: string): string {
  return tryParseSessionKey(key)?.kind ?? 'other'
}
