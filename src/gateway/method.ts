import type { AgentRuns } from './agent-runs.ts'
import type { GatewayHost } from './host.ts'
import type { Invoker } from './invoke.ts'
import type { Log } from './log.ts'
import type { Caller, Scope } from './scopes.ts'

/** What the server itself can be asked about. */
export interface ServerFacts {
  readonly startedAt: number
  readonly authMode: string
  url(): string
  connections(): number
}

/** What methods work with. */
export interface Services {
  readonly host: GatewayHost
  readonly invoker: Invoker
  readonly runs: AgentRuns
  readonly facts: ServerFacts
  readonly log: Log
  /** Fires when the server ends. */
  readonly closing: AbortSignal
}

/** Who asks, and until when the answer is waited for. */
export interface Asking {
  readonly caller: Caller
  readonly signal: AbortSignal
}

/** A method of the protocol. */
export interface Method {
  readonly scope: Scope
  run(params: unknown, services: Services, asking: Asking): unknown
}

export type Methods = Readonly<Record<string, Method>>
