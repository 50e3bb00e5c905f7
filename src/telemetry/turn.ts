/** `customType` of the entries that a session log has for turns, for what rules decided and for warnings. */
export const logTypes = {
  turn: 'openclaw.turn',
  policy: 'openclaw.policy',
  warning: 'openclaw.warning',
} as const

/** A tool that was called in the end, whichever way the call took. */
export interface FinalCall {
  readonly toolCallId: string
  /** Id of the control's call that made it. */
  readonly parentToolCallId?: string
  /** Catalogue id. */
  readonly id: string
  readonly name: string
  readonly source: 'openclaw' | 'mcp' | 'client'
  readonly status: 'ok' | 'error' | 'blocked'
  readonly durationMs: number
}

/** What a model was sent, in UTF-8 bytes of the tools as JSON and of the prompt. */
export interface SentPayload {
  /** Schemas in the request, controls included. */
  readonly tools: number
  readonly toolBytes: number
  readonly promptBytes: number
  /** Tools that could only be found through the controls. */
  readonly deferred: number
}

/** What one turn sent and did: the data of an `openclaw.turn` entry. */
export interface TurnRecord {
  readonly runId: string
  /** `off`, or the mode of Tool Search. */
  readonly mode: 'off' | 'code' | 'tools' | 'directory'
  /** Who asked for the calls: a model, or a person at the command line, who is sent nothing. */
  readonly origin: 'model' | 'operator'
  readonly sent: SentPayload | null
  readonly catalogSize: number
  readonly sources: { readonly openclaw: number; readonly mcp: number; readonly client: number }
  readonly searchCount: number
  readonly describeCount: number
  readonly callCount: number
  readonly calls: readonly FinalCall[]
}
