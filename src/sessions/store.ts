import { readFile } from 'node:fs/promises'
import { agentKey } from '../config/agents.ts'
import { readEntry, type SessionEntry } from './entry.ts'
import { formatSessionKey, tryParseSessionKey } from './key.ts'
import { layoutOf, storeFiles, type StoreLayout, type StoreOptions } from './store-files.ts'

export interface StoredSession {
  readonly agentId: string
  /** As stored, but with its agent. */
  readonly key: string
  readonly entry: SessionEntry
  readonly file: string
  readonly layout: StoreLayout
}

/** A store that is there and could not be used; the rest of the answer stands. */
export interface StoreProblem {
  readonly file: string
  readonly message: string
}

export interface SessionStore {
  /** The stored session of this full key, or null; the depth of a spawned one is filled in from its line of spawners. */
  readSessionEntry(target: {
    readonly agentId: string
    readonly sessionKey: string
  }): Promise<{ readonly session: StoredSession | null; readonly problems: readonly StoreProblem[] }>
  /** The stored sessions of these agents, the latest first. */
  listSessions(
    agentIds: readonly string[],
  ): Promise<{ readonly sessions: readonly StoredSession[]; readonly problems: readonly StoreProblem[] }>
}

/** Reads session stores of both layouts, the database first and the older JSON file after it; never writes, and a store that is not there is empty. */
export function openSessionStore(options: StoreOptions): SessionStore {
  return {
    async readSessionEntry({ agentId, sessionKey }) {
      const problems: StoreProblem[] = []
      const session = await find(options, agentId, sessionKey, problems)
      if (session === null) return { session, problems: unique(problems) }
      const entry = await withLineage(options, session.entry, problems)
      return { session: { ...session, entry }, problems: unique(problems) }
    },
    async listSessions(agentIds) {
      const problems: StoreProblem[] = []
      const found = new Map<string, StoredSession>()
      for (const agentId of agentIds) {
        for (const session of await readAll(options, agentId, undefined, problems)) {
          const id = session.key.toLowerCase()
          if (!found.has(id)) found.set(id, session)
        }
      }
      const sessions = [...found.values()].toSorted(
        (a, b) => (b.entry.updatedAt ?? 0) - (a.entry.updatedAt ?? 0) || (a.key < b.key ? -1 : 1),
      )
      return { sessions, problems: unique(problems) }
    },
  }
}

const longestLineage = 32

/** A depth that is not stored is one more than the spawner's, as far as the spawners are stored themselves. */
async function withLineage(
  options: StoreOptions,
  entry: SessionEntry,
  problems: StoreProblem[],
): Promise<SessionEntry> {
  if (entry.spawnedBy === undefined || entry.spawnDepth !== undefined) return entry
  const seen = new Set<string>()
  let spawner: string | undefined = entry.spawnedBy
  for (;;) {
    const key = tryParseSessionKey(spawner)
    const known: StoredSession | null =
      key?.agentId && !seen.has(spawner) ? await find(options, key.agentId, spawner, problems) : null
    seen.add(spawner)
    const above: string | undefined = known?.entry.spawnedBy
    if (above === undefined || known?.entry.spawnDepth !== undefined || seen.size >= longestLineage) {
      const top = known?.entry.spawnDepth ?? key?.subagentDepth ?? 0
      return { ...entry, spawnDepth: top + seen.size }
    }
    spawner = above
  }
}

async function find(
  options: StoreOptions,
  agentId: string,
  sessionKey: string,
  problems: StoreProblem[],
): Promise<StoredSession | null> {
  const sessions = await readAll(options, agentId, sessionKey, problems)
  return sessions.find(({ key }) => key === sessionKey) ?? sessions[0] ?? null
}

/** Every stored session of the agent, or those of one key in any case; the database comes before the older file. */
async function readAll(
  options: StoreOptions,
  agentId: string,
  sessionKey: string | undefined,
  problems: StoreProblem[],
): Promise<readonly StoredSession[]> {
  const sessions: StoredSession[] = []
  for (const file of storeFiles(options, agentId)) {
    try {
      const layout = layoutOf(file)
      if (layout === null) continue
      const stored =
        layout === 'sqlite' ? await readSqlite(file, agentId, sessionKey, problems) : await readJson(file)
      for (const [key, entry] of stored) {
        const session = ownSession(agentId, key, entry, file, layout)
        const wanted = sessionKey === undefined || session?.key.toLowerCase() === sessionKey.toLowerCase()
        if (session !== null && wanted) sessions.push(session)
      }
    } catch (error) {
      if (!isMissing(error))
        problems.push({ file, message: `the session store cannot be read: ${reasonOf(error)}` })
    }
  }
  return sessions
}

/** A key without an agent belongs to the agent whose store it is in; keys of other agents are theirs. */
function ownSession(
  agentId: string,
  text: string,
  value: unknown,
  file: string,
  layout: StoreLayout,
): StoredSession | null {
  const entry = readEntry(value)
  const key = tryParseSessionKey(text)
  if (entry === null || key === null) return null
  if (key.agentId !== null && agentKey(key.agentId) !== agentKey(agentId)) return null
  const isSentinel = key.kind === 'global' || key.kind === 'unknown'
  const full = isSentinel ? key.rest : formatSessionKey({ agentId: key.agentId ?? agentId, rest: key.rest })
  return { agentId, key: full, entry, file, layout }
}

async function readJson(file: string): Promise<readonly (readonly [string, unknown])[]> {
  const store: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (typeof store !== 'object' || store === null || Array.isArray(store)) {
    throw new Error('it does not hold an object of sessions by key')
  }
  return Object.entries(store)
}

async function readSqlite(
  file: string,
  agentId: string,
  sessionKey: string | undefined,
  problems: StoreProblem[],
): Promise<readonly (readonly [string, unknown])[]> {
  const { readSessionRows } = await import('./sqlite.ts')
  const short = sessionKey === undefined ? '' : (tryParseSessionKey(sessionKey)?.rest ?? '')
  const rows = await readSessionRows(file, sessionKey === undefined ? undefined : [sessionKey, short])
  return rows.map(({ key, entryJson, columns }) => {
    const entry = entryJson === null ? {} : parseObject(entryJson)
    if (entry === null)
      problems.push({
        file,
        message: `The stored entry of "${key}" (agent ${agentId}) is not a JSON object.`,
      })
    return [key, { ...columns, ...entry }]
  })
}

function parseObject(json: unknown): object | null {
  try {
    const value: unknown = JSON.parse(
      json instanceof Uint8Array ? Buffer.from(json).toString() : String(json),
    )
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\.$/, '')
}

function unique(problems: readonly StoreProblem[]): readonly StoreProblem[] {
  return [...new Map(problems.map((problem) => [`${problem.file}\n${problem.message}`, problem])).values()]
}
