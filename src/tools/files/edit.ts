import { closeSync, type BigIntStats } from 'node:fs'
import type { ToolResult } from '../../calls/types.ts'
import type { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import { inputError } from './errors.ts'
import { wholeBytes } from './limits.ts'
import { nearest } from './nearest.ts'
import { openFile, readWhole } from './open-file.ts'
import { replaceTexts, type Misfit, type Replacement } from './replace.ts'
import { mustBeWritable, save } from './save.ts'
import type { Scope } from './scope.ts'
import { decode, encode, lineEndsOf, unfit, type Coding, type Decoded } from './text.ts'
import { unifiedDiff } from './unified-diff.ts'
import { visit, type Spot } from './walk.ts'

export interface EditInput {
  readonly path: string
  readonly oldText?: string
  readonly newText?: string
  readonly replaceAll?: boolean
  readonly edits?: readonly Replacement[]
}

/**
 * Replaces texts in a file, all or none; each must be there exactly, and once unless `replaceAll` says otherwise. Encoding, byte order
 * mark, line ends and every other byte stay. Errors: INPUT_INVALID with the nearest place, TOOL_DENIED, TOOL_FAILED.
 */
export async function editTool(scope: Scope, input: EditInput): Promise<ToolResult> {
  const { path } = input
  const wanted = replacementsOf(input)
  const done = visit(scope, path, { change: true }, (spot) => {
    const { text: before, stat } = textOf(spot)
    const outcome = replaceTexts(before.text, wanted)
    if ('kind' in outcome) throw misfit(outcome, before.text, wanted, path)
    const bytes = bytesOf(outcome.text, before, path)
    save(spot, spot.name ?? '', bytes, stat)
    return { spot: spot.path, before, outcome, bytes, hardLinks: Number(stat.nlink) }
  })
  const { before, outcome, bytes, hardLinks } = done
  const links = hardLinks > 1 ? ` It had ${hardLinks} hard links; its other names keep the old content.` : ''
  const times = outcome.count === 1 ? 'one place' : `${outcome.count} places`
  return {
    content: [{ type: 'text', text: `Changed ${times} in ${showName(path, 300)}.${links}` }],
    details: {
      path: done.spot,
      replaced: outcome.count,
      firstChangedLine: outcome.line,
      diff: await unifiedDiff(path, before.text, outcome.text),
      bytes: bytes.length,
      encoding: before.encoding,
      bom: before.bom,
      lineEnds: lineEndsOf(outcome.text),
      ...(hardLinks > 1 && { hardLinks }),
    },
  }
}

function replacementsOf({ path, oldText, newText, replaceAll, edits }: EditInput): readonly Replacement[] {
  const single = oldText !== undefined || newText !== undefined
  if (single && edits !== undefined) throw inputError('give oldText with newText, or edits, not both', path)
  if (edits !== undefined && replaceAll !== undefined)
    throw inputError('replaceAll belongs into each of the edits', path)
  if (edits !== undefined) {
    if (edits.length === 0) throw inputError('edits is empty', path)
    return edits
  }
  if (oldText === undefined || newText === undefined)
    throw inputError('an edit needs oldText and newText, or a list of edits', path)
  return [{ oldText, newText, ...(replaceAll !== undefined && { replaceAll }) }]
}

/** The text of a file that is to be changed, as it is now. Errors: INPUT_INVALID for what is no text, TOOL_FAILED. */
export function textOf(spot: Spot): { readonly text: Decoded; readonly stat: BigIntStats } {
  const { given } = spot
  const file = openFile(spot)
  try {
    mustBeWritable(file.stat, given)
    const bytes = readWhole(file)
    const shown = showName(given, 300)
    if (bytes === null) {
      throw inputError(`${shown} is larger than ${wholeBytes} bytes, so it cannot be edited`, given, [
        'use exec, for instance sed',
      ])
    }
    const text = decode(bytes)
    if (text === null) throw inputError(`${shown} is binary, so it cannot be edited as text`, given)
    return { text, stat: file.stat }
  } finally {
    closeSync(file.fd)
  }
}

/** The bytes of a changed text in the encoding of its file. Error: INPUT_INVALID for characters that it does not have. */
export function bytesOf(text: string, coding: Coding, given: string): Buffer {
  const bytes = encode(text, coding)
  if (bytes !== null) return bytes
  const lost = unfit(text, coding.encoding) ?? ''
  const code = `U+${(lost.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  throw inputError(
    coding.encoding === 'latin1'
      ? `${showName(given, 300)} is in an 8-bit encoding that has no ${code} (${showName(lost)})`
      : `the new text holds half a character (${code})`,
    given,
    coding.encoding === 'latin1' ? ['convert the file to UTF-8 first, with exec (iconv) or write'] : [],
  )
}

function misfit(found: Misfit, text: string, wanted: readonly Replacement[], path: string): OpenClawError {
  const shown = showName(path, 300)
  const which = wanted.length === 1 ? '' : `edits[${found.index}]: `
  const data = { edit: found.index, reason: found.kind }
  switch (found.kind) {
    case 'empty':
      return inputError(`${which}oldText is empty`, path, ['use write for a whole file'], data)
    case 'same':
      return inputError(`${which}newText is the same as oldText`, path, [], data)
    case 'several':
      return inputError(
        `${which}oldText is ${found.count} times in ${shown} (lines ${found.lines.join(', ')}${found.count > found.lines.length ? ', …' : ''})`,
        path,
        ['take in more of the lines around it, or set replaceAll'],
        { ...data, count: found.count, lines: found.lines },
      )
    case 'overlap':
      return inputError(
        `edits[${found.other}] and edits[${found.index}] overlap in line ${found.line} of ${shown}`,
        path,
        ['make one edit of them'],
        { ...data, line: found.line },
      )
    case 'missing':
      return missing(
        `${which}oldText is not in ${shown}`,
        text,
        wanted[found.index]?.oldText ?? '',
        path,
        data,
      )
  }
}

/** The error for a text that is not there, with the place that looks most like it. */
export function missing(
  message: string,
  text: string,
  wanted: string,
  path: string,
  data: Readonly<Record<string, unknown>> = {},
): OpenClawError {
  const near = nearest(text, wanted)
  if (near === null)
    return inputError(message, path, ['read the file again; nothing in it looks like that'], data)
  const { from, to, onlyBlanks } = near
  const where = from === to ? `line ${from}` : `lines ${from}-${to}`
  return inputError(
    `${message}; nearest: ${where}`,
    path,
    onlyBlanks
      ? [`${where}: white space is all that differs; copy it exactly`]
      : [`there: ${cleanLine(near.found, 200)}`, `looked for: ${cleanLine(near.wanted, 200)}`],
    { ...data, nearest: { from, to, likeness: Math.round(near.likeness * 100) / 100, onlyBlanks } },
  )
}
