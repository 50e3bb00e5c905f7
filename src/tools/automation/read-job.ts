import type { Args } from '../../calls/types.ts'
import { agentKey, requireAgentId } from '../../config/agents.ts'
import { isRecord } from '../../config/path-value.ts'
import type { Config } from '../../config/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { Context } from '../../policy/context.ts'
import { tryParseSessionKey } from '../../sessions/key.ts'
import { resolveTarget } from '../../sessions/target.ts'
import { namedModel } from '../sessions/models.ts'
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

/**
 * The agent that works and the session that is told; a session alone names its agent. Without any they are those of the context, and of another
 * agent it is the main session. Errors: UNKNOWN_AGENT, INPUT_INVALID for a key that is none, or of another agent than the one that is named.
 */
export function placeOf(
  config: Config,
  context: Pick<Context, 'agentId' | 'sessionKey'>,
  agentId: unknown,
  sessionKey: unknown,
): Pick<Job, 'agentId' | 'sessionKey'> {
  const written = typeof sessionKey === 'string' ? sessionKey : undefined
  const key = written === undefined ? undefined : tryParseSessionKey(written)
  if (key === null) throw wrong(`${showName(written ?? '')} is no session key`, [])
  const agent = typeof agentId === 'string' ? agentId : (key?.agentId ?? context.agentId)
  const id = requireAgentId(config, agent)
  if (key?.agentId && agentKey(key.agentId) !== agentKey(id))
    throw wrong(`the session ${showName(written ?? '')} is not one of agent ${showName(id)}`, [
      'leave out agentId',
    ])
  if (written === undefined && id === context.agentId) return { agentId: id, sessionKey: context.sessionKey }
  return { agentId: id, sessionKey: resolveTarget(config, { agentId: id, sessionKey: written }).sessionKey }
}

/** Reads what a job does. Error: INPUT_INVALID, also for a model that no run could ask. */
export function readPayload(given: unknown, config: Config): Payload {
  const fields: Args = isRecord(given) ? given : {}
  const { kind, wake, model, timeoutSeconds } = fields
  if (kind === 'systemEvent') {
    return { kind, text: textIn(fields, 'text', 'payload.text'), wake: wake === 'next' ? 'next' : 'now' }
  }
  if (typeof model === 'string') namedModel(config, model)
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
