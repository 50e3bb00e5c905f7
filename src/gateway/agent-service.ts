import type { ElevatedDirective } from '../agent/directives.ts'
import type { AgentEvent, AgentResult } from '../agent/events.ts'
import type { SessionRequest } from '../sessions/request.ts'
import type { SessionRef } from './host.ts'

/** A tool that the caller of a run offers, and runs itself. */
export interface ClientTool {
  readonly name: string
  readonly description?: string
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** A call of a client tool that the run waits for. */
export interface ClientCall {
  readonly callId: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What a run is asked for. */
export interface RunRequest extends SessionRef {
  readonly runId: string
  readonly message: string
  /** What of the message was an order about elevated, and is not in it any more. */
  readonly directive?: ElevatedDirective | null
  /** Kind of the client that asks, by its own word; who it is for lists of senders, where the session is of no channel. */
  readonly client?: string
  /** `provider/model` in place of the session's own. */
  readonly model?: string
  readonly clientTools?: readonly ClientTool[]
  /** Runs a client tool; without it they cannot be called. */
  readonly runClientTool?: (call: ClientCall, signal: AbortSignal) => Promise<string>
  readonly stream?: boolean
  readonly owner: boolean
  /** What the run is, and what it is kept to, where nobody outside asked for it. */
  readonly bounds?: Pick<SessionRequest, 'heartbeat' | 'toolsAllow' | 'sandboxed'>
  readonly emit: (event: AgentEvent) => void
  readonly signal: AbortSignal
}

/** Runs of agents; one at a time for a session. */
export interface AgentService {
  /** Errors as opening the session; PROVIDER_FAILED where no model answers. */
  run(request: RunRequest): Promise<AgentResult>
}
