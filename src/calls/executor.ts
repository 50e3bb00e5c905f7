import type { Tool } from '../catalog/types.ts'
import type { WantedApproval } from '../plugins/hooks.ts'
import type { Args, ToolResult } from './types.ts'

/** What a running tool is told besides its arguments. */
export interface Running {
  readonly callId: string
  /** Fires when nobody waits for the result any more. */
  readonly signal: AbortSignal
  readonly onUpdate: (partial: ToolResult) => void
}

/** What a tool returned; `failed` where it ran and says itself that it failed. */
export interface Returned {
  readonly result: unknown
  readonly failed?: boolean
}

/** Runs one tool. What `run` throws is the failure of the call; an OpenClawError keeps its code. */
export interface Executor {
  run(args: Args, running: Running): Promise<Returned>
  /** A yes that the tool itself needs for these arguments, whatever hooks say. */
  approval?(args: Args): Promise<WantedApproval | null>
  /** Calls other tools through the guarded path, so it neither waits for a lane nor takes one. */
  readonly nests?: boolean
  /** Milliseconds it may take, where that is not what calls may take in general. */
  readonly limitMs?: number
}

/** Why nothing here can run a tool. */
export interface NoExecutor {
  readonly unavailable: string
  readonly hints?: readonly string[]
}

/** Finds what runs a tool now; asked anew for every call, so that a tool which has gone is gone. */
export type FindExecutor = (tool: Tool) => Executor | NoExecutor
