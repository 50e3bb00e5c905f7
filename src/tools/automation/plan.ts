import { Cron } from 'croner'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { Job, JobState, RunOutcome, Schedule } from './job.ts'
import { correctionMs } from './times.ts'

/** Milliseconds to wait after the first failure in a row, the second, … */
const backoffMs = [30_000, 60_000, 300_000, 900_000, 3_600_000] as const
/** Failures in a row after which a job that runs once is given up. */
const mostTries = 3

/** When a schedule is due next after a time; null where it never is again. Pure. */
export function nextRun(schedule: Schedule, afterMs: number): number | null {
  switch (schedule.kind) {
    case 'at':
      return schedule.atMs
    case 'every': {
      // The anchor may lie ahead: the clock was wrong when the job was made.
      const { everyMs, anchorMs } = schedule
      return anchorMs + (Math.floor((afterMs - anchorMs) / everyMs) + 1) * everyMs
    }
    case 'cron':
      return cronOf(schedule).nextRun(new Date(afterMs))?.getTime() ?? null
  }
}

/** A cron expression that has been read. Error: INPUT_INVALID for one that cannot be, or an unknown time zone. */
export function cronOf({ expr, tz }: Extract<Schedule, { kind: 'cron' }>): Cron {
  try {
    const cron = new Cron(expr, { paused: true, ...(tz !== undefined && { timezone: tz }) })
    // A wrong time zone shows only when a time is asked for.
    cron.nextRun(new Date(0))
    return cron
  } catch (error) {
    const why = cleanLine(error instanceof Error ? error.message : String(error), 200)
    throw new OpenClawError('INPUT_INVALID', `the schedule cannot be read: ${why}`, {
      hints: ['expr: "0 9 * * 1-5" is every weekday at 9', 'tz: Europe/Berlin'],
    })
  }
}

/** A job with its next time, found anew where none was looked for, or where the clock was set back since; else as it is. Pure. */
export function planned(job: Job, nowMs: number): Job {
  const { plannedAtMs } = job.state
  if (!job.enabled || (plannedAtMs !== undefined && plannedAtMs <= nowMs + correctionMs)) return job
  return withState(job, planAfter(job, nowMs))
}

/** Whether a job has to run now; however many of its times have passed, it is once. Pure. */
export function isDue({ enabled, state }: Job, nowMs: number): boolean {
  return enabled && state.nextRunAtMs !== undefined && state.nextRunAtMs <= nowMs
}

/** When something has to be done next; null where nothing has. Pure. */
export function nextWake(jobs: readonly Job[]): number | null {
  const times = jobs.flatMap(({ enabled, state }) =>
    enabled && state.nextRunAtMs !== undefined ? [state.nextRunAtMs] : [],
  )
  return times.length === 0 ? null : Math.min(...times)
}

/** A job whose run has begun. Pure. */
export function begun(job: Job, nowMs: number): Job {
  return withState(job, { ...planAfter(job, nowMs), runningAtMs: nowMs })
}

/** A job that was due while it was still running. Pure. */
export function passedOver(job: Job, nowMs: number): Job {
  return withState(job, planAfter(job, nowMs))
}

/** A job whose run has ended; null where it is to be deleted. Failures push the next run back. Pure. */
export function ended(
  job: Job,
  outcome: RunOutcome | { readonly status: 'interrupted'; readonly error: string },
  times: {
    readonly startMs: number
    readonly nowMs: number
  },
): Job | null {
  const { startMs, nowMs } = times
  const isOnce = job.schedule.kind === 'at'
  const { runningAtMs: _over, lastError: _old, ...state } = job.state
  const last = {
    lastRunAtMs: startMs,
    lastStatus: outcome.status,
    lastDurationMs: Math.max(0, nowMs - startMs),
  }
  if (outcome.status === 'ok') {
    if (isOnce && job.deleteAfterRun) return null
    return { ...job, enabled: job.enabled && !isOnce, state: { ...state, ...last, failures: 0 } }
  }
  const failures = (state.failures ?? 0) + 1
  const lastError = cleanLine(outcome.error ?? 'it failed', 500)
  const failed = { ...state, ...last, failures, lastError }
  if (isOnce && failures >= mostTries) {
    const disabledReason = `it failed ${failures} times: ${lastError}`
    return { ...job, enabled: false, state: { ...failed, disabledReason } }
  }
  const earliest = nowMs + (backoffMs[Math.min(failures, backoffMs.length) - 1] ?? 0)
  const { nextRunAtMs } = isOnce ? { nextRunAtMs: earliest } : failed
  return {
    ...job,
    state: {
      ...failed,
      plannedAtMs: nowMs,
      ...(nextRunAtMs !== undefined && { nextRunAtMs: Math.max(nextRunAtMs, earliest) }),
    },
  }
}

/** A job that the program switches off. Pure. */
export function disabled(job: Job, reason: string): Job {
  const { nextRunAtMs: _none, runningAtMs: _over, ...state } = job.state
  return { ...job, enabled: false, state: { ...state, disabledReason: cleanLine(reason, 300) } }
}

function planAfter({ schedule, state }: Job, nowMs: number): Pick<JobState, 'nextRunAtMs' | 'plannedAtMs'> {
  // What runs once is not due again while it runs, nor when it has run.
  const isOver = schedule.kind === 'at' && state.lastStatus === 'ok'
  const isNow = schedule.kind === 'at' && state.nextRunAtMs !== undefined && state.nextRunAtMs <= nowMs
  const next = isOver || isNow ? null : nextRun(schedule, nowMs)
  return { plannedAtMs: nowMs, ...(next !== null && { nextRunAtMs: next }) }
}

function withState({ state, ...job }: Job, change: Partial<JobState>): Job {
  const { nextRunAtMs: _old, ...rest } = state
  return { ...job, state: { ...rest, ...change } }
}
