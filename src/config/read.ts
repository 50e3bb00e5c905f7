import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { OpenClawError } from '../kernel/errors.ts'
import { createDocument } from './document.ts'
import type { Document } from './document.ts'
import { mayRefer } from './env.ts'
import { maxDepth, toValue } from './scan.ts'
import type { Node } from './scan.ts'
import { documentError, syntaxError } from './syntax-error.ts'

/** Largest root config in bytes; included files have their own, lower limit. */
export const maxRootBytes = 16 * 1024 * 1024

/** What one pass over a parsed value tells the next stages, so that a plain config pays for none of them. */
export interface Survey {
  /** Levels of nesting; what is nested too deep is not looked into. */
  readonly depth: number
  readonly finite: boolean
  readonly includes: boolean
  readonly references: boolean
  /** Members of all objects. */
  readonly members: number
}

/** Looks once through a parsed value for what needs further work. */
export function survey(value: unknown): Survey {
  let depth = 0
  let finite = true
  let includes = false
  let references = false
  let members = 0
  const look = (item: unknown, level: number): void => {
    if (typeof item === 'string') references ||= mayRefer(item)
    else if (typeof item === 'number') finite &&= Number.isFinite(item)
    else if (typeof item === 'object' && item !== null) {
      if (level > depth) depth = level
      if (level > maxDepth) return
      if (Array.isArray(item)) for (const inner of item) look(inner, level + 1)
      else {
        includes ||= Object.hasOwn(item, '$include')
        const inner = Object.values(item)
        members += inner.length
        for (const each of inner) look(each, level + 1)
      }
    }
  }
  look(value, 1)
  return { depth, finite, includes, references, members }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}

/** Makes the error for a file that cannot be used; `missing` tells a file that is not there from one that is unfit. */
export type ReadFailure = (problem: string, hint: string, missing: boolean) => OpenClawError

function unreadable(error: unknown, fail: ReadFailure): OpenClawError {
  const code = error instanceof Error && 'code' in error ? error.code : null
  const hint = 'check the path and its permissions'
  if (code === 'ENOENT' || code === 'ENOTDIR') return fail('does not exist', 'check the path', true)
  if (code === 'EACCES' || code === 'EPERM') return fail('cannot be read: permission denied', hint, false)
  if (code === 'ELOOP') return fail('cannot be read: its symbolic links form a loop', hint, false)
  return fail(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, hint, false)
}

/** What a shell hands over for `<(command)`: a pipe whose writer is there, while any other pipe may wait for one forever. */
const passedDescriptor = /^\/(?:dev|proc\/self)\/fd\/\d+$/

/** Reads a regular UTF-8 file, or a pipe that the shell passed, of at most `limit` bytes; throws what `fail` makes. */
export function readText(file: string, limit: number, fail: ReadFailure): string {
  let stats: Stats
  try {
    stats = statSync(file)
  } catch (error) {
    throw unreadable(error, fail)
  }
  if (!stats.isFile() && !(stats.isFIFO() && passedDescriptor.test(file)))
    throw fail(`is ${kindOf(stats)}, not a regular file`, 'name a regular file', false)
  if (stats.size > limit)
    throw fail(`is too large: ${stats.size} bytes, the limit is ${limit}`, 'split or shrink the file', false)
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw unreadable(error, fail)
  }
  if (bytes.length > limit)
    throw fail(
      `is too large: ${bytes.length} bytes, the limit is ${limit}`,
      'split or shrink the file',
      false,
    )
  return decode(bytes, fail)
}

/** Decodes UTF-8 strictly: a byte replaced in silence would be lost for good at the next write. */
export function decode(bytes: Buffer, fail: ReadFailure): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw fail('is UTF-16 text', 'save it as UTF-8', false)
  if (!isUtf8(bytes)) throw fail('is not UTF-8 text', 'save it as UTF-8', false)
  return bytes.toString('utf8')
}

function tryJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) }
  } catch {
    return null
  }
}

async function parseValue(file: string, text: string): Promise<Document> {
  const strict = tryJson(text)
  if (strict !== null) return createDocument(file, text, strict.value)
  // json5 prints a warning of its own about these two characters, which are as valid as any other.
  if (/[\u2028\u2029]/.test(text)) {
    const scanned = createDocument(file, text, undefined).scanned()
    if (scanned.problem === null) return createDocument(file, text, toValue(scanned.root))
  }
  const { parseJson5 } = await import('./json5.ts')
  try {
    return createDocument(file, text, parseJson5(text))
  } catch (error) {
    const document = createDocument(file, text, undefined)
    const scanned = document.scanned()
    if (scanned.problem !== null) throw syntaxError(document, scanned)
    throw new OpenClawError(
      'CONFIG_INVALID',
      `${file}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function isNotFinite(node: Node): boolean {
  return node.type === 'scalar' && typeof node.value === 'number' && !Number.isFinite(node.value)
}

function findNode(root: Node | null, wanted: (node: Node) => boolean): Node | null {
  const queue = root === null ? [] : [root]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (wanted(node)) return node
    if (node.type !== 'scalar') for (const item of node.items.toReversed()) queue.push(item.value)
  }
  return null
}

/** Parses JSON or JSON5 text; `CONFIG_INVALID` with place and excerpt for bad syntax, numbers that are not finite, and nesting past 500 levels. */
export async function parseDocument(
  file: string,
  text: string,
): Promise<{ document: Document; survey: Survey }> {
  const document = await parseValue(file, text)
  const found = survey(document.value)
  if (found.depth > maxDepth) {
    const scanned = document.scanned()
    if (scanned.problem !== null) throw syntaxError(document, scanned)
  }
  if (!found.finite) {
    const node = findNode(document.root(), isNotFinite)
    throw documentError(document, node?.start ?? 0, 'a number must be finite', [
      'write the number out, or put it in quotes',
    ])
  }
  return { document, survey: found }
}
