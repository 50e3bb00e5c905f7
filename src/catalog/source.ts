import type { Path } from '../kernel/path.ts'
import type { Providers } from './types.ts'

/** A plugin before its tools are judged; the tools are names or tool objects as somebody wrote or registered them. */
export interface PluginSource {
  readonly id: string
  readonly name?: string
  /** Absent: the manifest's `enabledByDefault`, else true. */
  readonly enabled?: boolean
  readonly tools?: readonly unknown[]
  /** Names that the manifest declares and the code, which has run, does not register in this session. */
  readonly unregistered?: readonly string[]
  /** Content of `openclaw.plugin.json`; where present, only the tools in `contracts.tools` are exposed. */
  readonly manifest?: Readonly<Record<string, unknown>>
  /** What the manifest says of single tools, for a plugin without a manifest. */
  readonly toolMetadata?: Readonly<Record<string, unknown>>
  /** Why the plugin cannot run at all (a broken manifest, no code), if that is known; its tools are then unavailable. */
  readonly problem?: string
  /** The config entry behind that, where it is one. */
  readonly problemPath?: Path
}

/** An MCP server with the tool list it sent; the list is a stranger's and never trusted to have a shape. */
export interface ServerSource {
  readonly name: string
  readonly status: 'connected' | 'connecting' | 'failed'
  readonly enabled?: boolean
  /** Why a failed server failed, if it said so. */
  readonly error?: string
  /** ISO time of a list that comes from the cache. */
  readonly seenAt?: string
  /** How long ago that was, for people: `2 h ago`. */
  readonly lastSeen?: string
  readonly tools: readonly unknown[]
}

/** Everything an inventory is built from besides edition and config: a parsed `--inventory` file, or what discovery found. */
export interface InventorySource {
  readonly plugins: readonly PluginSource[]
  readonly servers: readonly ServerSource[]
  readonly client: readonly unknown[]
  readonly channel: readonly unknown[]
  readonly providers: Providers
}

/** An object that is no list, as JSON has them. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
