import type { ToolRun } from '../calls/tool-run.ts'
import type { View } from '../policy/view.ts'
import { buildPayload } from '../tool-search/payload.ts'
import { CallDesk } from './call-desk.ts'
import type { AgentEvent, AgentResult, CallSummary, RunEnd, TurnPayload } from './events.ts'
import { recentHistory, withoutImages } from './history.ts'
import type { Journal } from './journal.ts'
import type { Inbox } from './inbox.ts'
import { longestHistory, longestResult, usualLimits, type RunLimits } from './limits.ts'
import {
  addUsage,
  callsOf,
  noUsage,
  textOf,
  type AssistantMessage,
  type Message,
  type ToolResultMessage,
  type Usage,
} from './messages.ts'
import { ModelChoice, type Candidate } from './model-choice.ts'
import type { Model, ModelAnswer, ModelDelta, ModelRequest } from './providers/provider.ts'
import type { ModelRef } from './providers/settings.ts'
import { replayable } from './replay.ts'
import { usualRetries, type RetryPolicy } from './retry.ts'
import { systemPrompt } from './system-prompt.ts'
import { turnPayload, type TurnRequest } from './turn-payload.ts'

/** The tools of a turn: the session as it is judged for it, and the guarded path of the run. */
export interface TurnTools {
  readonly view: View
  readonly tools: Pick<ToolRun, 'call' | 'calls'>
}

export interface AgentRun {
  readonly runId: string
  readonly agentId: string
  readonly sessionKey: string
  readonly sessionId: string
  /** What the user says. */
  readonly text: string
  /** What was said before. */
  readonly history: readonly Message[]
  /** Models to ask, the first one that answers; not empty. */
  readonly candidates: readonly Candidate[]
  /** Judges the session anew for this model; asked before every request, because configs are reloaded and MCP servers change their lists. */
  readonly openTurn: (ref: ModelRef) => Promise<TurnTools>
  readonly journal: Journal
  readonly emit: (event: AgentEvent) => void
  readonly signal: AbortSignal
  /** False asks for whole answers; the run is the same. */
  readonly stream?: boolean
  /** What the run hears besides; without it a run ends with the model's last message. */
  readonly inbox?: Inbox
  readonly limits?: RunLimits
  readonly retries?: RetryPolicy
}

/**
 * Answers one message of the user: asks the model, makes the calls it wants through the guarded path, tells it what came of them, until it
 * has nothing more to call or a limit is reached. Everything is in the journal the moment it happens. Throws PROVIDER_FAILED when no model
 * answers, and the signal's reason when it is aborted; the journal then says so, too.
 */
export async function runAgent(run: AgentRun): Promise<AgentResult> {
  return new Running(run).toEnd()
}

class Running {
  readonly #run: AgentRun
  readonly #limits: RunLimits
  readonly #models: ModelChoice
  readonly #messages: Message[]
  readonly #turns: TurnPayload[] = []
  readonly #calls: CallSummary[] = []
  readonly #startedAt = performance.now()
  #usage: Usage = noUsage
  #bytes = 0
  /** Text of the message that is coming. */
  #partial = ''
  #isAsking = false
  #desk: CallDesk | null = null
  #endTurn: (() => void) | null = null
  #isOver = false
  /** What was said last. */
  #said: string

  constructor(run: AgentRun) {
    this.#run = run
    this.#said = run.text
    this.#limits = run.limits ?? usualLimits
    this.#messages = [...run.history]
    const { candidates, signal, retries = usualRetries } = run
    this.#models = new ModelChoice(candidates, retries, signal, {
      onRetry: (retry) => {
        this.#partial = ''
        run.emit({ type: 'retry', ...retry })
      },
      onFallback: (from, to, message) => {
        this.#partial = ''
        run.emit({ type: 'fallback', from, to, message })
      },
      onChange: (ref) => run.journal.model(ref),
    })
  }

  async toEnd(): Promise<AgentResult> {
    const { run, signal } = { run: this.#run, signal: this.#run.signal }
    signal.throwIfAborted()
    const { runId, sessionKey, agentId } = run
    run.emit({ type: 'start', runId, sessionKey, agentId })
    this.#hear(run.text)
    // At once and in this very call: the program may be gone before anything else gets its turn.
    const onAbort = (): void => this.#writeEnd('aborted', reasonOf(signal.reason))
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      for (;;) {
        const message = await this.#turn()
        const ended = await this.#afterTurn(message)
        const more = await this.#more(ended)
        if (more !== null) this.#hear(more)
        else if (ended !== null) return this.#result(message, ended)
      }
    } catch (error) {
      this.#writeEnd('error', reasonOf(error))
      throw error
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  #hear(text: string): void {
    this.#said = text
    this.#add({ role: 'user', content: [{ type: 'text', text }], timestamp: Date.now() })
  }

  /** What the run goes on with; where it would end, that is waited for. */
  async #more(ended: RunEnd | null): Promise<string | null> {
    const { inbox, signal } = this.#run
    if (inbox === undefined) return null
    const isFull = this.#turns.length >= this.#limits.turns
    if (ended === null && !inbox.yielded) return inbox.take()
    if ((ended !== null && ended !== 'stop') || isFull) return null
    const more = await inbox.next()
    signal.throwIfAborted()
    return more
  }

  /** One request, one message. */
  async #turn(): Promise<AssistantMessage> {
    const { signal, emit, journal } = this.#run
    this.#isAsking = true
    const { answer, request, turn, model } = await this.#models.ask(async (asked) => {
      const open = await this.#openTurn(asked)
      return async () => ({ ...open, model: asked, answer: await this.#ask(asked, open.request) })
    })
    this.#isAsking = false
    const { message, bytes } = answer
    // What was not streamed is told at once, so that listeners need not care.
    const whole = textOf(message)
    if (this.#partial === '' && whole !== '') emit({ type: 'text', delta: whole })
    this.#partial = ''
    const at = { turn: this.#turns.length + 1, provider: model.provider, model: model.id }
    const payload = turnPayload(at, turn.view, request, bytes)
    this.#turns.push(payload)
    this.#add(message)
    this.#usage = addUsage(this.#usage, message.usage)
    this.#bytes += bytes.response
    emit({ type: 'message', message, payload })
    this.#desk = new CallDesk({
      ...turn,
      payload: request.payload,
      signal,
      longest: longestResult(model.contextWindow),
      emit,
      take: (result, summary) => this.#takeResult(result, summary),
    })
    this.#endTurn = () => journal.turn(payload, turn)
    return message
  }

  /** What this model is sent; the same in every attempt. */
  async #openTurn(model: Model): Promise<{ readonly turn: TurnTools; readonly request: TurnRequest }> {
    const { openTurn, signal, stream = true } = this.#run
    const turn = await openTurn({ provider: model.provider, model: model.id })
    signal.throwIfAborted()
    const { contextWindow } = model
    const payload = buildPayload(turn.view, {
      userText: this.#said,
      ...(contextWindow !== null && { contextTokens: contextWindow }),
    })
    const recent = recentHistory(this.#messages, longestHistory(contextWindow))
    const system = systemPrompt(turn.view, payload.prompt)
    const messages = replayable(model.readsImages ? recent : withoutImages(recent))
    return { turn, request: { system, messages, tools: payload.tools, stream, payload } }
  }

  #ask(model: Model, request: ModelRequest): Promise<ModelAnswer> {
    const { signal, emit } = this.#run
    const onDelta = (delta: ModelDelta): void => {
      if (delta.type === 'toolCall' || this.#isOver) return
      if (delta.type === 'text') this.#partial += delta.delta
      emit(delta)
    }
    return model.ask(request, { signal, onDelta })
  }

  /** Makes the calls of a message; why the run ends with it, or null where it goes on. */
  async #afterTurn(message: AssistantMessage): Promise<RunEnd | null> {
    const calls = callsOf(message)
    if (calls.length === 0 || message.stopReason !== 'toolUse') this.#closeTurn()
    if (message.stopReason === 'error') return 'filtered'
    // Calls of a message that was cut off may lack half of their arguments.
    if (message.stopReason === 'length') return 'length'
    if (calls.length === 0) return 'stop'
    await this.#desk?.make(calls)
    this.#run.signal.throwIfAborted()
    this.#closeTurn()
    if (this.#turns.length >= this.#limits.turns) return 'turn-limit'
    return this.#bytes > this.#limits.bytes ? 'byte-limit' : null
  }

  #takeResult(result: ToolResultMessage, summary: CallSummary): void {
    if (this.#isOver) return
    this.#add(result)
    this.#calls.push(summary)
    this.#bytes += Buffer.byteLength(JSON.stringify(result.content))
  }

  /** Tells the journal what the turn was, once all of it is over. */
  #closeTurn(): void {
    this.#endTurn?.()
    this.#endTurn = null
  }

  #add(message: Message): void {
    this.#messages.push(message)
    this.#run.journal.message(message)
  }

  /** Writes what ends a run before its time: results for the calls that are under way, and as much of the message as came. */
  #writeEnd(stopReason: 'aborted' | 'error', why: string): void {
    if (this.#isOver) return
    for (const result of this.#desk?.open(why) ?? []) this.#add(result)
    if (this.#isAsking) {
      const { provider, model, api } = this.#models.current
      this.#add({
        role: 'assistant',
        content: this.#partial === '' ? [] : [{ type: 'text', text: this.#partial }],
        api,
        provider,
        model,
        usage: noUsage,
        stopReason,
        errorMessage: why,
        timestamp: Date.now(),
      })
    }
    this.#closeTurn()
    this.#isOver = true
  }

  #result(message: AssistantMessage, ended: RunEnd): AgentResult {
    const { runId, agentId, sessionKey, sessionId, emit } = this.#run
    const result = {
      runId,
      agentId,
      sessionKey,
      sessionId,
      provider: message.provider,
      model: message.model,
      text: textOf(message),
      ended,
      usage: this.#usage,
      turns: this.#turns,
      calls: this.#calls,
      durationMs: Math.round(performance.now() - this.#startedAt),
    }
    this.#isOver = true
    emit({ type: 'end', result })
    return result
  }
}

function reasonOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
