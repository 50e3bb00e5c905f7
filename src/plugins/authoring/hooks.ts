import type { ToolResult } from './tools.ts'

/** The call a hook is told about. */
export interface ToolCallContext {
  readonly agentId: string
  readonly sessionKey: string
  readonly sessionId?: string
  readonly runId?: string
}

export interface BeforeToolCallEvent {
  readonly toolName: string
  readonly params: Readonly<Record<string, unknown>>
  readonly toolCallId?: string
}

/** Asks a person before the call. */
export interface ApprovalRequest {
  /** At most 80 characters. */
  readonly title: string
  /** At most 512 characters. */
  readonly description?: string
  readonly severity?: 'info' | 'warning' | 'critical'
  readonly timeoutMs?: number
  /** What happens when nobody answers; else `deny`. */
  readonly timeoutBehavior?: 'allow' | 'deny'
}

/** What a hook decides; nothing at all means: no objection. */
export interface BeforeToolCallResult {
  /** Arguments to change; merged over those of the call. */
  readonly params?: Readonly<Record<string, unknown>>
  /** Ends the call; `blockReason` is told to the model. */
  readonly block?: boolean
  readonly blockReason?: string
  readonly requireApproval?: ApprovalRequest
}

export interface AfterToolCallEvent {
  readonly toolName: string
  readonly params: Readonly<Record<string, unknown>>
  readonly toolCallId?: string
  readonly result?: ToolResult
  /** Why the call failed. */
  readonly error?: string
  readonly durationMs: number
}

type Awaitable<Value> = Value | Promise<Value>

/** The handler of each event. A `before_tool_call` handler that throws or takes too long blocks the call. */
export interface HookHandlers {
  before_tool_call: (
    event: BeforeToolCallEvent,
    context: ToolCallContext,
  ) => Awaitable<BeforeToolCallResult | undefined | void>
  after_tool_call: (event: AfterToolCallEvent, context: ToolCallContext) => Awaitable<void>
}

export interface HookOptions {
  /** Higher runs earlier; 0 unless told. */
  readonly priority?: number
  /** Longest run in milliseconds; 5000 unless told. */
  readonly timeoutMs?: number
}
