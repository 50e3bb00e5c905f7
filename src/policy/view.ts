import type { Edition } from '../catalog/edition.ts'
import type { Inventory, Tool } from '../catalog/types.ts'
import type { Config } from '../config/types.ts'
import type { Context } from './context.ts'
import type { CompiledPolicy, Decision } from './types.ts'

/** How a visible tool reaches the model: schema in the request, behind Tool Search, or a Tool Search control. */
export type Exposure = 'direct' | 'deferred' | 'control'

/** Tool Search of one session after clamps, as `tools effective` prints it (contract §3). */
export interface ToolSearchState {
  readonly enabled: boolean
  readonly requestedMode: 'code' | 'tools' | 'directory' | null
  readonly mode: 'code' | 'tools' | 'directory' | null
  readonly codeTimeoutMs: number
  readonly searchDefaultLimit: number
  readonly maxSearchLimit: number
  readonly adjusted: readonly {
    readonly key: string
    readonly from: unknown
    readonly to: unknown
    readonly because: string
  }[]
  readonly fallback: { readonly from: string; readonly to: string; readonly because: string } | null
  /** Why it is off although nothing in the config says so, e.g. the codex harness. */
  readonly because?: string
}

/** One session judged: everything that went in and a decision for every tool of the inventory. Pure value. */
export interface View {
  readonly config: Config
  readonly edition: Edition
  readonly inventory: Inventory
  readonly context: Context
  /** Context fields nobody gave that could change an answer, e.g. `sender`. */
  readonly missing: readonly string[]
  /** What was asked for and not believed, such as a group that the session key does not belong to (ruling 6). */
  readonly dropped: readonly { readonly field: string; readonly value: string; readonly reason: string }[]
  readonly policy: CompiledPolicy
  readonly decisions: readonly Decision[]
  readonly toolSearch: ToolSearchState
  /** Null for a tool that is not visible. */
  readonly exposure: (tool: Tool) => Exposure | null
}

/** Judges the same session under another config (or another edition); used by fixes, diffs and lint. */
export type Reopen = (change: { readonly config?: Config; readonly edition?: Edition }) => View
