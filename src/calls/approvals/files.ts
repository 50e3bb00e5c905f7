import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { reasonOf } from '../../kernel/system-error.ts'

const largestFile = 256 * 1024
const draftMark = '.draft'

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/**
 * Creates a file that is whole from the moment it can be seen, for the owner's eyes only. False when it was there already: of several
 * processes that create it, one wins. Error: CONFIG_READONLY with the system's reason.
 */
export function createOnce(directory: string, name: string, value: unknown): boolean {
  try {
    return create(directory, name, value)
  } catch (error) {
    throw failed(error, directory, 'approvals cannot be stored in')
  }
}

function create(directory: string, name: string, value: unknown): boolean {
  makeDirectory(directory)
  const file = join(directory, name)
  const draft = join(directory, `${name}.${process.pid}${draftMark}`)
  const handle = openSync(draft, 'w', 0o600)
  try {
    writeFileSync(handle, JSON.stringify(value))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    // Some file systems know no hard links; a file cut off by a crash is then no answer to anybody.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].some((code) => hasCode(error, code))) throw error
    return createPlainly(file, value)
  } finally {
    rmSync(draft, { force: true })
  }
}

function createPlainly(file: string, value: unknown): boolean {
  try {
    writeFileSync(file, JSON.stringify(value), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** The JSON value of a file; undefined where there is none that can be read. */
export function readValue(directory: string, name: string): unknown {
  try {
    const file = join(directory, name)
    const stats = statSync(file)
    if (!stats.isFile() || stats.size > largestFile) return undefined
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Names of the files in a directory, drafts of living and dead writers left out; none where it does not exist. Error: CONFIG_READONLY. */
export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => !name.endsWith(draftMark))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw failed(error, directory, 'approvals cannot be read from')
  }
}

/** Removes files of a directory; what is gone already is fine. Error: CONFIG_READONLY. */
export function remove(directory: string, names: readonly string[]): void {
  try {
    for (const name of names) rmSync(join(directory, name), { force: true })
  } catch (error) {
    throw failed(error, directory, 'approvals cannot be removed from')
  }
}

/** Without its directory no question can be kept and no answer believed, and that is for a person to put right. */
function failed(error: unknown, directory: string, what: string): OpenClawError {
  const { code, problem, hint } =
    hasCode(error, 'ENOTDIR') || hasCode(error, 'EEXIST')
      ? { code: 'ENOTDIR', problem: 'it is no directory', hint: `move ${directory} away` }
      : reasonOf(error)
  return new OpenClawError('CONFIG_READONLY', `${what} ${directory}: ${problem}`, {
    hints: [hint],
    data: { directory, ...(code !== '' && { cause: code }) },
    cause: error,
  })
}
