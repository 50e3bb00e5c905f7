import type { Bounds } from '../bounds.ts'

/** How a heartbeat went, in the words of the agent. */
export interface HeartbeatOutcome {
  readonly outcome: string
  readonly notify: boolean
  readonly summary: string
  readonly notificationText?: string
  readonly priority?: string
  /** Milliseconds until the next one, where the agent wants another time than the config says. */
  readonly nextCheckMs?: number
}

/** What runs scheduled work in this program. */
export interface AutomationService {
  /** Begins to run jobs, when the program is ready for them. */
  start(): void
  /** Ends what is under way. */
  close(): Promise<void>
  /** Where jobs run: in this program, in another one of the same state directory, or nowhere, since the config says so or their lock cannot be taken. */
  readonly runs: 'here' | 'elsewhere' | 'off' | 'stuck'
  /** Ids of the jobs that run now. */
  readonly running: readonly string[]
  /** Milliseconds since 1970; null where nothing is due. */
  readonly nextWakeMs: number | null
  /** The jobs have changed. */
  changed(): void
  /** Runs a job now and returns the id of the run. Errors as of a job that is unknown, running or cannot run. */
  run(jobId: string): Promise<string>
  /** Tells a session something, and has its agent answer where that is wanted. */
  wake(
    to: {
      readonly agentId: string
      readonly sessionKey: string
      readonly owner: boolean
      /** What the answer is kept to. */
      readonly bounds: Bounds
    },
    text: string,
    wake: 'now' | 'next',
  ): void
  /** Keeps how the heartbeat that is under way in a session went; false where none is. */
  heartbeat(sessionKey: string, outcome: HeartbeatOutcome): boolean
}
