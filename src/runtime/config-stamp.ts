import { statSync } from 'node:fs'
import { stdinFile } from '../config/find.ts'
import type { Case } from './case.ts'

/** What tells one state of a config's files from another; empty where there is no file. */
export function stampOf({ loaded }: Case): string {
  if (loaded === null || loaded.file === stdinFile) return ''
  return [loaded.file, ...loaded.documents.keys()]
    .map((file) => {
      const seen = statSync(file, { throwIfNoEntry: false })
      return seen ? `${seen.ino} ${seen.size} ${seen.mtimeMs}` : 'none'
    })
    .join('\n')
}
