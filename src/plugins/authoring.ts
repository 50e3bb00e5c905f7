/*
 * What the author of a plugin imports as `openclaw-toolchain/plugin`. Built into one file with its types, so it imports nothing.
 */

/** A JSON Schema, written as a literal or made by a library such as TypeBox. */
export type JsonSchema = object

type Simplify<Type> = { -readonly [Key in keyof Type]: Type[Key] } & {}

type RequiredKeys<Schema, Properties> = Schema extends { readonly required: readonly (infer Key)[] }
  ? Extract<Key, keyof Properties>
  : never

type FromObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? Simplify<
      { [Key in RequiredKeys<Schema, Properties>]: FromSchema<Properties[Key]> } & {
        [Key in Exclude<keyof Properties, RequiredKeys<Schema, Properties>>]?: FromSchema<Properties[Key]>
      }
    >
  : Record<string, unknown>

type FromType<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? Schema extends { readonly items: infer Items }
            ? FromSchema<Items>[]
            : unknown[]
          : Type extends 'object'
            ? FromObject<Schema>
            : unknown

type FromEach<Schema> = Schema extends unknown ? FromSchema<Schema> : never

/** The values a JSON Schema accepts, as far as `type`, `properties`, `required`, `items`, `enum`, `const`, `anyOf` and `oneOf` say; else `unknown`. */
export type FromSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Branch)[] }
      ? FromEach<Branch>
      : Schema extends { readonly oneOf: readonly (infer Branch)[] }
        ? FromEach<Branch>
        : Schema extends { readonly type: readonly (infer Type)[] }
          ? FromType<Type, Schema>
          : Schema extends { readonly type: infer Type }
            ? FromType<Type, Schema>
            : unknown

/** A part of a tool's answer that the model sees. */
export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

/** A tool's answer: `content` for the model, `details` for programs. */
export interface ToolResult<Details = unknown> {
  readonly content: readonly ToolContent[]
  readonly details?: Details
}

/** A tool as the program takes it. */
export interface Tool {
  /** 1 to 64 of A-Z a-z 0-9 _ -; declared in `contracts.tools` of the manifest. */
  readonly name: string
  /** For people; else the name. */
  readonly label?: string
  /** Tells the model what the tool does and when to use it. */
  readonly description: string
  /** JSON Schema of an object; arguments are checked against it before `execute`. */
  readonly parameters: JsonSchema
  /** JSON Schema of `details`. */
  readonly outputSchema?: JsonSchema
  /** Always in the model's request, never behind Tool Search. */
  readonly catalogMode?: 'direct-only'
  readonly executionMode?: 'parallel' | 'sequential'
  /** Offered only where an allow list names it, its plugin, `group:plugins` or `*`. */
  readonly optional?: boolean
  readonly risk?: 'low' | 'medium' | 'high'
  readonly tags?: readonly string[]
  execute(
    toolCallId: string,
    // Whoever calls it has checked the arguments against `parameters`; `defineTool` gives them their type.
    params: never,
    signal?: AbortSignal,
    onUpdate?: (partial: ToolResult) => void,
  ): Promise<ToolResult>
}

/** A tool whose arguments and details have the types that its schemas say. */
export interface TypedTool<Parameters extends JsonSchema, Output extends JsonSchema> extends Omit<
  Tool,
  'execute'
> {
  readonly parameters: Parameters
  readonly outputSchema?: Output
  execute(
    toolCallId: string,
    params: FromSchema<Parameters>,
    signal?: AbortSignal,
    onUpdate?: (partial: ToolResult<FromSchema<Output>>) => void,
  ): Promise<ToolResult<FromSchema<Output>>>
}

/** The session a tool is made for. */
export interface ToolContext {
  readonly agentId: string
  readonly sessionKey: string
  readonly channel: string | null
  /** Absolute path of the agent's workspace. */
  readonly workspace: string | null
  readonly sandboxed: boolean
  readonly provider: string | null
  readonly model: string | null
}

/** Makes a tool for one session, or none. */
export type ToolFactory = (context: ToolContext) => Tool | null | Promise<Tool | null>

export interface RegisterToolOptions {
  /** As `optional` of the tool. */
  readonly optional?: boolean
  /** The name a factory's tool will have. */
  readonly name?: string
  /** The names a factory's tools may have. */
  readonly names?: readonly string[]
}

/** The call a hook is told about. */
export interface ToolCallContext {
  readonly agentId: string
  readonly sessionKey: string
  readonly sessionId?: string
  readonly runId?: string
}

export interface BeforeToolCallEvent {
  readonly toolName: string
  readonly params: Readonly<Record<string, unknown>>
  readonly toolCallId?: string
}

/** Asks a person before the call. */
export interface ApprovalRequest {
  /** At most 80 characters. */
  readonly title: string
  /** At most 512 characters. */
  readonly description?: string
  readonly severity?: 'info' | 'warning' | 'critical'
  readonly timeoutMs?: number
  /** What happens when nobody answers; else `deny`. */
  readonly timeoutBehavior?: 'allow' | 'deny'
}

/** What a hook decides; nothing at all means: no objection. */
export interface BeforeToolCallResult {
  /** Arguments to change; merged over those of the call. */
  readonly params?: Readonly<Record<string, unknown>>
  /** Ends the call; `blockReason` is told to the model. */
  readonly block?: boolean
  readonly blockReason?: string
  readonly requireApproval?: ApprovalRequest
}

export interface AfterToolCallEvent {
  readonly toolName: string
  readonly params: Readonly<Record<string, unknown>>
  readonly toolCallId?: string
  readonly result?: ToolResult
  /** Why the call failed. */
  readonly error?: string
  readonly durationMs: number
}

type Awaitable<Value> = Value | Promise<Value>

/** The handler of each event. A `before_tool_call` handler that throws or takes too long blocks the call. */
export interface HookHandlers {
  before_tool_call: (
    event: BeforeToolCallEvent,
    context: ToolCallContext,
  ) => Awaitable<BeforeToolCallResult | undefined | void>
  after_tool_call: (event: AfterToolCallEvent, context: ToolCallContext) => Awaitable<void>
}

export interface HookOptions {
  /** Higher runs earlier; 0 unless told. */
  readonly priority?: number
  /** Longest run in milliseconds; 5000 unless told. */
  readonly timeoutMs?: number
}

/** A message that leaves for a conversation of a channel. */
export interface ChannelMessage {
  /** Names this message; the same in every attempt to send it. */
  readonly id: string
  /** The conversation; null where the session names none and the channel may have a usual one. */
  readonly to: string | null
  readonly accountId: string | null
  readonly threadId: string | null
  /** Message that it answers. */
  readonly replyTo: string | null
  readonly text: string
  /** Who sends it. */
  readonly agentId: string
  readonly sessionKey: string
}

/** Something to be done in a conversation besides sending. */
export interface ChannelAction {
  /** One of the channel's `actions`. */
  readonly action: string
  readonly to: string | null
  readonly accountId: string | null
  readonly threadId: string | null
  /** What the action needs besides: `messageId`, `emoji`, `message`, `options`, `limit`. */
  readonly params: Readonly<Record<string, unknown>>
}

export interface ChannelContext {
  /** `channels.<id>` of the config. */
  readonly config: Readonly<Record<string, unknown>>
  /** Fires when nobody waits any more. */
  readonly signal: AbortSignal
}

/** What became of a message. */
export interface SentMessage {
  /** Name of the message at the other side, if that says one. */
  readonly messageId?: string
  /** Where it went, where `to` was null. */
  readonly to?: string
}

/** A conversation that a channel knows. */
export interface ChannelConversation {
  readonly to: string
  readonly name?: string
  readonly accountId?: string
}

/** A way to people or programs outside; what its methods throw is the failure of the call. */
export interface Channel {
  /** As `channels.<id>` and the message tool name it: lower-case letters, digits, `-` and `_`. */
  readonly id: string
  /** For people; else the id. */
  readonly label?: string
  /** What it can do besides sending: read, react, edit, delete, pin, unpin, poll. */
  readonly actions?: readonly string[]
  send(message: ChannelMessage, context: ChannelContext): Promise<SentMessage>
  /** Does one of `actions`; the answer is JSON. */
  act?(action: ChannelAction, context: ChannelContext): Promise<unknown>
  /** Conversations that it knows. */
  list?(context: ChannelContext): Promise<readonly ChannelConversation[]>
  /** Sends and waits for what the other side answers. */
  turn?(message: ChannelMessage, context: ChannelContext): Promise<SentMessage & { readonly reply: string }>
}

/** What a web search may be narrowed by; a back end leaves out what it cannot do. */
export interface WebSearchOptions {
  /** Hits wanted, 1 to 20. */
  readonly count: number
  /** Two letters, upper case (ISO 3166). */
  readonly country?: string
  /** A language code such as `de` or `pt-BR`. */
  readonly language?: string
  readonly freshness?: 'day' | 'week' | 'month' | 'year'
}

export interface WebSearchHit {
  readonly title: string
  readonly url: string
  readonly snippet?: string
  readonly published?: string
  readonly siteName?: string
}

/** A place that answers web searches; what it throws is the failure of the call. */
export interface WebSearch {
  /** As `tools.web.search.provider` names it. */
  readonly id: string
  search(query: string, options: WebSearchOptions, signal: AbortSignal): Promise<readonly WebSearchHit[]>
}

/** A file that a media back end is given or has made. */
export interface MediaFile {
  readonly data: Uint8Array
  /** As `image/png`. */
  readonly mimeType: string
  readonly name?: string
}

/** Something to be made. */
export interface MediaRequest {
  readonly kind: 'image' | 'video' | 'music' | 'speech'
  /** What it shows or sounds like; for speech the words to be spoken. */
  readonly prompt: string
  readonly model?: string
  readonly count?: number
  readonly inputs?: readonly MediaFile[]
  /** Whatever else was asked for, as `size`, `voice`, `durationSeconds`, `format`. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** Files to be looked into. */
export interface DescribeRequest {
  readonly kind: 'vision' | 'pdf'
  readonly prompt: string
  readonly files: readonly MediaFile[]
  readonly model?: string
}

/** Makes media, or looks into them; what it throws is the failure of the call. */
export interface Media {
  /** As the media models of the config name it: `<id>/<model>`. */
  readonly id: string
  /** What it can be asked for; with image, video, music or speech it needs `generate`, with vision or pdf `describe`. */
  readonly kinds: readonly (MediaRequest['kind'] | DescribeRequest['kind'])[]
  generate?(request: MediaRequest, signal: AbortSignal): Promise<readonly MediaFile[]>
  describe?(request: DescribeRequest, signal: AbortSignal): Promise<string>
}

/** A part of what a model says. */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'toolCall'
      readonly id: string
      readonly name: string
      readonly arguments: Readonly<Record<string, unknown>>
    }

/** What was said in a session, the newest last; every call of a tool has its result behind it. */
export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly ToolContent[] }
  | { readonly role: 'assistant'; readonly content: readonly ModelPart[] }
  | {
      readonly role: 'toolResult'
      readonly toolCallId: string
      readonly toolName: string
      readonly content: readonly ToolContent[]
      readonly isError: boolean
    }

/** One request for one message of a model. */
export interface ModelRequest {
  /** Id of the model, without that of its provider. */
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly parameters: JsonSchema
  }[]
}

export interface ModelReply {
  readonly content: readonly ModelPart[]
  /** Tokens. */
  readonly usage?: { readonly input: number; readonly output: number }
  /** `length` where the message was cut; else it is found by the content. */
  readonly stopReason?: 'stop' | 'toolUse' | 'length'
}

/** A provider of models, asked where the config chooses `<id>/<model>` and has no `models.providers.<id>` with an address. */
export interface ModelProvider {
  readonly id: string
  /** Asks for one message; `onText` may be told the text as it comes. What it throws is a failure of the provider. */
  ask(
    request: ModelRequest,
    options: { readonly signal: AbortSignal; readonly onText: (delta: string) => void },
  ): Promise<ModelReply>
}

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
