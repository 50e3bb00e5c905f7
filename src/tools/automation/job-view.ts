import type { Job } from './job.ts'

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
