import type { ControlName } from '../catalog/controls.ts'
import { isControlName } from '../catalog/controls.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { ToolCallContext } from '../plugins/authoring.ts'
import type { Hooks } from '../plugins/hooks.ts'
import type { View } from '../policy/view.ts'
import { buildCatalogue, indexOf, type Catalogue } from '../tool-search/catalogue.ts'
import { ToolSearchControls, type NestedCall, type NestedEnd, type Outer } from '../tool-search/controls.ts'
import { SearchCounters, type SearchTelemetry } from '../tool-search/counters.ts'
import type { Searchable } from '../tool-search/find.ts'
import { inputHint } from '../tool-search/hints.ts'
import { missingServers } from '../tool-search/missing-servers.ts'
import type { ApprovalDesk } from './approvals/types.ts'
import { runCodeCall, type CodeCallResult } from './code-call.ts'
import type { CodeRunner } from './code-runner.ts'
import type { Recorder } from './events.ts'
import type { Executor, NoExecutor, Running } from './executor.ts'
import { findExecutor, type ExecutorParts } from './executors.ts'
import { passage } from './gate.ts'
import { GuardedCalls } from './guarded-calls.ts'
import { LoopGuard } from './loop/guard.ts'
import { loopSettings } from './loop/settings.ts'
import { callResult, jsonResult, searchResult, unknownForModel } from './model-text.ts'
import type { Args, CallOutcome, CallRequest, ToolResult } from './types.ts'

/** What one run of a session is made of. */
export interface ToolRunOptions {
  /** The session as it is judged now; another value than before means that its tools may have changed. */
  readonly view: () => View
  readonly parts: ExecutorParts
  readonly hooks: Hooks
  readonly approvals: ApprovalDesk
  readonly record: Recorder
  readonly context: ToolCallContext
  readonly clock: () => number
  /** Where search indexes are kept; null keeps none. */
  readonly stateDir: string | null
  /** Null where no code child can be locked down. */
  readonly code: CodeRunner | null
}

/** The tools of one run: every call of it, also those that Tool Search makes, goes through the same guarded path and counts in one place. */
export class ToolRun {
  readonly calls: GuardedCalls
  readonly loop: LoopGuard
  readonly #options: ToolRunOptions
  readonly #counters = new SearchCounters()
  readonly #controls: ToolSearchControls
  #known: { readonly view: View; readonly catalogue: Catalogue; searchable: Searchable | null } | null = null

  constructor(options: ToolRunOptions) {
    this.#options = options
    const { parts, view } = options
    const { config, context, edition, toolSearch } = view()
    this.loop = new LoopGuard(loopSettings(config, context.agentId, edition.id))
    this.#controls = new ToolSearchControls({
      searchable: async () => this.#searchable(),
      settings: toolSearch,
      edition: edition.id,
      counters: this.#counters,
      call: (nested) => this.#nested(nested),
      unknown: (selector, outer, error) => this.#unknown(selector, outer, error),
    })
    this.calls = new GuardedCalls({
      ...options,
      loop: this.loop,
      executor: findExecutor({
        ...parts,
        core: (name) => this.#control(name) ?? parts.core?.(name),
      }),
      inputHint: (tool) => inputHint(tool, edition.id),
    })
  }

  /** The catalogue of the session as it is judged now. */
  get catalogue(): Catalogue {
    return this.#current().catalogue
  }

  /** Calls a tool, a Tool Search control included. */
  call(request: CallRequest): Promise<CallOutcome> {
    return this.calls.call(request)
  }

  /** Searches as a model would: through the control where the session has it, else through what is behind it. Errors: INPUT_INVALID, and what ends the call. */
  async search(args: Args, call: Pick<CallRequest, 'callId' | 'signal'>): Promise<ToolResult> {
    const tool = this.#options.view().inventory.tools.find(({ name }) => name === 'tool_search')
    if (tool === undefined || !passage(this.#options.view(), tool).open)
      return searchResult(await this.#controls.search(args))
    const outcome = await this.call({ tool, args, ...call })
    if (outcome.status === 'ok') return outcome.result
    throw outcomeError(outcome)
  }

  /** Runs a snippet as `tool_search_code` would, also while Tool Search is off; whatever goes wrong is in the result. */
  async runCode(code: string, signal: AbortSignal, callId?: string): Promise<CodeCallResult> {
    const { code: run, view } = this.#options
    if (run === null) {
      const message = 'this runtime cannot lock down a code child'
      return { ok: false, error: { code: 'unavailable', message }, logs: [], telemetry: this.telemetry() }
    }
    const timeoutMs = view().toolSearch.codeTimeoutMs
    const job = { code, signal, timeoutMs, ...(callId !== undefined && { callId }) }
    return runCodeCall(job, run, this.#controls, () => this.telemetry())
  }

  /** What Tool Search did in this run so far. */
  telemetry(): SearchTelemetry {
    return this.#counters.telemetry(this.catalogue)
  }

  #current() {
    const view = this.#options.view()
    if (this.#known?.view !== view) {
      this.#known = { view, catalogue: buildCatalogue(view), searchable: null }
    }
    return this.#known
  }

  #searchable(): Searchable {
    const known = this.#current()
    const { view, catalogue } = known
    known.searchable ??= {
      catalogue,
      index: indexOf(view, catalogue.entries, this.#options.stateDir),
      edition: view.edition.id,
      missingServers: missingServers(view),
    }
    return known.searchable
  }

  async #nested({ entry, args, callId, parentCallId, signal }: NestedCall): Promise<NestedEnd> {
    const parent = parentCallId === undefined ? {} : { parentCallId }
    const outcome = await this.calls.call({ tool: entry.tool, args, callId, ...parent, signal })
    if (outcome.status === 'ok') return outcome
    if (outcome.status === 'error' && outcome.result) return { status: 'failed', result: outcome.result }
    if (outcome.status === 'blocked' && isVeto(outcome.by))
      return { status: 'blocked', result: outcome.result }
    return { status: 'error', error: outcomeError(outcome) }
  }

  #unknown(selector: string, { callId, from }: Outer, error: OpenClawError): OpenClawError {
    const told = unknownForModel(error, from)
    // A tool of the session that is only called another way is no secret and no attempt.
    if (error.data['direct'] !== undefined) return told
    const call = callId === undefined ? { callId: 'direct' } : { callId, parentCallId: callId }
    const outcome = this.calls.unknown(selector, call, told)
    return outcome.status === 'blocked' ? outcomeError(outcome) : told
  }

  #control(name: string): Executor | NoExecutor | undefined {
    if (!isControlName(name)) return undefined
    const controls = this.#controls
    const outer = ({ callId, signal }: Running): Outer => {
      return { callId, from: 'controls', signal, next: () => controls.nextCall() }
    }
    const executors: Readonly<Record<ControlName, Executor['run']>> = {
      tool_search: async (args) => ({ result: searchResult(await controls.search(args)) }),
      tool_describe: async (args, running) => ({
        result: jsonResult(await controls.describe(args, outer(running))),
      }),
      tool_call: async (args, running) => {
        const { status, ...envelope } = await controls.call(args, outer(running))
        return { result: callResult(envelope, status === 'blocked'), failed: status === 'failed' }
      },
      tool_search_code: async ({ code }, { callId, signal }) => {
        if (typeof code !== 'string')
          throw new OpenClawError('INPUT_INVALID', 'code must be a non-empty string.')
        const result = await this.runCode(code, signal, callId)
        return { result: jsonResult(result), failed: !result.ok }
      },
    }
    const known = Object.entries(executors).find(([control]) => control === name)
    return known && { run: known[1], nests: true }
  }
}

/** A veto is an answer that a model can work with; everything else that stops a call is a failure of it (tool search facts §1.10). */
function isVeto(by: string): boolean {
  return by === 'plugin-before-tool-call' || by === 'loop-detection'
}

/** A call that did not come to a result, as the error to throw. */
export function outcomeError(outcome: Exclude<CallOutcome, { status: 'ok' }>): OpenClawError {
  const { code, message, hints, data } = outcome
  return new OpenClawError(code, message, { hints, data })
}
