import { closeSync, type BigIntStats } from 'node:fs'
import type { ToolResult } from '../../calls/types.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { inputError, isDirectoryError } from './errors.ts'
import { wholeBytes } from './limits.ts'
import { mustBeStoredAt, openFile, readWhole } from './open-file.ts'
import { mustBeWritable, save } from './save.ts'
import type { Scope } from './scope.ts'
import { decode, encode, lineEndsOf, utf8, type Coding } from './text.ts'
import { visit, type Spot } from './walk.ts'

export interface WriteInput {
  readonly path: string
  readonly content: string
}

/**
 * Writes a whole file, in one step, with the directories it lacks. What is there keeps its mode, its encoding where that has the
 * characters, its byte order mark and its line ends. Errors: INPUT_INVALID, TOOL_DENIED, TOOL_FAILED.
 */
export function writeTool(scope: Scope, { path, content }: WriteInput): ToolResult {
  if (!content.isWellFormed()) throw inputError('the content holds half a character (a lone surrogate)', path)
  if (Buffer.byteLength(content) > wholeBytes)
    throw inputError(`the content is larger than ${wholeBytes} bytes`, path, ['write it in parts with exec'])
  return visit(scope, path, { change: true, create: true }, (spot) => {
    const { name, stat } = spot
    if (name === null) throw isDirectoryError(path)
    if (stat === null && path.endsWith('/'))
      throw inputError(`${showName(path, 300)} names a directory`, path)
    mustBeStoredAt(spot.dir.here, path)
    const old = stat === null ? null : existing(spot)
    const made = newBytes(content, old?.bytes ?? null)
    const isChanged = old?.bytes?.equals(made.bytes) !== true
    if (isChanged) save(spot, name, made.bytes, old?.stat ?? null)
    const hardLinks = Number(stat?.nlink ?? 1n)
    const { encoding, bom } = made.coding
    return {
      content: [
        { type: 'text', text: sentence(path, made.bytes.length, stat !== null, isChanged, hardLinks) },
      ],
      details: {
        path: spot.path,
        created: stat === null,
        changed: isChanged,
        bytes: made.bytes.length,
        encoding,
        bom,
        lineEnds: lineEndsOf(made.text),
        ...(hardLinks > 1 && { hardLinks }),
      },
    }
  })
}

function existing(spot: Spot): { bytes: Buffer | null; stat: BigIntStats } {
  const file = openFile(spot)
  try {
    mustBeWritable(file.stat, spot.given)
    return { bytes: readWhole(file), stat: file.stat }
  } finally {
    closeSync(file.fd)
  }
}

/** The bytes of a text in the manner of the file it replaces. */
function newBytes(content: string, old: Buffer | null): { bytes: Buffer; coding: Coding; text: string } {
  const before = old === null ? null : decode(old)
  const isCrlf = before !== null && !content.includes('\r') && lineEndsOf(before.text) === 'crlf'
  const text = isCrlf ? content.replaceAll('\n', '\r\n') : content
  // An empty file has no manner, and a text that brings its own mark needs none.
  const coding =
    before === null || old?.length === 0 || text === '' || text.startsWith('\uFEFF') ? utf8 : before
  const bytes = encode(text, coding)
  return bytes === null
    ? { bytes: Buffer.from(text), coding: utf8, text }
    : { bytes, coding: { encoding: coding.encoding, bom: coding.bom }, text }
}

function sentence(
  path: string,
  bytes: number,
  existed: boolean,
  isChanged: boolean,
  hardLinks: number,
): string {
  const shown = showName(path, 300)
  if (!isChanged) return `${shown} already has this content (${bytes} bytes).`
  const links = hardLinks > 1 ? ` It had ${hardLinks} hard links; its other names keep the old content.` : ''
  return `${existed ? 'Wrote' : 'Created'} ${shown} (${bytes} bytes).${links}`
}
