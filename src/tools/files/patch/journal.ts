import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../../config/make-directory.ts'
import { isRecord } from '../../../catalog/source.ts'
import { codeOf } from '../dir.ts'

/** One entry of a directory that a patch changes, with the names of what stands beside it meanwhile. */
export interface JournalEntry {
  /** Directory without symbolic links. */
  readonly dir: string
  readonly name: string
  /** File with the new bytes; null where the entry is to be gone. */
  readonly fresh: string | null
  /** Second name, or copy, of what was there; null where nothing was. */
  readonly old: string | null
  /** Identities (`device:number`) of the directory, of the new file and of what was there; null before they are known. */
  readonly dirId: string | null
  readonly freshId: string | null
  readonly oldId: string | null
}

/** What is under way, so that whoever comes after a crash can end it one way or the other. */
export interface Journal {
  readonly id: string
  /** Which of the two states the files are to get into. */
  readonly goal: 'before' | 'after'
  /** While helpers are made no file is touched; while they are taken away every file is where it belongs. */
  readonly phase: 'staging' | 'placing' | 'cleaning'
  /** Directories that are made for it, outermost first. */
  readonly made: readonly string[]
  readonly entries: readonly JournalEntry[]
}

/** The directory of a state directory where journals are: out of reach of whatever is in a workspace. */
export function journalsDir(stateDir: string): string {
  return join(stateDir, 'patches')
}

/** Ids of the journals that are there, begun ones included; usually none. */
export function journalIds(stateDir: string): string[] {
  try {
    const names = readdirSync(journalsDir(stateDir))
    const ids = names.flatMap((name) => /^([0-9a-f]{16})\.json(?:\.new)?$/.exec(name)?.[1] ?? [])
    return [...new Set(ids)].toSorted()
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}

/** Writes a journal in one step and down to the disk; what it says holds from then on. */
export function writeJournal(stateDir: string, journal: Journal): void {
  const dir = journalsDir(stateDir)
  makeDirectory(dir)
  const path = join(dir, `${journal.id}.json`)
  const fd = openSync(`${path}.new`, 'w', 0o600)
  try {
    const bytes = Buffer.from(JSON.stringify(journal))
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(`${path}.new`, path)
  syncDir(dir)
}

/** Ends a journal. What was only begun of it goes first: once the journal is gone nothing may fail any more. */
export function removeJournal(stateDir: string, id: string): void {
  rmSync(join(journalsDir(stateDir), `${id}.json.new`), { force: true })
  rmSync(join(journalsDir(stateDir), `${id}.json`), { force: true })
}

/** Reads a journal; null for one that is gone or no journal. */
export function readJournal(stateDir: string, id: string): Journal | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(journalsDir(stateDir), `${id}.json`), 'utf8'))
    return isJournal(value) ? value : null
  } catch {
    return null
  }
}

function isJournal(value: unknown): value is Journal {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    ['before', 'after'].some((goal) => goal === value['goal']) &&
    ['staging', 'placing', 'cleaning'].some((phase) => phase === value['phase']) &&
    Array.isArray(value['made']) &&
    value['made'].every((each) => typeof each === 'string') &&
    Array.isArray(value['entries']) &&
    value['entries'].every(isEntry)
  )
}

function isEntry(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { dir, name, ...rest } = value
  const isName = (each: unknown): boolean => typeof each === 'string' && each !== '' && !each.includes('/')
  return (
    typeof dir === 'string' &&
    isName(name) &&
    ['fresh', 'old'].every((key) => rest[key] === null || isName(rest[key])) &&
    ['dirId', 'freshId', 'oldId'].every((key) => rest[key] === null || typeof rest[key] === 'string')
  )
}

function syncDir(dir: string): void {
  try {
    const fd = openSync(dir, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch {
    // Not every file system can; the rename is done.
  }
}
