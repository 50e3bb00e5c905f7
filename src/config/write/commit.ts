import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { OpenClawError } from '../../kernel/errors.ts'
import { appendAudit, readAudit, type AuditDetails, type AuditRecord } from './audit.ts'
import { findBackup, keepBackup, replaceBackup } from './backups.ts'
import { stateOf } from './history.ts'
import {
  currentHash,
  discard,
  hashOf,
  holds,
  openTarget,
  putInPlace,
  randomId,
  realFile,
  stage,
  sweep,
  syncDirectory,
  type Target,
} from './target.ts'
import { writeError } from './write-error.ts'

/** What becomes of one file; null is no file. */
export interface FileChange {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

export interface CommitOptions extends AuditDetails {
  /** The root config that the files belong to. */
  readonly config: string
  readonly stateDir: string
  /** The write that is taken back, with the backups that are used up by it. */
  readonly undo?: { readonly id: string; readonly backups: ReadonlyMap<string, string> }
}

/** What a write left behind besides the new files. */
export interface Committed {
  /** Path of the backup of each changed file that existed. */
  readonly backups: ReadonlyMap<string, string>
  /** What went wrong beside the write itself. */
  readonly problems: readonly string[]
}

interface Staged {
  readonly change: FileChange
  readonly target: Target
  readonly temporary: string | null
}

/** The error of a write that found other bytes than it had read; `isConflict` tells it from other conflicts. */
function conflict(file: string): OpenClawError {
  return new OpenClawError(
    'CONFIG_CONFLICT',
    `${file} was changed by another program meanwhile; nothing was written`,
    {
      hints: ['run the command again'],
      data: { file, reason: 'changed-meanwhile' },
    },
  )
}

/** Whether an error says that a file changed between reading and writing, so that reading again may help. */
export function isConflict(error: unknown): boolean {
  return error instanceof OpenClawError && error.data['reason'] === 'changed-meanwhile'
}

function isAsRead({ change, target }: Staged): boolean {
  return holds(target.real, change.before)
}

function stageAll(changes: readonly FileChange[]): Staged[] {
  const staged: Staged[] = []
  try {
    for (const change of changes) {
      const target = openTarget(change.file)
      sweep(target.real)
      const temporary = change.after === null ? null : stage(change.after, target.real, target)
      staged.push({ change, target, temporary })
    }
    return staged
  } catch (error) {
    discardAll(staged)
    throw writeError(error, changes[staged.length]?.file ?? '', 'write')
  }
}

function discardAll(staged: readonly Staged[]): void {
  for (const { temporary } of staged) if (temporary !== null) discard(temporary)
}

/** Puts one file in place; a change that another program made since the last look is never overwritten knowingly. */
function place(each: Staged): void {
  if (!isAsRead(each)) throw conflict(each.change.file)
  if (each.temporary === null) rmSync(each.target.real, { force: true })
  else putInPlace(each.temporary, each.target.real)
}

/** Takes the files that are in place back, so that a write of several files is done whole or not at all; returns those that stay new. */
function rollBack(done: readonly Staged[]): string[] {
  return done.flatMap(({ change, target }) => {
    try {
      if (!holds(target.real, change.after)) return []
      if (change.before === null) rmSync(target.real, { force: true })
      else putInPlace(stage(change.before, target.real, target), target.real)
      return []
    } catch {
      return [change.file]
    }
  })
}

/** The error of a write that could be neither finished nor taken back. */
function halfDone(error: OpenClawError, stuck: readonly string[]): OpenClawError {
  const message = error.message.replace(/;[^;]*$/, '')
  return new OpenClawError(
    error.code,
    `${message}; ${stuck.join(', ')} is already written and could not be taken back, the next write of the config does that`,
    { hints: error.hints, data: { ...error.data, written: stuck }, cause: error },
  )
}

/**
 * Writes all changes or none; call it with the locks of the files held. The order is: new texts beside the old files, backups,
 * audit, renames; whatever ends the process between two of them, every file is whole, old or new.
 * Errors: CONFIG_CONFLICT when a file is not as it was read, CONFIG_READONLY when something cannot be written.
 */
export function commit(changes: readonly FileChange[], options: CommitOptions): Committed {
  const { stateDir, config, undo, command, argv, changes: shownChanges, cwd } = options
  const staged = stageAll(changes)
  const backups = new Map<string, string>()
  const problems: string[] = []
  const record: AuditRecord = {
    event: 'config.write',
    id: randomId(),
    config: realFile(config),
    files: changes.map(({ file, before, after }) => ({ file, before: hashOf(before), after: hashOf(after) })),
    undoes: undo?.id ?? null,
  }
  const placed: Staged[] = []
  let audited = false
  try {
    const changed = staged.find((each) => !isAsRead(each))
    if (changed !== undefined) throw conflict(changed.change.file)
    if (undo === undefined) {
      for (const { file, before } of changes) if (before !== null) backups.set(file, keepBackup(file, before))
    }
    audited = tryAudit(stateDir, record, { command, argv, changes: shownChanges, cwd }, problems)
    for (const each of staged) {
      place(each)
      placed.push(each)
    }
  } catch (error) {
    discardAll(staged)
    const stuck = rollBack(placed)
    const failure = writeError(error, staged[placed.length]?.change.file ?? config, 'write')
    if (stuck.length > 0) throw halfDone(failure, stuck)
    if (audited) tryAudit(stateDir, { ...record, event: 'config.write-failed' }, null, [])
    throw failure
  }
  for (const directory of new Set(staged.map(({ target }) => dirname(target.real)))) syncDirectory(directory)
  if (undo !== undefined) swapBackups(changes, undo.backups, problems)
  return { backups, problems }
}

/** What is taken back takes the place of the backup that has been used up, so that nothing is lost. */
function swapBackups(
  changes: readonly FileChange[],
  used: ReadonlyMap<string, string>,
  problems: string[],
): void {
  for (const { file, before } of changes) {
    const backup = used.get(file)
    if (before === null) continue
    try {
      if (backup === undefined) keepBackup(file, before)
      else replaceBackup(backup, before)
    } catch (error) {
      problems.push(writeError(error, backup ?? file, 'keep a backup in').message)
    }
  }
}

function tryAudit(
  stateDir: string,
  record: AuditRecord,
  details: AuditDetails | null,
  problems: string[],
): boolean {
  try {
    appendAudit(stateDir, record, details)
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    problems.push(`the audit could not be written, so config undo does not know this change: ${reason}`)
    return false
  }
}

/** Takes back what a killed process has left half done of a write of several files; returns the files it restored. */
export function recover(stateDir: string, config: string): string[] {
  const last = readAudit(stateDir, realFile(config)).findLast(({ event }) => event === 'config.write')
  if (last === undefined || last.files.length < 2 || stateOf(last) !== 'half-done') return []
  const restored: string[] = []
  for (const { file, before, after } of last.files) {
    if (before === after || currentHash(file) !== after) continue
    const target = openTarget(file)
    if (before === null) rmSync(target.real, { force: true })
    else {
      const backup = findBackup(file, before)
      if (backup === null) continue
      putInPlace(stage(backup.text, target.real, target), target.real)
    }
    restored.push(file)
  }
  return restored
}
