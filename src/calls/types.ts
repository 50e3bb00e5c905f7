import type { Tool } from '../catalog/types.ts'
import type { ErrorCode } from '../kernel/errors.ts'

/** Arguments of a call: a JSON object. */
export type Args = Readonly<Record<string, unknown>>

/** One block of a tool's result (contract §7). */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

/** What a call returns: `content` for the model, `details` for programs (contract §7). */
export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly details?: unknown
}

/** A tool as answers and logs name it; `id` is its catalogue id. */
export interface ToolName {
  readonly id: string
  readonly name: string
  readonly source: 'openclaw' | 'mcp' | 'client'
}

/** Who or what stopped a call before the tool ran. */
export type BlockedBy =
  | 'policy'
  | 'plugin-before-tool-call'
  | 'plugin-hook-failed'
  | 'loop-detection'
  | 'approval-denied'
  | 'approval-expired'
  | 'approval-required'

/** A call that ran. */
export interface CallDone {
  readonly status: 'ok'
  readonly result: ToolResult
}

/** A call that failed, before or while the tool ran. */
export interface CallFailed {
  readonly status: 'error'
  readonly code: ErrorCode
  readonly message: string
  readonly hints: readonly string[]
  readonly data: Readonly<Record<string, unknown>>
  /** What the tool returned, where it ran and said that it failed. */
  readonly result?: ToolResult
}

/** A call that was not let through. */
export interface CallBlocked {
  readonly status: 'blocked'
  readonly code: ErrorCode
  readonly by: BlockedBy
  readonly message: string
  readonly hints: readonly string[]
  readonly data: Readonly<Record<string, unknown>>
  /** The block in the form of a result, for whoever gets results only; `isBlockedResult` knows it from one that a tool made up. */
  readonly result: ToolResult
}

export type CallOutcome = CallDone | CallFailed | CallBlocked

/** A call somebody asks for. */
export interface CallRequest {
  readonly tool: Tool
  readonly args: unknown
  readonly callId: string
  /** The call that this one was made from: a Tool Search control. */
  readonly parentCallId?: string
  /** Ends the call; its reason says why. */
  readonly signal: AbortSignal
  /** Told of partial results while the tool runs. */
  readonly onUpdate?: (partial: ToolResult) => void
}
