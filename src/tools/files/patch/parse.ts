import { OpenClawError } from '../../../kernel/errors.ts'
import { cleanLine } from '../../../kernel/untrusted-text.ts'

/** A run of lines that belong together: what has to be there, and what becomes of it. */
export interface Hunk {
  /** Line of the patch, from 1. */
  readonly at: number
  /** Lines to go to first, one after the other (`@@ …`). */
  readonly headers: readonly string[]
  readonly lines: readonly { readonly kind: ' ' | '-' | '+'; readonly text: string }[]
  /** Whether it has to end where the file ends. */
  readonly isEnd: boolean
}

/** What a patch does to one file; `at` is the line of the patch, from 1. */
export type Section =
  | { readonly kind: 'add'; readonly at: number; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: 'delete'; readonly at: number; readonly path: string }
  | {
      readonly kind: 'update'
      readonly at: number
      readonly path: string
      readonly moveTo: string | null
      readonly hunks: readonly Hunk[]
    }

const begin = '*** Begin Patch'
const end = '*** End Patch'
const add = '*** Add File: '
const update = '*** Update File: '
const remove = '*** Delete File: '
const move = '*** Move to: '
const endOfFile = '*** End of File'
const mostSections = 500

/** Reads a patch, strictly. Error: INPUT_INVALID with the line of the patch that is wrong. */
export function parsePatch(input: string): readonly Section[] {
  const lines = input.replaceAll('\r\n', '\n').split('\n')
  let first = lines.findIndex((line) => line.trim() !== '')
  let last = lines.findLastIndex((line) => line.trim() !== '')
  if (first < 0) throw wrong(1, 'the patch is empty', [`it starts with ${begin} and ends with ${end}`])
  if (lines[first]?.trimEnd() !== begin)
    throw wrong(first + 1, `a patch starts with ${begin}, not with ${quote(lines[first])}`)
  if (lines[last]?.trimEnd() !== end || last === first)
    throw wrong(last + 1, `a patch ends with ${end}, not with ${quote(lines[last])}`)
  first += 1
  last -= 1
  const reader = new Reader(lines.slice(0, last + 1), first)
  const sections: Section[] = []
  while (!reader.isDone) {
    if (sections.length === mostSections) throw wrong(reader.at, `a patch has at most ${mostSections} files`)
    sections.push(section(reader))
  }
  if (sections.length === 0) throw wrong(first + 1, 'the patch changes no file')
  return sections
}

class Reader {
  readonly #lines: readonly string[]
  #index: number

  constructor(lines: readonly string[], index: number) {
    this.#lines = lines
    this.#index = index
  }

  get isDone(): boolean {
    return this.#index >= this.#lines.length
  }

  /** Number of the next line, from 1. */
  get at(): number {
    return this.#index + 1
  }

  get next(): string {
    return this.#lines[this.#index] ?? ''
  }

  take(): string {
    const line = this.next
    this.#index += 1
    return line
  }
}

function section(reader: Reader): Section {
  const { at, next } = reader
  if (next.startsWith(add)) {
    const path = pathOf(reader, add)
    const lines: string[] = []
    while (!reader.isDone && reader.next.startsWith('+')) lines.push(reader.take().slice(1))
    mustBeSection(reader, 'a line of a new file starts with +')
    return { kind: 'add', at, path, lines }
  }
  if (next.startsWith(remove)) {
    const path = pathOf(reader, remove)
    mustBeSection(reader, 'a deleted file has no lines')
    return { kind: 'delete', at, path }
  }
  if (next.startsWith(update)) {
    const path = pathOf(reader, update)
    const moveTo = reader.next.startsWith(move) ? pathOf(reader, move) : null
    const hunks: Hunk[] = []
    while (!reader.isDone && !isSection(reader.next)) hunks.push(hunk(reader, hunks.length === 0))
    if (hunks.length === 0 && moveTo === null) throw wrong(at, `${quote(next)} changes nothing`)
    return { kind: 'update', at, path, moveTo, hunks }
  }
  throw wrong(at, `expected a file, got ${quote(next)}`, [
    `files start with ${add}…, ${update}… or ${remove}…`,
  ])
}

function isSection(line: string): boolean {
  return line.startsWith(add) || line.startsWith(update) || line.startsWith(remove)
}

function mustBeSection(reader: Reader, message: string): void {
  if (!reader.isDone && !isSection(reader.next))
    throw wrong(reader.at, `${message}, got ${quote(reader.next)}`)
}

function pathOf(reader: Reader, prefix: string): string {
  const { at } = reader
  const path = reader.take().slice(prefix.length).trim()
  if (path === '') throw wrong(at, 'the path is missing')
  return path
}

function hunk(reader: Reader, isFirst: boolean): Hunk {
  const { at } = reader
  const headers: string[] = []
  while (!reader.isDone && isHeader(reader.next)) {
    const header = reader.take().slice(2).replace(/^ /, '')
    if (header.trim() !== '') headers.push(header)
  }
  if (reader.at === at && !isFirst) throw wrong(at, `expected @@ or a file, got ${quote(reader.next)}`)
  const lines: Hunk['lines'][number][] = []
  let isEnd = false
  while (!reader.isDone && !isEnd) {
    const { next } = reader
    if (isHeader(next) || isSection(next)) break
    if (next.trimEnd() === endOfFile) isEnd = true
    // An empty line stands for an empty line of the file; editors take the blank before it away.
    else if (next === '') lines.push({ kind: ' ', text: '' })
    else lines.push(hunkLine(next, reader.at))
    reader.take()
  }
  if (!lines.some(({ kind }) => kind !== ' ')) throw wrong(at, 'this hunk changes nothing')
  return { at, headers, lines, isEnd }
}

function isHeader(line: string): boolean {
  return line === '@@' || line.startsWith('@@ ')
}

function hunkLine(line: string, at: number): Hunk['lines'][number] {
  const [kind] = line
  if (kind === ' ' || kind === '-' || kind === '+') return { kind, text: line.slice(1) }
  throw wrong(at, `a line of a hunk starts with a blank, - or +, got ${quote(line)}`)
}

function quote(line: string | undefined): string {
  return `"${cleanLine(line ?? '', 80)}"`
}

/** What is wrong with a patch, and in which of its lines. */
export function wrong(line: number, message: string, hints: readonly string[] = []): OpenClawError {
  return new OpenClawError('INPUT_INVALID', `line ${line} of the patch: ${message}`, {
    hints,
    data: { line },
  })
}
