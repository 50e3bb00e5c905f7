import { OpenClawError } from '../kernel/errors.ts'
import type { Path } from '../kernel/path.ts'
import type { Document } from './document.ts'
import { childNode } from './node-path.ts'
import { isSecretPath } from './redact.ts'
import { isSecretFlag, redactText } from './redact-text.ts'
import type { BrokenScan, Node, ScanProblem } from './scan.ts'

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

type Range = readonly [from: number, to: number]

/** Whether a list entry makes the one behind it secret. */
function isFlag(node: Node | undefined): boolean {
  return node?.type === 'scalar' && isSecretFlag(node.value)
}

/** What is secret by its place in the part that could be read: strings, and the keys of objects that should be strings. */
function secretRanges(root: Node | null): Range[] {
  const ranges: Range[] = []
  const queue: { node: Node; path: Path }[] = root === null ? [] : [{ node: root, path: [] }]
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    const { node, path } = entry
    const secret = isSecretPath(path, node.type === 'object')
    if (node.type === 'array') {
      for (const [at, item] of node.items.entries()) {
        queue.push({ node: item.value, path: [...path, at] })
        if (isFlag(node.items[at - 1]?.value)) ranges.push([item.value.start + 1, item.value.end - 1])
      }
    } else if (node.type === 'object') {
      for (const item of node.items) {
        queue.push({ node: item.value, path: [...path, item.key] })
        if (secret) ranges.push([item.keyStart, item.keyEnd])
      }
    } else if (secret && typeof node.value === 'string') ranges.push([node.start + 1, node.end - 1])
  }
  return ranges
}

/** What may not be shown around a break, and where the shown part of the line ends: behind the token the text broke at, or before it. */
function atBreak(text: string, broken: BrokenScan): { hidden: readonly Range[]; until: number } {
  const { problem, root, container, pendingKey, tokenStart, tokenBroken } = broken
  const { offset } = problem
  // A quote too many or too few turns names and values inside out: what a string swallowed, and what follows its
  // closing quote at once, may belong to a secret further on or before.
  if (tokenBroken || /["']/.test(text.charAt(offset - 1)))
    return { hidden: [[tokenStart + 1, offset]], until: offset }
  // A value that lost its key stands where a key should.
  if (problem.expected.startsWith(':') && /[\]},]/.test(text.charAt(offset)))
    return { hidden: [[tokenStart, offset]], until: offset }
  const node = childNode(root, container)
  const last = node?.type === 'object' ? node.items.at(-1)?.key : undefined
  const places = [pendingKey, last].map((key): Path => [...container, key ?? ''])
  const inFront = node?.type === 'array' ? node.items.at(-1)?.value : undefined
  const isSecret = isSecretPath(container, node?.type === 'object') || isFlag(inFront)
  if (isSecret || places.some((path) => isSecretPath(path)))
    return { hidden: [[Math.min(tokenStart, offset), offset]], until: offset }
  const token = /^(?:"[^"':\r\n]*"?|'[^"':\r\n]*'?|[\w$-]{1,24}|[^\w\s"']{1,7})/.exec(text.slice(offset))?.[0]
  return { hidden: [], until: offset + (token?.length ?? 0) }
}

function star(line: string, from: number, to: number): string {
  const start = Math.max(from, 0)
  const end = Math.min(to, line.length)
  return start >= end ? line : line.slice(0, start) + '*'.repeat(end - start) + line.slice(end)
}

/** The line around an offset with a caret under it; secrets are starred out and control characters blanked. */
function excerpt(document: Document, offset: number): string {
  const { line, column } = document.position(offset)
  const lineStart = offset - (column - 1)
  const rest = /[\r\n]/.exec(document.text.slice(offset))?.index
  let text = document.text.slice(lineStart, rest === undefined ? undefined : offset + rest)
  let unread = false
  const scanned = document.scanned()
  for (const [start, end] of secretRanges(scanned.root)) text = star(text, start - lineStart, end - lineStart)
  if (scanned.problem !== null) {
    const { hidden, until } = atBreak(document.text, scanned)
    const comments = scanned.comments.map(([start, end]): Range => [start + 2, end])
    for (const [start, end] of [...hidden, ...comments]) text = star(text, start - lineStart, end - lineStart)
    unread = text.length > until - lineStart
    text = text.slice(0, until - lineStart)
  }
  text = redactText(text, (secret) => '*'.repeat(secret.length))
  const from = Math.max(column - 1 - before, 0)
  const to = column - 1 + behind
  const shown = `${from > 0 ? '…' : ''}${text.slice(from, to)}${unread || text.length > to ? '…' : ''}`
  const visible = shown.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').toWellFormed()
  const gutter = String(line)
  const caret = ' '.repeat(column - 1 - from + (from > 0 ? 1 : 0))
  return `${gutter} | ${visible.trimEnd()}\n${' '.repeat(gutter.length)} | ${caret}^`
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
    data: {
      location: { file: document.file, path: '', line, column },
      problem,
      excerpt: shown,
    },
  })
}

/** The `CONFIG_INVALID` error of a text that is no JSON5. */
export function syntaxError(document: Document, broken: BrokenScan): OpenClawError {
  const { text } = document
  const { problem } = broken
  const { offset, expected, openedAt } = problem
  const tooDeep = expected.startsWith('at most')
  const found = expected.startsWith('*/') ? 'the end of the file' : describeFound(text, offset)
  const advice = adviceFor(text.charAt(offset), text.slice(offset, offset + 20), problem)
  const hints = advice === null ? [] : [advice]
  // An open string swallows the rest, so its own start is what to look at.
  const open = expected.endsWith('of the string') ? broken.tokenStart : openedAt
  if (offset >= text.length && open !== null && !tooDeep) {
    const { line, column } = document.position(open)
    hints.push(`the ${text.charAt(open)} at ${line}:${column} is not closed`)
  }
  if (broken.root === null && offset >= text.length && problem.expected === 'a value')
    hints.push('a file without content is written {}')
  return documentError(
    document,
    offset,
    tooDeep ? `expected ${expected}` : `expected ${expected}, found ${found}`,
    hints,
  )
}
