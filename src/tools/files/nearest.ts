import { suggest } from '../../kernel/suggest.ts'

/** The place of a text that looks most like one that is not in it. */
export interface Nearest {
  /** Lines from 1, both included. */
  readonly from: number
  readonly to: number
  /** From 0 to 1. */
  readonly likeness: number
  /** Whether white space is all that differs. */
  readonly onlyBlanks: boolean
  /** First line that differs: what was looked for, and what is there. */
  readonly wanted: string
  readonly found: string
}

const mostCompared = 400_000
const leastLikeness = 0.5

/** Finds the lines that look most like `wanted`, for a message only: nothing is ever changed there. Null where nothing looks like it. */
export function nearest(text: string, wanted: string): Nearest | null {
  const lines = text.split('\n').map(bare)
  const sought = wanted.replace(/\n$/, '').split('\n').map(bare)
  if (sought.every((line) => line.trim() === '')) return null
  const count = sought.length
  const starts = Math.max(lines.length - count + 1, 1)
  // A long text for a long file is judged by its first lines alone.
  const judged = Math.max(1, Math.min(count, Math.floor(mostCompared / Math.max(starts, 1))))
  const shapes = new Map<string, Shape>()
  const shape = (line: string): Shape => {
    const known = shapes.get(line)
    if (known !== undefined) return known
    const made = shapeOf(line)
    shapes.set(line, made)
    return made
  }
  let best = { at: -1, score: 0 }
  for (let at = 0; at < Math.min(starts, mostCompared); at++) {
    let score = 0
    for (let line = 0; line < judged; line++) {
      score += likeness(shape(lines[at + line] ?? ''), shape(sought[line] ?? ''))
      // What cannot win any more is not compared to its end.
      if (score + (judged - line - 1) <= best.score) break
    }
    if (score > best.score) best = { at, score }
  }
  if (best.at < 0 || best.score / judged < leastLikeness)
    return count === 1 ? nearestWord(lines, sought) : null
  const there = lines.slice(best.at, best.at + count)
  const differs = sought.findIndex((line, index) => line !== there[index])
  const at = Math.max(differs, 0)
  return {
    from: best.at + 1,
    to: best.at + Math.max(there.length, 1),
    likeness: best.score / judged,
    onlyBlanks: squeeze(there.join(' ')) === squeeze(sought.join(' ')),
    wanted: sought[at] ?? '',
    found: there[at] ?? '',
  }
}

const mostWords = 20_000

/** One word that may be misspelled, and the first line with the word that was meant. */
function nearestWord(lines: readonly string[], [wanted = '']: readonly string[]): Nearest | null {
  const words = new Set<string>()
  for (const line of lines) {
    if (words.size > mostWords) break
    for (const word of line.match(/[\p{L}\p{N}_]+/gu) ?? []) words.add(word)
  }
  const [meant] = suggest(wanted.trim(), words, 1)
  const at = meant === undefined ? -1 : lines.findIndex((line) => line.includes(meant))
  if (at < 0) return null
  const found = lines[at] ?? ''
  return { from: at + 1, to: at + 1, likeness: leastLikeness, onlyBlanks: false, wanted, found }
}

interface Shape {
  readonly text: string
  readonly words: ReadonlySet<string>
}

const longestLine = 500

function shapeOf(line: string): Shape {
  const text = line.slice(0, longestLine)
  return { text, words: new Set(text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []) }
}

function likeness(left: Shape, right: Shape): number {
  if (left.text === right.text) return 1
  const { size } = left.words
  if (size === 0 || right.words.size === 0) return size === right.words.size ? 0.9 : 0
  let shared = 0
  for (const word of left.words) if (right.words.has(word)) shared += 1
  // What is sought is often a part of a line, so that the rest of the line counts little.
  return 0.75 * (shared / right.words.size) + 0.2 * ((2 * shared) / (size + right.words.size))
}

function bare(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
