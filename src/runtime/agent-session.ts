import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Message } from '../agent/messages.ts'
import { historyOf, readHistory } from '../agent/read-history.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { View } from '../policy/view.ts'
import { saveSessionEntry, writableStore, type EntryFields } from '../sessions/store-write.ts'
import { openSessionStore, type StoredSession } from '../sessions/store.ts'
import type { Case } from './case.ts'

/** Where a session is kept: its id, what was said in it, and where the rest of it is written. */
export interface AgentSession {
  readonly sessionId: string
  readonly transcript: string
  readonly history: readonly Message[]
  /** Writes fields of its entry in the session store; a store that cannot be written is told of and costs nothing else, or is an error where the fields must not be lost. */
  save(fields: EntryFields, must?: boolean): Promise<void>
}

const fileName = /^[\w-][\w.-]*$/

/** The file beside which the runs of a session wait for each other. */
export function laneFile(each: Case, view: View): string {
  const { agentId, sessionKey } = view.context
  const readable = sessionKey.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-')
  return join(dirname(storeOf(each, agentId)), `${readable.slice(0, 120)}.run`)
}

/** Finds a session in the stores, or begins one. To be called by whoever holds its lane. */
export async function openAgentSession(
  each: Case,
  view: View,
  tell: (text: string) => void,
): Promise<AgentSession> {
  const { agentId, sessionKey } = view.context
  const store = storeOf(each, agentId)
  const { session } = await openSessionStore(placesOf(each)).readSessionEntry({ agentId, sessionKey })
  const known = session?.entry.sessionId
  const sessionId = known !== undefined && fileName.test(known) ? known : randomUUID()
  const transcript = join(dirname(store), `${sessionId}.jsonl`)
  const earlier = session === null || known !== sessionId ? [] : await databaseHistory(session, tell)
  return {
    sessionId,
    transcript,
    history: [...earlier, ...(await readHistory(transcript))],
    save: async (fields, must = false) => {
      try {
        await saveSessionEntry(store, sessionKey, { sessionId, updatedAt: Date.now(), ...fields })
      } catch (error) {
        if (must) throw error
        tell(`the session store is not written: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
  }
}

function placesOf({ loaded, config }: Case) {
  if (loaded === null)
    throw new OpenClawError('INTERNAL', 'a session of a config that is not on this machine')
  return { stateDir: loaded.stateDir, homeDir: loaded.home, store: config.session?.store }
}

function storeOf(each: Case, agentId: string): string {
  const places = placesOf(each)
  const store = writableStore(places, agentId) ?? writableStore({ ...places, store: undefined }, agentId)
  if (store !== null) return store
  throw new OpenClawError('INPUT_INVALID', `sessions of agent "${agentId}" cannot be stored`, {
    hints: ['give the agent an id that can be the name of a directory'],
    data: { agentId },
  })
}

/** What was said in a session that a newer installation keeps in its database; it is read, and never written. */
async function databaseHistory(
  { layout, file, entry }: StoredSession,
  tell: (text: string) => void,
): Promise<readonly Message[]> {
  if (layout !== 'sqlite' || entry.sessionId === undefined) return []
  try {
    const { readSqliteTranscript } = await import('../sessions/sqlite-transcript.ts')
    return historyOf(await readSqliteTranscript(file, entry.sessionId))
  } catch (error) {
    tell(`what was said before is not read: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}
