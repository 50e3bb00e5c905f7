import { realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { OpenClawError } from '../kernel/errors.ts'
import type { Path, Segment } from '../kernel/path.ts'
import { formatPath } from '../kernel/path.ts'
import type { Document } from './document.ts'
import { childNode } from './node-path.ts'
import { isRecord } from './path-value.ts'
import { parseDocument, readText } from './read.ts'
import { maxDepth } from './scan.ts'

export const directiveKey = '$include'

/** Largest included file in bytes. */
export const maxFileBytes = 2 * 1024 * 1024
const maxNesting = 10
const maxPathLength = 4096
/** Ten nested files that each include the next one ten times would be read ten billion times. */
const maxFiles = 1000
const maxTotalBytes = 64 * 1024 * 1024

/** What one load read: the documents by resolved path, so that positions come from the very text the values came from. */
export type IncludedDocuments = ReadonlyMap<string, Document>

export interface IncludeOptions {
  /** Directory that relative paths of the root document start from and that confines all of them. */
  readonly baseDir: string
  /** Further absolute directories files may come from. */
  readonly roots: readonly string[]
  readonly expandHome: (path: string) => string
  /** Documents that stand for files, by absolute path. */
  readonly documents?: IncludedDocuments
}

interface Frame {
  readonly document: Document
  readonly baseDir: string
  /** Resolved paths of the files being read, outermost first. */
  readonly chain: readonly string[]
}

/** The file an include string means, before any check. */
export function includeTarget(
  baseDir: string,
  path: string,
  options: Pick<IncludeOptions, 'expandHome'>,
): string {
  return resolve(baseDir, options.expandHome(path))
}

/** The strings of a directive value, or null when it is neither a string nor a list. */
export function includeList(directive: unknown): readonly unknown[] | null {
  if (typeof directive === 'string') return [directive]
  return Array.isArray(directive) ? directive : null
}

function isInside(file: string, directory: string): boolean {
  const path = relative(directory, file)
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** Merges included content: objects key by key, lists by joining them, anything else by taking the later. */
export function mergeValues(earlier: unknown, later: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...later]
  if (!isRecord(earlier) || !isRecord(later)) return later
  const entries = new Map(Object.entries(earlier))
  for (const [key, value] of Object.entries(later)) {
    entries.set(key, entries.has(key) ? mergeValues(entries.get(key), value) : value)
  }
  return Object.fromEntries(entries)
}

/** Replaces every `$include` of a document; `INCLUDE_INVALID` names the directive by file, line and column. */
export async function resolveIncludes(
  root: Document,
  options: IncludeOptions,
): Promise<{ value: unknown; documents: IncludedDocuments }> {
  const documents = new Map<string, Document>()
  const directories = [options.baseDir, ...options.roots]
  const realDirectories = directories.map((directory) => realOrNull(directory) ?? directory)
  let files = 0
  let bytes = 0

  const failAt = (
    frame: Frame,
    path: Path,
    problem: string,
    hints: readonly string[],
    cause?: unknown,
  ): OpenClawError => {
    const { document } = frame
    const node = childNode(document.root(), path) ?? document.root()
    const { line, column } = document.position(node?.start ?? 0)
    return new OpenClawError('INCLUDE_INVALID', `${document.file}:${line}:${column}: ${problem}`, {
      hints,
      data: {
        location: { file: document.file, path: formatPath(path), line, column },
        problem,
        chain: frame.chain,
      },
      cause,
    })
  }

  const read = async (frame: Frame, path: Path, item: unknown, depth: number): Promise<unknown> => {
    const fail = (problem: string, ...hints: string[]): OpenClawError => failAt(frame, path, problem, hints)
    if (typeof item !== 'string')
      throw fail(`${directiveKey} must name files by strings`, `write ${directiveKey}: "./file.json5"`)
    if (item.trim() === '')
      throw fail(`${directiveKey} names no file`, `write ${directiveKey}: "./file.json5"`)
    if (item.includes('\0')) throw fail('an include path must not contain a NUL character')
    if (item.length >= maxPathLength)
      throw fail(`an include path must be shorter than ${maxPathLength} characters`)

    const file = includeTarget(frame.baseDir, item, options)
    const shown = JSON.stringify(item)
    const outside = 'move the file there, or list its directory in OPENCLAW_INCLUDE_ROOTS'
    if (!directories.some((directory) => isInside(file, directory)))
      throw fail(`include ${shown} leaves the config directory ${options.baseDir}`, outside)
    const real = realOrNull(file)
    if (real === null) {
      const hint = item.includes('${')
        ? 'variables are not replaced in include paths'
        : 'check the path: it starts from the directory of the file that includes it'
      throw fail(`include ${shown} cannot be read: ${file} does not exist or is not accessible`, hint)
    }
    if (!realDirectories.some((directory) => isInside(real, directory)))
      throw fail(
        `include ${shown} leaves the config directory ${options.baseDir} through a symbolic link to ${real}`,
        outside,
      )
    if (frame.chain.includes(real))
      throw fail(
        `include ${shown} closes a cycle: ${[...frame.chain, real].join(' → ')}`,
        'remove one of these includes',
      )
    if (frame.chain.length > maxNesting)
      throw fail(
        `include ${shown} is nested more than ${maxNesting} files deep: ${[...frame.chain, real].join(' → ')}`,
      )

    const document =
      documents.get(file) ?? options.documents?.get(file) ?? (await open(frame, path, file, real, shown))
    documents.set(file, document)
    files += 1
    bytes += document.text.length
    if (files > maxFiles) throw fail(`the config includes more than ${maxFiles} files`)
    if (bytes > maxTotalBytes) throw fail(`the included files exceed ${maxTotalBytes} bytes in total`)
    const inner: Frame = { document, baseDir: dirname(file), chain: [...frame.chain, real] }
    return walk(inner, document.value, [], depth)
  }

  const open = async (
    frame: Frame,
    path: Path,
    file: string,
    real: string,
    shown: string,
  ): Promise<Document> => {
    const reject = (problem: string, hint: string): OpenClawError =>
      failAt(frame, path, `include ${shown}: ${file} ${problem}`, [hint])
    const text = readText(file, maxFileBytes, reject)
    if (statSync(real).nlink > 1)
      throw reject('has more than one hard link', 'copy the file, so that it has one name only')
    try {
      return (await parseDocument(file, text)).document
    } catch (error) {
      if (!(error instanceof OpenClawError)) throw error
      throw failAt(frame, path, `include ${shown} cannot be used: ${error.message}`, error.hints, error)
    }
  }

  const include = async (
    frame: Frame,
    source: Readonly<Record<string, unknown>>,
    path: Path,
    depth: number,
  ): Promise<unknown> => {
    const at = [...path, directiveKey]
    const directive = source[directiveKey]
    const items = includeList(directive)
    if (items === null)
      throw failAt(frame, at, `${directiveKey} must be a string or a list of strings`, [
        `write ${directiveKey}: "./file.json5"`,
      ])
    let merged: unknown = {}
    for (const [position, item] of items.entries()) {
      const value = await read(frame, Array.isArray(directive) ? [...at, position] : at, item, depth)
      merged = typeof directive === 'string' ? value : mergeValues(merged, value)
    }
    const siblings = Object.entries(source).filter(([key]) => key !== directiveKey)
    if (siblings.length === 0) return merged
    if (!isRecord(merged)) {
      const names = siblings.map(([key]) => key).join(', ')
      throw failAt(frame, at, `the included content is no object, so it cannot be merged with ${names}`, [
        `remove the keys next to ${directiveKey}, or include an object`,
      ])
    }
    return mergeValues(merged, await walk(frame, Object.fromEntries(siblings), path, depth))
  }

  const walk = async (
    frame: Frame,
    value: unknown,
    path: readonly Segment[],
    depth: number,
  ): Promise<unknown> => {
    if (typeof value !== 'object' || value === null) return value
    if (depth >= maxDepth)
      throw failAt(frame, path, `the config is nested more than ${maxDepth} levels deep`, [])
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (const [at, item] of value.entries()) items.push(await walk(frame, item, [...path, at], depth + 1))
      return items
    }
    if (!isRecord(value)) return value
    if (Object.hasOwn(value, directiveKey)) return include(frame, value, path, depth)
    const entries: [string, unknown][] = []
    for (const [key, item] of Object.entries(value))
      entries.push([key, await walk(frame, item, [...path, key], depth + 1)])
    return Object.fromEntries(entries)
  }

  const rootReal = realOrNull(root.file) ?? root.file
  const frame: Frame = { document: root, baseDir: options.baseDir, chain: [rootReal] }
  return { value: await walk(frame, root.value, [], 0), documents }
}
