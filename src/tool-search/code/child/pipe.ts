/*
 * Synchronous lines over the first two descriptors. The guest cannot go on without an answer anyway, and the modules behind
 * `process.stdin` would be a third of the child's start.
 */

const { readSync, writeSync } = process.getBuiltinModule('node:fs')
const { Buffer } = process.getBuiltinModule('node:buffer')

const newline = 0x0a
const chunk = Buffer.allocUnsafe(64 * 1024)
let held: Buffer[] = []

/** Waits for the next line from the parent; null when the parent is gone. */
export function readLine(): string | null {
  for (;;) {
    const last = held.at(-1)
    const end = last?.indexOf(newline) ?? -1
    if (last && end >= 0) {
      const line = Buffer.concat([...held.slice(0, -1), last.subarray(0, end)]).toString()
      held = [last.subarray(end + 1)]
      return line
    }
    const size = readSync(0, chunk, 0, chunk.length, null)
    if (size === 0) return null
    held.push(Buffer.from(chunk.subarray(0, size)))
  }
}

/** Writes text to the parent; false when the parent is gone. */
export function write(text: string): boolean {
  try {
    for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSync(1, rest))
    return true
  } catch {
    return false
  }
}
