import type { AuditedFile, AuditRecord } from './audit.ts'
import { currentHash, realFile } from './target.ts'

/** How the files of a write stand now. */
export type State = 'done' | 'half-done' | 'changed-since'

/** Compares the files of a write with what it found and what it left. */
export function stateOf({ files }: AuditRecord): State {
  const hashes = files.map((entry) => ({ ...entry, now: currentHash(entry.file) }))
  if (hashes.every(({ after, now }) => now === after)) return 'done'
  return hashes.every(({ before, after, now }) => now === after || now === before)
    ? 'half-done'
    : 'changed-since'
}

/**
 * The writes of one config that are in force, oldest first. Left out are those that were taken back, that failed, and that
 * were announced only because their process was killed before the files changed: what came after them found the old files.
 */
export function writesInForce(records: readonly AuditRecord[]): AuditRecord[] {
  const failed = new Set(records.flatMap(({ event, id }) => (event === 'config.write-failed' ? [id] : [])))
  const found = new Map<string, string | null>()
  const foundIn = ({ file }: AuditedFile): string | null => {
    const real = realFile(file)
    const known = found.get(real)
    return known === undefined ? currentHash(real) : known
  }
  const done: AuditRecord[] = []
  for (const record of records.toReversed()) {
    if (failed.has(record.id)) continue
    const happened = record.files.some((entry) => foundIn(entry) !== entry.before)
    for (const entry of record.files) found.set(realFile(entry.file), entry.before)
    if (happened) done.unshift(record)
  }
  const undone = new Set(done.flatMap(({ undoes }) => (undoes === null ? [] : [undoes])))
  return done.filter(({ id, undoes }) => undoes === null && !undone.has(id))
}
