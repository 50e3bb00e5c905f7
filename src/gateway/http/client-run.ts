import { randomBytes } from 'node:crypto'
import type { AgentEvent, AgentResult } from '../../agent/events.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { AgentService, ClientCall, RunRequest } from '../agent-service.ts'

/** A call that the client of a run has to make, by the id that the client knows it under. */
export interface OpenCall {
  readonly callId: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What a run has come to: its end, or calls that its client has to make first. */
export type Segment =
  | { readonly kind: 'ended'; readonly text: string; readonly result: AgentResult }
  | { readonly kind: 'calls'; readonly text: string; readonly calls: readonly OpenCall[] }

/** Milliseconds a client has for the result of a call. */
const clientMs = 600_000
/** Runs that wait for clients at the same time. */
const mostWaiting = 200

interface Pending extends OpenCall {
  readonly answer: (output: string) => void
}

/** A run that a client follows request by request: it stands still while the client makes a call, so it goes on with the real result. */
export class ClientRun {
  readonly sessionKey: string
  readonly #abort = new AbortController()
  readonly #ended: Promise<AgentResult>
  readonly #pending = new Map<string, Pending>()
  readonly #told = new Set<string>()
  #onText: ((delta: string) => void) | null = null
  #text = ''
  /** Calls of the model that are under way. */
  #underWay = 0
  #wake: () => void = () => {}
  #isOver = false

  constructor(
    agent: AgentService,
    request: Omit<RunRequest, 'emit' | 'runClientTool' | 'signal'>,
    closing: AbortSignal,
  ) {
    this.sessionKey = request.sessionKey ?? ''
    const signal = AbortSignal.any([this.#abort.signal, closing])
    this.#ended = agent.run({
      ...request,
      signal,
      emit: (event) => this.#take(event),
      runClientTool: (call, aborted) => this.#ask(call, aborted),
    })
    const over = (): void => {
      this.#isOver = true
      this.#wake()
    }
    this.#ended.then(over, over)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Ids of the calls that the client was told of and has not answered. */
  get openCalls(): readonly string[] {
    return [...this.#pending.keys()].filter((callId) => this.#told.has(callId))
  }

  /** Gives a call its result; whether it waited for one. */
  answer(callId: string, output: string): boolean {
    const pending = this.#pending.get(callId)
    // At once, so that nobody takes it for one that still waits.
    this.#pending.delete(callId)
    pending?.answer(output)
    return pending !== undefined
  }

  /** Waits until the run has ended or cannot go on without the client. Throws what ended the run. */
  async next(onText: (delta: string) => void): Promise<Segment> {
    this.#onText = onText
    this.#text = ''
    try {
      while (!this.#isOver && !this.#needsClient()) {
        const { promise, resolve } = Promise.withResolvers<void>()
        this.#wake = resolve
        await promise
      }
      const text = this.#text
      if (this.#isOver) return { kind: 'ended', text, result: await this.#ended }
      const calls = [...this.#pending.values()].map(({ callId, name, args }) => ({ callId, name, args }))
      for (const { callId } of calls) this.#told.add(callId)
      return { kind: 'calls', text, calls }
    } finally {
      this.#onText = null
    }
  }

  stop(reason: string): void {
    this.#abort.abort(new OpenClawError('ABORTED', reason))
  }

  /** Every call that is under way has come to the client, so nothing else happens before it answers. */
  #needsClient(): boolean {
    return this.#pending.size > 0 && this.#underWay <= this.#pending.size
  }

  #take(event: AgentEvent): void {
    if (event.type === 'text') {
      this.#text += event.delta
      this.#onText?.(event.delta)
    } else if (event.type === 'call-start') this.#underWay += 1
    else if (event.type === 'call-end') {
      this.#underWay -= 1
      this.#wake()
    }
  }

  async #ask({ name, args }: ClientCall, signal: AbortSignal): Promise<string> {
    const callId = `call_${randomBytes(12).toString('hex')}`
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const timer = setTimeout(() => {
      reject(new OpenClawError('TIMEOUT', `the client gave no result of ${name} within ${clientMs / 1000} s`))
    }, clientMs)
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#pending.set(callId, { callId, name, args, answer: resolve })
    this.#wake()
    try {
      signal.throwIfAborted()
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      this.#pending.delete(callId)
    }
  }
}

/** The runs that wait for their clients. */
export class ClientRuns {
  readonly #runs = new Set<ClientRun>()

  /** Keeps a run that its client has to go on with; the oldest gives way when there are too many. */
  keep(run: ClientRun): void {
    this.#runs.add(run)
    const [oldest] = this.#runs
    if (this.#runs.size > mostWaiting && oldest !== undefined) {
      oldest.stop('too many runs wait for their clients')
      this.#runs.delete(oldest)
    }
  }

  /** The run that waits for one of these calls, which is given their results; null where none does. */
  resume(outputs: ReadonlyMap<string, string>): ClientRun | null {
    for (const run of this.#runs) {
      const own = run.openCalls.filter((callId) => outputs.has(callId))
      if (own.length === 0) continue
      this.#runs.delete(run)
      for (const callId of own) run.answer(callId, outputs.get(callId) ?? '')
      return run
    }
    return null
  }

  /** Ends the run of a session that waits for calls: its client has begun something else. */
  abandon(sessionKey: string): void {
    for (const run of this.#runs) {
      if (!run.isOver && run.sessionKey !== sessionKey) continue
      run.stop('the client went on without the results of its calls')
      this.#runs.delete(run)
    }
  }
}
