import { readFileSync } from 'node:fs'
import JSON5 from 'json5'

/**
 * What is written in a file at a line and column, read without any code of the program: the value of a quoted string, `[` or `{`
 * of a container, else the bare word. Throws where the line is too short.
 */
export function tokenAt(place: {
  readonly file: string
  readonly line: number
  readonly column: number
}): unknown {
  const lines = readFileSync(place.file, 'utf8').split(/\r\n|[\n\r\u2028\u2029]/)
  const line = lines[place.line - 1] ?? ''
  // A byte order mark is no character of the text.
  const rest = (place.line === 1 ? line.replace(/^\uFEFF/, '') : line).slice(place.column - 1)
  if (/^[[{]/.test(rest)) return rest.charAt(0)
  const text = /^(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s,:[\]{}"']+)/.exec(rest)?.[0]
  if (text === undefined) throw new Error(`nothing is written at ${place.file}:${place.line}:${place.column}`)
  return JSON5.parse(text)
}
