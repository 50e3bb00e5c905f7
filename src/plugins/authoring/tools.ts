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
