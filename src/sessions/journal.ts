import { createHash } from 'node:crypto'
import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { agentKey } from '../config/agents.ts'

/** Bytes of a journal after which a new one is begun; the one before is kept. */
const largestJournal = 16 * 1024 * 1024

/**
 * The file with the calls that people made for a session from the command line. They stand beside the session's transcript, not in it: the
 * model never made them and another program may be writing there. Null for an agent id that is no file name.
 */
export function journalFile(stateDir: string, agentId: string, sessionKey: string): string | null {
  if (/[/\\\0]|^\.{0,2}$/.test(agentId)) return null
  const key = sessionKey.toLowerCase()
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 8)
  const readable = key.replaceAll(/[^a-z0-9-]+/g, '-').slice(0, 80)
  return join(stateDir, 'agents', agentKey(agentId), 'calls', `${readable}.${hash}.jsonl`)
}

/** The journal before a file of `journalFile`. */
export function earlierJournal(file: string): string {
  return `${file}.1`
}

/** Puts a journal that has grown large aside, so that the next entry begins a new one. */
export function rotateJournal(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > largestJournal) renameSync(file, earlierJournal(file))
}
