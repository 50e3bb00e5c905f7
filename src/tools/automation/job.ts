/** When a job runs. */
export type Schedule =
  /** Once. */
  | { readonly kind: 'at'; readonly atMs: number }
  /** Again and again, counted from `anchorMs`. */
  | { readonly kind: 'every'; readonly everyMs: number; readonly anchorMs: number }
  /** As a cron expression of five or six fields says, in a time zone; absent is that of this machine. */
  | { readonly kind: 'cron'; readonly expr: string; readonly tz?: string }

/** What a job does. */
export type Payload =
  /** Tells a session something; with wake `now` its agent answers at once, else it hears of it with its next message. */
  | { readonly kind: 'systemEvent'; readonly text: string; readonly wake: 'now' | 'next' }
  /** Has the agent work on a message in a session of its own, which begins anew each time. */
  | {
      readonly kind: 'agentTurn'
      readonly message: string
      readonly model?: string
      readonly timeoutSeconds?: number
    }

/** Where the last words of an agent turn go. */
export interface JobDelivery {
  readonly channel: string
  readonly to: string | null
  readonly accountId: string | null
}

/** How a run ended. */
export type RunStatus = 'ok' | 'error' | 'skipped' | 'interrupted'

/** What is known of the runs of a job. */
export interface JobState {
  /** Absent where it will not run any more. */
  readonly nextRunAtMs?: number
  /** When `nextRunAtMs` was looked for; a time in the future says that the clock was set back. */
  readonly plannedAtMs?: number
  readonly runningAtMs?: number
  readonly lastRunAtMs?: number
  readonly lastStatus?: RunStatus
  readonly lastError?: string
  readonly lastDurationMs?: number
  /** Failures since the last success. */
  readonly failures?: number
  /** Why it was switched off by the program. */
  readonly disabledReason?: string
}

/** Work that is done at its time. */
export interface Job {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly agentId: string
  /** The session that is told, and the one that made the job. */
  readonly sessionKey: string
  readonly enabled: boolean
  readonly schedule: Schedule
  readonly payload: Payload
  readonly delivery?: JobDelivery
  readonly deleteAfterRun: boolean
  /** False where whoever made it does not own the agent. */
  readonly owner: boolean
  /** Tools of the session that made it, where that had fewer than the agent; its runs have no others. */
  readonly toolsAllow?: readonly string[]
  /** Whether that session was sandboxed, so that its runs are. */
  readonly sandboxed?: true
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly state: JobState
}

/** A line of the history of a job. */
export interface RunRecord {
  readonly at: string
  readonly runId: string
  readonly status: RunStatus
  readonly durationMs?: number
  /** Milliseconds after its time, where it was late. */
  readonly lateMs?: number
  readonly summary?: string
  readonly error?: string
  readonly delivered?: boolean
}

/** What came of running the work of a job. */
export interface RunOutcome {
  readonly status: 'ok' | 'error'
  readonly summary?: string
  readonly error?: string
  readonly delivered?: boolean
}
