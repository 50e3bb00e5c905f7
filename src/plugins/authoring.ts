/*
 * What the author of a plugin imports as `openclaw-toolchain/plugin`. Built into one file, beside the types of its parts; so it imports
 * types only.
 */
import type { Channel } from './authoring/channels.ts'
import type { HookHandlers, HookOptions } from './authoring/hooks.ts'
import type { ModelProvider } from './authoring/models.ts'
import type { Media, WebSearch } from './authoring/services.ts'
import type {
  JsonSchema,
  RegisterToolOptions,
  Tool,
  ToolFactory,
  ToolResult,
  TypedTool,
} from './authoring/tools.ts'

export type * from './authoring/channels.ts'
export type * from './authoring/hooks.ts'
export type * from './authoring/models.ts'
export type * from './authoring/services.ts'
export type * from './authoring/tools.ts'

export interface Logger {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

/** What `register` gets. */
export interface PluginApi<Config = Readonly<Record<string, unknown>>> {
  readonly id: string
  readonly name: string
  /** `plugins.entries.<id>.config`, checked against `configSchema` and with its defaults. */
  readonly config: Config
  readonly logger: Logger
  registerTool(factory: ToolFactory, options?: RegisterToolOptions): void
  registerTool<const Parameters extends JsonSchema, const Output extends JsonSchema = JsonSchema>(
    tool: TypedTool<Parameters, Output>,
    options?: RegisterToolOptions,
  ): void
  /** Adds a channel that the message tool, scheduled jobs and heartbeats can send over. */
  registerChannel(channel: Channel): void
  /** Adds a provider of models that agents can choose. */
  registerProvider(provider: ModelProvider): void
  /** Adds a place that `web_search` can ask. */
  registerWebSearch(search: WebSearch): void
  /** Adds a back end of the media tools. */
  registerMedia(media: Media): void
  on<Event extends keyof HookHandlers>(
    event: Event,
    handler: HookHandlers[Event],
    options?: HookOptions,
  ): void
}

export interface PluginEntry<Config = Readonly<Record<string, unknown>>> {
  /** The id of the manifest. */
  readonly id: string
  readonly name?: string
  /** Registers tools and hooks; what comes after it has ended does not count. */
  register(api: PluginApi<Config>): void | Promise<void>
}

/** Declares the entry of a plugin: `export default definePluginEntry({ id, name, register(api) { … } })`. */
export function definePluginEntry<Config = Readonly<Record<string, unknown>>>(
  entry: PluginEntry<Config>,
): PluginEntry<Config> {
  return entry
}

/** Declares a tool whose `params` and `details` get their types from its schemas. */
export function defineTool<const Parameters extends JsonSchema, const Output extends JsonSchema = JsonSchema>(
  tool: TypedTool<Parameters, Output>,
): Tool {
  return tool
}

/** An answer of one text, with details for programs. */
export function textResult<Details>(text: string, details?: Details): ToolResult<Details> {
  const content = [{ type: 'text' as const, text }]
  return details === undefined ? { content } : { content, details }
}
