import { hashValue } from '../calls/hash.ts'
import { nameOf } from '../calls/tool-name.ts'
import { failure } from '../calls/run-tool.ts'
import type { Args, CallOutcome, ToolName, ToolResult } from '../calls/types.ts'
import { catalogId } from '../catalog/ids.ts'
import { toolKey } from '../catalog/names.ts'
import type { Tool, ToolSource } from '../catalog/types.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'
import { shownStep } from '../policy/report.ts'
import type { Decision } from '../policy/types.ts'
import type { View } from '../policy/view.ts'
import type { GatewayHost, HostSession, SessionOptions, SessionRef } from './host.ts'
import { Idempotency } from './idempotency.ts'

/** Why a name cannot be called: it is not served here, nothing has it, or the session does not have it. */
export type NotFoundReason = 'surface' | 'unknown' | 'policy'

/** What somebody outside wants called. */
export interface Invocation {
  readonly name: string
  readonly args: Args
  readonly ref: SessionRef
  readonly session: SessionOptions
  readonly callId: string
  readonly confirm: boolean
  readonly dryRun: boolean
  readonly idempotencyKey?: string | undefined
  /** Ends when nobody waits for the answer; a call with a key goes on, since its caller may ask again. */
  readonly signal: AbortSignal
}

/** What came of it. */
export type InvokeEnd =
  | {
      readonly kind: 'done'
      readonly tool: ToolName
      readonly source: ToolSource
      readonly result: ToolResult
      readonly sessionKey: string
    }
  | { readonly kind: 'checked'; readonly tool: ToolName; readonly args: Args; readonly sessionKey: string }
  | {
      readonly kind: 'not-found'
      readonly reason: NotFoundReason
      /** Step of the policy that decided, where one did. */
      readonly step: string | null
      readonly why: string
      /** Names like the one that nothing has, of tools that can be called. */
      readonly suggestions?: readonly string[]
      readonly sessionKey: string
    }
  /** The request contradicts an earlier one. */
  | { readonly kind: 'invalid'; readonly message: string; readonly sessionKey: string }
  | {
      readonly kind: 'failed'
      readonly tool: ToolName
      readonly outcome: Unfinished
      readonly sessionKey: string
    }

const decisionsByName = new WeakMap<View, ReadonlyMap<string, Decision>>()

/** The decision about the tool that a name or a catalogue id means; names are exact, old ones of the edition are known. */
function decisionOn(view: View, name: string): Decision | undefined {
  let known = decisionsByName.get(view)
  if (known === undefined) {
    known = new Map(view.decisions.map((decision) => [decision.tool.name, decision]))
    decisionsByName.set(view, known)
  }
  const alias = Object.hasOwn(view.edition.aliases, name) ? view.edition.aliases[name] : undefined
  const found = known.get(name) ?? (alias === undefined ? undefined : known.get(alias))
  if (found !== undefined || !name.includes(':')) return found
  return view.decisions.find(({ tool }) => catalogId(tool) === name)
}

/** Calls tools for callers outside, over both transports: the session's own rules, then what is closed to the outside, then the guarded path. */
export class Invoker {
  readonly #host: GatewayHost
  readonly #closing: AbortSignal
  readonly #kept: Idempotency<InvokeEnd>

  constructor(host: GatewayHost, closing: AbortSignal, clock: () => number) {
    this.#host = host
    this.#closing = closing
    this.#kept = new Idempotency<InvokeEnd>(
      {
        isSuccess: ({ kind }) => kind === 'done',
        bytes: (end) => (end.kind === 'done' ? JSON.stringify(end.result).length * 2 : 0),
      },
      clock,
    )
  }

  /** Makes a call, or checks it for a dry run. Errors: those of opening the session, TOOL_UNAVAILABLE when too many keys are kept. */
  async invoke(invocation: Invocation): Promise<InvokeEnd> {
    const session = await this.#host.session(invocation.ref, invocation.session)
    const found = findTool(session, invocation.name)
    if ('reason' in found) return found
    const { idempotencyKey, dryRun } = invocation
    if (dryRun) return this.#check(session, found.tool, invocation)
    if (idempotencyKey === undefined) return this.#call(session, found.tool, invocation)
    const { sessionKey } = session
    const scope = JSON.stringify([sessionKey.toLowerCase(), found.tool.name, idempotencyKey])
    try {
      return await this.#kept.run(scope, hashValue(invocation.args), () =>
        this.#call(session, found.tool, { ...invocation, signal: this.#closing }),
      )
    } catch (error) {
      if (!(error instanceof OpenClawError) || error.code !== 'INPUT_INVALID') throw error
      return { kind: 'invalid', message: error.message, sessionKey }
    }
  }

  async #check(session: HostSession, tool: Tool, { args }: Invocation): Promise<InvokeEnd> {
    const { sessionKey } = session
    try {
      return { kind: 'checked', tool: nameOf(tool), args: await session.check(tool, args), sessionKey }
    } catch (error) {
      if (!(error instanceof OpenClawError)) throw error
      return ended(session, tool, failure(error))
    }
  }

  async #call(session: HostSession, tool: Tool, invocation: Invocation): Promise<InvokeEnd> {
    const { args, callId, signal, confirm } = invocation
    const { sessionKey } = session
    const outcome = await session.call({ tool, args, callId, signal, confirm })
    if (outcome.status === 'ok') {
      return { kind: 'done', tool: nameOf(tool), source: tool.source, result: outcome.result, sessionKey }
    }
    return ended(session, tool, outcome)
  }
}

type Unfinished = Exclude<CallOutcome, { status: 'ok' }>

function ended({ sessionKey }: HostSession, tool: Tool, outcome: Unfinished): InvokeEnd {
  const gone = notFoundIn(outcome)
  if (gone !== null) return { kind: 'not-found', ...gone, sessionKey }
  return { kind: 'failed', tool: nameOf(tool), outcome, sessionKey }
}

/** The tool that a name or catalogue id means, if it may be called from outside. */
function findTool(
  session: HostSession,
  name: string,
): { readonly tool: Tool } | Extract<InvokeEnd, { kind: 'not-found' }> {
  const { view, denied, sessionKey } = session
  const missing = (reason: NotFoundReason, why: string, step: string | null = null) =>
    ({ kind: 'not-found', reason, step, why, sessionKey }) as const
  const decision = decisionOn(view, name)
  const tool = decision?.tool
  const isClosed = denied.has(toolKey(tool?.name ?? name, view.edition))
  const closed =
    'the Gateway does not serve it to callers outside; gateway.tools.allow can lift a built-in denial'
  if (decision === undefined || tool === undefined) {
    if (isClosed) return missing('surface', closed)
    return {
      ...missing('unknown', 'there is no tool of that name'),
      suggestions: suggest(name, callableNames(session)),
    }
  }
  const entry = decision.trace[decision.decisive]
  if (decision.verdict !== 'visible' && entry !== undefined) {
    return missing('policy', entry.reason, shownStep(entry))
  }
  if (isClosed) return missing('surface', closed)
  return view.exposure(tool) === null ? missing('policy', 'the session does not offer it') : { tool }
}

function callableNames({ view, denied }: HostSession): readonly string[] {
  return view.decisions.flatMap(({ tool, verdict }) =>
    verdict === 'visible' && view.exposure(tool) !== null && !denied.has(toolKey(tool.name, view.edition))
      ? [tool.name]
      : [],
  )
}

/** What callers that may read are told of a tool that cannot be called. */
export function toldMissing({
  reason,
  step,
  why,
  suggestions = [],
}: Extract<InvokeEnd, { kind: 'not-found' }>): object {
  return { reason, ...(step !== null && { step }), why, ...(suggestions.length > 0 && { suggestions }) }
}

/** A call that found no way to its tool is one of a tool that is not there. */
function notFoundIn(
  outcome: Unfinished,
): { readonly reason: NotFoundReason; readonly step: string | null; readonly why: string } | null {
  const { code, message, data } = outcome
  const step = typeof data['step'] === 'string' ? data['step'] : null
  if (code === 'TOOL_DENIED') {
    // A tool that ran refuses an input, not itself.
    return outcome.status === 'error' && step === null ? null : { reason: 'policy', step, why: message }
  }
  if (code !== 'TOOL_UNAVAILABLE') return null
  return { reason: step === null ? 'surface' : 'policy', step, why: message }
}
