import { open, stat } from 'node:fs/promises'
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
export async function layoutOf(file: string): Promise<StoreLayout | null> {
  // Opening a pipe would wait for its writer.
  if (!(await stat(file)).isFile()) throw new Error('it is not a regular file')
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    if (bytesRead === 0) return null
    return buffer.toString('latin1') === 'SQLite format 3\0' ? 'sqlite' : 'json'
  } finally {
    await handle.close()
  }
}
