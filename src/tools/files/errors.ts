import { opendirSync } from 'node:fs'
import { OpenClawError } from '../../kernel/errors.ts'
import { suggest } from '../../kernel/suggest.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { codeOf, type Dir } from './dir.ts'

const mostNames = 5_000

/** What went wrong on a disk, in words. */
const meanings: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files on this machine',
  EIO: 'the device reports an error',
  EBUSY: 'it is in use',
  ENOENT: 'it has gone meanwhile',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is no directory',
  EEXIST: 'it exists already',
  EFBIG: 'it would be too large',
  ETXTBSY: 'the program in it is running',
}

/** An error of the disk as the failure of a call. */
export function diskError(error: unknown, given: string, doing: string): OpenClawError {
  if (error instanceof OpenClawError) return error
  const code = codeOf(error)
  const path = showName(given, 300)
  if (code === 'ENAMETOOLONG') return inputError(`${path} holds a name that is too long`, given)
  const why = code === undefined ? (error instanceof Error ? error.message : 'unknown error') : meanings[code]
  const shown = code === undefined ? why : `${why ?? 'the system refused'} (${code})`
  return new OpenClawError('TOOL_FAILED', `cannot ${doing} ${path}: ${shown}`, {
    data: { path: given, ...(code !== undefined && { code }) },
    cause: error,
  })
}

/** Input that means nothing useful here. */
export function inputError(
  message: string,
  path: string,
  hints: readonly string[] = [],
  data: Readonly<Record<string, unknown>> = {},
): OpenClawError {
  return new OpenClawError('INPUT_INVALID', message, { hints, data: { path, ...data } })
}

/** A file that is not there, with what may have been meant. */
export function notFound(given: string, dir: Dir, name: string, missing: string): OpenClawError {
  const near = suggest(name, namesIn(dir)).map((each) =>
    given
      .split('/')
      .map((part) => (part === name ? each : part))
      .join('/'),
  )
  const hints = near.map((path) => `did you mean ${showName(path, 300)}?`)
  const where = missing.endsWith(given) ? '' : ` (no ${showName(missing, 300)})`
  return inputError(`${showName(given, 300)} does not exist${where}`, given, hints, { suggestions: near })
}

/** A path that goes on below something that is no directory. */
export function notDirectory(given: string, part: string): OpenClawError {
  return inputError(`${showName(given, 300)} cannot exist: ${showName(part, 300)} is no directory`, given)
}

/** A directory where a file is needed. */
export function isDirectoryError(given: string): OpenClawError {
  return inputError(`${showName(given, 300)} is a directory`, given, ['name a file in it'])
}

function namesIn(dir: Dir): string[] {
  const names: string[] = []
  try {
    const open = opendirSync(dir.here)
    try {
      for (let entry = open.readSync(); entry !== null && names.length < mostNames; entry = open.readSync())
        names.push(entry.name)
    } finally {
      open.closeSync()
    }
  } catch {
    // Who may not look in gets no suggestion.
  }
  return names
}
