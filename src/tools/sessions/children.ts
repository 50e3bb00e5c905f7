import { randomUUID } from 'node:crypto'
import { OpenClawError } from '../../kernel/errors.ts'
import type { SystemEvents } from '../system-events.ts'
import { isWithin } from '../bounds.ts'
import { isActive, type Child, type ChildOrder, type ChildStatus } from './child.ts'
import type { RunTurn, TurnEnd } from './turns.ts'

/** How a parent learns what came of a sub-agent: by a turn of its own where it is idle, with its next message, or not at all. */
export type News = 'turn' | 'later' | 'none'

export interface ChildrenOptions {
  readonly runTurn: RunTurn
  readonly events: SystemEvents
  readonly clock: () => number
  readonly tell: (text: string) => void
  /** Ends all of them. */
  readonly signal: AbortSignal
  /** Whether a session waits for its own sub-agents; it takes no place meanwhile. */
  readonly isIdle: (sessionKey: string) => boolean
  /** Told in the moment in which one has ended. */
  readonly onOver: (child: Child, news: News) => void
  /** Lets the program know of work that goes on. */
  readonly keep: (work: Promise<void>) => void
}

interface LiveChild {
  facts: Child
  abort: AbortController
  /** What is done with its session when it has ended. */
  readonly onEnd: (child: Child) => Promise<void>
  news: News
}

/** Sub-agents that have ended and are still known. */
const mostEnded = 200

/** The sub-agents of one program. */
export class Children {
  readonly #options: ChildrenOptions
  readonly #all = new Map<string, LiveChild>()

  constructor(options: ChildrenOptions) {
    this.#options = options
  }

  /** Those that a session has begun, the oldest first. */
  of(sessionKey: string): readonly Child[] {
    const key = sessionKey.toLowerCase()
    return [...this.#all.values()].flatMap(({ facts }) =>
      facts.parentKey.toLowerCase() === key ? [facts] : [],
    )
  }

  /** Begins one, now or when others have ended. */
  spawn(order: ChildOrder, onEnd: (child: Child) => Promise<void>): Child {
    const { signal, clock } = this.#options
    signal.throwIfAborted()
    const runId = randomUUID()
    const startedAt = clock()
    const facts: Child = { ...order, ...fresh, runId, startedAt, totalTokens: 0 }
    const child: LiveChild = { facts, abort: new AbortController(), onEnd, news: 'turn' }
    this.#all.set(runId, child)
    this.pump()
    return child.facts
  }

  /** Tells one something: while it runs it hears it before its next request, afterwards it goes on with it, with no more rights than whoever tells it. Errors: INPUT_INVALID for one that is not known, TOOL_DENIED for one that runs with more rights. */
  tell(runId: string, text: string, by: Pick<Child, 'owner' | 'bounds'>): Child {
    const child = this.#known(runId)
    const { facts } = child
    if (isActive(facts)) {
      if ((facts.owner && !by.owner) || !isWithin(facts.parentBounds, by.bounds)) {
        throw new OpenClawError('TOOL_DENIED', 'it was begun with more rights than you have', {
          hints: ['send it more once it has ended: it then goes on with your rights'],
        })
      }
      this.#options.events.push(facts.sessionKey, `Your parent says: ${text}`)
      return facts
    }
    child.abort = new AbortController()
    child.news = 'turn'
    const rights = { owner: facts.owner && by.owner, bounds: by.bounds, parentBounds: by.bounds }
    child.facts = { ...facts, ...fresh, ...rights, task: text, startedAt: this.#options.clock() }
    this.pump()
    return child.facts
  }

  /** Ends one and those below it; false where it has ended already. */
  kill(runId: string, why: string, news: News): boolean {
    const child = this.#known(runId)
    if (!isActive(child.facts)) return false
    child.news = news
    this.killAll(child.facts.sessionKey, why, 'none')
    child.abort.abort(new OpenClawError('ABORTED', why))
    if (child.facts.status === 'queued') this.#over(child, { status: 'killed', error: why })
    return true
  }

  /** Ends all of a session; how many there were to end. */
  killAll(sessionKey: string, why: string, news: News): number {
    return this.of(sessionKey).filter(({ runId }) => this.kill(runId, why, news)).length
  }

  /** Begins those that wait, as far as there are places. */
  pump(): void {
    const { clock, isIdle, keep } = this.#options
    for (const child of this.#all.values()) {
      if (child.facts.status !== 'queued') continue
      const running = [...this.#all.values()].filter(
        ({ facts }) => facts.status === 'running' && !isIdle(facts.sessionKey),
      )
      if (running.length >= child.facts.mostRunning) continue
      child.facts = { ...child.facts, status: 'running', startedAt: clock() }
      keep(this.#run(child))
    }
  }

  async #run(child: LiveChild): Promise<void> {
    const { agentId, sessionKey, task, owner, bounds, limitMs } = child.facts
    const { abort } = child
    const late = new OpenClawError('TIMEOUT', `it did not end within ${limitMs / 1000} s`)
    const timer = limitMs > 0 ? setTimeout(() => abort.abort(late), limitMs) : undefined
    const signal = AbortSignal.any([abort.signal, this.#options.signal])
    let came: Partial<Child>
    try {
      came = outcomeOf(
        await this.#options.runTurn({ agentId, sessionKey, text: task, owner, bounds, signal }),
      )
    } catch (error) {
      const status: ChildStatus = !signal.aborted ? 'failed' : signal.reason === late ? 'timeout' : 'killed'
      came = { status, error: messageOf(signal.aborted ? signal.reason : error) }
    } finally {
      clearTimeout(timer)
    }
    try {
      await child.onEnd({ ...child.facts, ...came, endedAt: this.#options.clock() })
    } catch (error) {
      this.#options.tell(`the session of a sub-agent is not updated: ${messageOf(error)}`)
    }
    this.#over(child, came)
  }

  #over(child: LiveChild, came: Partial<Child>): void {
    const { clock, onOver, signal } = this.#options
    const { totalTokens } = child.facts
    child.facts = { ...child.facts, ...came, endedAt: clock() }
    child.facts = { ...child.facts, totalTokens: totalTokens + (came.totalTokens ?? 0) }
    onOver(child.facts, signal.aborted && child.news === 'turn' ? 'later' : child.news)
    const ended = [...this.#all.values()].filter(({ facts }) => !isActive(facts))
    for (const { facts } of ended.slice(0, Math.max(0, ended.length - mostEnded)))
      this.#all.delete(facts.runId)
    this.pump()
  }

  #known(runId: string): LiveChild {
    const child = this.#all.get(runId)
    if (child === undefined) throw new OpenClawError('INPUT_INVALID', 'that sub-agent is not known here')
    return child
  }
}

const fresh = { status: 'queued', endedAt: null, text: null, error: null } as const

function outcomeOf({ text, ended, usage }: TurnEnd): Partial<Child> {
  const isWell = ended === 'stop' || ended === 'length'
  const { totalTokens } = usage
  return isWell
    ? { status: 'done', text, totalTokens }
    : { status: 'failed', text, totalTokens, error: `it ended by ${ended}` }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
