import { randomBytes } from 'node:crypto'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanText } from '../../kernel/untrusted-text.ts'
import type { Job, RunOutcome } from './job.ts'
import { begun, disabled, ended, isDue, nextWake, passedOver, planned } from './plan.ts'
import type { JobStore } from './store.ts'

/** What a scheduler is made from. */
export interface SchedulerOptions {
  readonly store: JobStore
  /** Milliseconds since 1970; may jump either way. */
  readonly clock: () => number
  /** Does the work of a job. What it throws is a failure of the run. */
  readonly work: (job: Job, runId: string, signal: AbortSignal) => Promise<RunOutcome>
  /** Why a job can never run as things are, as for an agent that is gone; null where it can. */
  readonly obstacle: (job: Job) => string | null
  /** Runs at the same time. */
  readonly most: number
  /** Says what is beside the answer. */
  readonly tell: (text: string) => void
}

interface Running {
  readonly runId: string
  readonly startMs: number
  readonly done: Promise<void>
}

/** Milliseconds after which the clock and the file are looked at again in any case: either may change without a word. */
const lookMs = 2_000
const soonestMs = 50

/** Runs jobs at their time for as long as the program lasts. A job never runs twice at once, and its missed times are made up for by one run. */
export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #running = new Map<string, Running>()
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | null = null
  #ticking: Promise<void> | null = null
  #isOn = false
  /** Something has changed since the jobs were looked at. */
  #isStale = false
  #isRecovered = false
  #problem = ''

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** Begins: what was under way when the program ended last counts as interrupted. */
  async start(): Promise<void> {
    this.#isOn = true
    await this.tick()
  }

  /** Ids of the jobs that run now. */
  get running(): readonly string[] {
    return [...this.#running.keys()]
  }

  /** When the next job is due; null where none is. */
  get nextWakeMs(): number | null {
    return nextWake(this.#options.store.list())
  }

  /** Looks at the jobs again at once, as after a change. */
  poke(): void {
    if (this.#isOn) void this.tick()
  }

  /** Starts what is due, and waits for the next time; jobs themselves go on behind it. */
  tick(): Promise<void> {
    if (this.#ticking !== null) {
      this.#isStale = true
      return this.#ticking
    }
    this.#ticking = this.#lookUntilFresh().finally(() => (this.#ticking = null))
    return this.#ticking
  }

  /** Runs a job now, whatever its schedule says. Errors: INPUT_INVALID for an unknown one, TOOL_BLOCKED while it runs. */
  async runNow(jobId: string): Promise<string> {
    const { store, clock } = this.#options
    const job = store.list().find(({ id }) => id === jobId)
    if (job === undefined) throw new OpenClawError('INPUT_INVALID', `there is no job ${jobId}`)
    if (this.#running.has(jobId))
      throw new OpenClawError('TOOL_BLOCKED', `the job ${jobId} is running already`)
    const obstacle = this.#options.obstacle(job)
    if (obstacle !== null)
      throw new OpenClawError('TOOL_UNAVAILABLE', `the job ${jobId} cannot run: ${obstacle}`)
    return this.#begin(job, clock())
  }

  /** Resolves when no job runs. */
  async idle(): Promise<void> {
    await this.#ticking
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  /** Ends: runs under way are aborted, and will count as interrupted. */
  async close(): Promise<void> {
    this.#isOn = false
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#closing.abort(new OpenClawError('ABORTED', 'the program is ending'))
    await this.idle()
  }

  async #lookUntilFresh(): Promise<void> {
    let isWell = true
    do {
      this.#isStale = false
      isWell = await this.#look().then(
        () => {
          this.#problem = ''
          return true
        },
        (error: unknown) => {
          this.#complain(`the jobs were not looked at: ${error instanceof Error ? error.message : ''}`)
          return false
        },
      )
    } while (this.#isStale && isWell)
    this.#arm(isWell)
  }

  async #look(): Promise<void> {
    const { store, clock, obstacle, tell, most } = this.#options
    const nowMs = clock()
    if (!this.#isRecovered) await this.#recover(nowMs)
    const changed = new Map<string, Job>()
    const due: Job[] = []
    for (const job of store.list()) {
      const ready = this.#planned(job, nowMs)
      if (ready !== job) changed.set(job.id, ready)
      if (!isDue(ready, nowMs)) continue
      const why = obstacle(ready)
      const running = this.#running.get(job.id)
      if (why !== null) {
        changed.set(job.id, disabled(ready, why))
        tell(`the job ${job.id} (${job.name}) is switched off: ${why}`)
      } else if (running !== undefined) {
        changed.set(job.id, passedOver(ready, nowMs))
        const since = new Date(running.startMs).toISOString()
        const error = `it was still running since ${since}`
        store.record(job.id, { at: new Date(nowMs).toISOString(), runId: '', status: 'skipped', error })
      } else due.push(ready)
    }
    if (changed.size > 0) await store.update((now) => now.map((job) => changed.get(job.id) ?? job))
    // Those that wait for a place stay due.
    for (const job of due.toSorted((a, b) => (a.state.nextRunAtMs ?? 0) - (b.state.nextRunAtMs ?? 0))) {
      if (this.#running.size >= most || !this.#isOn) break
      await this.#begin(job, nowMs)
    }
  }

  /** What the file still has as running was cut off with the program before this one; no other one runs jobs beside it. */
  async #recover(nowMs: number): Promise<void> {
    const { store } = this.#options
    const interrupted: Job[] = []
    const error = 'the program ended while it ran'
    if (store.list().some(({ state }) => state.runningAtMs !== undefined)) {
      await store.update((jobs) =>
        jobs.flatMap((job) => {
          const { runningAtMs } = job.state
          if (runningAtMs === undefined) return [job]
          interrupted.push(job)
          return ended(job, { status: 'interrupted', error }, { startMs: runningAtMs, nowMs }) ?? []
        }),
      )
    }
    this.#isRecovered = true
    for (const { id, state } of interrupted) {
      const at = new Date(state.runningAtMs ?? nowMs).toISOString()
      store.record(id, { at, runId: '', status: 'interrupted', error })
    }
  }

  /** A job with its next time; one whose schedule cannot be read, as a person may have written it, is switched off and holds up no other. */
  #planned(job: Job, nowMs: number): Job {
    try {
      return planned(job, nowMs)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#options.tell(`the job ${job.id} (${job.name}) is switched off: ${why}`)
      return disabled(job, why)
    }
  }

  /** Says what goes wrong at every look once. */
  #complain(problem: string): void {
    if (problem !== this.#problem) this.#options.tell(problem)
    this.#problem = problem
  }

  async #begin(job: Job, nowMs: number): Promise<string> {
    const runId = `cron-${randomBytes(4).toString('hex')}`
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#running.set(job.id, { runId, startMs: nowMs, done: promise })
    try {
      await this.#options.store.update((jobs) =>
        jobs.map((each) => (each.id === job.id ? begun(each, nowMs) : each)),
      )
    } catch (error) {
      this.#running.delete(job.id)
      resolve()
      throw error
    }
    void this.#run(job, runId, nowMs).finally(() => {
      this.#running.delete(job.id)
      resolve()
      this.poke()
    })
    return runId
  }

  async #run(job: Job, runId: string, startMs: number): Promise<void> {
    const { store, clock, work, tell } = this.#options
    const outcome = await work(job, runId, this.#closing.signal).catch((error: unknown): RunOutcome => {
      return { status: 'error', error: error instanceof Error ? error.message : String(error) }
    })
    // Left as running: the next start finds it, and counts it as interrupted.
    if (this.#closing.signal.aborted && outcome.status === 'error') return
    const nowMs = clock()
    const { status, summary, error, delivered } = outcome
    const late = startMs - (job.state.nextRunAtMs ?? startMs)
    try {
      await store.update((jobs) =>
        jobs.flatMap((each) =>
          each.id === job.id ? (ended(each, outcome, { startMs, nowMs }) ?? []) : [each],
        ),
      )
      if (!store.list().some(({ id }) => id === job.id)) return
      store.record(job.id, {
        at: new Date(startMs).toISOString(),
        runId,
        status,
        durationMs: Math.max(0, nowMs - startMs),
        ...(late >= 1_000 && { lateMs: late }),
        ...(summary !== undefined && { summary: cleanText(summary, 2_000) }),
        ...(error !== undefined && { error: cleanText(error, 1_000) }),
        ...(delivered !== undefined && { delivered }),
      })
    } catch (failure) {
      tell(`the end of job ${job.id} was not stored: ${failure instanceof Error ? failure.message : ''}`)
    }
  }

  #arm(isWell: boolean): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (!this.#isOn) return
    const mayStart = isWell && this.#running.size < this.#options.most
    const next = mayStart ? this.nextWakeMs : null
    const wait = next === null ? lookMs : next - this.#options.clock()
    this.#timer = setTimeout(() => void this.tick(), Math.max(soonestMs, Math.min(wait, lookMs))).unref()
  }
}
