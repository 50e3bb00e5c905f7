import { isControlName } from '../catalog/controls.ts'
import type { View } from '../policy/view.ts'
import type { SessionLog } from '../sessions/session-log.ts'
import type { Redactor } from '../telemetry/redaction.ts'
import { logTypes, type FinalCall, type SentPayload, type TurnRecord } from '../telemetry/turn.ts'
import type { SearchTelemetry } from '../tool-search/counters.ts'
import type { CallEvent, CallsEvent } from './events.ts'
import { callMessages, type CallMessage, type ResultMessage } from './projection.ts'

type Pair = readonly [CallMessage, ResultMessage]

/** Calls of one control that are written out; the turn counts all of them. */
const mostNested = 1_000

/** Where entries of a session go. */
export type LogTarget = Pick<SessionLog, 'message' | 'custom'>

function ordinal([{ content }]: Pair): number {
  return Number(/:(\d+)$/.exec(content[0].id)?.[1] ?? 0)
}

/** What a turn was, besides the calls that were recorded. */
export interface TurnFacts {
  readonly runId: string
  readonly origin: TurnRecord['origin']
  readonly sent: SentPayload | null
  readonly view: View
  readonly telemetry: SearchTelemetry
}

/**
 * Collects what the guarded path records and writes it into a session log: decisions of rules at once, the calls that a control made when
 * the log has the control's own result, which is right before them, and the whole turn at its end.
 */
export class CallLog {
  readonly #target: LogTarget
  readonly #redactor: Redactor
  readonly #nested = new Map<string, Pair[]>()
  readonly #final: FinalCall[] = []

  constructor(target: LogTarget, redactor: Redactor) {
    this.#target = target
    this.#redactor = redactor
  }

  /** Takes an event of the guarded path. */
  readonly record = (event: CallsEvent): void => {
    if (event.type === 'call') {
      this.#note(event)
      return
    }
    const { type, ...data } = event
    this.#target.custom(type === 'policy' ? logTypes.policy : logTypes.warning, this.#redactor.value(data))
  }

  /** Writes a call that no other entry stands for, with the calls that it made. */
  write(event: CallEvent): void {
    this.#write(callMessages(event, this.#redactor))
    this.writeNested(event.callId)
  }

  /** Writes the calls that a control's call made; the log has its result just before. */
  writeNested(callId: string): void {
    const pairs = this.#nested.get(callId) ?? []
    this.#nested.delete(callId)
    // They are recorded as they end; a reader wants them as they were started, which their ids count.
    for (const pair of pairs.toSorted((a, b) => ordinal(a) - ordinal(b))) this.#write(pair)
  }

  /** Ends a turn: writes what is left of nested calls, then what was sent and done. */
  endTurn({ runId, origin, sent, view, telemetry }: TurnFacts): TurnRecord {
    for (const callId of this.#nested.keys()) this.writeNested(callId)
    const { enabled, mode } = view.toolSearch
    const record: TurnRecord = {
      runId,
      mode: enabled && mode !== null ? mode : 'off',
      origin,
      sent,
      ...telemetry,
      calls: this.#final.splice(0),
    }
    this.#target.custom(logTypes.turn, record)
    return record
  }

  #note(event: CallEvent): void {
    const { callId, parentCallId, tool, outcome, durationMs } = event
    if (!isControlName(tool.name)) {
      this.#final.push({
        toolCallId: callId,
        ...(parentCallId !== undefined && { parentToolCallId: parentCallId }),
        ...tool,
        status: outcome.status,
        durationMs: Math.round(durationMs * 1000) / 1000,
      })
    }
    if (parentCallId === undefined) return
    const siblings = this.#nested.get(parentCallId) ?? []
    // Bounded at once: results may be large and the control may make many calls before it ends.
    if (siblings.length < mostNested) siblings.push(callMessages(event, this.#redactor))
    this.#nested.set(parentCallId, siblings)
  }

  #write([call, result]: Pair): void {
    this.#target.message({ ...call })
    this.#target.message({ ...result })
  }
}
