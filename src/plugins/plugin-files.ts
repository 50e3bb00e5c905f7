import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'

/** A file or folder below a plugin's folder, or why it may not be used. */
export type PluginFile = { readonly path: string } | { readonly problem: string }

/** Endings of the files that Node can run; TypeScript by leaving out its types. */
const codeEndings = /\.(?:[cm]?js|[cm]?ts)$/

export function isCode(file: string): boolean {
  return codeEndings.test(file) && !/\.d\.[cm]?ts$/.test(file)
}

/** The real path of what `name` means in a plugin's real folder; refused where it leads outside, also through symbolic links. */
export function pluginFile(folder: string, name: string, kind: 'file' | 'folder'): PluginFile {
  const path = resolve(folder, name)
  if (isAbsolute(name) || !isBelow(folder, path))
    return { problem: `${name} is outside the folder of the plugin` }
  let real: string
  try {
    real = realpathSync(path)
    if (!isBelow(folder, real))
      return { problem: `${name} is a symbolic link out of the folder of the plugin` }
    const stats = statSync(real)
    const fits = kind === 'file' ? stats.isFile() : stats.isDirectory()
    if (!fits) return { problem: `${name} is no ${kind === 'file' ? 'regular file' : 'folder'}` }
  } catch (error) {
    return { problem: `${name} ${accessProblem(error)}` }
  }
  return { path: real }
}

/** Whether a path lies below a folder, by its text. */
function isBelow(folder: string, path: string): boolean {
  const rest = relative(folder, path)
  return rest !== '' && !rest.startsWith('..') && !isAbsolute(rest)
}

/** Says why the file system refused a path. */
export function accessProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist'
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read (permission denied)'
  if (code === 'ELOOP') return 'is a loop of symbolic links'
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
}
