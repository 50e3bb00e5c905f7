import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { agentKey } from '../config/agents.ts'

/** Where sessions may be stored; all paths absolute except `store`, which is `session.store` as configured. */
export interface StoreOptions {
  readonly stateDir: string
  readonly homeDir: string
  readonly store?: string | undefined
}

export type StoreLayout = 'json' | 'sqlite'

/** Files that may hold sessions of the agent, the newer layout first (gateway facts §2.2). */
export function storeFiles({ stateDir, homeDir, store }: StoreOptions, agentId: string): readonly string[] {
  // The id becomes part of a path; one that could leave the state directory has no store.
  if (/[/\\\0]|^\.{1,2}$/.test(agentId)) return []
  const ids = [...new Set([agentKey(agentId), agentId])]
  const files = ids.flatMap((id) => {
    const home = join(stateDir, 'agents', id)
    const json = store?.trim()
      ? relocated(store.trim(), stateDir, homeDir, id)
      : join(home, 'sessions', 'sessions.json')
    return [join(home, 'agent', 'openclaw-agent.sqlite'), json]
  })
  return [...new Set(files)]
}

function relocated(store: string, stateDir: string, homeDir: string, agentId: string): string {
  const path = store.replaceAll('{agentId}', agentId)
  return /^~(?=$|[/\\])/.test(path) ? join(homeDir, path.slice(1)) : resolve(stateDir, path)
}

/** Tells a database by its first bytes, so that `session.store` may point at either; null for an empty file. Throws for what is no file. */
export function layoutOf(file: string): StoreLayout | null {
  // Opening a pipe would wait for its writer. Synchronous, because most starts find no store and should not start threads for it.
  if (!statSync(file).isFile()) throw new Error('it is not a regular file')
  const handle = openSync(file, 'r')
  try {
    const head = Buffer.alloc(16)
    if (readSync(handle, head, 0, head.length, 0) === 0) return null
    return head.toString('latin1') === 'SQLite format 3\0' ? 'sqlite' : 'json'
  } finally {
    closeSync(handle)
  }
}
