import { randomUUID } from 'node:crypto'
import type { NewSession } from '../../gateway/host.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { parseModel } from '../../sessions/request.ts'
import { saveSessionEntry, writableStore } from '../../sessions/store-write.ts'
import type { StoredSession } from '../../sessions/store.ts'
import type { Running } from './running.ts'
import { targetOf, unknownSession } from './targets.ts'

/** The stored session of a full key; UNKNOWN_SESSION where there is none. */
export async function storedSession(
  { each, entries }: Running,
  ref: Pick<NewSession, 'sessionKey' | 'agentId'>,
): Promise<StoredSession> {
  const target = targetOf(each.config, ref)
  const { session } = await entries.find(target, true)
  if (session === null) throw unknownSession(ref, target)
  return session
}

/** Stores a session unless it is stored already; `now` in milliseconds since 1970. INPUT_INVALID for a reserved key, or where nothing can be stored. */
export async function createSession(
  running: Running,
  { label, model, ...ref }: NewSession,
  now: number,
): Promise<{ readonly session: StoredSession; readonly created: boolean }> {
  const { each, entries, places } = running
  const target = targetOf(each.config, ref)
  const { agentId, sessionKey } = target
  if (/(?:^|:)incognito-/i.test(sessionKey)) {
    throw new OpenClawError('INPUT_INVALID', 'session keys with incognito- are reserved')
  }
  const known = await entries.find(target, true)
  if (known.session !== null) return { session: known.session, created: false }
  const store = writableStore(places, agentId) ?? writableStore({ ...places, store: undefined }, agentId)
  if (store === null)
    throw new OpenClawError('INPUT_INVALID', `sessions of agent "${agentId}" cannot be stored`)
  const chosen = model === undefined ? {} : parseModel(model)
  await saveSessionEntry(store, sessionKey, {
    sessionId: randomUUID(),
    updatedAt: now,
    ...(label !== undefined && { label }),
    ...(chosen.provider !== undefined && { providerOverride: chosen.provider }),
    ...(chosen.model !== undefined && { modelOverride: chosen.model }),
  })
  return { session: await storedSession(running, ref), created: true }
}
