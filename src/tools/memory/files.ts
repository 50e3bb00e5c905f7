import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { decode } from '../files/text.ts'

/** A memory file: where it is, and how tools name it. */
export interface MemoryFile {
  /** Absolute. */
  readonly file: string
  /** The same behind the links above the workspace. */
  readonly real: string
  /** Relative to the workspace with `/`, else absolute. */
  readonly path: string
}

/** Where memory is kept: the workspace, and files or folders which the config adds. */
export interface MemoryPlaces {
  readonly workspace: string
  /** Absolute. */
  readonly extra: readonly string[]
}

const mostFiles = 2_000
const deepest = 8
const largestFile = 1024 * 1024

const isMarkdown = (name: string): boolean => /\.(?:md|markdown)$/i.test(name)

/** Every memory file: `MEMORY.md`, `memory/**` and what the config adds, in order of path. Symbolic links are not followed, so that nothing outside can be reached by one. Folders that cannot be read are told, and left out. */
export async function memoryFiles(
  { workspace, extra }: MemoryPlaces,
  unreadable: (path: string) => void = () => {},
): Promise<readonly MemoryFile[]> {
  const found = new Map<string, MemoryFile>()
  const add = (file: string, real: string): void => {
    if (found.size < mostFiles) found.set(file, { file, real, path: nameOf(file, workspace) })
  }
  const main = ['MEMORY.md', 'memory.md'].map((name) => join(workspace, name))
  for (const place of [...main, join(workspace, 'memory'), ...extra]) {
    const kind = lstatSync(place, { throwIfNoEntry: false })
    if (kind?.isFile() === true && isMarkdown(place)) add(place, realpathSync(place))
    else if (kind?.isDirectory() === true)
      await walk(place, realpathSync(place), 0, {
        add,
        unreadable: (path) => unreadable(nameOf(path, workspace)),
      })
  }
  return [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/** The file that a tool's caller names; null where it is no memory file or does not exist. */
export async function findMemoryFile(places: MemoryPlaces, path: string): Promise<MemoryFile | null> {
  const wanted = resolve(places.workspace, path)
  return (await memoryFiles(places)).find(({ file }) => file === wanted) ?? null
}

/** Whether a path could name a memory file, although there is none yet. */
export function mayBeMemory({ workspace, extra }: MemoryPlaces, path: string): boolean {
  const file = resolve(workspace, path)
  if (path.includes('\0')) return false
  if (!isMarkdown(file) || lstatSync(file, { throwIfNoEntry: false }) !== undefined) return false
  const folders = [join(workspace, 'memory'), ...extra]
  const isMain = file === join(workspace, basename(file)) && /^memory\.md$/i.test(basename(file))
  return isMain || folders.some((folder) => file === folder || file.startsWith(folder + sep))
}

/** The text of a memory file, as long as it is the file that was found, holds text and is no larger than 1 MiB; else null. */
export function readMemory({ file, real }: MemoryFile): string | null {
  let fd: number
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
  try {
    const opened = fstatSync(fd)
    if (!opened.isFile() || opened.size > largestFile) return null
    // A folder on the way may have become a link since it was listed.
    const now = statSync(real)
    if (realpathSync(file) !== real || now.ino !== opened.ino || now.dev !== opened.dev) return null
    return decode(readFileSync(fd))?.text ?? null
  } catch {
    return null
  } finally {
    closeSync(fd)
  }
}

function nameOf(file: string, workspace: string): string {
  const inside = relative(workspace, file)
  return inside.startsWith('..') || resolve(inside) === inside ? file : inside.split(sep).join('/')
}

interface Found {
  readonly add: (file: string, real: string) => void
  readonly unreadable: (path: string) => void
}

async function walk(folder: string, real: string, depth: number, to: Found): Promise<void> {
  if (depth > deepest) return
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
  if (entries === null) {
    to.unreadable(folder)
    return
  }
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const [file, itself] = [join(folder, entry.name), join(real, entry.name)]
    if (entry.isDirectory()) await walk(file, itself, depth + 1, to)
    else if (entry.isFile() && isMarkdown(entry.name)) to.add(file, itself)
  }
}
