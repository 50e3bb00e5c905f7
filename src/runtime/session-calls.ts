import { CallLog, type TurnFacts } from '../calls/call-log.ts'
import type { CallEvent, CallsEvent } from '../calls/events.ts'
import type { View } from '../policy/view.ts'
import type { Redactor } from '../telemetry/redaction.ts'
import type { Journal } from './journal.ts'

/** What the log of a session tells of it when a turn ends. */
export interface SessionFacts {
  readonly runId: string
  readonly view: () => View
  readonly telemetry: () => TurnFacts['telemetry']
}

/** The calls that a session has made, and the log that they are written to. */
export class SessionCalls {
  /** Calls that wait for an approval, with the command that would give it. */
  readonly pending: { readonly approvalId: string; readonly command: string }[] = []
  readonly #log: CallLog
  readonly #close: () => void
  readonly #facts: SessionFacts
  readonly #made: CallEvent[] = []
  #modelTurns = false
  #hasTurn = false

  constructor({ target, close }: Journal, redactor: Redactor, facts: SessionFacts) {
    this.#log = new CallLog(target, redactor)
    this.#close = close
    this.#facts = facts
  }

  /** The calls so far. */
  get made(): readonly CallEvent[] {
    return this.#made
  }

  /** Takes an event of the guarded path, or one about a call that did not come that far. */
  record(event: CallsEvent): void {
    this.#log.record(event)
    if (event.type !== 'call') return
    this.#made.push(event)
    const { outcome } = event
    if (outcome.status !== 'blocked' || outcome.by !== 'approval-required') return
    const { approvalId, command } = outcome.data
    if (typeof approvalId === 'string' && typeof command === 'string')
      this.pending.push({ approvalId, command })
  }

  /** Writes a call that a person made into the log, with the calls that it made. */
  write(event: CallEvent): void {
    this.#hasTurn = true
    this.#log.write(event)
  }

  /** Writes the calls that a control's call made; whoever writes the log has just written its result. */
  writeNested(callId: string): void {
    this.#log.writeNested(callId)
  }

  /** Ends a turn of a model in the log. */
  endTurn(turn: Pick<TurnFacts, 'sent' | 'telemetry'>): void {
    const { runId, view } = this.#facts
    this.#log.endTurn({ runId, origin: 'model', view: view(), ...turn })
    this.#modelTurns = true
  }

  /** Ends the log; also done when the process ends before the session does: what was called by then must not be lost. */
  readonly end = (): void => {
    const { runId, view, telemetry } = this.#facts
    // A model's turns are ended by whoever runs them; a call that is still being given up belongs to the last one.
    if (this.#hasTurn || (this.#made.length > 0 && !this.#modelTurns))
      this.#log.endTurn({ runId, origin: 'operator', sent: null, view: view(), telemetry: telemetry() })
    this.#close()
  }
}
