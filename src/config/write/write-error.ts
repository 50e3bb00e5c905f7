import { OpenClawError } from '../../kernel/errors.ts'

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

/** Makes a failed file operation a CONFIG_READONLY error that says what could not be done and that nothing has changed. */
export function writeError(error: unknown, file: string, action: string): OpenClawError {
  if (error instanceof OpenClawError) return error
  const { code, problem, hint } = reasonOf(error)
  return new OpenClawError(
    'CONFIG_READONLY',
    `cannot ${action} ${file}: ${problem}; the config is as it was`,
    {
      hints: [hint],
      data: { file, ...(code !== '' && { cause: code }) },
      cause: error,
    },
  )
}
