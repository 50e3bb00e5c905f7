import type { Tool } from '../catalog/types.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { ToolCallContext } from '../plugins/authoring.ts'
import { runAfterToolCall, runBeforeToolCall, type Hooks, type WantedApproval } from '../plugins/hooks.ts'
import type { View } from '../policy/view.ts'
import { stoppedBy } from './approvals/stopped.ts'
import type { ApprovalDesk } from './approvals/types.ts'
import { blocked } from './blocked.ts'
import { checkArgs, isTrusted, outputCheck, takeArgs, type OutputCheck } from './check-args.ts'
import { CallRecord, type PassedCall } from './call-record.ts'
import type { Recorder } from './events.ts'
import type { Executor, FindExecutor } from './executor.ts'
import { hiddenTool, passage, refusal, type Closed } from './gate.ts'
import { Lanes } from './lanes.ts'
import type { LoopGuard, OpenCall } from './loop/guard.ts'
import { failure, runTool, toCallError } from './run-tool.ts'
import { resultSnapshot } from './snapshot.ts'
import { nameOf } from './tool-name.ts'
import type { Args, CallBlocked, CallFailed, CallOutcome, CallRequest } from './types.ts'

/** What the guarded path of one run stands on. */
export interface CallsOptions {
  /** The session as it is judged now; asked anew for every call. */
  readonly view: () => View
  readonly executor: FindExecutor
  readonly hooks: Hooks
  readonly loop: LoopGuard
  readonly approvals: ApprovalDesk
  readonly record: Recorder
  /** Told to hooks. */
  readonly context: ToolCallContext
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** A short type of a tool's input, for messages about wrong arguments. */
  readonly inputHint?: (tool: Tool) => string
}

/** A call on its way: what is known of it so far. */
interface Passing extends PassedCall {
  args: Args
  ran: boolean
  open: OpenCall | null
}

/**
 * The one way to run a tool: gate, input check, `before_tool_call` hooks, check of the merged input, loop detection, approval of exactly these
 * arguments, execution, output check, `after_tool_call` hooks, record. Whatever happens is an outcome; nothing is thrown.
 */
export class GuardedCalls {
  readonly #options: CallsOptions
  readonly #lanes = new Lanes()
  readonly #record: CallRecord

  constructor(options: CallsOptions) {
    this.#options = options
    this.#record = new CallRecord(options)
  }

  /** Calls a tool on behalf of the session. */
  async call(request: CallRequest): Promise<CallOutcome> {
    const { clock, view } = this.#options
    const startedAt = clock()
    const gate = passage(view(), request.tool)
    if (!gate.open) return this.#refuse(request, gate)
    const passing: Passing = {
      request,
      tool: gate.tool,
      name: nameOf(gate.tool),
      args: Object.freeze({}),
      ran: false,
      open: null,
    }
    const began = performance.now()
    let outcome: CallOutcome
    try {
      outcome = await this.#pass(passing)
    } catch (error) {
      outcome = failure(toCallError(error, request.signal))
    }
    passing.open?.settle(endOf(outcome))
    const durationMs = performance.now() - began
    if (passing.ran) await this.#tellAfter(passing, outcome, durationMs)
    this.#record.ended(passing, outcome, startedAt, durationMs)
    return outcome
  }

  /** A call of something that is no tool in reach of the model; the answer says no more than that. */
  unknown(
    name: string,
    call: Pick<CallRequest, 'callId' | 'parentCallId'>,
    error: OpenClawError,
  ): CallFailed | CallBlocked {
    const finding = this.#options.loop.checkUnknown(name)
    // Who reads the log may know what the model may not: that there is such a tool, and what hides it.
    const hidden = hiddenTool(this.#options.view(), name)
    const kind = hidden === null ? 'unknown' : hidden.verdict === 'hidden' ? 'denied' : 'unavailable'
    const by = hidden?.step ?? 'catalogue'
    this.#record.note(kind, showName(name), call, { by, reason: hidden?.reason ?? error.message })
    return finding === null
      ? failure(error)
      : blocked('loop-detection', finding.message, { data: { finding } })
  }

  /** Checks a call without making it: gate, executor and input; throws what would end it. */
  async check(tool: Tool, given: unknown): Promise<Args> {
    const gate = passage(this.#options.view(), tool)
    if (!gate.open) throw refusal(tool, gate)
    const { id } = nameOf(gate.tool)
    this.#executorOf(gate.tool)
    const args = takeArgs(given, id)
    await checkArgs(gate.tool, args, id, () => this.#hint(gate.tool))
    await outputCheck(gate.tool, id)
    return args
  }

  async #pass(passing: Passing): Promise<CallOutcome> {
    const { request, tool, name } = passing
    const executor = this.#executorOf(tool)
    passing.args = takeArgs(request.args, name.id)
    await checkArgs(tool, passing.args, name.id, () => this.#hint(tool))
    const output = await outputCheck(tool, name.id)

    const before = await this.#askHooks(passing)
    if ('stop' in before) return before.stop

    const verdict = this.#options.loop.check(tool.name, passing.args)
    if ('blocked' in verdict) {
      const { message, detector, count } = verdict.blocked
      return blocked('loop-detection', message, { data: { detector, count } })
    }
    passing.open = verdict.open
    if (verdict.warning) {
      const { message } = verdict.warning
      this.#record.warn(passing, message, verdict.warning)
    }

    const own = (await executor.approval?.(passing.args)) ?? null
    const stop = await this.#askApproval(
      passing,
      own === null ? before.approvals : [...before.approvals, own],
    )
    if (stop !== null) return stop
    return this.#execute(passing, executor, output)
  }

  /** Lets hooks change, block or question the call. */
  async #askHooks(
    passing: Passing,
  ): Promise<{ readonly stop: CallBlocked } | { readonly approvals: readonly WantedApproval[] }> {
    const { hooks, context } = this.#options
    const { tool, name, request } = passing
    if (hooks.before_tool_call.length === 0) return { approvals: [] }
    const outcome = await runBeforeToolCall(
      hooks.before_tool_call,
      { toolName: tool.name, params: passing.args, toolCallId: request.callId },
      context,
    )
    request.signal.throwIfAborted()
    if (outcome.decision === 'block') {
      const by = outcome.cause === 'asked' ? 'plugin-before-tool-call' : 'plugin-hook-failed'
      return { stop: blocked(by, outcome.reason, { data: { pluginId: outcome.pluginId } }) }
    }
    if (outcome.params !== passing.args) {
      passing.args = takeArgs(outcome.params, name.id)
      await checkArgs(tool, passing.args, name.id, () => this.#hint(tool), 'hooks of plugins changed them')
    }
    return { approvals: outcome.approvals }
  }

  async #askApproval(passing: Passing, wanted: readonly WantedApproval[]): Promise<CallBlocked | null> {
    if (wanted.length === 0) return null
    const { approvals, context } = this.#options
    const { tool, name, args, request } = passing
    const { agentId, sessionKey } = context
    const question = { tool: name, args, agentId, sessionKey, wanted, schema: tool.parameters }
    const answer = await approvals.decide(question, request.signal)
    request.signal.throwIfAborted()
    return stoppedBy(answer, question)
  }

  async #execute(passing: Passing, executor: Executor, output: OutputCheck | null): Promise<CallOutcome> {
    const { request, tool, args } = passing
    const run = () => {
      passing.ran = true
      return runTool(executor, args, request)
    }
    const alone = tool.executionMode === 'sequential'
    const end = executor.nests === true ? await run() : await this.#lanes.run(alone, request.signal, run)
    if ('failure' in end) return end.failure
    const result = resultSnapshot(end.returned.result)
    if (end.returned.failed === true) {
      return { ...failure(new OpenClawError('TOOL_FAILED', saidIn(result, tool.name))), result }
    }
    const wrong = output?.(result.details) ?? null
    return wrong === null ? { status: 'ok', result } : failure(wrong)
  }

  async #tellAfter(passing: Passing, outcome: CallOutcome, durationMs: number): Promise<void> {
    const { hooks, context } = this.#options
    if (hooks.after_tool_call.length === 0) return
    const { tool, args, request } = passing
    const problems = await runAfterToolCall(
      hooks.after_tool_call,
      {
        toolName: tool.name,
        params: args,
        toolCallId: request.callId,
        ...(outcome.result && { result: outcome.result }),
        ...(outcome.status !== 'ok' && { error: outcome.message }),
        durationMs,
      },
      context,
    )
    for (const { pluginId, problem } of problems) {
      this.#record.warn(passing, `the after_tool_call hook of plugin ${pluginId} failed: ${problem}`)
    }
  }

  #refuse(request: CallRequest, gate: Closed): CallOutcome {
    const { name } = request.tool
    const kind = gate.verdict === 'hidden' ? 'denied' : 'unavailable'
    this.#record.note(kind, name, request, { by: gate.step, reason: gate.reason })
    const error = refusal(request.tool, gate)
    if (gate.verdict !== 'hidden') return failure(error)
    return blocked('policy', error.message, { hints: error.hints, data: error.data })
  }

  #executorOf(tool: Tool): Executor {
    const found = this.#options.executor(tool)
    if ('run' in found) return found
    throw new OpenClawError('TOOL_UNAVAILABLE', `${tool.name} cannot be called here: ${found.unavailable}`, {
      hints: found.hints ?? [],
      data: { tool: tool.name, reason: found.unavailable },
    })
  }

  #hint(tool: Tool): string | undefined {
    return isTrusted(tool) ? this.#options.inputHint?.(tool) : undefined
  }
}

/** What a result says in its first words, for tools that return their failure. */
function saidIn(
  { content }: { readonly content: readonly { readonly type: string; readonly text?: string }[] },
  name: string,
): string {
  const text = content.find((block) => block.type === 'text' && block.text?.trim())?.text?.trim() ?? ''
  return text === '' ? `${name} failed and did not say why` : text.slice(0, 1000).toWellFormed()
}

function endOf(outcome: CallOutcome) {
  const { result } = outcome
  if (outcome.status === 'ok')
    return { failed: false, content: outcome.result.content, details: outcome.result.details }
  const said = { type: 'text', text: outcome.message }
  return { failed: true, content: result?.content ?? [said], details: result?.details }
}
