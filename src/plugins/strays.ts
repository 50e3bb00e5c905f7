import { isMainThread } from 'node:worker_threads'
import { thrownStack } from '../kernel/thrown.ts'
import { cleanLine, showName } from '../kernel/untrusted-text.ts'
import { causeOf, placeOf } from './code-error.ts'
import type { InstalledPlugin } from './discover.ts'

/** Something that code of a plugin threw where nobody waits for it: from a timer, an event, a promise that was dropped. */
export interface Stray {
  readonly pluginId: string
  /** Names the plugin and the cause, on one line. */
  readonly message: string
  /** Whether a call was waiting for that plugin and has failed by it. */
  readonly endedCall: boolean
}

/** Plugins whose code has run in this process: folder by id. */
const loaded = new Map<string, string>()
/** How to fail what is being waited for, by the id of the plugin. */
const waiting = new Map<string, Set<(error: Error) => void>>()

const keyOf = (id: string): string => id.toLowerCase()

/**
 * Takes note that the code of a plugin is about to run in this process. From then on `process.exit` and `process.abort` throw: plugins run inside
 * of a program that has work of others to end. The program itself ends by the function that `bin/run.js` kept.
 */
export function hostPlugin({ id, folder }: Pick<InstalledPlugin, 'id' | 'folder'>): void {
  loaded.set(keyOf(id), folder)
  if (!isMainThread) return
  process.exit = refuse('exit')
  process.abort = refuse('abort')
}

function refuse(name: string): (code?: unknown) => never {
  return (code) => {
    const call = `process.${name}(${code === undefined ? '' : cleanLine(String(code), 40)})`
    throw new Error(`${call} is refused: a plugin runs inside of openclaw and may not end it`)
  }
}

/** Waits for code of a plugin; a stray of that plugin in the meantime ends the wait as its failure, for what it would have settled may never come. */
export async function answerable<Value>(
  pluginId: string,
  work: () => Value | PromiseLike<Value>,
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const key = keyOf(pluginId)
  const others = waiting.get(key) ?? new Set()
  waiting.set(key, others.add(reject))
  try {
    return await Promise.race([work(), promise])
  } finally {
    others.delete(reject)
    if (others.size === 0) waiting.delete(key)
  }
}

/** Judges what was thrown where nobody waits: the stray of a plugin fails what waits for that plugin and is returned; null for what is no plugin's. */
export function takeStray(thrown: unknown): Stray | null {
  const key = ownerOf(thrown)
  if (key === undefined) return null
  const cause = `${causeOf(thrown)}, thrown where nobody waits for it`
  const waits = [...(waiting.get(key) ?? [])]
  for (const reject of waits) reject(new Error(cause))
  return { pluginId: key, message: `plugin "${showName(key)}": ${cause}`, endedCall: waits.length > 0 }
}

/** By the stack; what has none in any file, as the failure of a socket or a thrown text, is laid to the one plugin that is being waited for. */
function ownerOf(thrown: unknown): string | undefined {
  for (const [key, folder] of loaded) if (placeOf(thrown, folder) !== null) return key
  const hasFile = /^[ \t]+at .*(?:file:|[ (]\/)/m.test(thrownStack(thrown))
  return hasFile || waiting.size !== 1 ? undefined : [...waiting.keys()][0]
}
