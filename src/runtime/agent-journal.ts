import type { Journal } from '../agent/journal.ts'
import type { Message } from '../agent/messages.ts'
import type { LogTarget } from '../calls/call-log.ts'
import { SessionLog } from '../sessions/session-log.ts'
import type { Redactor } from '../telemetry/redaction.ts'
import type { SearchTelemetry } from '../tool-search/counters.ts'
import type { ToolSession } from './tool-session.ts'

/** The transcript of a session that a run writes: what the run tells, and in between what the guarded path records. */
export class Transcript {
  readonly #tell: (text: string) => void
  #log: SessionLog | null = null

  constructor(tell: (text: string) => void) {
    this.#tell = tell
  }

  /** Where the guarded path writes; what it has to say before the session is open is about no conversation. */
  get target(): LogTarget {
    return {
      message: (message) => this.attempt((log) => log.message(message)),
      custom: (type, data) => this.attempt((log) => log.custom(type, data)),
    }
  }

  open(file: string, sessionId: string, cwd: string): void {
    try {
      this.#log = new SessionLog({ file, header: { id: sessionId, cwd }, clock: Date.now })
    } catch (error) {
      this.#lose(error)
    }
  }

  /** Writes something; a transcript that cannot be written is told of once and costs nothing else. */
  attempt(write: (log: SessionLog) => string): string {
    if (this.#log === null) return ''
    try {
      return write(this.#log)
    } catch (error) {
      this.#lose(error)
      return ''
    }
  }

  close(): void {
    const log = this.#log
    this.#log = null
    log?.close()
  }

  #lose(error: unknown): void {
    this.#log = null
    this.#tell(`the transcript is not written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The journal of a run over a transcript, secrets redacted. */
export function agentJournal(
  transcript: Transcript,
  session: Pick<ToolSession, 'run' | 'writeNested' | 'endTurn'>,
  redactor: Redactor,
): Journal {
  let counted = { searchCount: 0, describeCount: 0, callCount: 0 }
  return {
    message: (message) => {
      transcript.attempt((log) => log.message({ ...redacted(message, redactor) }))
      if (message.role === 'toolResult') session.writeNested(message.toolCallId)
    },
    model: ({ provider, model }) => {
      transcript.attempt((log) => log.append({ type: 'model_change', provider, modelId: model }))
    },
    turn: ({ toolCount, toolBytes, promptBytes, deferredCount }) => {
      const total = session.run.telemetry()
      const telemetry: SearchTelemetry = {
        ...total,
        searchCount: total.searchCount - counted.searchCount,
        describeCount: total.describeCount - counted.describeCount,
        callCount: total.callCount - counted.callCount,
      }
      counted = total
      const sent = { tools: toolCount, toolBytes, promptBytes, deferred: deferredCount }
      session.endTurn({ sent, telemetry })
    },
  }
}

/** A message as it is kept. What a provider wants back with a thought is sealed, and would be void if it were changed. */
function redacted(message: Message, redactor: Redactor): Message {
  switch (message.role) {
    case 'user':
      return { ...message, content: message.content.map((part) => textRedacted(part, redactor)) }
    case 'assistant':
      return {
        ...message,
        content: message.content.map((part) => {
          if (part.type !== 'toolCall') return textRedacted(part, redactor)
          return { ...part, arguments: Object(redactor.value(part.arguments)) }
        }),
      }
    case 'toolResult':
      return {
        ...message,
        content: message.content.map((part) => textRedacted(part, redactor)),
        ...('details' in message && { details: redactor.value(message.details) }),
      }
  }
}

function textRedacted<Part extends { readonly type: string; readonly text?: string }>(
  part: Part,
  redactor: Redactor,
): Part {
  return part.type === 'text' && part.text !== undefined ? { ...part, text: redactor.text(part.text) } : part
}
