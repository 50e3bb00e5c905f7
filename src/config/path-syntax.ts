import { OpenClawError } from '../kernel/errors.ts'
import type { Path, Segment } from '../kernel/path.ts'

/** A step that finds a list entry by one of its fields: `[id=work]`. */
export interface Selector {
  readonly key: string
  readonly value: string
}

export type Step = Segment | Selector

/** Keys that would reach an object's prototype; no path may name them. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor'])

const index = /^(?:0|[1-9][0-9]*)$/
/** Ids of chats and servers: negative, or longer than a number can hold exactly; no list has such an index. */
const numericKey = /^-?[1-9][0-9]*$/

function invalid(text: string, at: number, problem: string, hint?: string): OpenClawError {
  return new OpenClawError(
    'PATH_INVALID',
    `${JSON.stringify(text)} is not a config path: ${problem} at character ${at + 1}`,
    {
      hints: [hint ?? `write a path like tools.deny[0] or tools.byProvider["openai/gpt-5"].profile`],
      data: { path: text, offset: at },
    },
  )
}

interface Piece {
  readonly text: string
  readonly end: number
}

/** Reads up to one of `stops`, dropping outer white space that is not escaped. */
function readBare(source: string, from: number, stops: string): Piece {
  let text = ''
  let solid = 0
  let at = from
  for (; at < source.length; at++) {
    let char = source.charAt(at)
    const escaped = char === '\\'
    if (escaped) {
      at++
      if (at === source.length) throw invalid(source, at - 1, 'nothing follows the backslash')
      char = source.charAt(at)
    } else if (stops.includes(char)) break
    if (!escaped && char.trim() === '') {
      if (text !== '') text += char
    } else {
      text += char
      solid = text.length
    }
  }
  return { text: text.slice(0, solid), end: at }
}

/** Reads the quoted text that starts at `from`; `end` is behind the closing quote. */
function readQuoted(source: string, from: number): Piece {
  const quote = source.charAt(from)
  let text = ''
  for (let at = from + 1; at < source.length; at++) {
    let char = source.charAt(at)
    if (char === quote) return { text, end: at + 1 }
    if (char === '\\') {
      at++
      char = source.charAt(at)
      if (char === '') throw invalid(source, at - 1, 'nothing follows the backslash')
    }
    text += char
  }
  throw invalid(source, from, `the quote ${quote} is not closed`)
}

function skipBlank(source: string, from: number): number {
  let at = from
  while (at < source.length && source.charAt(at).trim() === '') at++
  return at
}

function closeBracket(source: string, from: number): number {
  const at = skipBlank(source, from)
  if (source.charAt(at) !== ']') throw invalid(source, at, 'a ] is missing')
  return at + 1
}

function readQuotedOrBare(source: string, from: number, stops: string): Piece {
  const first = source.charAt(from)
  return first === '"' || first === "'" ? readQuoted(source, from) : readBare(source, from, stops)
}

/** Reads one `[…]`; `end` is behind the closing bracket. */
function readBracket(source: string, open: number): { step: Step; end: number } {
  const start = skipBlank(source, open + 1)
  const quoted = source.charAt(start) === '"' || source.charAt(start) === "'"
  const { text, end } = readQuotedOrBare(source, start, '=]')
  if (quoted) return { step: text, end: closeBracket(source, end) }
  if (text === '') throw invalid(source, open, 'the [] is empty')
  if (source.charAt(end) === '=') {
    const value = readQuotedOrBare(source, skipBlank(source, end + 1), ']')
    return { step: { key: text, value: value.text }, end: closeBracket(source, value.end) }
  }
  const after = closeBracket(source, end)
  if (!index.test(text) || !Number.isSafeInteger(Number(text))) {
    if (numericKey.test(text)) return { step: text, end: after }
    throw invalid(source, start, `${text} is no list index`, `quote a key: [${JSON.stringify(text)}]`)
  }
  return { step: Number(text), end: after }
}

/** Parses the path syntax of `config get|set|unset` with `[key=value]` selectors; `''` is the root. Throws `PATH_INVALID`. */
export function parseSteps(source: string): Step[] {
  const steps: Step[] = []
  let at = skipBlank(source, 0)
  let expectsName = true
  while (at < source.length) {
    const char = source.charAt(at)
    if (char === '[') {
      if (expectsName && steps.length > 0) throw invalid(source, at, 'a name is missing between . and [')
      const { step, end } = readBracket(source, at)
      steps.push(step)
      at = skipBlank(source, end)
      expectsName = false
    } else if (char === '.' && !expectsName) {
      at = skipBlank(source, at + 1)
      if (at === source.length)
        throw invalid(source, source.length - 1, 'a name is missing behind the last .')
      expectsName = true
    } else if (expectsName) {
      const { text, end } = readBare(source, at, '.[]')
      if (text === '') throw invalid(source, at, 'a name is missing')
      if (source.charAt(end) === ']') throw invalid(source, end, 'the ] has no [')
      steps.push(text)
      at = end
      expectsName = false
    } else throw invalid(source, at, char === ']' ? 'the ] has no [' : 'text follows ] without a .')
  }
  for (const step of steps) {
    const name = typeof step === 'object' ? step.key : step
    if (typeof name === 'string' && forbiddenKeys.has(name)) {
      throw new OpenClawError(
        'PATH_INVALID',
        `${JSON.stringify(source)} is not a config path: ${name} is reserved`,
        {
          hints: ['rename the key in the config file'],
          data: { path: source },
        },
      )
    }
  }
  return steps
}

/** Parses a path without selectors. Throws `PATH_INVALID`. */
export function parsePath(source: string): Path {
  return parseSteps(source).map((step) => {
    if (typeof step !== 'object') return step
    throw new OpenClawError(
      'PATH_INVALID',
      `${JSON.stringify(source)} selects by ${step.key}, which is not possible here`,
      {
        hints: ['use the index of the entry: [0]'],
        data: { path: source },
      },
    )
  })
}
