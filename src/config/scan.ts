import type { Path, Segment } from '../kernel/path.ts'
import { readKey, readNumber, readString, reject, skipSpace } from './scan-tokens.ts'
import type { Cursor, ScanProblem } from './scan-tokens.ts'

export type { ScanProblem }

/** Offsets are UTF-16 units into the scanned text; `end` is behind the last one. */
interface Range {
  readonly start: number
  readonly end: number
}

export type Scalar = string | number | boolean | null

export interface ScalarNode extends Range {
  readonly type: 'scalar'
  readonly value: Scalar
}

/** One entry of a list; `comma` is the offset of the comma behind it, or -1. */
export interface Element {
  readonly value: Node
  readonly comma: number
}

export interface ArrayNode extends Range {
  readonly type: 'array'
  readonly items: readonly Element[]
}

/** One member of an object in source order; a repeated key stays, and the last one counts. */
export interface Property {
  readonly key: string
  readonly keyStart: number
  readonly keyEnd: number
  readonly value: Node
  readonly comma: number
}

export interface ObjectNode extends Range {
  readonly type: 'object'
  readonly items: readonly Property[]
}

export type Node = ScalarNode | ArrayNode | ObjectNode

/** Ranges of the comments in source order, marks included. */
export type Comments = readonly (readonly [start: number, end: number])[]

/** Where and why reading ended, and what was read until then. */
export interface BrokenScan {
  readonly problem: ScanProblem
  /** The part that was read; containers that were open end where the text broke. */
  readonly root: Node | null
  /** Path of the innermost open container. */
  readonly container: Path
  /** The key whose value was not read yet. */
  readonly pendingKey: string | null
  /** Start of the key or value that was read last. */
  readonly tokenStart: number
  /** Whether that key or value broke off, as a string without its closing quote does. */
  readonly tokenBroken: boolean
  readonly comments: Comments
}

export type ScanResult =
  | { readonly problem: null; readonly root: Node; readonly comments: Comments }
  | BrokenScan

/** The deepest nesting of lists and objects a config may have; every walker relies on it. */
export const maxDepth = 500

interface OpenItem {
  value: Node
  comma: number
}
interface OpenProperty extends OpenItem {
  key: string
  keyStart: number
  keyEnd: number
}
interface OpenArray {
  type: 'array'
  start: number
  end: number
  items: OpenItem[]
}
interface OpenObject {
  type: 'object'
  start: number
  end: number
  items: OpenProperty[]
}
type OpenContainer = OpenArray | OpenObject

const words: Readonly<Record<string, boolean | null>> = { null: null, true: true, false: false }

function readScalar(cursor: Cursor): ScalarNode | null {
  const start = cursor.at
  const char = cursor.text[start]
  let value: Scalar
  if (char === '"' || char === "'") value = readString(cursor)
  else if (char === 'n' || char === 't' || char === 'f') {
    const word = char === 'n' ? 'null' : char === 't' ? 'true' : 'false'
    if (!cursor.text.startsWith(word, start)) return reject(cursor, start, 'a value')
    cursor.at += word.length
    value = words[word] ?? null
  } else {
    value = readNumber(cursor)
    if (value === null) return reject(cursor, start, 'a value')
  }
  return cursor.problem === null ? { type: 'scalar', start, end: cursor.at, value } : null
}

function pathOf(open: readonly OpenContainer[]): Path {
  return open.slice(0, -1).map((parent): Segment => {
    if (parent.type === 'array') return parent.items.length - 1
    return parent.items.at(-1)?.key ?? ''
  })
}

/** Reads one JSON5 text into nodes with ranges, without recursion; accepts exactly what the JSON5 reference parser accepts, to 500 levels. */
export function scan(text: string): ScanResult {
  const cursor: Cursor = { text, at: 0, problem: null, comments: [] }
  const { comments } = cursor
  const open: OpenContainer[] = []
  const state: {
    root: Node | null
    pending: { key: string; keyStart: number; keyEnd: number } | null
    tokenStart: number
  } = { root: null, pending: null, tokenStart: 0 }

  const place = (node: Node): void => {
    const parent = open.at(-1)
    if (parent === undefined) state.root = node
    else if (parent.type === 'array') parent.items.push({ value: node, comma: -1 })
    else if (state.pending !== null) {
      const { key: name, keyStart, keyEnd } = state.pending
      parent.items.push({ key: name, keyStart, keyEnd, value: node, comma: -1 })
    }
    state.pending = null
  }

  /** Reads the value at the cursor; an opening bracket only opens its container. Gives true when a value is complete. */
  const value = (): boolean => {
    const char = text[cursor.at]
    state.tokenStart = cursor.at
    if (char !== '{' && char !== '[') {
      const node = readScalar(cursor)
      if (node !== null) place(node)
      return true
    }
    if (open.length === maxDepth) {
      reject(cursor, cursor.at, `at most ${maxDepth} levels of nesting`)
      return true
    }
    const node: OpenContainer =
      char === '{'
        ? { type: 'object', start: cursor.at, end: -1, items: [] }
        : { type: 'array', start: cursor.at, end: -1, items: [] }
    place(node)
    open.push(node)
    cursor.at++
    return false
  }

  /** Reads `key :` of the next member. */
  const key = (): void => {
    const keyStart = cursor.at
    state.tokenStart = keyStart
    const name = readKey(cursor, 'a key or }')
    if (name === null) return
    state.pending = { key: name, keyStart, keyEnd: cursor.at }
    if (!skipSpace(cursor)) return
    if (text[cursor.at] !== ':') reject(cursor, cursor.at, ': behind the key')
    else {
      cursor.at++
      skipSpace(cursor)
    }
  }

  /** Closes containers and reads the comma up to the next value; false at the end of the document. */
  const nextItem = (complete: boolean): boolean => {
    let needsComma = complete
    for (;;) {
      if (!skipSpace(cursor)) return false
      const container = open.at(-1)
      if (container === undefined) {
        if (cursor.at < text.length) reject(cursor, cursor.at, 'the end of the file')
        return false
      }
      const close = container.type === 'object' ? '}' : ']'
      const char = text[cursor.at]
      if (char === close) {
        cursor.at++
        container.end = cursor.at
        open.pop()
        needsComma = true
      } else if (needsComma) {
        if (char !== ',') {
          reject(cursor, cursor.at, `, or ${close}`)
          return false
        }
        const last = container.items.at(-1)
        if (last !== undefined) last.comma = cursor.at
        cursor.at++
        needsComma = false
      } else {
        if (container.type === 'object') key()
        return cursor.problem === null
      }
    }
  }

  let more = skipSpace(cursor)
  while (more) {
    const complete = value()
    more = cursor.problem === null && nextItem(complete)
  }

  const { root } = state
  if (cursor.problem === null && root !== null) return { problem: null, root, comments }
  const problem = cursor.problem ?? { offset: text.length, expected: 'a value', openedAt: null }
  for (const container of open) container.end = cursor.at
  return {
    problem: { ...problem, openedAt: open.at(-1)?.start ?? null },
    root,
    container: pathOf(open),
    pendingKey: state.pending?.key ?? null,
    tokenStart: state.tokenStart,
    tokenBroken: problem.offset > state.tokenStart && cursor.at === state.tokenStart,
    comments,
  }
}

/** The plain value of a node, as the JSON5 reference parser builds it: last repeated key wins, `__proto__` is an ordinary own key. */
export function toValue(node: Node): unknown {
  if (node.type === 'scalar') return node.value
  if (node.type === 'array') return node.items.map((item) => toValue(item.value))
  const value: Record<string, unknown> = {}
  for (const item of node.items) {
    const inner = toValue(item.value)
    // Plain assignment lets objects of one kind share their shape, which is what makes large configs quick to read.
    if (item.key !== '__proto__') value[item.key] = inner
    else
      Object.defineProperty(value, item.key, {
        value: inner,
        writable: true,
        enumerable: true,
        configurable: true,
      })
  }
  return value
}
