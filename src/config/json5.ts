import JSON5 from 'json5'

/** Parses JSON5; kept in a file of its own so that plain JSON never loads the library. Throws the library's SyntaxError. */
export function parseJson5(text: string): unknown {
  return JSON5.parse(text)
}
