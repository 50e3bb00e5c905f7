import type { ToolSource } from '../catalog/types.ts'
import type { LoopFinding } from './loop/detect.ts'
import type { Args, CallOutcome, ToolName } from './types.ts'

/** A call of a tool that the session has, from its start to its end; times in milliseconds, `startedAt` since 1970. */
export interface CallEvent {
  readonly type: 'call'
  readonly callId: string
  readonly parentCallId?: string
  readonly tool: ToolName
  readonly toolSource: ToolSource
  /** As they ran, or as far as they got. */
  readonly args: Args
  readonly outcome: CallOutcome
  /** Whether the tool itself was started. */
  readonly ran: boolean
  readonly startedAt: number
  readonly durationMs: number
}

/** Something about a call that the rules of the session decided. */
export interface PolicyEvent {
  readonly type: 'policy'
  /** `denied`: policy took the tool away; `unavailable`: it cannot exist here; `unknown`: nothing in reach has the name; the others: how a visible tool's call was stopped. */
  readonly kind: 'denied' | 'unavailable' | 'unknown' | 'blocked' | 'approval'
  readonly tool: string
  readonly callId: string
  readonly parentCallId?: string
  /** The step of the pipeline, or what blocked. */
  readonly by: string
  readonly reason: string
  readonly at: number
}

/** Something that did not stop a call and should be known. */
export interface WarningEvent {
  readonly type: 'warning'
  readonly tool: string
  readonly callId: string
  readonly message: string
  readonly loop?: LoopFinding
  readonly at: number
}

export type CallsEvent = CallEvent | PolicyEvent | WarningEvent

/** Takes every event of the guarded path, in order; it must not throw. */
export type Recorder = (event: CallsEvent) => void
