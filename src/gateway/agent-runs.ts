import { randomUUID } from 'node:crypto'
import type { ElevatedDirective } from '../agent/directives.ts'
import type { AgentEvent, AgentResult } from '../agent/events.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { GatewayHost, SessionRef } from './host.ts'
import { toRpcError } from './rpc-error.ts'

/** Runs that have ended and can still be asked about. */
const mostEnded = 200
/** Runs that are under way or wait at the same time. */
const mostRunning = 64

export interface AgentRunsOptions {
  /** Told of everything that happens in runs. */
  readonly emit: (payload: object) => void
  readonly host: GatewayHost
  readonly clock: () => number
  readonly closing: AbortSignal
}

/** What a client asks an agent. */
export interface AgentAsk extends SessionRef {
  readonly message: string
  readonly directive?: ElevatedDirective | null
  readonly client?: string
  readonly model?: string | undefined
  readonly owner: boolean
  readonly idempotencyKey?: string | undefined
}

/** How a run ended, as `agent.wait` tells it. */
type RunEnd =
  | { readonly status: 'ok'; readonly endedAt: number; readonly result: AgentResult }
  | { readonly status: 'error'; readonly endedAt: number; readonly error: object }

interface Run {
  readonly runId: string
  readonly acceptedAt: number
  readonly abort: AbortController
  readonly ended: Promise<RunEnd>
  isOver: boolean
}

/** The agent runs that clients have begun over the protocol. */
export class AgentRuns {
  readonly #options: AgentRunsOptions
  readonly #runs = new Map<string, Run>()

  constructor(options: AgentRunsOptions) {
    this.#options = options
  }

  /** Begins a run, or finds the one that was begun with the same key. TOOL_UNAVAILABLE where no more runs can be taken. */
  start(ask: AgentAsk): { readonly runId: string; readonly acceptedAt: number } {
    const { host, clock } = this.#options
    const { agent } = host
    const runId = ask.idempotencyKey ?? randomUUID()
    const known = this.#runs.get(runId)
    if (known !== undefined) return { runId, acceptedAt: known.acceptedAt }
    if (this.#running() >= mostRunning) {
      throw new OpenClawError('TOOL_UNAVAILABLE', 'too many runs are under way', {
        data: { retryAfterMs: 1_000 },
      })
    }
    const acceptedAt = clock()
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, this.#options.closing])
    let seq = 0
    let where = { sessionKey: ask.sessionKey ?? null, agentId: ask.agentId ?? null }
    const tell = (told: { readonly stream: string; readonly data: object }): void => {
      seq += 1
      this.#options.emit({ runId, ...where, ...told, seq, ts: clock() })
    }
    const emit = (event: AgentEvent): void => {
      // Callers may have left it to the config which session it is.
      if (event.type === 'start') where = { sessionKey: event.sessionKey, agentId: event.agentId }
      tell(described(event))
    }
    const { idempotencyKey: _key, model, ...rest } = ask
    const ended = agent.run({ ...rest, runId, emit, signal, ...(model !== undefined && { model }) }).then(
      (result): RunEnd => ({ status: 'ok', endedAt: clock(), result }),
      (error: unknown): RunEnd => {
        const told = toRpcError(error, 'agent')
        tell({ stream: 'lifecycle', data: { phase: 'error', error: told.message } })
        return { status: 'error', endedAt: clock(), error: told }
      },
    )
    const run: Run = { runId, acceptedAt, abort, ended, isOver: false }
    this.#runs.set(runId, run)
    void ended.then(() => this.#over(run))
    return { runId, acceptedAt }
  }

  /** Whether a run is under way or waits. */
  get isBusy(): boolean {
    return this.#running() > 0
  }

  /** Waits for the end of a run, at most so many milliseconds. INPUT_INVALID for a run that nobody knows. */
  async wait(runId: string, timeoutMs: number, signal: AbortSignal): Promise<object> {
    const run = this.#known(runId)
    const { promise: late, resolve } = Promise.withResolvers<null>()
    const timer = setTimeout(() => resolve(null), timeoutMs)
    const onGone = (): void => resolve(null)
    signal.addEventListener('abort', onGone, { once: true })
    try {
      const end = await Promise.race([run.ended, late])
      return { runId, ...(end ?? { status: 'timeout' }) }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onGone)
    }
  }

  /** Ends a run; whether there was something to end. */
  abort(runId: string): boolean {
    const run = this.#known(runId)
    if (run.isOver) return false
    run.abort.abort(new OpenClawError('ABORTED', 'the run was aborted'))
    return true
  }

  #running(): number {
    return [...this.#runs.values()].filter(({ isOver }) => !isOver).length
  }

  #known(runId: string): Run {
    const run = this.#runs.get(runId)
    if (run !== undefined) return run
    throw new OpenClawError('INPUT_INVALID', `unknown run "${runId.slice(0, 80)}"`)
  }

  #over(run: Run): void {
    run.isOver = true
    const ended = [...this.#runs.values()].filter(({ isOver }) => isOver)
    for (const { runId } of ended.slice(0, Math.max(0, ended.length - mostEnded))) this.#runs.delete(runId)
  }
}

/** An event of a run in the streams of the protocol (gateway facts §6.1). */
function described(event: AgentEvent): { readonly stream: string; readonly data: object } {
  switch (event.type) {
    case 'text':
      return { stream: 'assistant', data: { delta: event.delta } }
    case 'thinking':
      return { stream: 'thinking', data: { delta: event.delta } }
    case 'call-start':
      return {
        stream: 'tool',
        data: { phase: 'start', name: event.name, toolCallId: event.callId, args: event.args },
      }
    case 'call-update':
      return { stream: 'tool', data: { phase: 'update', toolCallId: event.callId, text: event.text } }
    case 'call-end': {
      const { type: _type, callId, ...rest } = event
      return { stream: 'tool', data: { phase: 'end', toolCallId: callId, ...rest } }
    }
    case 'message':
      return { stream: 'usage', data: { usage: event.message.usage, payload: event.payload } }
    case 'end':
      return { stream: 'lifecycle', data: { phase: 'end', ended: event.result.ended } }
    default: {
      const { type, ...rest } = event
      return { stream: 'lifecycle', data: { phase: type, ...rest } }
    }
  }
}
