import { closeSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'

/** Bytes of one command's output that a file takes. */
export const longestFile = 64 * 1024 * 1024
/** Bytes of all such files together, and milliseconds that one is kept; the oldest give way when a new one begins. */
const mostBytes = 512 * 1024 * 1024
const longestMs = 7 * 24 * 3_600_000

/** The file for what a command has written, below the state directory and for its owner's eyes alone; it is made when it is needed. */
export class Spill {
  file: string | null = null
  /** Bytes that did not go into it. */
  lost = 0
  readonly #directory: string
  readonly #name: string
  #handle: number | null = null
  #size = 0

  constructor(stateDir: string, name: string) {
    this.#directory = join(stateDir, 'exec-output')
    this.#name = `${name}.log`
  }

  /** Begins the file with what was written before. A disk that is full costs the file and nothing else. */
  open(before: Buffer): void {
    if (this.#handle !== null || this.file !== null) return
    try {
      makeDirectory(this.#directory)
      prune(this.#directory)
      const file = join(this.#directory, this.#name)
      this.#handle = openSync(file, 'wx', 0o600)
      this.file = file
      this.#put(before)
    } catch {
      this.lost += before.length
    }
  }

  write(chunk: Buffer): void {
    if (this.#handle !== null) this.#put(chunk)
    else if (this.lost > 0) this.lost += chunk.length
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle)
    this.#handle = null
  }

  #put(chunk: Buffer): void {
    const room = Math.max(0, longestFile - this.#size)
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk
    let written = 0
    try {
      while (this.#handle !== null && written < part.length) {
        written += writeSync(this.#handle, part, written, part.length - written)
      }
    } catch {
      this.close()
    }
    this.#size += written
    this.lost += chunk.length - written
  }
}

function prune(directory: string): void {
  const now = Date.now()
  const files = readdirSync(directory)
    .flatMap((name) => {
      const path = join(directory, name)
      const found = statSync(path, { throwIfNoEntry: false })
      return found?.isFile() === true ? [{ path, at: found.mtimeMs, size: found.size }] : []
    })
    .toSorted((a, b) => b.at - a.at)
  let total = 0
  for (const { path, at, size } of files) {
    total += size
    if (total > mostBytes || now - at > longestMs) rmSync(path, { force: true })
  }
}
