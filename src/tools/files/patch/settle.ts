import { renameSync, rmdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { codeOf, Dir, idOf, Swapped } from '../dir.ts'
import { discard } from '../save.ts'
import { removeJournal, writeJournal, type Journal, type JournalEntry } from './journal.ts'

/**
 * Brings the files of a journal into the state that it aims at, and takes away what stood beside them. Every step may have been done
 * before, so that a crash in the midst of it is mended by doing it again. Where somebody else has changed a file meanwhile, that file stays
 * as it is and all others get as they were; returns such files. Errors: of the system; the journal is still there then.
 */
export function settle(stateDir: string, journal: Journal): readonly string[] {
  const { goal, phase } = journal
  let foreign: readonly string[] = []
  if (phase === 'placing') {
    foreign = inDirs(journal, (entry, dir) => (goal === 'after' ? forward(dir, entry) : back(dir, entry)))
    if (goal === 'after' && foreign.length > 0) {
      const other: Journal = { ...journal, goal: 'before' }
      writeJournal(stateDir, other)
      settle(stateDir, other)
      return foreign
    }
    // From here on what stands beside the files may go, so nobody may need it any more.
    writeJournal(stateDir, { ...journal, phase: 'cleaning' })
  }
  inDirs(journal, ({ fresh, old }, dir) => {
    for (const name of [fresh, old]) if (name !== null) discard(dir, name)
    return true
  })
  if (goal === 'before') for (const path of journal.made.toReversed()) removeEmpty(path)
  removeJournal(stateDir, journal.id)
  return foreign
}

/** Does something for every entry whose directory is still there; returns the paths of those for which it says no. */
function inDirs({ entries }: Journal, work: (entry: JournalEntry, dir: Dir) => boolean): readonly string[] {
  const open = new Map<string, Dir | null>()
  const refused: string[] = []
  try {
    for (const entry of entries) {
      let dir = open.get(entry.dir)
      if (dir === undefined) {
        dir = reopen(entry.dir, entry.dirId)
        open.set(entry.dir, dir)
      }
      if (dir !== null && !work(entry, dir)) refused.push(`${entry.dir}/${entry.name}`)
    }
    for (const dir of open.values()) dir?.sync()
  } finally {
    for (const dir of open.values()) dir?.close()
  }
  return refused
}

/** To the new state; false where somebody else has been there. */
function forward(dir: Dir, { name, fresh, oldId }: JournalEntry): boolean {
  if (fresh !== null && identity(dir, fresh) === null) return true
  const now = identity(dir, name)
  if (fresh === null && now === null) return true
  if (now !== oldId) return false
  if (fresh === null) discard(dir, name)
  else renameSync(dir.at(fresh), dir.at(name))
  return true
}

/** To the old state; false where somebody else has been there. */
function back(dir: Dir, { name, old, freshId, oldId }: JournalEntry): boolean {
  const now = identity(dir, name)
  if (now === oldId) return true
  if (now !== null && now !== freshId) return false
  if (old === null) discard(dir, name)
  else if (identity(dir, old) !== null) renameSync(dir.at(old), dir.at(name))
  return true
}

function identity(dir: Dir, name: string): string | null {
  const stat = dir.stat(name)
  return stat === null ? null : idOf(stat)
}

/** Opens a directory by its path, never through a link; null where another one, or none, is there now. */
function reopen(path: string, id: string | null): Dir | null {
  let dir = Dir.root()
  try {
    for (const name of path.split('/').filter((part) => part !== '')) {
      const next = dir.child(name)
      dir.close()
      dir = next
    }
  } catch (error) {
    dir.close()
    if (error instanceof Swapped || codeOf(error) === 'ENOENT') return null
    throw error
  }
  if (id === null || dir.id === id) return dir
  dir.close()
  return null
}

function removeEmpty(path: string): void {
  const parent = reopen(dirname(path), null)
  if (parent === null) return
  try {
    rmdirSync(parent.at(basename(path)))
  } catch {
    // Somebody has put something into it, or it was never made.
  } finally {
    parent.close()
  }
}
