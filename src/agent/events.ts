import type { AssistantMessage, Usage } from './messages.ts'
import type { ProviderFault } from './providers/fault.ts'
import type { WireBytes } from './providers/provider.ts'
import type { ModelRef } from './providers/settings.ts'

/** What one request told the model about tools, in numbers: UTF-8 bytes as they were sent (tool search facts §3.1). */
export interface TurnPayload {
  /** 1-based. */
  readonly turn: number
  readonly provider: string
  readonly model: string
  /** Schemas in the request. */
  readonly toolCount: number
  readonly toolNames: readonly string[]
  readonly toolBytes: number
  /** Of the whole system prompt, and of its section about tools. */
  readonly promptBytes: number
  readonly directoryBytes: number
  /** Visible tools that the model reaches only through Tool Search. */
  readonly deferredCount: number
  readonly toolSearchMode: string | null
  /** Of the request and of its answer; of the attempt that succeeded. */
  readonly wire: WireBytes
}

/** How a call of the model ended. */
export interface CallSummary {
  readonly callId: string
  readonly name: string
  readonly status: 'ok' | 'error' | 'blocked'
  /** Error code where it did not end well. */
  readonly code: string | null
  readonly durationMs: number
}

/** What happens in a run, in order. */
export type AgentEvent =
  | { readonly type: 'start'; readonly runId: string; readonly sessionKey: string; readonly agentId: string }
  | { readonly type: 'text' | 'thinking'; readonly delta: string }
  /** The model is asked again; what came of this message so far does not count. */
  | {
      readonly type: 'retry'
      readonly attempt: number
      readonly waitMs: number
      readonly fault: ProviderFault
      readonly model: ModelRef
    }
  | { readonly type: 'fallback'; readonly from: ModelRef; readonly to: ModelRef; readonly message: string }
  | { readonly type: 'message'; readonly message: AssistantMessage; readonly payload: TurnPayload }
  | { readonly type: 'call-start'; readonly callId: string; readonly name: string; readonly args: unknown }
  | { readonly type: 'call-update'; readonly callId: string; readonly text: string }
  | ({ readonly type: 'call-end'; readonly message: string | null } & CallSummary)
  | { readonly type: 'end'; readonly result: AgentResult }

/** Why a run ended. */
export type RunEnd = 'stop' | 'length' | 'filtered' | 'turn-limit' | 'byte-limit'

/** What came of a run. */
export interface AgentResult {
  readonly runId: string
  readonly agentId: string
  readonly sessionKey: string
  readonly sessionId: string
  readonly provider: string
  readonly model: string
  /** The last message of the model. */
  readonly text: string
  readonly ended: RunEnd
  /** Of all requests together. */
  readonly usage: Usage
  readonly turns: readonly TurnPayload[]
  readonly calls: readonly CallSummary[]
  readonly durationMs: number
}
