import { runInThisContext } from 'node:vm'

const longestPattern = 1_000
const longestArgs = 16_384
/** Milliseconds that one expression may take; some take for ever on texts that were made for it. */
const limitMs = 50

/**
 * Whether the regular expression of an entry fits arguments, joined by blanks, or by NUL where the expression itself speaks of `\x00`. One
 * that is no expression, too long or too slow fits nothing.
 */
export function fitsArguments(pattern: string, args: readonly (string | null)[]): boolean {
  const known = args.filter((arg) => arg !== null)
  if (pattern.length > longestPattern || known.length < args.length) return false
  const text = known.join(/\\x00|\\u0000|\\0/.test(pattern) ? '\0' : ' ')
  if (text.length > longestArgs) return false
  try {
    // Both are data in the script, as JSON strings; only a script can be stopped.
    const script = `new RegExp(${JSON.stringify(pattern)}).test(${JSON.stringify(text)})`
    return runInThisContext(script, { timeout: limitMs }) === true
  } catch {
    return false
  }
}

/** An expression that fits exactly these arguments; null where none can be kept. */
export function exactly(args: readonly string[]): string | null {
  const escaped = args.map((arg) => arg.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`))
  // With a NUL at the end also a single argument is told from one with blanks in it.
  const pattern = `^${escaped.join(String.raw`\x00`)}(?!\\x00)$`
  return pattern.length > longestPattern || args.some((arg) => arg.includes('\0')) ? null : pattern
}
