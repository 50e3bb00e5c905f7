import { pickOne } from './edits.ts'

/*
 * Random JSON5 documents for the laws of editing: every way of quoting, spacing, commenting and breaking lines that the
 * language allows, so that no law holds only for tidy files.
 */

type Next = () => number

const keys = ['a', 'b', 'id', 'tools', 'deny', 'c-d', '0', '-100', 'ü', 'x y', '$ref', 'null', "it's", 'q"q']
const strings = [
  '',
  'exec',
  'group:web',
  "it's",
  'say "hi"',
  'a\nb',
  '${VAR}',
  'x // y',
  '/* no */',
  'é😀',
  '\u2028',
  'tail\\',
]
const numbers = ['0', '-1', '1.5', '.5', '5.', '0x1F', '+3', '1e3', '-0', '12345678901234567890']

/** Habits of one document; each file has its own hand. */
interface Hand {
  readonly eol: string
  readonly unit: string
  readonly comments: number
  readonly lines: number
  readonly trailing: number
  readonly quotes: readonly string[]
  readonly bare: boolean
  readonly wild: number
  /** Comments only on lines of their own and at the ends of lines, every key once. */
  readonly tidy: boolean
}

function handOf(next: Next, tidy: boolean): Hand {
  return {
    eol: pickOne(next, ['\n', '\n', '\r\n', '\r']),
    unit: pickOne(next, ['  ', '    ', '\t', '']),
    comments: pickOne(next, [0, 0.1, 0.4]),
    lines: pickOne(next, [0, 0.5, 0.9, 1]),
    trailing: pickOne(next, [0, 0.5, 1]),
    quotes: pickOne(next, [['"'], ["'"], ['"', "'"]]),
    bare: next() < 0.6,
    wild: tidy ? 0 : pickOne(next, [0, 0, 0.3]),
    tidy,
  }
}

function quoted(next: Next, text: string, hand: Hand): string {
  const quote = pickOne(next, hand.quotes)
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return quote + inner.replaceAll(quote, `\\${quote}`) + quote
}

function comment(next: Next, hand: Hand): string {
  const text = pickOne(next, ['note', '"key": 1,', "don't", 'a, b: {', '', '*', 'https://x'])
  return next() < 0.5 ? `/*${text}${next() < 0.2 ? hand.eol : ''}*/` : `//${text}${hand.eol}`
}

/** White space and comments at a place where the hand would put `usual`. */
function space(next: Next, hand: Hand, usual: string): string {
  let text = usual
  if (next() < hand.wild)
    text += pickOne(next, ['', ' ', '\t', hand.eol, `${hand.eol}${hand.eol}`, '\u00a0', '\v'])
  if (!hand.tidy && next() < hand.comments) text += comment(next, hand) + (next() < 0.5 ? usual : '')
  return text
}

function container(next: Next, hand: Hand, indent: string, depth: number, list: boolean): string {
  const count = Math.floor(next() * (depth > 3 ? 2 : 5))
  const onLines = next() < hand.lines
  const inner = indent + hand.unit
  const breakLine = (at: string): string => (onLines ? hand.eol + at : next() < 0.5 ? ' ' : '')
  const ownLine = (): string =>
    onLines && hand.tidy && next() < hand.comments ? `${hand.eol}${inner}// note` : ''
  const used = new Set<string>()
  let text = list ? '[' : '{'
  for (let at = 0; at < count; at++) {
    const blank = onLines && next() < 0.15 ? hand.eol : ''
    text += space(next, hand, blank + ownLine() + breakLine(inner))
    if (!list) {
      const key = pickOne(next, hand.tidy ? keys.filter((each) => !used.has(each)) : keys)
      used.add(key)
      const bare = hand.bare && /^[$\p{L}][$\p{L}]*$/u.test(key)
      text += (bare ? key : quoted(next, key, hand)) + space(next, hand, '') + ':' + space(next, hand, ' ')
    }
    text += value(next, hand, inner, depth + 1)
    if (at < count - 1 || next() < hand.trailing) text += `${space(next, hand, '')},`
    if (next() < hand.comments) {
      if (!hand.tidy) text += ` ${comment(next, hand)}`
      else if (onLines) text += ' // said at the end'
    }
  }
  if (count > 0) text += ownLine()
  return text + space(next, hand, count > 0 ? breakLine(indent) : '') + (list ? ']' : '}')
}

function value(next: Next, hand: Hand, indent: string, depth: number): string {
  const kind = next()
  if (depth < 5 && kind < 0.3) return container(next, hand, indent, depth, false)
  if (depth < 5 && kind < 0.55) return container(next, hand, indent, depth, true)
  if (kind < 0.8) return quoted(next, pickOne(next, strings), hand)
  return kind < 0.9 ? pickOne(next, numbers) : pickOne(next, ['true', 'false', 'null'])
}

/** A random document whose root is an object or a list. */
export function randomDocument(next: Next, tidy = false): string {
  const hand = handOf(next, tidy)
  const head = space(next, hand, next() < 0.1 ? '\ufeff' : '')
  const list = next() < 0.2
  return `${head}${container(next, hand, '', 0, list)}${space(next, hand, hand.eol)}`
}
