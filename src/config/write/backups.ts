import { existsSync, readFileSync, renameSync } from 'node:fs'
import { sha256 } from '../../kernel/sha256.ts'
import { putInPlace, stage } from './target.ts'

/** How many earlier states of a file are kept beside it. */
const kept = 5

/** Backups carry secrets, whoever may read the config itself. */
const ownerOnly = { mode: 0o600, owner: null } as const

/** Paths of the backups of a file, newest first: `.bak`, `.bak.1` … `.bak.4`. */
export function backupPaths(file: string): string[] {
  return Array.from({ length: kept }, (_, at) => (at === 0 ? `${file}.bak` : `${file}.bak.${at}`))
}

/** Keeps a text as the newest backup of a file and drops the oldest; returns its path. */
export function keepBackup(file: string, text: string): string {
  const paths = backupPaths(file)
  const [newest = `${file}.bak`] = paths
  const temporary = stage(text, newest, ownerOnly)
  for (let at = paths.length - 1; at > 0; at--) {
    const [from, to] = [paths[at - 1], paths[at]]
    if (from !== undefined && to !== undefined && existsSync(from)) renameSync(from, to)
  }
  putInPlace(temporary, newest)
  return newest
}

/** Puts a text in the place of one backup, which has been used up. */
export function replaceBackup(backup: string, text: string): void {
  putInPlace(stage(text, backup, ownerOnly), backup)
}

/** The backup of a file that holds the text of a hash, newest first; null when it is gone. */
export function findBackup(file: string, hash: string): { path: string; text: string } | null {
  for (const path of backupPaths(file)) {
    try {
      const bytes = readFileSync(path)
      if (sha256(bytes) === hash) return { path, text: bytes.toString() }
    } catch {
      // One that is missing or cannot be read is not the one.
    }
  }
  return null
}
