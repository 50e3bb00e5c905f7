import { read } from 'node:fs'
import { promisify } from 'node:util'
import { mostReadLines, scanBytes } from './limits.ts'
import type { OpenFile } from './open-file.ts'

const readAt = promisify(read)
const chunkBytes = 1024 * 1024
const lineFeed = 0x0a

/** Lines of a large file, found without holding more of it than they need. */
export interface Scanned {
  readonly bytes: Buffer
  readonly from: number
  readonly to: number
  readonly more: boolean
  readonly partial: boolean
}

/**
 * Finds lines from `offset` on, at most `limit` of them and `bytes` bytes. `past-end` where there is no such line, `too-far` where it is
 * not among the bytes that are looked through.
 */
export async function scanLines(
  { fd }: OpenFile,
  offset: number,
  limit: number,
  mostBytes: number,
  signal: AbortSignal,
): Promise<Scanned | 'past-end' | 'too-far'> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  let line = 1
  for (let position = 0; position < scanBytes;) {
    signal.throwIfAborted()
    const { bytesRead } = await readAt(fd, chunk, 0, chunkBytes, position)
    if (bytesRead === 0) return 'past-end'
    let start = 0
    while (line < offset) {
      const next = chunk.subarray(0, bytesRead).indexOf(lineFeed, start)
      if (next < 0) break
      start = next + 1
      line += 1
    }
    if (line === offset)
      return takeLines(fd, position + start, offset, Math.min(limit, mostReadLines), mostBytes)
    position += bytesRead
  }
  return 'too-far'
}

async function takeLines(
  fd: number,
  position: number,
  from: number,
  limit: number,
  mostBytes: number,
): Promise<Scanned | 'past-end'> {
  const buffer = Buffer.alloc(mostBytes + 1)
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await readAt(fd, buffer, filled, buffer.length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  if (filled === 0) return 'past-end'
  const isEnd = filled <= mostBytes
  const bytes = buffer.subarray(0, Math.min(filled, mostBytes))
  let end = 0
  let to = from - 1
  while (to - from + 1 < limit && end < bytes.length) {
    const next = bytes.indexOf(lineFeed, end)
    if (next < 0) {
      if (isEnd) {
        end = bytes.length
        to += 1
      }
      break
    }
    end = next + 1
    to += 1
  }
  // One line that is longer than all that may be shown: its beginning, up to a whole character.
  if (to < from) {
    return { bytes: wholeCharacters(bytes), from, to: from, more: true, partial: true }
  }
  return { bytes: bytes.subarray(0, end), from, to, more: !isEnd || end < bytes.length, partial: false }
}

/** Bytes without the half of a UTF-8 character at their end. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > bytes.length - 4 && end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1
  return (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes
}
