import type { Context } from '../../policy/context.ts'
import type { View } from '../../policy/view.ts'
import type { Job } from './job.ts'

/** Whether a session may have less than its agent: one of a group, of somebody who is not the owner, or of a sub-agent. */
export function isBound(context: Context): boolean {
  const { groupIds, subagentDepth, toolsAllow, inherited, isOwner, sender } = context
  const isLess = toolsAllow !== null || inherited !== null || isOwner === false
  return isLess || groupIds.length > 0 || subagentDepth > 0 || sender !== null
}

/** What keeps the runs of a job to the tools of the session that makes it, where that has fewer than its agent. */
export function boundsOf({ context, decisions }: View): Pick<Job, 'toolsAllow' | 'sandboxed'> {
  const visible = decisions.flatMap(({ tool, verdict }) => (verdict === 'visible' ? [tool.name] : []))
  return { ...(isBound(context) && { toolsAllow: visible }), ...(context.sandboxed && { sandboxed: true }) }
}

/** A job as it is shown, with times that can be read. */
export function shownJob({ schedule, state, createdAtMs, updatedAtMs, ...job }: Job): object {
  const { nextRunAtMs, plannedAtMs: _none, runningAtMs, lastRunAtMs, ...rest } = state
  return {
    ...job,
    schedule: schedule.kind === 'at' ? { kind: 'at', at: iso(schedule.atMs) } : schedule,
    createdAt: iso(createdAtMs),
    updatedAt: iso(updatedAtMs),
    nextRunAt: nextRunAtMs === undefined ? null : iso(nextRunAtMs),
    running: runningAtMs !== undefined,
    lastRunAt: lastRunAtMs === undefined ? null : iso(lastRunAtMs),
    ...rest,
  }
}

/** A time as it is shown. */
export const iso = (ms: number): string => new Date(ms).toISOString()
