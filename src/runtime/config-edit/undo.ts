import { readText } from '../../config/read.ts'
import { maxRootBytes } from '../../config/read.ts'
import { readAudit, type AuditRecord } from '../../config/write/audit.ts'
import { backupPaths, findBackup } from '../../config/write/backups.ts'
import type { FileChange } from '../../config/write/commit.ts'
import { stateOf, writesInForce } from '../../config/write/history.ts'
import { currentHash, realFile } from '../../config/write/target.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { changeConfig, type ChangeOptions, type Outcome } from './change.ts'
import { replaceTexts } from './replace-texts.ts'

function conflict(message: string, file: string, ...hints: string[]): OpenClawError {
  return new OpenClawError('CONFIG_CONFLICT', `${message}; nothing was written`, { hints, data: { file } })
}

/** The newest write of a config that has not been taken back, or null. */
export function lastWrite(stateDir: string, config: string): AuditRecord | null {
  return writesInForce(readAudit(stateDir, realFile(config))).at(-1) ?? null
}

/** The text of a file as it is now; null when there is none. */
export function currentText(file: string): string | null {
  if (currentHash(file) === null) return null
  return readText(file, maxRootBytes, (problem, hint) => {
    return new OpenClawError('CONFIG_CONFLICT', `${file} ${problem}`, { hints: [hint], data: { file } })
  })
}

/** What a write found in each file it changed, from the backups that hold just that. CONFIG_CONFLICT when one is gone. */
export function statesBefore(record: AuditRecord): { change: FileChange; backup: string | null }[] {
  return record.files
    .filter(({ before, after }) => before !== after)
    .map(({ file, before }) => {
      const now = currentText(file)
      if (before === null) return { change: { file, before: now, after: null }, backup: null }
      const backup = findBackup(file, before)
      if (backup === null) {
        throw conflict(
          `no backup of ${file} holds what it was before that write`,
          file,
          `the last ${backupPaths(file).length} states are kept in ${file}.bak*`,
        )
      }
      return { change: { file, before: now, after: backup.text }, backup: backup.path }
    })
}

/** Takes the last write of a config back, in every file it changed; again for the one before it. Errors: CONFIG_CONFLICT when there is none, when its files were changed since, or when a backup is gone. */
export function undoWrite(options: ChangeOptions): Promise<Outcome> {
  return changeConfig(
    async (loaded) => {
      const { file, stateDir } = loaded
      const record = lastWrite(stateDir, file)
      if (record === null) {
        throw conflict(
          `there is no write of ${file} to take back`,
          file,
          `earlier states may be in ${file}.bak*`,
        )
      }
      const state = stateOf(record)
      if (state !== 'done') {
        const changed = record.files.find((entry) => currentHash(entry.file) !== entry.after)?.file ?? file
        throw conflict(
          `${changed} was changed by another program since the last write, and that would be lost`,
          changed,
          `openclaw config diff ${changed}.bak shows what has changed`,
          `cp ${changed}.bak ${changed} restores it all the same`,
        )
      }
      const states = statesBefore(record)
      const edited = await replaceTexts(
        loaded,
        states.map(({ change }) => change),
        options.load,
      )
      const backups = new Map(states.flatMap(({ change, backup }) => (backup ? [[change.file, backup]] : [])))
      return { edited, undo: { id: record.id, backups } }
    },
    { ...options, mends: true },
  )
}
