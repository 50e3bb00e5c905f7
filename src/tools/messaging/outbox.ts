import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeDirectory } from '../../config/make-directory.ts'
import type { Config } from '../../config/types.ts'
import { isRecord } from '../../config/path-value.ts'
import { withLock } from '../../config/write/lock.ts'
import { textIfThere } from '../../sessions/text-file.ts'
import { systemFailure } from '../../kernel/system-error.ts'
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

/** Appends a line whole or not at all: on a full disk a system call writes a part of it and says that all is well. */
function append(file: string, line: string, maxBytes: number): void {
  const bytes = Buffer.from(line)
  const before = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (before > 0 && before + bytes.length > maxBytes) putAway(file)
  const fd = openSync(file, 'a+', 0o600)
  try {
    const { size } = fstatSync(fd)
    try {
      if (size > 0 && !endsLine(fd, size)) writeFileSync(fd, '\n')
      writeFileSync(fd, bytes)
    } catch (error) {
      if (fstatSync(fd).isFile()) ftruncateSync(fd, size)
      throw systemFailure(error, 'TOOL_FAILED', file) ?? error
    }
  } finally {
    closeSync(fd)
  }
}

function putAway(file: string): void {
  try {
    renameSync(file, `${file}.1`)
  } catch (error) {
    throw systemFailure(error, 'TOOL_FAILED', file) ?? error
  }
}

function endsLine(fd: number, size: number): boolean {
  const last = Buffer.alloc(1)
  readSync(fd, last, 0, 1, size - 1)
  return last.toString() === '\n'
}

function linesOf(file: string): Line[] {
  const text = textIfThere(file) ?? ''
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
