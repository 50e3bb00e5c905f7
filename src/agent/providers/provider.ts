import type { RequestTool } from '../../tool-search/payload.ts'
import type { AssistantMessage, AssistantPart, Message, StopReason } from '../messages.ts'

/** Protocols that are spoken. */
export const apis = ['openai-completions', 'openai-responses', 'anthropic-messages'] as const

export type Api = (typeof apis)[number]

/** One request for one message of the model. */
export interface ModelRequest {
  readonly system: string
  /** Complete: every call has its result behind it (see replay.ts). */
  readonly messages: readonly Message[]
  readonly tools: readonly RequestTool[]
  /** False asks for the whole answer at once. */
  readonly stream: boolean
}

/** What has come of a message so far. */
export type ModelDelta =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'thinking'; readonly delta: string }
  /** A call has begun; its arguments are still coming. */
  | { readonly type: 'toolCall'; readonly name: string }

export interface AskOptions {
  readonly signal: AbortSignal
  readonly onDelta?: (delta: ModelDelta) => void
}

/** Sizes of what went over the wire, in bytes. */
export interface WireBytes {
  readonly request: number
  readonly response: number
}

export interface ModelAnswer {
  readonly message: AssistantMessage
  readonly bytes: WireBytes
}

/** A model of a provider. */
export interface Model {
  readonly provider: string
  readonly id: string
  /** `plugin` where a plugin brings the provider. */
  readonly api: Api | 'plugin'
  /** Tokens it reads, where the config says so. */
  readonly contextWindow: number | null
  readonly readsImages: boolean
  /** Asks for one message. Throws a ProviderFault, or the reason of the signal. */
  ask(request: ModelRequest, options: AskOptions): Promise<ModelAnswer>
}

/** Tokens as protocols count them, before the price list. */
export interface TokenCounts {
  /** Without what came from the cache. */
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** What a protocol made of an answer. */
export interface Reply {
  readonly content: readonly AssistantPart[]
  readonly stopReason: StopReason
  readonly errorMessage?: string
  readonly responseId?: string
  readonly tokens: TokenCounts
}

/** A number of tokens as a provider gave it; what is none counts as 0. */
export function tokens(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

/** The counts of a provider whose input holds what it read from its cache. */
export function tokensWithCache(input: unknown, cached: unknown, output: unknown): TokenCounts {
  const cacheRead = tokens(cached)
  return {
    input: Math.max(0, tokens(input) - cacheRead),
    output: tokens(output),
    cacheRead,
    cacheWrite: 0,
  }
}
