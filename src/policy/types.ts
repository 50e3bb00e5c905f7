import type { Edition } from '../catalog/edition.ts'
import type { Inventory, Tool } from '../catalog/types.ts'
import type { Config } from '../config/types.ts'
import type { Path } from '../kernel/path.ts'
import type { Context } from './context.ts'

/** Every step of the pipeline, in order (contract §4). */
export const stepIds = [
  'run.tools',
  'model.tools',
  'capability',
  'plugin',
  'channel-runtime',
  'model-runtime',
  'tools.profile',
  'tools.byProvider.profile',
  'tools',
  'tools.byProvider',
  'agent.tools',
  'agent.tools.byProvider',
  'group.tools',
  'sender',
  'sandbox.tools',
  'owner',
  'subagent',
  'inherited',
  'run.toolsAllow',
  'mcp',
  'schema',
  'tool-search',
] as const

export type StepId = (typeof stepIds)[number]

export type Effect = 'deny' | 'not-allowed' | 'gate'

/** What one step said about one tool. `rule` is the first matching entry for a deny, null for not-allowed, a name for a gate or profile. */
export interface TraceEntry {
  readonly step: StepId
  readonly outcome: 'pass' | 'skipped' | Effect
  /** The list that decided, as `hidden[].step` names it: `tools.deny`, `sandbox.tools.allow`, or the bare step id. */
  readonly list: string
  readonly rule: string | null
  readonly reason: string
  /** Place in the config of the deciding entry (deny), of the allow list (not-allowed) or of the key (profile, gate); null for built-ins. */
  readonly path: Path | null
}

export interface Decision {
  readonly tool: Tool
  /** `deferred` is not a policy outcome: it is a visible tool that exposure puts behind Tool Search. */
  readonly verdict: 'visible' | 'hidden' | 'unavailable'
  /** One entry per step, in pipeline order. */
  readonly trace: readonly TraceEntry[]
  /** Index in `trace` of the first entry that hides the tool, or -1. */
  readonly decisive: number
}

/** Everything a decision depends on. */
export interface PolicyInput {
  readonly config: Config
  readonly edition: Edition
  readonly inventory: Inventory
  readonly context: Context
}

/** One entry of an allow or deny list as the user wrote it. */
export interface Entry {
  readonly text: string
  /** What stands in the config, where `text` is the new name of what that denies. */
  readonly written?: string
  /** Config place of the entry; null for built-in or per-run lists. */
  readonly path: Path | null
}

/** A list layer of the pipeline as it applies to this session; lint and explain read it. */
export interface Layer {
  readonly step: StepId
  /** Config place of the object that holds the lists; null for built-ins. */
  readonly path: Path | null
  /** Profile id for the two profile steps. */
  readonly profile?: string
  /** Null = no restriction. Entries of a profile's own list have path null; alsoAllow entries follow. */
  readonly allow: readonly Entry[] | null
  readonly allowPath: Path | null
  /** True when the allow list is only `*` added by an alsoAllow without allow. */
  readonly implicitAllowAll: boolean
  readonly deny: readonly Entry[]
}

/** The policy of one session, compiled once and asked per tool. Pure. */
export interface CompiledPolicy {
  readonly input: PolicyInput
  readonly layers: readonly Layer[]
  evaluate(tool: Tool): Decision
  /** Whether one entry selects a tool of this inventory in the given kind of list (aliases, groups, plugin ids, globs; `write` implies `apply_patch` in allow). */
  matches(entry: string, tool: Tool, list: 'allow' | 'deny'): boolean
}
