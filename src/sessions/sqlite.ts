import { constants } from 'node:fs'
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'

/** A row of the store: its key, the entry as stored, and what the columns say beside it. */
export interface StoredRow {
  readonly key: string
  readonly entryJson: SQLOutputValue
  /** Named as in an entry. */
  readonly columns: Readonly<Record<string, SQLOutputValue>>
}

/**
 * Reads rows of `session_nodes`: all, or those whose key is one of `keys` in any case (gateway facts §2.2).
 * Throws what SQLite says, or an Error for a database that is no session store.
 */
export async function readSessionRows(file: string, keys?: readonly string[]): Promise<readonly StoredRow[]> {
  return readDatabase(file, (database) => queryRows(database, keys))
}

/** Reads from a database that others may be writing, without creating or changing anything beside it. */
export async function readDatabase<T>(file: string, query: (database: DatabaseSync) => T): Promise<T> {
  const { DatabaseSync } = await import('node:sqlite')
  const read = (database: DatabaseSync): T => {
    try {
      return query(database)
    } finally {
      database.close()
    }
  }
  const [wal, shm, journal] = await Promise.all(['-wal', '-shm', '-journal'].map((end) => sizeOf(file + end)))
  // With both files of the write-ahead log there (a writer is alive), opening adds none. A copy is for logs of a dead writer.
  const inUse = (wal !== null && shm !== null) || (journal ?? 0) > 0
  if (!inUse && (wal ?? 0) === 0) return read(new DatabaseSync(immutableUrl(file), { readOnly: true }))
  if (inUse) {
    try {
      return read(new DatabaseSync(file, { readOnly: true, timeout: 2000 }))
    } catch (error) {
      if (!needsRecovery(error)) throw error
    }
  }
  return readCopy(file, (copy) => read(new DatabaseSync(copy)))
}

/** SQLite would otherwise leave `-wal` and `-shm` files behind, or fail where it may not write. */
function immutableUrl(file: string): URL {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return url
}

async function readCopy<T>(file: string, read: (copy: string) => T): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'openclaw-sessions-'))
  try {
    const copy = join(directory, basename(file))
    for (const end of ['', '-wal', '-journal']) {
      if ((await sizeOf(file + end)) !== null)
        await copyFile(file + end, copy + end, constants.COPYFILE_FICLONE)
    }
    return read(copy)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function sizeOf(file: string): Promise<number | null> {
  const stats = await stat(file).catch(() => null)
  return stats?.size ?? null
}

/** SQLITE_READONLY and SQLITE_CANTOPEN: the log must be replayed, which takes the right to write. */
function needsRecovery(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false
  return [8, 14].includes(error.errcode & 0xff)
}

const nodeColumns: Readonly<Record<string, string>> = {
  current_session_id: 'sessionId',
  label: 'label',
  spawned_by: 'spawnedBy',
}

const windowColumns: Readonly<Record<string, string>> = {
  chat_type: 'chatType',
  channel: 'lastChannel',
  account_id: 'lastAccountId',
  model_provider: 'modelProvider',
  model: 'model',
  agent_harness_id: 'agentHarnessId',
}

function queryRows(database: DatabaseSync, keys: readonly string[] | undefined): readonly StoredRow[] {
  const known = (table: string): readonly string[] =>
    database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map((row) => String(row['name']))
  const ofNode = known('session_nodes')
  if (!ofNode.includes('session_key') || !ofNode.includes('entry_json')) {
    throw new Error('it has no table session_nodes with session_key and entry_json')
  }
  const ofWindow = known('session_windows')
  const joined = ofNode.includes('current_session_id') && ofWindow.includes('session_id')
  const selected = [
    ...Object.entries(nodeColumns).flatMap(([column, name]) =>
      ofNode.includes(column) ? [`n.${column} AS ${name}`] : [],
    ),
    ...Object.entries(windowColumns).flatMap(([column, name]) =>
      joined && ofWindow.includes(column) ? [`w.${column} AS ${name}`] : [],
    ),
  ]
  const marks = (keys ?? []).map(() => '?').join(', ')
  const sql = [
    `SELECT ${['n.session_key AS storedKey', 'n.entry_json AS storedEntry', ...selected].join(', ')}`,
    'FROM session_nodes n',
    ...(joined ? ['LEFT JOIN session_windows w ON w.session_id = n.current_session_id'] : []),
    // SQLite lower-cases ASCII only, so a key with other letters is found as it is written.
    ...(keys ? [`WHERE n.session_key IN (${marks}) OR lower(n.session_key) IN (${marks})`] : []),
  ].join(' ')
  return database
    .prepare(sql)
    .all(...(keys ?? []), ...(keys ?? []).map((key) => key.toLowerCase()))
    .map(({ storedKey, storedEntry, ...columns }) => ({
      key: String(storedKey),
      entryJson: storedEntry ?? null,
      columns,
    }))
}
