import { realpathSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The program of a child, and what it has to read besides its own file. */
export interface ChildFile {
  readonly file: string
  /** Directory that the child may read until it is locked; null for the built one, which is a single file. */
  readonly reads: string | null
}

/** The built child of a build directory. Without links in its path: a locked Node checks the path as it is given. */
export function builtChild(directory: string): ChildFile {
  return { file: realpathSync(join(directory, 'code-child.cjs')), reads: null }
}

/** The child that belongs to this program: built beside it, or its sources where the sources run. */
export function ownChild(): ChildFile {
  const self = fileURLToPath(import.meta.url)
  if (!self.endsWith('.ts')) return builtChild(dirname(findPackageJSON(import.meta.url) ?? self))
  const file = realpathSync(join(dirname(self), 'child/main.ts'))
  return { file, reads: dirname(file) }
}
