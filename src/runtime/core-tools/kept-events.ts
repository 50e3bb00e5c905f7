import { createHash, randomUUID } from 'node:crypto'
import { appendFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'
import { systemFailure } from '../../kernel/system-error.ts'
import { textIfThere } from '../../sessions/text-file.ts'
import type { SystemEvents } from '../../tools/system-events.ts'
import { kept, mostWaiting, systemEvents } from './system-events.ts'

/** Bytes of a file after which the oldest of its texts go. */
const mostBytes = 2 * 1024 * 1024

/**
 * A queue that outlives the program, so that a reminder which a session was to hear of with its next message is not lost with it: a file per session
 * below `events/` of the state directory, one text a line. Where the disk takes nothing, texts wait in memory.
 */
export function keptEvents(stateDir: () => string, tell: (text: string) => void): SystemEvents {
  const memory = systemEvents()
  const directory = (): string => join(stateDir(), 'events')
  const fileOf = (sessionKey: string): string => join(directory(), nameOf(sessionKey))
  const attempt = <Value>(work: () => Value, otherwise: Value): Value => {
    try {
      return work()
    } catch (error) {
      const why = systemFailure(error, 'INTERNAL') ?? error
      tell(`what sessions are to hear of is not kept: ${why instanceof Error ? why.message : String(why)}`)
      return otherwise
    }
  }
  // What cannot be taken does not count: whoever goes on until nothing waits would never end.
  let isStuck = false
  const take = (sessionKey: string): readonly string[] => {
    isStuck = true
    const texts = takeAll(directory(), nameOf(sessionKey))
    isStuck = false
    return texts
  }
  return {
    push: (sessionKey, text) => {
      const isKept = attempt(() => {
        makeDirectory(directory())
        append(fileOf(sessionKey), kept(text))
        return true
      }, false)
      if (!isKept) memory.push(sessionKey, text)
    },
    take: (sessionKey) => [...attempt(() => take(sessionKey), []), ...memory.take(sessionKey)],
    count: (sessionKey) => {
      const stored = isStuck ? 0 : attempt(() => linesOf(textIfThere(fileOf(sessionKey))).length, 0)
      return stored + memory.count(sessionKey)
    },
  }
}

/** Keys differ in case, and hold more than names of files do. */
function nameOf(sessionKey: string): string {
  const key = sessionKey.toLowerCase()
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12)
  return `${key.replaceAll(/[^a-z0-9-]+/g, '-').slice(0, 80)}.${hash}.ndjson`
}

function append(file: string, text: string): void {
  const line = `${JSON.stringify(text)}\n`
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size + line.length <= mostBytes) {
    // A line that a crash has cut short must not take the next one along.
    appendFileSync(file, size === 0 ? line : `\n${line}`, { mode: 0o600 })
    return
  }
  const left = [...linesOf(textIfThere(file)).slice(-mostWaiting), text]
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, left.map((each) => `${JSON.stringify(each)}\n`).join(''), { mode: 0o600 })
  renameSync(temporary, file)
}

/** Takes the texts of a file out of the way of others first, so that nobody else takes them as well; what a crash has left so comes along. */
function takeAll(directory: string, name: string): readonly string[] {
  if (statSync(directory, { throwIfNoEntry: false }) === undefined) return []
  try {
    renameSync(join(directory, name), join(directory, `${name}.${randomUUID()}.taken`))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const taken = readdirSync(directory)
    .filter((each) => each.startsWith(`${name}.`) && each.endsWith('.taken'))
    .map((each) => join(directory, each))
  const texts = taken.flatMap((file) => linesOf(textIfThere(file)))
  for (const file of taken) rmSync(file, { force: true })
  return texts.slice(-mostWaiting)
}

function linesOf(text: string | null): string[] {
  return (text ?? '').split('\n').flatMap((line): string[] => {
    try {
      const value: unknown = JSON.parse(line)
      return typeof value === 'string' ? [value] : []
    } catch {
      return []
    }
  })
}
