import { groupIdFallbacks, type SessionKey } from './key.ts'
import type { SessionRequest } from './request.ts'
import type { SessionTarget } from './target.ts'

/** Something the user said that cannot hold for this session and was left out. */
export interface DroppedField {
  readonly field: 'groupId'
  readonly value: string
  readonly reason: string
}

/** The group a session belongs to. */
export interface SessionGroups {
  /** From the most to the least specific; empty outside groups. */
  readonly ids: readonly string[]
  /** Channel that the ids belong to, where a key says so. */
  readonly channel: string | null
  /** Whether it is settled which group this is, or that it is none. */
  readonly known: boolean
  readonly dropped: readonly DroppedField[]
}

/** Finds the groups of a session: a group is believed where no key says better, else the key or the spawner's key must contain it (ruling 6). */
export function resolveGroups(
  request: SessionRequest,
  target: SessionTarget,
  spawner: SessionKey | null,
): SessionGroups {
  const asked = request.groupId?.trim() ?? ''
  if (!target.keyGiven && spawner === null) return believedGroup(asked, request.threadId?.trim() ?? '')
  const keys = [target.key, ...(spawner === null ? [] : [spawner])].filter((key) => key.groupIds.length > 0)
  const ids = [...new Set(keys.flatMap((key) => key.groupIds))]
  const agrees = asked === '' || ids.some((id) => id.toLowerCase() === asked.toLowerCase())
  const reason = ids.length === 0 ? 'the session is not in a group' : `the session is in group ${ids.at(-1)}`
  return {
    ids,
    channel: keys[0]?.channel ?? null,
    known: true,
    dropped: agrees ? [] : [{ field: 'groupId', value: asked, reason }],
  }
}

function believedGroup(groupId: string, threadId: string): SessionGroups {
  const inTopic = threadId !== '' && !/:topic:/i.test(groupId)
  const ids = groupId === '' ? [] : groupIdFallbacks(inTopic ? `${groupId}:topic:${threadId}` : groupId)
  return { ids, channel: null, known: groupId !== '', dropped: [] }
}
