import { cleanText } from '../../kernel/untrusted-text.ts'
import type { Output } from './output.ts'

/** Some of a command's output as text. */
export interface OutputText {
  readonly text: string
  /** Bytes in front of it that are no longer in memory. */
  readonly skipped: number
  /** Place to go on from. */
  readonly end: number
  readonly isBinary: boolean
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: false })

/**
 * Reads output from a place on as text: broken UTF-8 is marked, terminal sequences are gone, of a line that was written over (progress bars)
 * the last state stays. While the command runs, a character that is cut off waits for its rest.
 */
export function outputText(output: Output, place: number, isRunning: boolean): OutputText {
  const { bytes, skipped, end } = output.from(place)
  const start = skipped > 0 ? continuationAt(bytes) : 0
  const held = isRunning ? cutOff(bytes) : 0
  const whole = bytes.subarray(start, bytes.length - held)
  const raw = decoder.decode(whole)
  return { text: readable(raw), skipped: skipped + start, end: end - held, isBinary: looksBinary(raw) }
}

/** The last part of a text, from the beginning of a line where that costs little. */
export function lastPart(text: string, limit: number): string {
  if (text.length <= limit) return text
  const part = text.slice(-limit).replace(/^[\uDC00-\uDFFF]/, '')
  const line = part.indexOf('\n')
  return line >= 0 && line < limit / 4 ? part.slice(line + 1) : part
}

function readable(raw: string): string {
  const overwritten = raw
    .replaceAll('\0', '\u2400')
    // Looked at from the first of a row only: from each of them it would take hours for a row of 200 KiB.
    .replace(/(?<!\r)\r+\n/g, '\n')
    .replace(/(^|\n)[^\n]*\r(?=[^\r\n])/g, '$1')
  return cleanText(overwritten, overwritten.length + 1)
}

/** Text has few characters that are none; one in ten is no text in any encoding that we can show. */
function looksBinary(raw: string): boolean {
  if (raw.length === 0) return false
  // oxlint-disable-next-line no-control-regex
  const strange = raw.slice(0, 20_000).match(/[\uFFFD\0-\u0006\u000E-\u001A\u001C-\u001F]/g)?.length ?? 0
  return strange > Math.min(raw.length, 20_000) / 10
}

/** Bytes at the beginning that belong to a character which began before. */
function continuationAt(bytes: Buffer): number {
  let at = 0
  while (at < 3 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1
  return at
}

/** Bytes at the end of a character whose rest has not come. */
function cutOff(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}
