import type { StoredApproval, ApprovalAnswer } from '../calls/approvals/types.ts'
import type { Args, CallOutcome } from '../calls/types.ts'
import type { CatalogResult } from '../catalog/catalog.ts'
import type { Tool } from '../catalog/types.ts'
import type { Config } from '../config/types.ts'
import type { View } from '../policy/view.ts'
import type { StoredSession } from '../sessions/store.ts'
import type { AgentService } from './agent-service.ts'
import type { EventName, JsonText } from './protocol.ts'
import type { Scope } from './scopes.ts'

/** Which session a caller means. */
export interface SessionRef {
  readonly sessionKey?: string | undefined
  readonly agentId?: string | undefined
}

/** Which sessions a question is for: stored ones; those and the main ones of configured agents; any that a key spells out. */
export type Existence = 'stored' | 'stored-or-main' | 'any'

/** What a request says about where it comes from; believed of nobody but HTTP callers, who have the shared secret. */
export interface Route {
  readonly channel?: string | undefined
  readonly accountId?: string | undefined
  readonly threadId?: string | undefined
}

/** How a session is opened. */
export interface SessionOptions {
  readonly exists: Existence
  /** False hides what belongs to the owner of this program. */
  readonly owner?: boolean
  readonly route?: Route
}

/** A call from outside. */
export interface OutsideCall {
  readonly tool: Tool
  readonly args: unknown
  readonly callId: string
  readonly signal: AbortSignal
  /** Wait for an answer where an approval is needed; else such a call ends at once. */
  readonly confirm: boolean
}

/** A session of the config that is in force now. */
export interface HostSession {
  readonly agentId: string
  readonly sessionKey: string
  /** What may be called from outside: the session as it is judged now, without what is denied over HTTP. */
  readonly view: View
  /** Names that are denied over HTTP, as `toolKey` makes them. */
  readonly denied: ReadonlySet<string>
  call(call: OutsideCall): Promise<CallOutcome>
  /** Checks a call without making it; throws what would end it. */
  check(tool: Tool, args: unknown): Promise<Args>
  /** The answer of `tools effective`, and what the session itself switches off. */
  effective(): Promise<JsonText>
  explain(name: string): Promise<object>
  search(query: string, limit?: number): Promise<object>
}

/** What the server knows of the config in force. */
export interface HostState {
  readonly config: Config
  readonly configFile: string
  readonly stateDir: string
  readonly edition: string
  /** Counts accepted configs. */
  readonly revision: number
  /** Why the newest version of the file is not in force; null where it is. */
  readonly problem: string | null
  /** Settings whose change needs a restart, by path. */
  readonly restartNeeded: readonly string[]
  readonly agents: readonly string[]
  readonly defaultAgentId: string
  readonly mainSessionKey: string
  readonly mcpServers: readonly { readonly name: string; readonly status: string }[]
}

/** A session to be made. */
export interface NewSession extends SessionRef {
  readonly label?: string | undefined
  readonly model?: string | undefined
}

/** What the server stands on: sessions, config and approvals of this machine. */
export interface GatewayHost {
  readonly version: string
  readonly state: HostState
  readonly agent: AgentService
  /** Told of what happens outside of any request; `scope` is what it takes to be told. */
  onEvent(listener: (event: EventName, payload: object, scope: Scope) => void): void
  /** UNKNOWN_AGENT. */
  catalog(agentId: string | undefined): Promise<CatalogResult>
  /** UNKNOWN_AGENT, UNKNOWN_SESSION, and USAGE for a key that is malformed or another agent's. */
  session(ref: SessionRef, options: SessionOptions): Promise<HostSession>
  listSessions(agentId: string | undefined): Promise<readonly StoredSession[]>
  /** UNKNOWN_SESSION where it is not stored. */
  getSession(ref: SessionRef): Promise<StoredSession>
  /** Stores a session; one that is there stays as it is. */
  createSession(session: NewSession): Promise<{ readonly session: StoredSession; readonly created: boolean }>
  /** The config with secrets redacted, or the part at a path. Errors as `config get`. */
  config(path: string | undefined): unknown
  /** Hash of the config in force. */
  readonly configHash: string
  approvals(): readonly StoredApproval[]
  /** INPUT_INVALID for an id that is unknown, expired or answered. */
  decideApproval(id: string, answer: ApprovalAnswer): Promise<StoredApproval>
  close(): Promise<void>
}
