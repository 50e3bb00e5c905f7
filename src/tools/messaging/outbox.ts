import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'
import type { Config } from '../../config/types.ts'
import { isRecord } from '../../config/path-value.ts'
import { withLock } from '../../config/write/lock.ts'
import type { Channel } from '../../plugins/authoring.ts'
import { accountOf } from './accounts.ts'

type Settings = NonNullable<NonNullable<Config['channels']>['outbox']>

const usualFile = 'outbox/messages.ndjson'
const usualMaxBytes = 16 * 1024 * 1024
const usualTarget = 'default'

/** A message as a line of the outbox. */
interface Line {
  readonly id: string
  readonly to: string
}

/**
 * The channel that appends messages to a file, one JSON object a line, for other programs to take. A line that a crash has cut
 * short is ended before the next one; a file that has grown large is kept once, as `<file>.1`.
 */
export function outboxChannel(settings: Settings, stateDir: string, clock: () => number): Channel {
  const placeOf = (accountId: string | null): { file: string; maxBytes: number } => {
    const { file = usualFile, maxFileBytes = usualMaxBytes } = accountOf('outbox', settings, accountId)
    return { file: resolve(stateDir, file), maxBytes: maxFileBytes }
  }
  return {
    id: 'outbox',
    label: 'Outbox file',
    actions: ['read'],
    send: async ({ id, to, accountId, ...message }, { signal }) => {
      const { file, maxBytes } = placeOf(accountId)
      const target = to ?? usualTarget
      const line = { id, sentAt: new Date(clock()).toISOString(), to: target, accountId, ...message }
      makeDirectory(dirname(file))
      await withLock(file, { signal }, async () => append(file, `${JSON.stringify(line)}\n`, maxBytes))
      return { messageId: id, to: target }
    },
    act: async ({ to, accountId, params }) => {
      const limit = typeof params['limit'] === 'number' ? params['limit'] : 20
      const all = linesOf(placeOf(accountId).file)
      const messages = to === null ? all : all.filter((line) => line.to === to)
      return { messages: messages.slice(-limit), total: messages.length }
    },
    list: async () => {
      const targets = new Set(linesOf(placeOf(null).file).map(({ to }) => to))
      return [...targets].map((to) => ({ to }))
    },
  }
}

function append(file: string, line: string, maxBytes: number): void {
  let fd = openSync(file, 'a+', 0o600)
  try {
    const { size } = fstatSync(fd)
    if (size > 0 && size + line.length > maxBytes) {
      closeSync(fd)
      renameSync(file, `${file}.1`)
      fd = openSync(file, 'a+', 0o600)
    } else if (size > 0) {
      const last = Buffer.alloc(1)
      readSync(fd, last, 0, 1, size - 1)
      if (last.toString() !== '\n') writeSync(fd, '\n')
    }
    writeSync(fd, line)
  } finally {
    closeSync(fd)
  }
}

function linesOf(file: string): Line[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line): Line[] => {
    try {
      const value: unknown = JSON.parse(line)
      return isRecord(value) && typeof value['to'] === 'string' && typeof value['id'] === 'string'
        ? [{ ...value, id: value['id'], to: value['to'] }]
        : []
    } catch {
      // Cut short by a crash, or the empty text behind the last line.
      return []
    }
  })
}
