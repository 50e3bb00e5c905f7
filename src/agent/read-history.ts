import { isRecord } from '../config/path-value.ts'
import type { ContentBlock } from '../calls/types.ts'
import { readTranscript, type TranscriptEvent } from '../sessions/transcript.ts'
import { noUsage, type AssistantMessage, type AssistantPart, type Message } from './messages.ts'

type Fields = Readonly<Record<string, unknown>>

/** Ids of the calls that Tool Search made; the model never made them, so it is not told of them again (tool search facts §3.2). */
const nestedCall = /^tool_search_code:/

/** The messages that a transcript file leaves a model to go on from; empty for a file that is not there. */
export async function readHistory(file: string): Promise<readonly Message[]> {
  const events: TranscriptEvent[] = []
  try {
    for await (const event of readTranscript(file)) events.push(event)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  return historyOf(events)
}

/** The messages that a transcript leaves a model to go on from: of its newest branch, from the last reset or compaction on, without the calls that controls made (gateway facts §5.1). Pure. */
export function historyOf(transcript: readonly TranscriptEvent[]): readonly Message[] {
  let messages: Message[] = []
  for (const event of newestBranch(transcript)) {
    if (event.type === 'reset') messages = []
    else if (event.type === 'compaction') messages = compacted(event, messages)
    else messages.push(...messageOf(event))
  }
  return messages.filter(isOwn).map(withoutId)
}

/** Messages remember their entry until a compaction has said from which on they stay. */
type Numbered = Message & { readonly entryId?: string }

function withoutId({ entryId: _entryId, ...message }: Numbered): Message {
  return message
}

function newestBranch(transcript: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  const events = transcript.filter(({ type }) => type !== 'session' && type !== 'unreadable')
  const byId = new Map(events.map((event) => [event.id, event]))
  const chosen = events.at(-1)
  const leaf = chosen?.type === 'leaf' ? byId.get(text(chosen.record['targetId']) ?? chosen.parentId) : chosen
  const branch: TranscriptEvent[] = []
  const seen = new Set<TranscriptEvent>()
  for (let at = leaf; at !== undefined && !seen.has(at); at = byId.get(at.parentId)) {
    seen.add(at)
    branch.push(at)
    if (at.parentId === undefined) break
  }
  return branch.toReversed()
}

function compacted({ record }: TranscriptEvent, messages: readonly Numbered[]): Message[] {
  const kept = messages.findIndex(({ entryId }) => entryId === record['firstKeptEntryId'])
  const summary = userText(`Summary of what was said before:\n${text(record['summary']) ?? ''}`, 0)
  return [summary, ...(kept < 0 ? [] : messages.slice(kept))]
}

function messageOf({ type, id, record, timestamp }: TranscriptEvent): readonly Numbered[] {
  const at = Date.parse(timestamp ?? '') || 0
  const entry = id === undefined ? {} : { entryId: id }
  if (type === 'branch_summary') return [{ ...userText(text(record['summary']) ?? '', at), ...entry }]
  if (type === 'custom_message') {
    const content = blocks(record['content'])
    return content.length > 0 ? [{ role: 'user', content, timestamp: at, ...entry }] : []
  }
  const message =
    type === 'message' && isRecord(record['message']) ? readMessage(record['message'], at) : null
  return message === null ? [] : [{ ...message, ...entry }]
}

function readMessage(message: Fields, at: number): Message | null {
  const { role, timestamp } = message
  const time = typeof timestamp === 'number' ? timestamp : at
  if (role === 'user') return { role, content: blocks(message['content']), timestamp: time }
  if (role === 'assistant') return readAssistant(message, time)
  if (role !== 'toolResult') return null
  return {
    role,
    toolCallId: text(message['toolCallId']) ?? '',
    toolName: text(message['toolName']) ?? '',
    content: blocks(message['content']),
    ...('details' in message && { details: message['details'] }),
    isError: message['isError'] === true,
    timestamp: time,
  }
}

const stopReasons = ['stop', 'toolUse', 'length', 'error', 'aborted'] as const

function readAssistant(message: Fields, timestamp: number): AssistantMessage {
  const { content, stopReason } = message
  return {
    role: 'assistant',
    content: typeof content === 'string' ? blocks(content).filter(isText) : assistantParts(content),
    api: text(message['api']) ?? '',
    provider: text(message['provider']) ?? '',
    model: text(message['model']) ?? '',
    usage: noUsage,
    stopReason: stopReasons.find((each) => each === stopReason) ?? 'stop',
    timestamp,
  }
}

function assistantParts(content: unknown): readonly AssistantPart[] {
  if (!Array.isArray(content)) return []
  return content.filter(isRecord).flatMap((part): readonly AssistantPart[] => {
    const { type, id, name, arguments: args, thinking, signature } = part
    if (type === 'text' && typeof part['text'] === 'string') return [{ type, text: part['text'] }]
    if (type === 'thinking') {
      const kept = typeof signature === 'string' ? { signature } : {}
      return [{ type, thinking: typeof thinking === 'string' ? thinking : '', ...kept }]
    }
    if (type !== 'toolCall' || typeof id !== 'string' || typeof name !== 'string') return []
    return [{ type, id, name, arguments: isRecord(args) ? args : {} }]
  })
}

function isText(block: ContentBlock): block is Extract<ContentBlock, { type: 'text' }> {
  return block.type === 'text'
}

function blocks(content: unknown): readonly ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isRecord).flatMap((part): readonly ContentBlock[] => {
    const { type, data, mimeType } = part
    if (type === 'text' && typeof part['text'] === 'string') return [{ type, text: part['text'] }]
    if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string')
      return [{ type, data, mimeType }]
    return []
  })
}

function isOwn(message: Message): boolean {
  if (message.role === 'toolResult') return !nestedCall.test(message.toolCallId)
  if (message.role !== 'assistant') return true
  return !message.content.some((part) => part.type === 'toolCall' && nestedCall.test(part.id))
}

function userText(value: string, timestamp: number): Message {
  return { role: 'user', content: [{ type: 'text', text: value }], timestamp }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
