import { isRecord } from '../path-value.ts'
import { isIdentifier, type Style } from './style.ts'

/** Widest line that a new value may take before it is spread over several. */
const maxWidth = 90

/** How the outermost container of a new value is laid out: on one line whatever its length, on one line if short, on several, as the text does elsewhere. */
export type Layout = 'one-line' | 'short' | 'lines' | 'auto'

const single: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
}

function printString(value: string, style: Style): string {
  const json = JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  // The quotes of the neighbours, unless they would have to be escaped and the others not.
  const swap = style.strict || style.stringQuote === '"' || (value.includes("'") && !value.includes('"'))
  if (swap) return json
  const inner = value.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\\'\u0000-\u001f\u2028\u2029]|\p{Surrogate}/gu,
    (char) => {
      if (char === '\\' || char === "'") return `\\${char}`
      return single[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
    },
  )
  return `'${inner}'`
}

/** Writes a key as its neighbours are written. */
export function printKey(key: string, style: Style): string {
  if (!isIdentifier(key)) return printString(key, { ...style, stringQuote: style.neededQuote })
  return style.keyQuote === '' ? key : printString(key, { ...style, stringQuote: style.keyQuote })
}

function printScalar(value: unknown, style: Style): string {
  if (typeof value === 'string') return printString(value, style)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  return value === true || value === false ? String(value) : 'null'
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Writes a value on one line. */
function printInline(value: unknown, style: Style): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => printInline(item, style))
    return items.length === 0
      ? '[]'
      : `[${style.bracketPad}${items.join(`,${style.gap}`)}${style.bracketPad}]`
  }
  if (!isRecord(value)) return printScalar(value, style)
  const members = Object.entries(value).map(
    ([key, item]) => `${printKey(key, style)}${style.colon}${printInline(item, style)}`,
  )
  return members.length === 0 ? '{}' : `{${style.bracePad}${members.join(`,${style.gap}`)}${style.bracePad}}`
}

function prefersOneLine(value: object, style: Style): boolean {
  const inner = Object.values(value)
  if (inner.length === 0) return true
  if (!Array.isArray(value)) return style.inlineObjects
  return style.inlineArrays && inner.every((item) => !isContainer(item))
}

/** Writes a value at an indentation; further lines start with it. */
export function printValue(value: unknown, style: Style, indent: string, layout: Layout): string {
  if (!isContainer(value)) return printScalar(value, style)
  const oneLine =
    layout === 'one-line' || layout === 'short' || (layout === 'auto' && prefersOneLine(value, style))
  if (oneLine || Object.keys(value).length === 0) {
    const text = printInline(value, style)
    if (layout === 'one-line' || indent.length + text.length <= maxWidth) return text
  }
  const inner = indent + style.unit
  const lines = Array.isArray(value)
    ? value.map((item) => printValue(item, style, inner, 'auto'))
    : Object.entries(value).map(
        ([key, item]) => `${printKey(key, style)}${style.colon}${printValue(item, style, inner, 'auto')}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const body = lines.map((line) => `${style.eol}${inner}${line}`).join(',')
  return `${open}${body}${style.trailingComma ? ',' : ''}${style.eol}${indent}${close}`
}
