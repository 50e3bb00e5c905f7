import { dirname } from 'node:path'
import { makeDirectory } from '../config/make-directory.ts'
import { isRecord } from '../config/path-value.ts'
import { withLock } from '../config/write/lock.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { layoutOf, storeFiles, type StoreOptions } from './store-files.ts'
import { tryParseSessionKey } from './key.ts'
import { replaceJsonFile } from './json-file.ts'
import { textIfThere } from './text-file.ts'

/** Fields of a stored entry, as they stand in the file (gateway facts §2.3); others stay as they are. */
export type EntryFields = Readonly<Record<string, unknown>>

/** The JSON store of an agent, in which entries can be written; null where its place is taken by a database, or the id is no file name. */
export function writableStore(options: StoreOptions, agentId: string): string | null {
  const json = storeFiles(options, agentId).find((file) => !file.endsWith('.sqlite'))
  if (json === undefined) return null
  try {
    return layoutOf(json) === 'sqlite' ? null : json
  } catch (error) {
    return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? json : null
  }
}

/**
 * Writes fields of one session's entry into a JSON store, which is replaced as a whole, so that readers never see half of it; other entries and
 * other fields stay. INPUT_INVALID for a store that is no JSON object: whatever it is, it is not overwritten.
 */
export async function saveSessionEntry(
  file: string,
  sessionKey: string,
  fields: EntryFields,
  signal?: AbortSignal,
): Promise<void> {
  await changeStore(file, signal, (store) => {
    const key = storedKey(store, sessionKey)
    const known = store[key]
    return { ...store, [key]: { ...(isRecord(known) ? known : {}), ...fields } }
  })
}

/** Takes one session's entry out of a JSON store; nothing changes where it is not there. Errors as `saveSessionEntry`. */
export async function removeSessionEntry(file: string, sessionKey: string): Promise<void> {
  await changeStore(file, undefined, (store) => {
    const { [storedKey(store, sessionKey)]: _gone, ...rest } = store
    return rest
  })
}

type Store = Readonly<Record<string, unknown>>

async function changeStore(
  file: string,
  signal: AbortSignal | undefined,
  change: (store: Store) => Store,
): Promise<void> {
  makeDirectory(dirname(file))
  await withLock(file, { signal }, async () => {
    await replaceJsonFile(file, change(readStore(file)))
  })
}

/** The spelling under which the store has the session: keys differ in case, and older ones leave the agent out. */
function storedKey(store: Readonly<Record<string, unknown>>, sessionKey: string): string {
  const same = Object.keys(store).find((key) => key.toLowerCase() === sessionKey.toLowerCase())
  if (same !== undefined) return same
  const rest = tryParseSessionKey(sessionKey)?.rest
  return rest !== undefined && Object.hasOwn(store, rest) ? rest : sessionKey
}

function readStore(file: string): Readonly<Record<string, unknown>> {
  const text = textIfThere(file) ?? ''
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // Said below.
  }
  throw new OpenClawError(
    'INPUT_INVALID',
    `the session store ${file} is not a JSON object of sessions by key`,
    {
      hints: ['move it away, and it will be begun anew'],
      data: { file },
    },
  )
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
