import { OpenClawError, type ErrorCode } from './errors.ts'
import { showName } from './untrusted-text.ts'

const reasons: Readonly<Record<string, readonly [problem: string, hint: string]>> = {
  ENOSPC: ['no space is left on the device', 'free some space and try again'],
  EDQUOT: ['the disk quota is used up', 'free some space and try again'],
  EFBIG: ['it would be larger than the system allows', 'check the file size limit (ulimit -f)'],
  EACCES: ['permission denied', 'check the owner and the mode of the file and its directory'],
  EPERM: ['permission denied', 'check the owner and the mode of the file and its directory'],
  EROFS: ['the file system is read-only', 'write to another place, or remount it'],
  EMFILE: ['too many files are open', 'try again, or raise the limit (ulimit -n)'],
  ENFILE: ['too many files are open', 'try again'],
  EIO: ['the device reports an error', 'check the disk'],
  ENOENT: ['there is no such file or directory', 'check that it exists'],
  EEXIST: ['something else is in its place', 'move that away'],
  ENOTDIR: ['a part of the path is no directory', 'move away what is in the place of the directory'],
  EISDIR: ['a directory is in its place', 'move the directory away'],
  ELOOP: ['its symbolic links lead in a circle', 'check the links on the way to it'],
  ENAMETOOLONG: ['its name is too long', 'use a shorter name'],
}

/** What system calls on files do, in words; errors of others, as of the network, say enough themselves. */
const actions: Readonly<Record<string, string>> = {
  access: 'reach',
  chmod: 'change the mode of',
  copyfile: 'copy',
  fchmod: 'change the mode of',
  fsync: 'write',
  ftruncate: 'write',
  lstat: 'look at',
  mkdir: 'make',
  mkdtemp: 'make',
  open: 'open',
  opendir: 'list',
  read: 'read',
  readlink: 'read',
  realpath: 'reach',
  rename: 'put in place',
  rm: 'remove',
  rmdir: 'remove',
  scandir: 'list',
  stat: 'look at',
  unlink: 'remove',
  write: 'write',
}

/** Why a file operation failed, in words, with what may help; `code` is the system's, or empty. */
export function reasonOf(error: unknown): {
  readonly code: string
  readonly problem: string
  readonly hint: string
} {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [problem, hint] = reasons[code] ?? [
    error instanceof Error ? error.message : String(error),
    'check the file and its directory',
  ]
  return { code, problem, hint }
}

/** What the system says of a file, as an error for people with the given code: what could not be done, to what, why, and what may help. Null for any other error. `file` is meant where the system names none. */
export function systemFailure(error: unknown, as: ErrorCode, file?: string): OpenClawError | null {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return null
  const action = actions[String(error.syscall)]
  const { code, problem, hint } = reasonOf(error)
  if (action === undefined || reasons[code] === undefined) return null
  const path = placeOf(error) ?? file ?? null
  const what = path === null ? 'a file' : showName(path, 300)
  return new OpenClawError(as, `cannot ${action} ${what}: ${problem} (${code})`, {
    hints: [hint],
    data: { ...(path !== null && { path }), code },
    cause: error,
  })
}

/** Of two files the one that was to be written. */
function placeOf(error: Error): string | null {
  if ('dest' in error && typeof error.dest === 'string') return error.dest
  return 'path' in error && typeof error.path === 'string' ? error.path : null
}
