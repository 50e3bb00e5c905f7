import type { ConfigShape } from './schema.ts'

type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

/** A config after `$include` and `${VAR}`; derived from the schema, so it cannot say anything else. */
export type Config = DeepReadonly<ConfigShape>

/** `tools`: policy and settings for every agent. */
export type ToolsConfig = NonNullable<Config['tools']>

type AgentsConfig = NonNullable<Config['agents']>

/** One agent of `agents.list` or `agents.entries`. */
export type AgentConfig = NonNullable<AgentsConfig['entries']>[string]

/** What every agent has unless it says otherwise. */
export type AgentDefaults = NonNullable<AgentsConfig['defaults']>

/** Policy of one agent; what it shares with the global `tools`. */
export type ToolScope = NonNullable<AgentConfig['tools']>

/** Lists and profile of one provider or provider/model. */
export type ProviderToolPolicy = NonNullable<ToolsConfig['byProvider']>[string]

/** Allow and deny lists of one scope. */
export type ToolPolicy = NonNullable<NonNullable<ToolsConfig['subagents']>['tools']>

export type ProfileId = NonNullable<ToolsConfig['profile']>

export type SandboxConfig = NonNullable<AgentConfig['sandbox']>

export type ModelSelection = NonNullable<AgentConfig['model']>

/** One channel; keys of the channel itself belong to its plugin. */
export type ChannelConfig = NonNullable<Config['channels']>[string]

/** A chat group of a channel or of an account. */
export type GroupConfig = NonNullable<ChannelConfig['groups']>[string]

/** One server under `mcp.servers`. */
export type McpServerConfig = NonNullable<NonNullable<Config['mcp']>['servers']>[string]

/** One plugin under `plugins.entries`. */
export type PluginEntry = NonNullable<NonNullable<Config['plugins']>['entries']>[string]
