import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../config/make-directory.ts'
import type { SearchDocument } from './document.ts'
import { buildIndex, indexVersion, type SearchIndex } from './index.ts'
import { decodeIndex, encodeIndex } from './index-codec.ts'

/** Smaller catalogues are indexed faster than a file is read and checked. */
export const cachedFrom = 64
const filesAtMost = 16
const largestFile = 256 * 1024 * 1024
const suffix = '.index'
const sampleSize = 2_048

/** Folder of the cached indexes below the state directory. */
export function indexDirectory(stateDir: string): string {
  return join(stateDir, 'cache', 'tool-index')
}

/** Tools to index, told cheaply: the documents are only asked for when the index has to be built. */
export interface IndexSource {
  readonly count: number
  /** Everything that an index depends on besides `indexVersion`: another text, another index. */
  readonly content: () => string
  readonly documents: () => readonly SearchDocument[]
}

/**
 * The index of these tools, from the state directory where an earlier call left it for the very same tools, else built and left there.
 * A damaged file counts as none and an unwritable directory (or null) costs only the time to build.
 */
export function cachedIndex(source: IndexSource, stateDir: string | null): SearchIndex {
  if (stateDir === null || source.count < cachedFrom) return buildIndex(source.documents())
  const directory = indexDirectory(stateDir)
  const content = Buffer.from(source.content())
  const file = join(directory, `${sampleOf(content)}${suffix}`)
  const known = read(file, content)
  if (known !== undefined) return known
  const built = buildIndex(source.documents())
  write(directory, file, [header(content), content, padding(content), encodeIndex(built)])
  return built
}

/**
 * Name for a content, from a sample of it: it only has to tell the catalogues of one machine apart most of the time, because the file holds
 * the whole content, and comparing that is quicker than a sum over all of it.
 */
function sampleOf(content: Buffer): string {
  const step = Math.max(1, Math.floor(content.length / sampleSize))
  let sum = 0x811c9dc5 ^ content.length
  for (let at = content.length - 1; at >= 0; at -= step) sum = Math.imul(sum ^ (content[at] ?? 0), 0x01000193)
  return `${(sum >>> 0).toString(16).padStart(8, '0')}-v${indexVersion}`
}

function header(content: Buffer): Uint8Array {
  return new Uint8Array(Uint32Array.of(content.length).buffer)
}

function padding(content: Buffer): Uint8Array {
  return new Uint8Array(-content.length & 3)
}

/** The index in a file, if it is whole and of this content: the length of the content, the content, then the index at a multiple of four. */
function read(file: string, content: Buffer): SearchIndex | undefined {
  try {
    const stats = statSync(file)
    if (!stats.isFile() || stats.size > largestFile) return undefined
    const bytes = readFileSync(file)
    const end = 4 + content.length
    if (bytes.length < end || bytes.readUInt32LE(0) !== content.length) return undefined
    if (!bytes.subarray(4, end).equals(content)) return undefined
    return decodeIndex(bytes.subarray(end + padding(content).length))
  } catch {
    return undefined
  }
}

/** Writes beside and renames, so that a reader never sees half a file; keeps the newest few. */
function write(directory: string, file: string, parts: readonly Uint8Array[]): void {
  const draft = `${file}.${process.pid}`
  try {
    makeDirectory(directory)
    writeFileSync(draft, Buffer.concat(parts), { mode: 0o600 })
    renameSync(draft, file)
    dropOld(directory)
  } catch {
    // A cache that cannot be written is none; the answer does not depend on it.
    discard(draft)
  }
}

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // There is no such directory, so there is no such file.
  }
}

function dropOld(directory: string): void {
  const files = readdirSync(directory)
    .map((name) => join(directory, name))
    .flatMap((file) => {
      const stats = statSync(file, { throwIfNoEntry: false })
      return stats?.isFile() ? [{ file, at: stats.mtimeMs }] : []
    })
    .toSorted((a, b) => b.at - a.at)
  for (const { file } of files.slice(filesAtMost)) rmSync(file, { force: true })
}
