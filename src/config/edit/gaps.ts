import type { ArrayNode, ObjectNode } from '../scan.ts'
import { isComment, readTrivia, type Trivia } from './trivia.ts'

/** One entry of a container by its offsets; `comma` is -1 where none follows. */
export interface Item {
  readonly start: number
  readonly end: number
  readonly comma: number
}

/** What stands around the entries of one container: lines, and whose each comment is. */
export interface Gaps {
  readonly items: readonly Item[]
  /** Commas stand at the start of lines, or otherwise not where they are expected. */
  readonly odd: boolean
  /** Whether an entry is the first on its line. */
  startsLine(at: number): boolean
  /** Whether nothing but comments follows an entry on its line. */
  endsLine(at: number): boolean
  /** Behind the comma and the comments that follow an entry on its line. */
  tailEnd(at: number): number
  /** Whether a comment to the end of the line follows an entry. */
  endsInLineComment(at: number): boolean
  /** Where the comments in front of an entry start that stand on its line behind the last comma. */
  headStart(at: number): number
  /** Where the line of an entry ends, or its tail where the next one shares the line; -1 is the opening bracket. */
  breakAfter(at: number): number
  /** Where the lines of an entry start that go when it goes: its own, comments that are clearly about it, blank lines that would double. */
  lineStart(at: number): number
  /** Where they end; blank lines that would be the first of the container go with them. */
  lineEnd(at: number): number
  /** Whether the line end at an offset in front of an entry is what ends a comment. */
  endsComment(at: number, offset: number): boolean
  /** Pieces of a gap: -1 is the one behind the opening bracket. */
  piecesAfter(at: number): readonly Trivia[]
}

/** The offsets of a container's entries. */
export function itemsOf(node: ObjectNode | ArrayNode): Item[] {
  return node.type === 'object'
    ? node.items.map(({ keyStart, value, comma }) => ({ start: keyStart, end: value.end, comma }))
    : node.items.map(({ value, comma }) => ({ start: value.start, end: value.end, comma }))
}

const hasNewline = (pieces: readonly Trivia[]): boolean => pieces.some(({ kind }) => kind === 'newline')

/** The pieces in front of the first line end. */
function firstLine(pieces: readonly Trivia[]): readonly Trivia[] {
  const at = pieces.findIndex(({ kind }) => kind === 'newline')
  return at < 0 ? pieces : pieces.slice(0, at)
}

/** Lines of a gap that lie wholly in it: each with the line end in front of it, the last one being that of the entry. */
function linesOf(pieces: readonly Trivia[]): { start: number; pieces: Trivia[] }[] {
  const lines: { start: number; pieces: Trivia[] }[] = []
  for (const piece of pieces) {
    if (piece.kind === 'newline') lines.push({ start: piece.start, pieces: [] })
    else lines.at(-1)?.pieces.push(piece)
  }
  return lines
}

type Line = ReturnType<typeof linesOf>[number]

const isBlank = (line: Line | undefined): boolean =>
  line !== undefined && line.pieces.every(({ kind }) => kind === 'space')

const hasComment = (line: Line | undefined): boolean => line?.pieces.some(isComment) === true

/** A comment that holds an entry somebody has switched off is no remark about the next one. */
function looksLikeEntry(text: string): boolean {
  return /^(?:\/\/|\/\*+|\*)?\s*(?:["'[{\]}]|[\w$]+\s*:\s*\S)/.test(text.trim())
}

/** Describes the surroundings of a container's entries; nothing is read before it is asked for, except where the commas are. */
export function createGaps(text: string, node: ObjectNode | ArrayNode): Gaps {
  const items = itemsOf(node)
  const endOf = (at: number): number => items[at]?.end ?? node.start + 1
  const startOf = (at: number): number => items[at]?.start ?? node.end - 1
  const cache = new Map<number, readonly Trivia[]>()
  const piecesAfter = (at: number): readonly Trivia[] => {
    const known = cache.get(at)
    if (known) return known
    const pieces = readTrivia(text, endOf(at), startOf(at + 1))
    cache.set(at, pieces)
    return pieces
  }
  const startsLine = (at: number): boolean => hasNewline(piecesAfter(at - 1))
  const endsLine = (at: number): boolean => hasNewline(piecesAfter(at))

  const tailOf = (at: number): readonly Trivia[] => {
    const pieces = piecesAfter(at)
    const line = firstLine(pieces)
    const comma = line.findIndex(({ kind }) => kind === 'comma')
    // Without a line end what follows the comma belongs to the next entry.
    return line.length === pieces.length && comma >= 0 ? line.slice(0, comma + 1) : line
  }
  const tailEnd = (at: number): number =>
    tailOf(at).findLast(({ kind }) => kind !== 'space')?.end ?? endOf(at)

  const lineStart = (at: number): number => {
    const lines = linesOf(piecesAfter(at - 1))
    let first = lines.length - 1
    while (first > 0 && hasComment(lines[first - 1])) first--
    if (!ownsComments(at, lines, first)) first = lines.length - 1
    const blankBelow = linesOf(piecesAfter(at)).slice(0, -1).findIndex(isBlank) === 0
    const last = at === items.length - 1 && linesOf(piecesAfter(at)).length <= 1
    if (blankBelow || last) while (first > 0 && isBlank(lines[first - 1])) first--
    return lines[first]?.start ?? startOf(at)
  }

  /** Whether the comment lines `first…` are clearly about the entry below them and about nothing else. */
  const ownsComments = (at: number, lines: readonly Line[], first: number): boolean => {
    const comments = lines.slice(first, -1).flatMap((line) => line.pieces.filter(isComment))
    if (comments.length === 0 || items.length === 1) return false
    if (comments.some(({ start, end }) => looksLikeEntry(text.slice(start, end)))) return false
    // One comment over several entries in a row is a heading for all of them.
    return at === items.length - 1 || linesOf(piecesAfter(at)).length > 1
  }

  const breakAfter = (at: number): number =>
    piecesAfter(at).find(({ kind }) => kind === 'newline')?.start ?? (at < 0 ? node.start + 1 : tailEnd(at))

  const lineEnd = (at: number): number => {
    const lines = linesOf(piecesAfter(at))
    const blank = lines.slice(0, -1).findIndex((line) => !isBlank(line))
    const next = lines[blank < 0 ? lines.length - 1 : blank]
    return lineStart(at) === breakAfter(-1) && next !== undefined ? next.start : breakAfter(at)
  }

  return {
    items,
    odd: items.some(({ end, comma }) => comma > end && hasNewline(readTrivia(text, end, comma))),
    startsLine,
    endsLine,
    tailEnd,
    endsInLineComment: (at) => tailOf(at).some(({ kind }) => kind === 'line-comment'),
    headStart: (at) => {
      const pieces = piecesAfter(at - 1)
      const from = pieces.findLastIndex(({ kind }) => kind === 'newline' || kind === 'comma') + 1
      return pieces.slice(from).find(isComment)?.start ?? startOf(at)
    },
    breakAfter,
    lineStart,
    lineEnd,
    endsComment: (at, offset) => {
      const pieces = piecesAfter(at - 1)
      return pieces[pieces.findIndex(({ start }) => start === offset) - 1]?.kind === 'line-comment'
    },
    piecesAfter,
  }
}
