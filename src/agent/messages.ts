import type { ResultMessage } from '../calls/projection.ts'
import type { ContentBlock } from '../calls/types.ts'

/*
 * What is said in a session, in the form in which transcripts keep it (gateway facts §5.1); providers translate from and to it.
 */

export type TextPart = Extract<ContentBlock, { type: 'text' }>

/** `data` is base64. */
export type ImagePart = Extract<ContentBlock, { type: 'image' }>

/** What a model thought aloud; `signature` is what its provider wants back with it, as it came. */
export interface ThinkingPart {
  readonly type: 'thinking'
  readonly thinking: string
  readonly signature?: string
}

/** A tool that a model wants to be called. */
export interface ToolCallPart {
  readonly type: 'toolCall'
  /** Unique within its message. */
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** What the model wrote in place of a JSON object of arguments; `arguments` is then empty. */
  readonly malformedArguments?: string
}

export interface UserMessage {
  readonly role: 'user'
  readonly content: readonly ContentBlock[]
  /** Milliseconds since 1970. */
  readonly timestamp: number
}

/** Tokens of one request, and dollars where the config says what tokens cost. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly totalTokens: number
  readonly cost: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
    readonly total: number
  }
}

export type StopReason = 'stop' | 'toolUse' | 'length' | 'error' | 'aborted'

export type AssistantPart = TextPart | ThinkingPart | ToolCallPart

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: readonly AssistantPart[]
  readonly api: string
  readonly provider: string
  readonly model: string
  readonly usage: Usage
  readonly stopReason: StopReason
  /** Why the message is incomplete. */
  readonly errorMessage?: string
  readonly responseId?: string
  readonly timestamp: number
}

export type ToolResultMessage = ResultMessage

export type Message = UserMessage | AssistantMessage | ToolResultMessage

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } as const

/** Usage of a request that never happened. */
export const noUsage: Usage = { ...nothing, totalTokens: 0, cost: { ...nothing, total: 0 } }

/** Adds up the usage of several requests. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum = <Key extends keyof typeof nothing>(key: Key): number => a[key] + b[key]
  const cost = <Key extends keyof Usage['cost']>(key: Key): number => a.cost[key] + b.cost[key]
  return {
    input: sum('input'),
    output: sum('output'),
    cacheRead: sum('cacheRead'),
    cacheWrite: sum('cacheWrite'),
    totalTokens: a.totalTokens + b.totalTokens,
    cost: {
      input: cost('input'),
      output: cost('output'),
      cacheRead: cost('cacheRead'),
      cacheWrite: cost('cacheWrite'),
      total: cost('total'),
    },
  }
}

/** All text of a message, without its thoughts and calls. */
export function textOf(message: Pick<Message, 'content'>): string {
  return message.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
}

/** The calls of an assistant message. */
export function callsOf(message: AssistantMessage): readonly ToolCallPart[] {
  return message.content.filter((part) => part.type === 'toolCall')
}
