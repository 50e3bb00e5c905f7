import type { JsonSchema } from '../../catalog/types.ts'
import type { Remembered, WantedApproval } from '../../plugins/hooks.ts'
import type { Args, ToolName } from '../types.ts'

export type { WantedApproval }

/** A call that needs a yes, with the arguments it would run with. */
export interface ApprovalQuestion {
  readonly tool: ToolName
  readonly args: Args
  readonly agentId: string
  readonly sessionKey: string
  /** Who asks and why; one answer is for all of them. */
  readonly wanted: readonly WantedApproval[]
  /** Input schema of the tool: a yes does not outlive a change of it. */
  readonly schema: JsonSchema | undefined
}

/** What a person may answer. */
export type ApprovalAnswer = 'allow-once' | 'allow-always' | 'deny'

/** What came of a question. */
export type ApprovalVerdict =
  | { readonly verdict: 'allowed' }
  | { readonly verdict: 'denied' }
  /** Nobody answered in time. */
  | { readonly verdict: 'expired' }
  /** Nobody is in reach; the question waits under this id. */
  | { readonly verdict: 'pending'; readonly id: string; readonly expiresAt: string }

/** Where the guarded path brings its questions. */
export interface ApprovalDesk {
  decide(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalVerdict>
}

/** Who asked and why, as it is stored. */
export type StoredWanted = Pick<
  WantedApproval,
  'pluginId' | 'title' | 'description' | 'severity' | 'lasting' | 'remember'
>

/** What a lasting yes adds where whoever asked keeps it; null where it is bound to the same call, and kept by the store. */
export function rememberedIn(wanted: readonly StoredWanted[]): readonly Remembered[] | null {
  const all = wanted.flatMap(({ remember }) => remember ?? [])
  return all.length > 0 && all.length === wanted.length ? all : null
}

/** Whether a yes to a question may be for later calls too. */
export function mayLast(wanted: readonly Pick<WantedApproval, 'lasting'>[]): boolean {
  return wanted.every(({ lasting }) => lasting !== false)
}

/** A stored question as `approvals list` shows it; times are ISO. */
export interface StoredApproval {
  readonly id: string
  readonly state: 'pending' | 'allowed' | 'always' | 'denied' | 'used' | 'expired'
  readonly tool: ToolName
  readonly agentId: string
  readonly sessionKey: string
  /** Secrets redacted; null where they are too long to be kept. */
  readonly args: unknown
  readonly wanted: readonly StoredWanted[]
  readonly createdAt: string
  /** When the question, or the yes to it, is void; null for a yes that stays. */
  readonly expiresAt: string | null
}
