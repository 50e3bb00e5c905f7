import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../make-directory.ts'
import { isRecord } from '../path-value.ts'

/** One file of a write: hashes of what it held and holds, null for no file. */
export interface AuditedFile {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

/** One line of the audit. It is written before the files are, so that a write cannot go unnoticed. */
export interface AuditRecord {
  readonly event: 'config.write' | 'config.write-failed'
  readonly id: string
  /** The config that was edited, behind its symbolic links. */
  readonly config: string
  readonly files: readonly AuditedFile[]
  /** The write that this one takes back. */
  readonly undoes: string | null
}

/** What is told about a write besides the files; nothing of it is secret. */
export interface AuditDetails {
  readonly command: string
  /** Arguments with secrets replaced. */
  readonly argv: readonly string[]
  readonly changes: readonly AuditedChange[]
  readonly cwd: string
}

/** One changed path with its values, secrets replaced. */
export interface AuditedChange {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

const shownChanges = 64
const shownLength = 200

/** A value as the audit keeps it: whole when it is short. */
function brief(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= shownLength ? value : `${text.slice(0, shownLength)}…`
}
const tailBytes = 1024 * 1024

/** Path of the audit: one JSON object a line, only ever appended to. */
export function auditFile(stateDir: string): string {
  return join(stateDir, 'config-audit.ndjson')
}

/** Appends one record as one line. */
export function appendAudit(stateDir: string, record: AuditRecord, details: AuditDetails | null): void {
  makeDirectory(stateDir)
  const line = JSON.stringify({
    time: new Date().toISOString(),
    ...record,
    ...(details && {
      ...details,
      changes: details.changes.slice(0, shownChanges).map(({ path, before, after }) => ({
        path,
        before: brief(before),
        after: brief(after),
      })),
      changeCount: details.changes.length,
      pid: process.pid,
    }),
  })
  const fd = openSync(auditFile(stateDir), 'a+', 0o600)
  try {
    const { size } = fstatSync(fd)
    const last = Buffer.alloc(1)
    // A full disk can cut a line short; the next one starts on its own all the same.
    const torn = size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 10
    writeSync(fd, `${torn ? '\n' : ''}${line}\n`)
  } finally {
    closeSync(fd)
  }
}

function isHash(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function readRecord(line: string): AuditRecord | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (!isRecord(value) || !Array.isArray(value.files)) return null
  const { event, id, config, undoes = null } = value
  if (event !== 'config.write' && event !== 'config.write-failed') return null
  if (typeof id !== 'string' || typeof config !== 'string' || !isHash(undoes)) return null
  const files = value.files.flatMap((entry: unknown): AuditedFile[] => {
    if (!isRecord(entry) || typeof entry.file !== 'string') return []
    const { file, before, after } = entry
    return isHash(before) && isHash(after) ? [{ file, before, after }] : []
  })
  return { event, id, config, files, undoes }
}

/** The newest records about one config, oldest first; what cannot be read is left out. */
export function readAudit(stateDir: string, config: string): AuditRecord[] {
  let text: string
  try {
    const fd = openSync(auditFile(stateDir), 'r')
    try {
      const { size } = fstatSync(fd)
      const length = Math.min(size, tailBytes)
      const bytes = Buffer.alloc(length)
      const read = readSync(fd, bytes, 0, length, size - length)
      text = bytes.toString('utf8', 0, read)
      if (length < size) text = text.slice(text.indexOf('\n') + 1)
    } finally {
      closeSync(fd)
    }
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => {
    const record = line === '' ? null : readRecord(line)
    return record?.config === config ? [record] : []
  })
}
