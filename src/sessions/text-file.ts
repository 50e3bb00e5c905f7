import { readFileSync } from 'node:fs'
import { systemFailure } from '../kernel/system-error.ts'

/**
 * The text of a file in which state is kept; null where there is none. One that is there and cannot be read is an error, TOOL_FAILED, and not
 * an empty one: the next change would take its place.
 */
export function textIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw systemFailure(error, 'TOOL_FAILED', file) ?? error
  }
}
