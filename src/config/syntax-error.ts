import { OpenClawError } from '../kernel/errors.ts'
import type { Document } from './document.ts'
import type { Node, ScanProblem } from './scan.ts'
import { isSensitiveKey } from './sensitive.ts'

/** Characters of the broken line shown before and behind the caret. */
const before = 60
const behind = 40

/** What is known to trip people who write JSON5 by hand, by the character the text broke at. */
function adviceFor(found: string, rest: string, problem: ScanProblem): string | null {
  if (found === '`')
    return 'JSON5 has no backtick strings: use a quoted string with \\n, or end a line with \\ to continue it'
  if (/[“”„‘’]/.test(found)) return 'use straight quotes " or \''
  if (found === '#') return 'comments start with //'
  if (found === '=' && problem.expected.startsWith(':')) return 'write a colon between key and value'
  if (found === ';') return 'separate entries with commas'
  if (problem.expected === 'a value' && /^(?:True|False|None|undefined)\b/.test(rest))
    return 'write true, false or null'
  if (problem.expected === 'a value' && /^[\p{L}_$~/.@]/u.test(rest)) return 'put text in quotes'
  if (/^(?:<<<<<<<|=======|>>>>>>>)/.test(rest)) return 'resolve the merge conflict in the file'
  return null
}

function describeFound(text: string, offset: number): string {
  const point = text.codePointAt(offset)
  if (point === undefined) return 'the end of the file'
  if (point === 10 || point === 13) return 'the end of the line'
  const char = String.fromCodePoint(point)
  return /[\p{C}\p{Z}]/u.test(char) ? `U+${point.toString(16).toUpperCase().padStart(4, '0')}` : char
}

/** Ranges of strings that stand under a sensitive key in the part that could be read. */
function secretRanges(root: Node | null): [number, number][] {
  const ranges: [number, number][] = []
  const queue: { node: Node; secret: boolean }[] = root === null ? [] : [{ node: root, secret: false }]
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    const { node, secret } = entry
    if (node.type === 'scalar') {
      if (secret && typeof node.value === 'string') ranges.push([node.start + 1, node.end - 1])
    } else if (node.type === 'array') {
      for (const item of node.items) queue.push({ node: item.value, secret })
    } else {
      const inner = (key: string): boolean =>
        secret || isSensitiveKey(key) || key === 'env' || key === 'headers'
      for (const item of node.items) queue.push({ node: item.value, secret: inner(item.key) })
    }
  }
  return ranges
}

function blank(line: string, from: number, to: number): string {
  const start = Math.max(from, 0)
  const end = Math.min(to, line.length)
  return start >= end ? line : line.slice(0, start) + '*'.repeat(end - start) + line.slice(end)
}

/** The broken line around the offset with a caret under it; secrets and control characters are blanked out. */
function excerpt(document: Document, offset: number): string {
  const { line, column } = document.position(offset)
  const lineStart = offset - (column - 1)
  const lineEnd = /[\r\n]/.exec(document.text.slice(offset))?.index
  let text = document.text.slice(lineStart, lineEnd === undefined ? undefined : offset + lineEnd)
  const scanned = document.scanned()
  for (const [start, end] of secretRanges(scanned.root))
    text = blank(text, start - lineStart, end - lineStart)
  if (scanned.problem !== null) {
    const key = scanned.pendingKey
    // Nothing behind the break was read, so any quoted text there may be a secret.
    const unread = key !== null && isSensitiveKey(key) ? text.slice(column - 1).length : 0
    text = blank(text, column - 1, column - 1 + unread)
    text =
      text.slice(0, column) +
      text.slice(column).replaceAll(/(["'])(.*?)(?:\1|$)/g, (all) => '*'.repeat(all.length))
    const opening = /(["'])(?:(?!\1).)*$/.exec(text.slice(0, column - 1))
    if (scanned.problem.expected.endsWith('of the string') && opening !== null)
      text = blank(text, opening.index + 1, column - 1)
  }
  const from = column - 1 > before ? column - 1 - before : 0
  const to = column - 1 + behind
  const shown = `${from > 0 ? '…' : ''}${text.slice(from, to)}${text.length > to ? '…' : ''}`
  const visible = shown.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').toWellFormed()
  const gutter = String(line)
  const caret = ' '.repeat(column - 1 - from + (from > 0 ? 1 : 0))
  return `${gutter} | ${visible}\n${' '.repeat(gutter.length)} | ${caret}^`
}

/** A `CONFIG_INVALID` error at an offset of a document: place, problem, and the line with a caret. */
export function documentError(
  document: Document,
  offset: number,
  problem: string,
  hints: readonly string[] = [],
): OpenClawError {
  const { line, column } = document.position(offset)
  const shown = excerpt(document, offset)
  return new OpenClawError('CONFIG_INVALID', `${document.file}:${line}:${column}: ${problem}\n${shown}`, {
    hints,
    data: { location: { file: document.file, path: '', line, column }, problem, excerpt: shown },
  })
}

/** The `CONFIG_INVALID` error of a text that is no JSON5. */
export function syntaxError(document: Document, problem: ScanProblem): OpenClawError {
  const { text } = document
  const { offset, expected, openedAt } = problem
  const tooDeep = expected.startsWith('at most')
  const found = describeFound(text, offset)
  const advice = adviceFor(text.charAt(offset), text.slice(offset, offset + 20), problem)
  const hints = advice === null ? [] : [advice]
  if (offset >= text.length && openedAt !== null && !tooDeep) {
    const { line, column } = document.position(openedAt)
    hints.push(`the ${text.charAt(openedAt)} at ${line}:${column} is not closed`)
  }
  if (text.trim() === '') hints.push('an empty config is written {}')
  return documentError(
    document,
    offset,
    tooDeep ? `expected ${expected}` : `expected ${expected}, found ${found}`,
    hints,
  )
}
