import { zstdDecompressSync } from 'node:zlib'
import type { SQLOutputValue } from 'node:sqlite'
import { readDatabase } from './sqlite.ts'
import { readEvent, type TranscriptEvent } from './transcript.ts'

/** Bytes that one compressed event may grow to. */
const largestEvent = 64 * 1024 * 1024

/** Reads the transcript of a session from its database (gateway facts §2.2); empty where the database keeps none. Throws what SQLite says. */
export async function readSqliteTranscript(
  file: string,
  sessionId: string,
): Promise<readonly TranscriptEvent[]> {
  const rows = await readDatabase(file, (database) => {
    const columns = database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all('transcript_events')
      .map((row) => String(row['name']))
    if (!columns.includes('session_id') || !columns.includes('seq')) return []
    const wanted = ['event_json', 'event_zstd'].filter((name) => columns.includes(name))
    if (wanted.length === 0) return []
    return database
      .prepare(`SELECT ${wanted.join(', ')} FROM transcript_events WHERE session_id = ? ORDER BY seq`)
      .all(sessionId)
  })
  return rows.map((row, at) => readEvent(textOf(row), at + 1))
}

function textOf({
  event_json: json = null,
  event_zstd: packed = null,
}: Readonly<Record<string, SQLOutputValue>>): string {
  try {
    if (typeof json === 'string') return json
    if (json instanceof Uint8Array) return Buffer.from(json).toString()
    if (packed instanceof Uint8Array)
      return zstdDecompressSync(packed, { maxOutputLength: largestEvent }).toString()
  } catch {
    // One event that cannot be unpacked is one that cannot be read.
  }
  return ''
}
