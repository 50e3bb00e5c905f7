import type { JsonSchema, ToolContent } from './tools.ts'

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
