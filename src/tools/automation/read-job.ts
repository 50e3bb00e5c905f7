import type { Args } from '../../calls/types.ts'
import { isRecord } from '../../config/path-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { Job, Payload, Schedule } from './job.ts'
import { cronOf, nextRun } from './plan.ts'
import { durationMs, longestMs, timeMs } from './times.ts'

/** Reads a schedule as a tool is given it. Error: INPUT_INVALID with the field that is missing or wrong. */
export function readSchedule(given: unknown, nowMs: number): Schedule {
  const fields: Args = isRecord(given) ? given : {}
  switch (fields['kind']) {
    case 'at': {
      const at = textIn(fields, 'at', 'schedule.at')
      const atMs = timeMs(at, nowMs)
      if (atMs === null)
        throw wrong(`schedule.at: ${showName(at)} is no time`, ['at: 2026-12-24T18:00:00+01:00', 'at: 20m'])
      if (atMs < nowMs - 60_000)
        throw wrong(`schedule.at: ${new Date(atMs).toISOString()} has passed`, ['at: 1m'])
      return { kind: 'at', atMs }
    }
    case 'every': {
      const { everyMs: wanted, every } = fields
      const everyMs =
        typeof wanted === 'number' ? wanted : typeof every === 'string' ? durationMs(every) : null
      if (everyMs === null || everyMs < 1_000 || everyMs > longestMs) {
        const most = 'of at least a second and at most a hundred years'
        throw wrong(`schedule.every: it needs a duration ${most}`, ['every: 15m'])
      }
      return { kind: 'every', everyMs, anchorMs: nowMs }
    }
    case 'cron': {
      const tz = fields['tz']
      const expr = textIn(fields, 'expr', 'schedule.expr')
      const schedule: Schedule = { kind: 'cron', expr, ...(typeof tz === 'string' && { tz }) }
      cronOf(schedule)
      if (nextRun(schedule, nowMs) === null)
        throw wrong(`schedule.expr: ${showName(expr)} is never again`, [])
      return schedule
    }
    default:
      throw wrong('schedule.kind: it is at, every or cron', [])
  }
}

/** Reads what a job does. Error: INPUT_INVALID. */
export function readPayload(given: unknown): Payload {
  const fields: Args = isRecord(given) ? given : {}
  const { kind, wake, model, timeoutSeconds } = fields
  if (kind === 'systemEvent') {
    return { kind, text: textIn(fields, 'text', 'payload.text'), wake: wake === 'next' ? 'next' : 'now' }
  }
  return {
    kind: 'agentTurn',
    message: textIn(fields, 'message', 'payload.message'),
    ...(typeof model === 'string' && { model }),
    ...(typeof timeoutSeconds === 'number' && { timeoutSeconds }),
  }
}

/** A name for a job that was given none. */
export function usualName({ payload }: Pick<Job, 'payload'>): string {
  const words = payload.kind === 'systemEvent' ? payload.text : payload.message
  const line = words.split('\n', 1)[0]?.trim() ?? ''
  return line.length > 60 ? `${line.slice(0, 57).toWellFormed()}…` : line
}

function textIn(fields: Args, key: string, path: string): string {
  const value = fields[key]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw wrong(`${path}: it is missing`, [])
}

function wrong(message: string, hints: readonly string[]): OpenClawError {
  return new OpenClawError('INPUT_INVALID', message, { hints })
}
