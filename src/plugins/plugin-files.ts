import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { cleanLine, showName } from '../kernel/untrusted-text.ts'

/** A file or folder below a plugin's folder, or why it may not be used; what is just not there is told from what is unfit. */
export type PluginFile = { readonly path: string } | { readonly problem: string; readonly isMissing: boolean }

/** Endings of the files that Node can run; TypeScript by leaving out its types. */
const codeEndings = /\.(?:[cm]?js|[cm]?ts)$/

export function isCode(file: string): boolean {
  return codeEndings.test(file) && !/\.d\.[cm]?ts$/.test(file)
}

/** The real path of what `name` means in a plugin's real folder; refused where it leads outside, also through symbolic links. */
export function pluginFile(folder: string, name: string, kind: 'file' | 'folder'): PluginFile {
  const shown = showName(name, 200)
  const unfit = (why: string): PluginFile => ({ problem: `${shown} ${why}`, isMissing: false })
  const path = resolve(folder, name)
  if (isAbsolute(name) || !isBelow(folder, path)) return unfit('is outside the folder of the plugin')
  try {
    const real = realpathSync(path)
    if (!isBelow(folder, real)) return unfit('is a symbolic link out of the folder of the plugin')
    const stats = statSync(real)
    const fits = kind === 'file' ? stats.isFile() : stats.isDirectory()
    return fits ? { path: real } : unfit(`is no ${kind === 'file' ? 'regular file' : 'folder'}`)
  } catch (error) {
    return { problem: `${shown} ${accessProblem(error)}`, isMissing: isMissing(error) }
  }
}

/** Whether a path lies below a folder, by its text. */
export function isBelow(folder: string, path: string): boolean {
  const rest = relative(folder, path)
  return rest !== '' && !/^\.\.(?:[/\\]|$)/.test(rest) && !isAbsolute(rest)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}

function isMissing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** Says why the file system refused a path. */
export function accessProblem(error: unknown): string {
  if (isMissing(error)) return 'does not exist'
  const code = codeOf(error)
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read (permission denied)'
  if (code === 'ELOOP') return 'is a loop of symbolic links'
  if (code === 'ERR_INVALID_ARG_VALUE') return 'is no path'
  return cleanLine(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, 300)
}
