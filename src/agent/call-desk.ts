import type { ToolRun } from '../calls/tool-run.ts'
import type { CallOutcome } from '../calls/types.ts'
import type { Tool } from '../catalog/types.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'
import { cleanLine, showName } from '../kernel/untrusted-text.ts'
import type { View } from '../policy/view.ts'
import { calledName } from '../tool-search/called-name.ts'
import type { ToolPayload } from '../tool-search/payload.ts'
import type { AgentEvent, CallSummary } from './events.ts'
import type { ToolCallPart, ToolResultMessage } from './messages.ts'
import { resultMessage } from './tool-results.ts'

export interface DeskOptions {
  readonly view: View
  readonly tools: Pick<ToolRun, 'call' | 'calls'>
  /** What the model was offered. */
  readonly payload: ToolPayload
  readonly signal: AbortSignal
  /** Characters of one result that the model gets. */
  readonly longest: number
  readonly emit: (event: AgentEvent) => void
  /** Takes every result when it is there. */
  readonly take: (result: ToolResultMessage, summary: CallSummary) => void
}

/** Makes the calls of one message. All start at once, in their order; the guarded path holds back those that must be alone. */
export class CallDesk {
  readonly #options: DeskOptions
  readonly #underWay = new Map<string, ToolCallPart>()
  readonly #offered: ReadonlyMap<string, Tool>

  constructor(options: DeskOptions) {
    this.#options = options
    const { view, payload } = options
    const names = new Set(payload.tools.map(({ name }) => name))
    // The exact name of a tool in the directory may be called as it stands there (tool search facts §1.12).
    if (view.toolSearch.mode === 'directory') for (const { name } of payload.deferred) names.add(name)
    this.#offered = new Map(
      view.decisions.flatMap(({ tool }) =>
        names.has(tool.name) && view.exposure(tool) !== null ? [[tool.name, tool]] : [],
      ),
    )
  }

  /** Makes the calls and waits for all of them. */
  async make(calls: readonly ToolCallPart[]): Promise<void> {
    for (const call of calls) this.#underWay.set(call.id, call)
    await Promise.all(calls.map((call) => this.#make(call)))
  }

  /** Results for the calls that are under way and will not be waited for. */
  open(why: string): readonly ToolResultMessage[] {
    return [...this.#underWay.values()].map((call) =>
      resultMessage(call, failed(new OpenClawError('ABORTED', `No result: ${why}`)), this.#options.longest),
    )
  }

  async #make(call: ToolCallPart): Promise<void> {
    const { emit, signal, longest, take } = this.#options
    const { id: callId, name } = call
    emit({ type: 'call-start', callId, name, args: call.arguments })
    const startedAt = performance.now()
    const outcome = await this.#outcome(call)
    this.#underWay.delete(callId)
    if (signal.aborted) return
    const durationMs = Math.round(performance.now() - startedAt)
    const code = outcome.status === 'ok' ? null : outcome.code
    const summary = { callId, name, status: outcome.status, code, durationMs }
    take(resultMessage(call, outcome, longest), summary)
    emit({
      type: 'call-end',
      ...summary,
      message: outcome.status === 'ok' ? null : cleanLine(outcome.message, 500),
    })
  }

  async #outcome(call: ToolCallPart): Promise<CallOutcome> {
    const { tools, signal, emit } = this.#options
    const { id: callId, name } = call
    const meant = calledName(name, (each) => this.#offered.has(each))
    const tool = meant === null ? undefined : this.#offered.get(meant)
    if (tool === undefined) return tools.calls.unknown(name, { callId }, this.#unknown(name))
    if (call.malformedArguments !== undefined) {
      const shown = cleanLine(call.malformedArguments, 200)
      return failed(
        new OpenClawError('INPUT_INVALID', `The arguments of ${name} are no JSON object: ${shown}`),
      )
    }
    return tools.call({
      tool,
      args: call.arguments,
      callId,
      signal,
      onUpdate: ({ content }) => {
        const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('')
        emit({ type: 'call-update', callId, text })
      },
    })
  }

  /** What a model is told of a name that it was not offered: names within its reach only. */
  #unknown(name: string): OpenClawError {
    const { view, payload } = this.#options
    const shown = showName(name)
    const { mode } = view.toolSearch
    if (payload.deferred.some((tool) => tool.name === name)) {
      const way =
        mode === 'code' ? 'openclaw.tools.call inside tool_search_code' : 'tool_call, after tool_describe'
      return new OpenClawError('UNKNOWN_TOOL', `${shown} cannot be called directly. Call it with ${way}.`)
    }
    const near = suggest(name, [...this.#offered.keys(), ...payload.deferred.map((tool) => tool.name)])
    const meant = near.length > 0 ? ` Did you mean: ${near.slice(0, 3).join(', ')}?` : ''
    const find =
      mode === null ? '' : ` Find tools with ${mode === 'code' ? 'tool_search_code' : 'tool_search'}.`
    return new OpenClawError('UNKNOWN_TOOL', `There is no tool ${shown}.${meant}${find}`, { hints: near })
  }
}

function failed({ code, message, hints, data }: OpenClawError): CallOutcome {
  return { status: 'error', code, message, hints, data }
}
