import { OpenClawError } from '../../kernel/errors.ts'
import { saveSessionEntry, writableStore, type EntryFields } from '../../sessions/store-write.ts'
import type { RuntimeHost } from '../gateway/host.ts'

/** Writes fields of the entry of a session. Error: INPUT_INVALID where it cannot be stored. */
export async function saveSession(
  { current, parts }: Pick<RuntimeHost, 'current' | 'parts'>,
  { agentId, sessionKey }: { readonly agentId: string; readonly sessionKey: string },
  fields: EntryFields,
): Promise<void> {
  const { loaded, config } = current
  if (loaded === null) throw new OpenClawError('INTERNAL', 'a server needs a config of this machine')
  const places = { stateDir: loaded.stateDir, homeDir: loaded.home, store: config.session?.store }
  const store = writableStore(places, agentId) ?? writableStore({ ...places, store: undefined }, agentId)
  if (store === null)
    throw new OpenClawError('INPUT_INVALID', `sessions of agent "${agentId}" cannot be stored`)
  await saveSessionEntry(store, sessionKey, { updatedAt: parts.clock(), ...fields })
}
