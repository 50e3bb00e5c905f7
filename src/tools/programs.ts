import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/**
 * The absolute path of a program on a PATH; null where there is none. What a relative or empty entry of the PATH would find lies in the directory
 * that this program happens to be in, often that of a stranger's code, and is passed over.
 */
export function findProgram(name: string, path: string | undefined): string | null {
  const files = (path ?? '')
    .split(delimiter)
    .filter((dir) => isAbsolute(dir))
    .map((dir) => join(dir, name))
  return files.find(isProgram) ?? null
}

/** Whether a path names a file that can be run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
