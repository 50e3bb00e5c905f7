import { opendirSync, readlinkSync, type BigIntStats } from 'node:fs'
import type { ToolResult } from '../../calls/types.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { idOf, Swapped, type Dir } from './dir.ts'
import { inputError, notFound } from './errors.ts'
import { listEntries, mostDirectoryEntries, mostListEntries } from './limits.ts'
import type { Scope } from './scope.ts'
import { visit, type Spot } from './walk.ts'

export interface ListInput {
  readonly path?: string
  readonly limit?: number
}

interface Entry {
  readonly name: string
  readonly type: 'file' | 'directory' | 'link' | 'other'
  /** Bytes of a file. */
  readonly size?: number
  /** Where a link points, as it says. */
  readonly target?: string
}

/** Lists a directory by name, up to a bound; links are named and not followed. Errors: INPUT_INVALID, TOOL_DENIED, TOOL_FAILED. */
export function lsTool(scope: Scope, { path = '.', limit = listEntries }: ListInput): ToolResult {
  return visit(scope, path, {}, (spot) =>
    within(spot, (dir) => {
      const { names, isWhole } = namesOf(dir)
      const most = Math.min(limit, mostListEntries)
      const entries = names.slice(0, most).flatMap((name) => entryOf(dir, name))
      const truncated = names.length > most || !isWhole
      const text = entries.map(lineOf).join('\n')
      const total = isWhole ? names.length : null
      const notes = truncated
        ? [
            `[${entries.length} of ${total ?? `more than ${mostDirectoryEntries}`} entries. Use limit (up to ${mostListEntries}) for more.]`,
          ]
        : names.length === 0
          ? [`[${showName(path, 200)} is empty.]`]
          : []
      return {
        content: [text, ...notes].filter((each) => each !== '').map((each) => ({ type: 'text', text: each })),
        details: { path: spot.path, entries, total, truncated },
      }
    }),
  )
}

function within(spot: Spot, work: (dir: Dir) => ToolResult): ToolResult {
  const { dir, name, stat, given } = spot
  if (name === null) return work(dir)
  if (stat === null) throw notFound(given, dir, name, spot.path)
  if (!stat.isDirectory())
    throw inputError(`${showName(given, 300)} is no directory`, given, ['use read for a file'])
  const open = dir.child(name)
  try {
    if (open.id !== idOf(stat)) throw new Swapped(spot.path)
    return work(open)
  } finally {
    open.close()
  }
}

function namesOf(dir: Dir): { names: string[]; isWhole: boolean } {
  const names: string[] = []
  const open = opendirSync(dir.here, { bufferSize: 512 })
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      if (names.length === mostDirectoryEntries) return { names: names.toSorted(), isWhole: false }
      names.push(entry.name)
    }
  } finally {
    open.closeSync()
  }
  return { names: names.toSorted(), isWhole: true }
}

function entryOf(dir: Dir, name: string): Entry[] {
  let stat: BigIntStats | null
  try {
    stat = dir.stat(name)
  } catch {
    return [{ name, type: 'other' }]
  }
  if (stat === null) return []
  if (stat.isFile()) return [{ name, type: 'file', size: Number(stat.size) }]
  if (stat.isDirectory()) return [{ name, type: 'directory' }]
  if (!stat.isSymbolicLink()) return [{ name, type: 'other' }]
  try {
    return [{ name, type: 'link', target: readlinkSync(dir.at(name)) }]
  } catch {
    return [{ name, type: 'link' }]
  }
}

function lineOf({ name, type, size, target }: Entry): string {
  const shown = showName(name, 300)
  if (type === 'directory') return `${shown}/`
  if (type === 'link')
    return target === undefined ? `${shown} (link)` : `${shown} -> ${showName(target, 300)}`
  return type === 'file' ? `${shown} (${size} bytes)` : `${shown} (pipe, socket or device)`
}
