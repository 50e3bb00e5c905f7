import type { EditionId } from '../catalog/edition.ts'

/** Who wrote the message that a run answers. */
export interface Sender {
  readonly id?: string
  readonly e164?: string
  readonly username?: string
  readonly name?: string
}

/** The session a tool list is judged for; every default is already resolved, so policy reads nothing else. */
export interface Context {
  readonly agentId: string
  readonly sessionKey: string
  readonly edition: EditionId
  readonly provider: string | null
  readonly model: string | null
  readonly channel: string | null
  readonly accountId: string | null
  /** Group ids from the most to the least specific (topic and sender suffixes dropped one by one); empty outside groups. */
  readonly groupIds: readonly string[]
  /** Channel that the groups belong to, where that is not `channel`: a group's session can be spoken to through another one. */
  readonly groupChannel?: string
  readonly sender: Sender | null
  /** True, false, or null when nothing says who owns the session; null lets owner-only tools pass. */
  readonly isOwner: boolean | null
  readonly sandboxed: boolean
  readonly workspaceAccess: 'none' | 'ro' | 'rw'
  readonly spawnedBy: string | null
  /** 0 = not a subagent. */
  readonly subagentDepth: number
  readonly subagentRole: 'main' | 'orchestrator' | 'leaf'
  /** Tool limits stored when a parent session spawned this one. */
  readonly inherited: {
    readonly allow?: readonly string[]
    readonly deny?: readonly string[]
  } | null
  /** Per-run cap; `[]` means no tools. */
  readonly toolsAllow: readonly string[] | null
  /** MCP tools that are switched off for this session only, by server; all names are the server's own. */
  readonly mcpToolsDeny?: Readonly<Record<string, readonly string[]>>
  readonly harness: 'openclaw' | 'codex'
  readonly supports: {
    readonly tools: boolean
    readonly vision: boolean
    readonly permission: boolean
  }
  readonly clientCaps: readonly string[]
  readonly disableTools: boolean
  /** Set in runs that nobody asked for, in which an agent looks around; only they have `heartbeat_respond`. */
  readonly heartbeat?: true
  readonly origin: 'defaults' | 'session-store' | 'flags'
  /** True when the key was looked up in a session store and is not there. */
  readonly notStored: boolean
}
