import { randomBytes } from 'node:crypto'
import { closeSync, linkSync } from 'node:fs'
import { join } from 'node:path'
import { OpenClawError } from '../../../kernel/errors.ts'
import { showName } from '../../../kernel/untrusted-text.ts'
import { idOf, Swapped, type Dir } from '../dir.ts'
import { diskError } from '../errors.ts'
import { openEntry, readWhole } from '../open-file.ts'
import { besideName, changedMeanwhile, isSame, makeDirs, pathsOf, stage } from '../save.ts'
import { readJournal, writeJournal, type Journal, type JournalEntry } from './journal.ts'
import type { Op } from './plan.ts'
import { settle } from './settle.ts'

/**
 * Makes all changes or none; call it with the lock of the journals held. The order is: a journal with the names of all helpers, new files and
 * second names of old ones beside them, a journal that says go, renames, a journal that says done, helpers away. Whatever ends the process,
 * `settle` of the journal brings every file to one side. Errors: TOOL_FAILED, with nothing changed.
 */
export function commit(stateDir: string, ops: readonly Op[]): void {
  const id = randomBytes(8).toString('hex')
  const made = [...new Set(ops.flatMap(({ dir, missing }) => pathsOf(dir, missing)))]
  const begun: Journal = { id, goal: 'before', phase: 'staging', made, entries: ops.map(entryOf) }
  let journal = begun
  let foreign: readonly string[] = []
  try {
    writeJournal(stateDir, begun)
    journal = {
      ...begun,
      goal: 'after',
      phase: 'placing',
      entries: ops.map((op, at) => prepare(op, begun.entries[at])),
    }
    writeJournal(stateDir, journal)
    foreign = settle(stateDir, journal)
  } catch (error) {
    // All is in place, only helpers are left; whoever comes next takes them away.
    const now = readJournal(stateDir, id)
    if (now?.goal === 'after' && now.phase === 'cleaning') return
    undo(stateDir, { ...journal, goal: 'before' }, error)
    throw told(error)
  }
  if (foreign[0] !== undefined) throw changedMeanwhile(foreign[0])
}

function undo(stateDir: string, journal: Journal, cause: unknown): void {
  try {
    if (journal.phase === 'placing') writeJournal(stateDir, journal)
    settle(stateDir, journal)
  } catch (error) {
    throw new OpenClawError(
      'TOOL_FAILED',
      `the patch failed (${told(cause).message}) and could not be taken back yet`,
      {
        hints: ['the next call of a file tool ends it, once the disk allows that'],
        cause: error,
      },
    )
  }
}

function told(error: unknown): OpenClawError {
  if (error instanceof OpenClawError) return error
  if (error instanceof Swapped) return changedMeanwhile(error.message)
  return diskError(error, 'the files of the patch', 'change')
}

function entryOf({ dir, missing, name, before, bytes }: Op): JournalEntry {
  return {
    dir: join(dir.path, ...missing),
    name,
    fresh: bytes === null ? null : besideName(name, 'new'),
    old: before === null ? null : besideName(name, 'old'),
    dirId: missing.length > 0 ? null : dir.id,
    freshId: null,
    oldId: before === null ? null : idOf(before),
  }
}

/** Puts the new file and a second name of the old one beside the place. */
function prepare(op: Op, entry: JournalEntry | undefined): JournalEntry {
  if (entry === undefined) throw new OpenClawError('INTERNAL', 'a change without an entry in the journal')
  const dir = makeDirs(op.dir, op.missing)
  try {
    const { fresh, old } = entry
    const freshId = fresh === null || op.bytes === null ? null : stage(dir, fresh, op.bytes, op.like)
    if (old !== null) keepOld(dir, op, old)
    if (!isSame(dir.stat(op.name), op.before)) throw changedMeanwhile(op.given)
    return { ...entry, dirId: dir.id, freshId }
  } finally {
    if (dir !== op.dir) dir.close()
  }
}

function keepOld(dir: Dir, { name, given, before }: Op, old: string): void {
  try {
    linkSync(dir.at(name), dir.at(old))
  } catch {
    // Some file systems know no second names, and some systems give none of files of others.
    const file = openEntry(dir, name, given)
    try {
      const bytes = readWhole(file)
      if (bytes === null || before === null)
        throw new OpenClawError(
          'TOOL_FAILED',
          `${showName(given, 300)} is too large to be kept while it is patched`,
        )
      stage(dir, old, bytes, before)
    } finally {
      closeSync(file.fd)
    }
  }
}
