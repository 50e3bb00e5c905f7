/** What comes in for a session while a run of it is under way. */
export interface Inbox {
  /** What came since it was asked last; the model is told before its next request. */
  take(): string | null
  /** Whether a tool has just ended the turn, to go on with what is waited for. */
  readonly yielded: boolean
  /** Asked when the run would end: what it goes on with, once that is there; null ends it. Throws the reason of the run's signal. */
  next(): Promise<string | null>
}
