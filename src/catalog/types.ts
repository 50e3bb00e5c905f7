/** Where a tool comes from. */
export type ToolSource = 'core' | 'plugin' | 'channel' | 'mcp' | 'client'

/** JSON Schema as it was declared; never walked for MCP and client tools except for the quarantine checks. */
export type JsonSchema = { readonly [key: string]: unknown } | boolean

/** One tool that could exist in a session, before any policy; provenance included. */
export interface Tool {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly source: ToolSource
  /** Owner of the tool for policy entries: the plugin's id, `bundle-mcp` for MCP tools, absent for core and client tools. */
  readonly pluginId?: string
  readonly mcpServer?: string
  /** Server name made safe for tool names: `[A-Za-z0-9_-]`, starts with a letter. */
  readonly mcpSafeServer?: string
  readonly mcpToolName?: string
  readonly channelId?: string
  readonly optional?: boolean
  readonly parameters?: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly catalogMode?: 'direct-only'
  readonly executionMode?: 'parallel' | 'sequential'
  readonly risk?: 'low' | 'medium' | 'high'
  readonly tags?: readonly string[]
  /** Built-in profiles which the plugin's manifest adds this tool to (edition 2026.9). */
  readonly profiles?: readonly string[]
  /** Why the tool cannot be offered at all; found while the inventory was built. */
  readonly defect?: ToolDefect
  /** Further reasons of the same kind, in pipeline order, which would still hold if `defect` were mended. */
  readonly otherDefects?: readonly ToolDefect[]
}

/** A reason, found while building the inventory, that makes one tool unavailable. */
export interface ToolDefect {
  readonly step: 'capability' | 'plugin' | 'mcp' | 'schema' | 'tool-search'
  readonly rule: string
  readonly reason: string
  /** Path of the config entry behind it, where there is one (an MCP filter, a disabled plugin). */
  readonly path?: readonly (string | number)[]
}

/** A plugin as the inventory knows it. */
export interface PluginInfo {
  readonly id: string
  readonly name?: string
  /** False when the inventory or the plugin's own default switches it off; config is judged later, by policy. */
  readonly enabled: boolean
  /** Off only because its manifest says `enabledByDefault: false`. */
  readonly offByDefault?: true
  /** Key of `plugins.slots` that has to name this plugin if it names any. */
  readonly slot?: string
  /** Why it cannot run, and the config entry behind that, where it is one. */
  readonly problem?: string
  readonly problemPath?: readonly (string | number)[]
  readonly tools: readonly string[]
  /** Tools of its manifest that its code, which has run, does not register in this session. */
  readonly unregistered?: readonly string[]
}

/** An MCP server as the inventory knows it. */
export interface McpServerInfo {
  readonly name: string
  readonly safeName: string
  readonly status: 'connected' | 'connecting' | 'failed' | 'unknown'
  /** ISO time of the listing when it comes from the cache. */
  readonly seenAt?: string
  readonly toolCount: number
}

export const providerKeys = [
  'image',
  'image_generate',
  'video_generate',
  'music_generate',
  'tts',
  'web_search',
  'x_search',
  'pdf',
  'code_execution',
] as const

/** Provider-backed capabilities; an absent key is derived from config (ruling 17). */
export type Providers = { readonly [Key in (typeof providerKeys)[number]]?: boolean }

/** Everything that could exist in a session: one frozen list with provenance, sorted by catalogue order then name. */
export interface Inventory {
  readonly tools: readonly Tool[]
  readonly plugins: readonly PluginInfo[]
  readonly servers: readonly McpServerInfo[]
  readonly providers: Providers
  readonly notices: readonly InventoryNotice[]
}

/** A notice whose place is still a config path; located when it is shown. */
export interface InventoryNotice {
  readonly id: string
  readonly severity: 'info' | 'warning'
  readonly message: string
  readonly path: readonly (string | number)[] | null
}
