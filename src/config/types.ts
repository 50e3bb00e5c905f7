/** Allow and deny lists of one scope. */
export interface ToolPolicy {
  readonly allow?: readonly string[]
  readonly alsoAllow?: readonly string[]
  readonly deny?: readonly string[]
}

export type ProfileId = 'minimal' | 'coding' | 'messaging' | 'full'

export interface ProviderToolPolicy extends ToolPolicy {
  readonly profile?: ProfileId
}

export interface ToolScope extends ProviderToolPolicy {
  readonly byProvider?: Readonly<Record<string, ProviderToolPolicy>>
  readonly toolsBySender?: Readonly<Record<string, ToolPolicy | null>>
  readonly sandbox?: { readonly tools?: ToolPolicy }
  readonly exec?: {
    readonly applyPatch?: { readonly enabled?: boolean; readonly allowModels?: readonly string[] }
    readonly [key: string]: unknown
  }
  readonly fs?: { readonly workspaceOnly?: boolean }
  readonly elevated?: {
    readonly enabled?: boolean
    readonly allowFrom?: Readonly<Record<string, readonly (string | number)[]>>
  }
  readonly codeMode?: unknown
}

export interface ToolsConfig extends ToolScope {
  readonly subagents?: { readonly tools?: ToolPolicy }
  readonly toolSearch?:
    | boolean
    | {
        readonly enabled?: boolean
        readonly mode?: 'code' | 'tools' | 'directory'
        readonly codeTimeoutMs?: number
        readonly searchDefaultLimit?: number
        readonly maxSearchLimit?: number
      }
  readonly web?: {
    readonly search?: {
      readonly enabled?: boolean
      readonly provider?: string
      readonly [key: string]: unknown
    }
    readonly fetch?: { readonly enabled?: boolean; readonly [key: string]: unknown }
  }
  readonly experimental?: { readonly planTool?: boolean }
  readonly updatePlan?: boolean
}

export type ModelSelection = string | { readonly primary?: string; readonly fallbacks?: readonly string[] }

export interface SandboxConfig {
  readonly mode?: 'off' | 'non-main' | 'all'
  readonly scope?: string
  readonly workspaceAccess?: 'none' | 'ro' | 'rw'
}

export interface AgentConfig {
  readonly id?: string
  readonly default?: boolean
  readonly model?: ModelSelection
  readonly imageModel?: ModelSelection
  readonly tools?: ToolScope
  readonly sandbox?: SandboxConfig
  readonly experimental?: { readonly localModelLean?: boolean }
  readonly subagents?: { readonly maxSpawnDepth?: number }
}

export interface GroupConfig {
  readonly tools?: ToolPolicy
  readonly toolsBySender?: Readonly<Record<string, ToolPolicy | null>>
}

export interface ChannelConfig {
  readonly groups?: Readonly<Record<string, GroupConfig>>
  readonly accounts?: Readonly<Record<string, { readonly groups?: Readonly<Record<string, GroupConfig>> }>>
}

/** The parts of a config that tool policy reads, after `$include` and `${VAR}`. */
export interface Config {
  readonly meta?: { readonly lastTouchedVersion?: string }
  readonly tools?: ToolsConfig
  readonly agents?: {
    readonly defaults?: AgentConfig
    readonly list?: readonly AgentConfig[]
    readonly entries?: Readonly<Record<string, AgentConfig>>
  }
  readonly channels?: Readonly<Record<string, ChannelConfig>>
  readonly plugins?: {
    readonly enabled?: boolean
    readonly allow?: readonly string[]
    readonly deny?: readonly string[]
    readonly entries?: Readonly<
      Record<string, { readonly enabled?: boolean; readonly [key: string]: unknown }>
    >
    readonly slots?: Readonly<Record<string, string>>
    readonly load?: { readonly paths?: readonly string[] }
  }
  readonly mcp?: {
    readonly servers?: Readonly<
      Record<
        string,
        {
          readonly enabled?: boolean
          readonly toolFilter?: {
            readonly include?: readonly string[]
            readonly exclude?: readonly string[]
          }
          readonly [key: string]: unknown
        }
      >
    >
  }
  readonly models?: {
    readonly providers?: Readonly<
      Record<
        string,
        {
          readonly models?: readonly {
            readonly id: string
            readonly input?: readonly string[]
            readonly compat?: { readonly supportsTools?: boolean }
          }[]
          readonly [key: string]: unknown
        }
      >
    >
  }
  readonly commands?: { readonly ownerAllowFrom?: readonly (string | number)[] }
  readonly session?: {
    readonly mainKey?: string
    readonly scope?: string
    readonly store?: string
  }
  readonly gateway?: {
    readonly tools?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] }
  }
  readonly browser?: unknown
}
