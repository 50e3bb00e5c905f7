import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SearchDocument } from './document.ts'
import { buildIndex, indexVersion, type SearchIndex } from './index.ts'
import { decodeIndex, encodeIndex } from './index-codec.ts'

/** Smaller catalogues are indexed faster than a file is read and checked. */
export const cachedFrom = 256
const filesAtMost = 8
const largestFile = 256 * 1024 * 1024
const suffix = '.index'

/** Folder of the cached indexes below the state directory. */
export function indexDirectory(stateDir: string): string {
  return join(stateDir, 'cache', 'tool-index')
}

/**
 * The index of these tools, from the state directory where an earlier call left it for the very same tools, else built and left there.
 * A damaged file counts as none and an unwritable directory (or null) costs only the time to build.
 */
export function cachedIndex(documents: readonly SearchDocument[], stateDir: string | null): SearchIndex {
  if (stateDir === null || documents.length < cachedFrom) return buildIndex(documents)
  const directory = indexDirectory(stateDir)
  const file = join(directory, `${contentHash(documents)}${suffix}`)
  const known = read(file)
  if (known !== undefined && holds(known, documents)) return known
  const built = buildIndex(documents)
  write(directory, file, encodeIndex(built))
  return built
}

function read(file: string): SearchIndex | undefined {
  try {
    const stats = statSync(file)
    return stats.isFile() && stats.size <= largestFile ? decodeIndex(readFileSync(file)) : undefined
  } catch {
    return undefined
  }
}

/** Whether an index is of these tools: the last word, should two catalogues ever share a hash. */
function holds(index: SearchIndex, documents: readonly SearchDocument[]): boolean {
  const ids = new Set(index.ids)
  return index.size === documents.length && documents.every(({ id }) => ids.has(id))
}

/** Writes beside and renames, so that a reader never sees half a file; keeps the newest few. */
function write(directory: string, file: string, bytes: Uint8Array): void {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    writeFileSync(draft, bytes, { mode: 0o600 })
    renameSync(draft, file)
    dropOld(directory)
  } catch {
    // A cache that cannot be written is none; the answer does not depend on it.
    rmSync(draft, { force: true })
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

/**
 * Two 32-bit hashes over everything the ranker reads and the version of the index. Not cryptographic: who can choose the texts of a
 * tool can also choose how it ranks, and `holds` keeps the tools apart.
 */
function contentHash(documents: readonly SearchDocument[]): string {
  let high = 0x9747b28c ^ indexVersion
  let low = 0x3c6ef372
  const add = (text: string): void => {
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      high = Math.imul(high ^ unit, 0x01000193)
      low = Math.imul(low ^ (unit + (high >>> 15)), 0x85ebca6b)
    }
    high = Math.imul(high ^ 0x10001, 0x01000193)
    low = Math.imul(low ^ text.length, 0x85ebca6b)
  }
  for (const { id, name, label, description, sourceName, serverTitle, parameters } of documents) {
    add(id)
    add(name)
    add(label ?? '')
    add(description)
    add(sourceName)
    add(serverTitle ?? '')
    for (const parameter of parameters ?? []) {
      add(parameter.name)
      add(parameter.description ?? '')
      for (const value of parameter.values ?? []) add(value)
    }
    add('')
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
