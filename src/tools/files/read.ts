import { closeSync } from 'node:fs'
import type { ContentBlock, ToolResult } from '../../calls/types.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { inputError } from './errors.ts'
import { foreignKind, imageBlock } from './images.ts'
import { mostReadLines, readBytes, readLines, wholeBytes } from './limits.ts'
import { openFile, readWhole, type OpenFile } from './open-file.ts'
import { scanLines } from './scan-lines.ts'
import type { Scope } from './scope.ts'
import { decode, lineCount, lineEndsOf, type Decoded } from './text.ts'
import { visit } from './walk.ts'

export interface ReadInput {
  readonly path: string
  readonly offset?: number
  readonly limit?: number
}

/** What of a file a read may show. */
export interface ReadOptions {
  readonly signal: AbortSignal
  /** Whether the model can look at images. */
  readonly vision: boolean
}

/**
 * Reads lines of a text file, or an image. `content` holds the lines and nothing else in its first block; what a reader must know besides
 * is in a second one. Errors: INPUT_INVALID, TOOL_DENIED, TOOL_FAILED.
 */
export async function readTool(scope: Scope, input: ReadInput, options: ReadOptions): Promise<ToolResult> {
  const { file, path } = visit(scope, input.path, {}, (spot) => ({ file: openFile(spot), path: spot.path }))
  try {
    return await readOpen(file, path, input, options)
  } finally {
    closeSync(file.fd)
  }
}

async function readOpen(
  file: OpenFile,
  path: string,
  input: ReadInput,
  { signal, vision }: ReadOptions,
): Promise<ToolResult> {
  const whole = readWhole(file)
  if (whole === null) return readPart(file, path, input, signal)
  const text = decode(whole)
  if (text !== null) return answer(cutText(text.text, input), text, file, path, input)
  const kind = await foreignKind(whole)
  const bytes = whole.length
  if (kind?.startsWith('image/') === true) {
    const details = { kind: 'image', path, mimeType: kind, bytes, truncated: false }
    return { content: imageBlock(whole, kind, input.path, vision), details }
  }
  throw binary(input.path, bytes, kind)
}

function binary(path: string, bytes: number, kind: string | null): Error {
  return inputError(
    `${showName(path, 300)} is binary${kind === null ? '' : ` (${kind})`}, ${bytes} bytes; only text and png, jpeg, gif and webp images can be read`,
    path,
    ['with exec, programs such as file, strings or xxd can look into it'],
    { bytes, ...(kind !== null && { mimeType: kind }) },
  )
}

/** A part of a file that is too large to be held whole. */
async function readPart(
  file: OpenFile,
  path: string,
  input: ReadInput,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { offset = 1 } = input
  const found = await scanLines(file, offset, input.limit ?? readLines, readBytes, signal)
  const shown = showName(input.path, 300)
  if (found === 'too-far') {
    throw inputError(`${shown} is too large to find its line ${offset}`, input.path, [
      `with exec: tail -n +${offset} or grep`,
    ])
  }
  if (found === 'past-end') throw inputError(`${shown} has no line ${offset}`, input.path)
  const text = decode(found.bytes)
  if (text === null) throw binary(input.path, Number(file.stat.size), await foreignKind(found.bytes))
  if (text.encoding.startsWith('utf-16')) {
    throw inputError(`${shown} is UTF-16 and larger than ${wholeBytes} bytes`, input.path, [
      'convert it with exec: iconv',
    ])
  }
  const cut: Cut = { ...found, text: text.text, total: null }
  return answer(cut, text, file, path, input)
}

/** Lines that were cut out of a file. */
interface Cut {
  readonly text: string
  /** First and last line, from 1; `to` is one less than `from` where there is none. */
  readonly from: number
  readonly to: number
  /** Lines of the whole file; null where nobody has counted them. */
  readonly total: number | null
  readonly more: boolean
  /** Whether the only line shown is longer than may be shown. */
  readonly partial: boolean
}

function cutText(text: string, { offset = 1, limit = readLines, path }: ReadInput): Cut {
  const total = lineCount(text)
  if (offset > Math.max(total, 1)) {
    throw inputError(`${showName(path, 300)} has ${total} lines, so there is no line ${offset}`, path, [
      `the last line is ${total}`,
    ])
  }
  let start = 0
  for (let line = 1; line < offset; line++) start = text.indexOf('\n', start) + 1
  let end = start
  let to = offset - 1
  let bytes = 0
  const most = Math.min(limit, mostReadLines)
  while (end < text.length && to - offset + 1 < most) {
    const next = text.indexOf('\n', end)
    const lineEnd = next < 0 ? text.length : next + 1
    const size = Buffer.byteLength(text.slice(end, Math.min(lineEnd, end + readBytes + 1)))
    if (bytes + size > readBytes) break
    bytes += size
    end = lineEnd
    to += 1
  }
  if (to >= offset || start === text.length) {
    return { text: text.slice(start, end), from: offset, to, total, more: end < text.length, partial: false }
  }
  // Bytes and characters differ by a factor of three at most.
  const shown = text.slice(start, start + Math.floor(readBytes / 3)).replace(/[\uD800-\uDBFF]$/, '')
  return { text: shown, from: offset, to: offset, total, more: offset < total, partial: true }
}

function answer(cut: Cut, coding: Decoded, { stat }: OpenFile, path: string, input: ReadInput): ToolResult {
  const { from, to, total, more, partial } = cut
  const lineEnds = lineEndsOf(coding.text)
  const text = lineEnds === 'crlf' ? cut.text.replaceAll('\r\n', '\n') : cut.text
  const nextOffset = more ? to + 1 : null
  const note = noteOf(cut, nextOffset, input)
  const content: ContentBlock[] = [{ type: 'text', text }]
  if (note !== null) content.push({ type: 'text', text: note })
  return {
    content,
    details: {
      kind: 'text',
      path,
      bytes: Number(stat.size),
      encoding: coding.encoding,
      bom: coding.bom,
      lineEnds,
      from,
      to,
      totalLines: total,
      truncated: more || partial,
      nextOffset,
      ...(stat.nlink > 1n && { hardLinks: Number(stat.nlink) }),
    },
  }
}

function noteOf({ from, to, total, partial }: Cut, next: number | null, { path }: ReadInput): string | null {
  if (partial) {
    const further = next === null ? '' : ` Use offset=${next} to go on behind it.`
    return `[Line ${from} is longer than ${readBytes / 1024} KB; only its beginning is shown. With exec, cut -c or head -c show the rest.${further}]`
  }
  if (next !== null) {
    return `[Lines ${from}-${to} of ${total ?? 'a large file'}. Use offset=${next} to go on.]`
  }
  return total === 0 ? `[${showName(path, 200)} is empty.]` : null
}
