import type { ArrayNode, Node, ObjectNode } from '../scan.ts'
import { isLineEnd, lineIndent } from './trivia.ts'

/** How a text is written, so that what is added looks like what is there. */
export interface Style {
  /** Plain JSON: nothing that needs JSON5 may be added. */
  readonly strict: boolean
  readonly eol: string
  /** One level of indentation. */
  readonly unit: string
  /** Quotes around keys that do not need any; empty for none. */
  readonly keyQuote: string
  /** Quotes around keys that need them. */
  readonly neededQuote: string
  readonly stringQuote: string
  /** What stands between a key and its value. */
  readonly colon: string
  /** White space behind a comma on the same line. */
  readonly gap: string
  /** White space inside the braces and brackets of one line. */
  readonly bracePad: string
  readonly bracketPad: string
  /** Whether the last of several lines ends in a comma. */
  readonly trailingComma: boolean
  /** Whether short objects stand on one line; lists of plain values likewise. */
  readonly inlineObjects: boolean
  readonly inlineArrays: boolean
}

const identifier = /^[$_\p{L}\p{Nl}][$_\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\u200c\u200d]*$/u

/** Whether JSON5 lets a key stand without quotes. */
export function isIdentifier(key: string): boolean {
  return identifier.test(key)
}

/** Counts what a text does in one respect; the most frequent wins, the earlier of two equals. */
class Tally<T> {
  readonly #counts = new Map<T, number>()

  add(value: T): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1)
  }

  most(fallback: T): T {
    let best = fallback
    let count = 0
    for (const [value, times] of this.#counts) {
      if (times > count) [best, count] = [value, times]
    }
    return best
  }
}

interface Tallies {
  readonly unit: Tally<string>
  readonly keyQuote: Tally<string>
  readonly neededQuote: Tally<string>
  readonly stringQuote: Tally<string>
  readonly colon: Tally<string>
  readonly gap: Tally<string>
  readonly bracePad: Tally<string>
  readonly bracketPad: Tally<string>
  readonly trailingComma: Tally<boolean>
  readonly inlineObjects: Tally<boolean>
  readonly inlineArrays: Tally<boolean>
}

const blank = /^[ \t]*$/

function quoteOf(text: string, at: number): string {
  const char = text.charAt(at)
  return char === '"' || char === "'" ? char : ''
}

/** Whether a range lies on one line. */
export function isOneLine(text: string, { start, end }: { start: number; end: number }): boolean {
  for (let at = start; at < end; at++) if (isLineEnd(text.charAt(at))) return false
  return true
}

function countKeys(
  text: string,
  { items }: ObjectNode,
  tallies: Pick<Tallies, 'keyQuote' | 'neededQuote' | 'colon'>,
): void {
  for (const { key, keyStart, keyEnd, value } of items) {
    const quote = quoteOf(text, keyStart)
    if (isIdentifier(key)) tallies.keyQuote.add(quote)
    if (quote !== '') tallies.neededQuote.add(quote)
    const colon = text.slice(keyEnd, value.start)
    if (/^[ \t]*:[ \t]*$/.test(colon)) tallies.colon.add(colon)
  }
}

function itemStart(item: ObjectNode['items'][number] | ArrayNode['items'][number]): number {
  return 'keyStart' in item ? item.keyStart : item.value.start
}

function countLayout(text: string, node: ObjectNode | ArrayNode, depth: number, tallies: Tallies): void {
  const first = node.items[0]
  const last = node.items.at(-1)
  if (first === undefined || last === undefined) return
  const oneLine = isOneLine(text, node)
  if (oneLine) {
    const pad = text.slice(node.start + 1, itemStart(first))
    if (blank.test(pad)) (node.type === 'object' ? tallies.bracePad : tallies.bracketPad).add(pad)
  } else {
    tallies.trailingComma.add(last.comma >= 0)
    const outer = lineIndent(text, node.start)
    const inner = lineIndent(text, itemStart(first))
    if (inner.length > outer.length && inner.startsWith(outer)) tallies.unit.add(inner.slice(outer.length))
  }
  if (node.type === 'object') {
    if (depth > 0) tallies.inlineObjects.add(oneLine)
  } else if (node.items.every(({ value }) => value.type === 'scalar')) tallies.inlineArrays.add(oneLine)
  for (const [at, item] of node.items.entries()) {
    const next = node.items[at + 1]
    if (next === undefined || item.comma < 0) continue
    const gap = text.slice(item.comma + 1, itemStart(next))
    if (blank.test(gap)) tallies.gap.add(gap)
  }
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
    return true
  } catch {
    return false
  }
}

/** How many values show the style of a text well enough. */
const sample = 5000

/** The style of a whole text; `json` says what a text without any evidence is to be. */
export function styleOf(text: string, root: Node, json: boolean): Style {
  const tallies: Tallies = {
    unit: new Tally(),
    keyQuote: new Tally(),
    neededQuote: new Tally(),
    stringQuote: new Tally(),
    colon: new Tally(),
    gap: new Tally(),
    bracePad: new Tally(),
    bracketPad: new Tally(),
    trailingComma: new Tally(),
    inlineObjects: new Tally(),
    inlineArrays: new Tally(),
  }
  let hasKeys = false
  const queue: { node: Node; depth: number }[] = [{ node: root, depth: 0 }]
  let seen = 0
  for (let entry = queue.pop(); entry !== undefined && seen < sample; entry = queue.pop()) {
    const { node, depth } = entry
    seen += 1
    if (node.type === 'scalar') {
      if (typeof node.value === 'string') tallies.stringQuote.add(quoteOf(text, node.start))
      continue
    }
    if (node.type === 'object') {
      countKeys(text, node, tallies)
      hasKeys ||= node.items.length > 0
    }
    countLayout(text, node, depth, tallies)
    for (const { value } of node.items.toReversed()) queue.push({ node: value, depth: depth + 1 })
  }
  const strict = (json || hasKeys) && isStrictJson(text)
  const stringQuote = tallies.stringQuote.most(tallies.neededQuote.most('"'))
  const colon = tallies.colon.most(': ')
  const spaced = colon.endsWith(' ')
  return {
    strict,
    eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
    unit: tallies.unit.most('  '),
    keyQuote: strict ? '"' : tallies.keyQuote.most(json ? '"' : ''),
    neededQuote: tallies.neededQuote.most(stringQuote),
    stringQuote,
    colon,
    gap: tallies.gap.most(spaced ? ' ' : ''),
    bracePad: tallies.bracePad.most(spaced ? ' ' : ''),
    bracketPad: tallies.bracketPad.most(''),
    trailingComma: !strict && tallies.trailingComma.most(false),
    inlineObjects: tallies.inlineObjects.most(false),
    inlineArrays: tallies.inlineArrays.most(true),
  }
}

/** The style of a text, corrected by what the entries of one container do. */
export function styleWithin(style: Style, text: string, node: ObjectNode | ArrayNode): Style {
  if (node.items.length === 0 || style.strict) return style
  const tallies = {
    keyQuote: new Tally<string>(),
    neededQuote: new Tally<string>(),
    colon: new Tally<string>(),
  }
  const strings = new Tally<string>()
  if (node.type === 'object') countKeys(text, node, tallies)
  for (const { value } of node.items) {
    if (value.type === 'scalar' && typeof value.value === 'string') strings.add(quoteOf(text, value.start))
  }
  return {
    ...style,
    keyQuote: tallies.keyQuote.most(style.keyQuote),
    neededQuote: tallies.neededQuote.most(style.neededQuote),
    colon: tallies.colon.most(style.colon),
    stringQuote: strings.most(style.stringQuote),
  }
}
