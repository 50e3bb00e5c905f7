import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a directory and those above it that are missing, for their owner alone unless `mode` says otherwise; one that is there stays as it is.
 * Throws the error of the system.
 */
export function makeDirectory(path: string, mode = 0o700): void {
  // Node's own `recursive` asks for ever where a directory that is there takes no others, as /proc does.
  const missing: string[] = []
  let at = resolve(path)
  while (missingAbove(at, mode) !== null) {
    missing.push(at)
    at = dirname(at)
  }
  for (const each of missing.toReversed()) {
    const error = missingAbove(each, mode)
    if (error !== null) throw error
  }
}

/** Makes one directory where it is not there; the error that those above it are missing, which is thrown for the root. */
function missingAbove(path: string, mode: number): Error | null {
  try {
    mkdirSync(path, { mode })
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (error instanceof Error && code === 'ENOENT' && dirname(path) !== path) return error
    // Systems have many words for a directory that is there; a link that leads nowhere is an error of its own.
    if (statSync(path, { throwIfNoEntry: code === 'EEXIST' })?.isDirectory() === true) return null
    throw error
  }
}
