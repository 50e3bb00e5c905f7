import type { Args } from '../../calls/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { CodingToolOptions } from '../options.ts'
import { durationMs } from './times.ts'

/** Keeps what an agent says of the heartbeat that is under way. Errors: INPUT_INVALID for a time that is none, TOOL_UNAVAILABLE where none is under way. */
export function respondToHeartbeat({ view, services }: CodingToolOptions, args: Args): object {
  const { outcome, notify, summary, notificationText, priority, nextCheck } = args
  const nextCheckMs = typeof nextCheck === 'string' ? durationMs(nextCheck) : undefined
  if (nextCheckMs === null) {
    throw new OpenClawError('INPUT_INVALID', `nextCheck: ${showName(String(nextCheck))} is no duration`, {
      hints: ['nextCheck: 20m'],
    })
  }
  const isKept = services.automation?.heartbeat(view().context.sessionKey, {
    outcome: String(outcome),
    notify: notify === true,
    summary: String(summary),
    ...(typeof notificationText === 'string' && { notificationText }),
    ...(typeof priority === 'string' && { priority }),
    ...(nextCheckMs !== undefined && { nextCheckMs }),
  })
  if (isKept === true) return { recorded: true, outcome, notify }
  throw new OpenClawError('TOOL_UNAVAILABLE', 'no heartbeat is under way in this session', {
    hints: ['heartbeats run in a Gateway: agents.defaults.heartbeat.every'],
  })
}
