import { lastUserText, sinceUser, type Conversation, type Protocol } from './conversation.ts'
import type { Fault } from './faults.ts'

/** A call that an answer asked for. */
export interface PlannedToolCall {
  readonly id: string
  readonly name: string
  readonly args: unknown
}

/** A request to the model as the debug routes show it; keys are never part of it. */
export interface RecordedRequest {
  /** 1-based, in order of arrival. */
  readonly cursor: number
  readonly protocol: Protocol
  readonly path: string
  /** The body's bytes as text. */
  readonly raw: string
  readonly rawBytes: number
  readonly body: unknown
  readonly model: string
  readonly stream: boolean
  /** How the key came: the header's name, or null. */
  readonly keyHeader: string | null
  readonly userAgent: string
  /** Names of its headers, sorted; their values stay here. */
  readonly headerNames: readonly string[]
  readonly tools: readonly string[]
  /** System prompt. */
  readonly instructions: string
  /** What the user said last. */
  readonly prompt: string
  /** The newest result since the user spoke. */
  readonly toolOutput: string
  readonly toolOutputCallId: string | null
  readonly images: number
  readonly planned: readonly PlannedToolCall[]
  /** The first planned call, as older scripts read it. */
  readonly plannedToolName: string | null
  /** Calls the script wanted and was not offered. */
  readonly refused: readonly string[]
  readonly fault: Fault | null
  /** Status of the answer, and whether all of it was sent. */
  status: number
  finished: boolean
}

/** What was asked for and not there any more, or not yet. */
export type Page = { readonly requests: readonly RecordedRequest[] } | { readonly gone: true }

/** The newest requests, bounded by number and bytes. */
export class History {
  readonly #kept: RecordedRequest[] = []
  readonly #mostRequests: number
  readonly #mostBytes: number
  #bytes = 0
  #cursor = 0

  constructor(mostRequests = 1000, mostBytes = 256 * 1024 * 1024) {
    this.#mostRequests = mostRequests
    this.#mostBytes = mostBytes
  }

  get cursor(): number {
    return this.#cursor
  }

  get all(): readonly RecordedRequest[] {
    return this.#kept
  }

  add(request: Omit<RecordedRequest, 'cursor'>): RecordedRequest {
    this.#cursor += 1
    const recorded = { ...request, cursor: this.#cursor }
    this.#kept.push(recorded)
    this.#bytes += recorded.rawBytes
    while (
      this.#kept.length > 1 &&
      (this.#kept.length > this.#mostRequests || this.#bytes > this.#mostBytes)
    ) {
      this.#bytes -= this.#kept.shift()?.rawBytes ?? 0
    }
    return recorded
  }

  /** The requests after a cursor; gone where some of them are not kept any more, or the cursor is ahead. */
  after(cursor: number): Page {
    const oldest = this.#kept[0]?.cursor ?? this.#cursor + 1
    if (cursor > this.#cursor || cursor < oldest - 1) return { gone: true }
    return { requests: this.#kept.filter((request) => request.cursor > cursor) }
  }
}

/** What a record takes from the conversation. */
export function describe(
  conversation: Conversation,
): Pick<
  RecordedRequest,
  'model' | 'stream' | 'tools' | 'instructions' | 'prompt' | 'toolOutput' | 'toolOutputCallId' | 'images'
> {
  const last = sinceUser(conversation).at(-1)
  return {
    model: conversation.model,
    stream: conversation.stream,
    tools: conversation.tools.map(({ name }) => name),
    instructions: conversation.system,
    prompt: lastUserText(conversation),
    toolOutput: last?.output ?? '',
    toolOutputCallId: last?.id ?? null,
    images: conversation.entries.reduce((sum, entry) => sum + ('images' in entry ? entry.images : 0), 0),
  }
}
