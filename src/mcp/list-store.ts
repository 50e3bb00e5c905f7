import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../config/make-directory.ts'
import { isRecord } from '../catalog/source.ts'
import { readFault, type Fault } from './fault.ts'
import { hashText } from './fingerprint.ts'
import { listDirectory } from './list-directory.ts'

/** What a server listed when it was last asked. */
export interface SeenList {
  /** Milliseconds since 1970. */
  readonly seenAt: number
  readonly tools: readonly unknown[]
}

/** Attempts since the last one that worked. */
export interface Failures {
  readonly count: number
  readonly lastAt: number
  readonly cause: Fault
}

/** What is remembered of one server. */
export interface ServerMemory {
  readonly list: SeenList | null
  readonly failures: Failures | null
}

const format = 1
const largestFile = 64 * 1024 * 1024
const nothing: ServerMemory = { list: null, failures: null }

/** The file name of a server; names which a file system could confuse or refuse carry a hash. */
function fileName(server: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(server)) return `${server}.json`
  return `${server.slice(0, 40).replaceAll(/[^A-Za-z0-9_-]/g, '-')}.${hashText(server)}.json`
}

/**
 * Reads what is remembered of a server: its last tool list if it was made under the same config, and its last failures. A file
 * that is missing, damaged, too large or of another config remembers nothing.
 */
export function readMemory(stateDir: string, server: string, fingerprint: string): ServerMemory {
  const file = join(listDirectory(stateDir), fileName(server))
  try {
    const stats = statSync(file)
    if (!stats.isFile() || stats.size > largestFile) return nothing
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isRecord(value) || value['format'] !== format || value['server'] !== server) return nothing
    if (value['fingerprint'] !== fingerprint) return nothing
    return { list: readList(value['list']), failures: readFailures(value['failures']) }
  } catch {
    return nothing
  }
}

function readList(value: unknown): SeenList | null {
  if (!isRecord(value)) return null
  const { seenAt, tools } = value
  return typeof seenAt === 'number' && isTime(seenAt) && Array.isArray(tools) ? { seenAt, tools } : null
}

function readFailures(value: unknown): Failures | null {
  if (!isRecord(value)) return null
  const { count, lastAt, cause } = value
  if (typeof count !== 'number' || typeof lastAt !== 'number' || !isTime(lastAt)) return null
  const fault = readFault(cause)
  return fault === null ? null : { count, lastAt, cause: fault }
}

function isTime(value: number): boolean {
  return Math.abs(value) <= 8.64e15
}

/** Remembers a server, for the owner's eyes only and whole at every moment; a state directory that cannot be written is no failure of the question. */
export function writeMemory(
  stateDir: string,
  server: string,
  fingerprint: string,
  memory: ServerMemory,
): boolean {
  const directory = listDirectory(stateDir)
  const file = join(directory, fileName(server))
  const next = `${file}.${process.pid}`
  try {
    makeDirectory(directory)
    writeFileSync(next, JSON.stringify({ format, server, fingerprint, ...memory }), { mode: 0o600 })
    renameSync(next, file)
    return true
  } catch {
    discard(next)
    return false
  }
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // It could not be made either.
  }
}
