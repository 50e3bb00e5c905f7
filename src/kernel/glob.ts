/** Compiles a pattern whose only metacharacter is `*` (any run, also empty) into a whole-string test; linear, so hostile patterns cannot stall it. */
export function compileGlob(glob: string): (text: string) => boolean {
  const parts = glob.split(/\*+/)
  const first = parts[0] ?? ''
  if (parts.length === 1) return (text) => text === first
  const last = parts[parts.length - 1] ?? ''
  const middle = parts.slice(1, -1)
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
      return false
    const end = text.length - last.length
    let at = first.length
    for (const part of middle) {
      const found = text.indexOf(part, at)
      if (found < 0 || found + part.length > end) return false
      at = found + part.length
    }
    return at <= end
  }
}
