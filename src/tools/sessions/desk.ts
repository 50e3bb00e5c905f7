import { randomUUID } from 'node:crypto'
import { OpenClawError } from '../../kernel/errors.ts'
import { withEvents, type SystemEvents } from '../system-events.ts'
import { childNews, isActive, type Child } from './child.ts'
import { Children, type News } from './children.ts'
import { sendTurn, type Sending, type SendEnd } from './sending.ts'
import type { RunTurn, Turn, TurnEnd } from './turns.ts'
import { Waits } from './waits.ts'

export interface DeskOptions {
  readonly runTurn: RunTurn
  readonly events: SystemEvents
  readonly clock: () => number
  /** Says what is beside the answer. */
  readonly tell: (text: string) => void
  /** Ends everything. */
  readonly signal: AbortSignal
  /** True where the program ends with its run: the run waits for sub-agents. Else sessions that are idle get a turn for their results. */
  readonly isOneRun: boolean
}

/** A run that is under way, as the agent loop hears of it. */
export interface DeskRun {
  take(): string | null
  readonly yielded: boolean
  next(): Promise<string | null>
  /** The run is over; one that failed takes its sub-agents along where nobody would hear of them. */
  leave(isWell: boolean): void
}

/** Messages that may lead to one another before somebody else has to say something, and messages of one session that may be under way. */
const mostHops = 10
const mostSent = 20

const goOn = 'Go on with that, and say what came of it.'

/** Runs turns of sessions for each other in one program: sub-agents with their results, and messages between sessions. */
export class SessionDesk {
  readonly children: Children
  readonly #options: DeskOptions
  readonly #closing = new AbortController()
  readonly #signal: AbortSignal
  readonly #waits = new Waits()
  readonly #runs = new Map<string, { yielded: boolean }>()
  readonly #idle = new Set<string>()
  readonly #announcing = new Set<string>()
  /** How many messages between sessions led to a run, by its id; runs that people began are not in it. */
  readonly #hops = new Map<string, number>()
  readonly #sent = new Map<string, number>()
  readonly #background = new Set<Promise<void>>()
  readonly #watchers = new Set<() => void>()

  constructor(options: DeskOptions) {
    this.#options = options
    this.#signal = AbortSignal.any([options.signal, this.#closing.signal])
    this.children = new Children({
      ...options,
      signal: this.#signal,
      isIdle: (sessionKey) => this.#idle.has(sessionKey.toLowerCase()),
      onOver: (child, news) => this.#over(child, news),
      keep: (work) => this.#keep(work),
    })
  }

  /** Begins a run in the lane of its session; aborting it ends the sub-agents of the session. */
  enter(sessionKey: string, isChild: boolean, signal: AbortSignal): DeskRun {
    const { events, isOneRun } = this.#options
    const key = sessionKey.toLowerCase()
    const run = { yielded: false }
    let isOver = false
    this.#runs.set(key, run)
    const close = (): void => {
      if (this.#runs.get(key) === run) this.#runs.delete(key)
    }
    const why = 'the run that began it was ended'
    const onAbort = (): void => void this.children.killAll(sessionKey, why, 'later')
    signal.addEventListener('abort', onAbort, { once: true })
    const news = (): string | null => {
      const texts = events.take(sessionKey)
      return texts.length === 0 ? null : withEvents(texts, '')
    }
    return {
      // A parent may steer a sub-agent at work; to others news come when their turn is over, so that nothing cuts into it.
      take: () => (isChild ? news() : null),
      get yielded() {
        return run.yielded
      },
      next: async () => {
        const { yielded } = run
        run.yielded = false
        if (yielded || isChild || isOneRun) await this.#untilDone(sessionKey, signal)
        const more = news()
        // From here on results come as turns of their own.
        if (more === null && !yielded) close()
        return more
      },
      leave: (isWell) => {
        if (isOver) return
        isOver = true
        signal.removeEventListener('abort', onAbort)
        if (!isWell && (isChild || isOneRun))
          this.children.killAll(sessionKey, 'the run that began it failed', 'later')
        close()
      },
    }
  }

  /** Has the run of a session end its turn; false where there is nothing to wait for. */
  yield(sessionKey: string): boolean {
    const run = this.#runs.get(sessionKey.toLowerCase())
    if (run === undefined) return false
    run.yielded = this.children.of(sessionKey).some(isActive) || this.#options.events.count(sessionKey) > 0
    return run.yielded
  }

  /** Whether a run of the session is under way. */
  isRunning(sessionKey: string): boolean {
    return this.#runs.has(sessionKey.toLowerCase())
  }

  /** Texts that the session will be told with its next message. */
  waiting(sessionKey: string): number {
    return this.#options.events.count(sessionKey)
  }

  /** Resolves when these sub-agents of the session have ended or the time is over; throws the signal's reason. */
  async waitFor(
    sessionKey: string,
    runIds: ReadonlySet<string>,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<void> {
    const late = AbortSignal.timeout(limitMs)
    try {
      await this.#untilDone(sessionKey, AbortSignal.any([signal, late]), runIds)
    } catch (error) {
      signal.throwIfAborted()
      if (!late.aborted) throw error
    }
  }

  /** How many messages between sessions led to a run. */
  hops(runId: string): number {
    return this.#hops.get(runId) ?? 0
  }

  /** Says something to another session. Errors: INPUT_INVALID where the answer would be waited for in a circle, TOOL_BLOCKED where sessions would go on with each other for ever, TOOL_FAILED for too many at once. */
  async send(sending: Sending): Promise<SendEnd> {
    const { events } = this.#options
    const hops = this.hops(sending.fromRun) + 1
    if (hops > mostHops) {
      throw new OpenClawError(
        'TOOL_BLOCKED',
        `${mostHops} messages of sessions have led to one another, and no more may`,
        {
          hints: ['say it in your answer', 'what a person says begins anew'],
        },
      )
    }
    const from = sending.from.toLowerCase()
    const sent = this.#sent.get(from) ?? 0
    if (sent >= mostSent) {
      throw new OpenClawError(
        'TOOL_FAILED',
        `${mostSent} of your messages are under way, and no more may be`,
        {
          hints: ['wait for an answer'],
        },
      )
    }
    const runTurn = async (turn: Turn): Promise<TurnEnd> => {
      this.#sent.set(from, (this.#sent.get(from) ?? 0) + 1)
      try {
        return await this.#counted(turn, hops)
      } finally {
        this.#sent.set(from, (this.#sent.get(from) ?? 1) - 1)
      }
    }
    return sendTurn(sending, {
      runTurn,
      events,
      waits: this.#waits,
      signal: this.#signal,
      changed: () => this.#changed(),
      keep: (work) => this.#keep(work),
    })
  }

  /** Resolves when nothing is under way any more. */
  async done(): Promise<void> {
    while (this.#background.size > 0) await Promise.allSettled(this.#background)
  }

  /** Ends everything that is under way. */
  async close(): Promise<void> {
    this.#closing.abort(new OpenClawError('ABORTED', 'the program is ending'))
    await this.done()
  }

  /** Says what came of a sub-agent; whoever waits for it goes on in the same moment. */
  #over(child: Child, news: News): void {
    const { events, isOneRun, tell } = this.#options
    const isOpen = this.isRunning(child.parentKey)
    if (news !== 'none') {
      if (isOneRun && !isOpen) tell(childNews(child))
      else events.push(child.parentKey, childNews(child))
      if (!isOpen && !isOneRun && news === 'turn') this.#announce(child)
    }
    this.#changed()
  }

  /** Gives an idle parent a turn for what came of its sub-agents. */
  #announce({ parentKey, parentAgentId, owner, parentBounds: bounds, hops }: Child): void {
    const key = parentKey.toLowerCase()
    if (this.#announcing.has(key)) return
    this.#announcing.add(key)
    const { events, tell } = this.#options
    const turn = {
      agentId: parentAgentId,
      sessionKey: parentKey,
      text: goOn,
      owner,
      bounds,
      signal: this.#signal,
    }
    const work = async (): Promise<void> => {
      try {
        while (events.count(parentKey) > 0 && !this.#signal.aborted) await this.#counted(turn, hops)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        if (!this.#signal.aborted) tell(`results of sub-agents wait for ${parentKey}: ${why}`)
      } finally {
        this.#announcing.delete(key)
      }
    }
    this.#keep(work())
  }

  /** Waits for sub-agents of a session, but for those that wait for it themselves. */
  async #untilDone(sessionKey: string, signal: AbortSignal, only?: ReadonlySet<string>): Promise<void> {
    const key = sessionKey.toLowerCase()
    for (;;) {
      signal.throwIfAborted()
      const left = this.children
        .of(sessionKey)
        .filter(
          (child) =>
            isActive(child) &&
            (only?.has(child.runId) ?? true) &&
            !this.#waits.reaches(child.sessionKey, sessionKey),
        )
      if (left.length === 0) return
      const ends = left.map((child) => this.#waits.begin(sessionKey, child.sessionKey))
      this.#idle.add(key)
      this.children.pump()
      try {
        await this.#change(signal)
      } finally {
        this.#idle.delete(key)
        for (const end of ends) end()
      }
    }
  }

  /** Runs a turn that so many messages led to. */
  async #counted(turn: Turn, hops: number): Promise<TurnEnd> {
    const runId = randomUUID()
    this.#hops.set(runId, hops)
    try {
      return await this.#options.runTurn({ ...turn, runId })
    } finally {
      this.#hops.delete(runId)
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#watchers.add(resolve)
    return promise.finally(() => {
      this.#watchers.delete(resolve)
      signal.removeEventListener('abort', onAbort)
    })
  }

  #changed(): void {
    for (const wake of this.#watchers) wake()
  }

  #keep(work: Promise<void>): void {
    const kept = work.finally(() => this.#background.delete(kept))
    this.#background.add(kept)
  }
}
