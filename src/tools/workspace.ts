import { makeDirectory } from '../config/make-directory.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { diskError } from './files/errors.ts'

const inTheWay: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file in its place',
  ENOTDIR: 'there is a file in its place',
  ENOENT: 'a link on the way leads nowhere',
}

/** Makes a workspace when it is first worked in; returns what stands in the way (TOOL_FAILED), or null. */
export function makeWorkspace(dir: string): OpenClawError | null {
  try {
    makeDirectory(dir)
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    const isRefused =
      code === 'ENOENT' && error instanceof Error && 'syscall' in error && error.syscall === 'mkdir'
    const plain = isRefused ? 'no directories can be made there' : inTheWay[String(code)]
    const { message } =
      plain === undefined
        ? diskError(error, dir, 'make the workspace')
        : { message: `the workspace ${showName(dir, 400)} cannot be made: ${plain}` }
    return new OpenClawError('TOOL_FAILED', message, {
      hints: ['name another directory: openclaw config set agents.defaults.workspace DIR'],
      data: { workspace: dir, ...(code !== null && { code }) },
      cause: error,
    })
  }
}
