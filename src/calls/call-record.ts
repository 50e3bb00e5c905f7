import type { Tool } from '../catalog/types.ts'
import type { LoopFinding } from './loop/detect.ts'
import type { PolicyEvent, Recorder } from './events.ts'
import { deepFreeze } from './snapshot.ts'
import type { Args, CallOutcome, CallRequest, ToolName } from './types.ts'

/** A call as its record tells of it. */
export interface PassedCall {
  readonly request: CallRequest
  readonly tool: Tool
  readonly name: ToolName
  readonly args: Args
  /** Whether the tool was started. */
  readonly ran: boolean
}

/** Writes what became of calls: how each ended, what rules decided, what went wrong beside it. */
export class CallRecord {
  readonly #to: { readonly record: Recorder; readonly clock: () => number }

  constructor(to: { readonly record: Recorder; readonly clock: () => number }) {
    this.#to = to
  }

  /** Notes how a call ended; `durationMs` by a clock that only goes forward. */
  ended(passing: PassedCall, outcome: CallOutcome, startedAt: number, durationMs: number): void {
    const { request, tool, name, args, ran } = passing
    const { callId, parentCallId } = request
    if (outcome.status === 'blocked') {
      const kind = outcome.by.startsWith('approval-') ? 'approval' : 'blocked'
      this.note(kind, tool.name, request, { by: outcome.by, reason: outcome.message })
    }
    this.#to.record({
      type: 'call',
      callId,
      ...(parentCallId !== undefined && { parentCallId }),
      tool: name,
      toolSource: tool.source,
      args,
      outcome: deepFreeze({ ...outcome }),
      ran,
      startedAt,
      durationMs,
    })
  }

  /** Notes what a rule decided about a call. */
  note(
    kind: PolicyEvent['kind'],
    tool: string,
    { callId, parentCallId }: Pick<CallRequest, 'callId' | 'parentCallId'>,
    { by, reason }: { readonly by: string; readonly reason: string },
  ): void {
    const at = this.#to.clock()
    const parent = parentCallId === undefined ? {} : { parentCallId }
    this.#to.record({ type: 'policy', kind, tool, callId, ...parent, by, reason, at })
  }

  /** Notes something odd about a call that does not end it. */
  warn({ tool, request }: PassedCall, message: string, loop?: LoopFinding): void {
    const { record, clock } = this.#to
    const place = { tool: tool.name, callId: request.callId, at: clock() }
    record({ type: 'warning', ...place, message, ...(loop && { loop }) })
  }
}
