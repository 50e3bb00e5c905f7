import { isRecord } from '../catalog/source.ts'
import type { Redactor } from '../telemetry/redaction.ts'
import type { CallEvent } from './events.ts'
import type { Args, ContentBlock, ToolResult } from './types.ts'

/** Bytes of one call that a session log keeps; what is more is replaced by a note (tool search facts §3.2). */
export const persistedBytes = { args: 8_192, result: 32_768 } as const

/** A message of the model that calls one tool, as a log keeps it. */
export interface CallMessage {
  readonly role: 'assistant'
  readonly content: readonly [
    { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly arguments: unknown },
  ]
  readonly stopReason: 'toolUse'
  readonly timestamp: number
}

/** The result of that call. */
export interface ResultMessage {
  readonly role: 'toolResult'
  readonly toolCallId: string
  readonly toolName: string
  readonly content: readonly ContentBlock[]
  readonly details?: unknown
  readonly isError: boolean
  readonly timestamp: number
}

/** A call as the two messages that a transcript has for it, secrets redacted and bounded; times in milliseconds since 1970. */
export function callMessages(event: CallEvent, redactor: Redactor): readonly [CallMessage, ResultMessage] {
  const { callId, tool, args, outcome, startedAt, durationMs } = event
  const said: ToolResult = {
    content: [{ type: 'text', text: outcome.status === 'ok' ? '' : outcome.message }],
  }
  return [
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: callId, name: tool.name, arguments: keptArgs(args, redactor) }],
      stopReason: 'toolUse',
      timestamp: startedAt,
    },
    {
      role: 'toolResult',
      toolCallId: callId,
      toolName: tool.name,
      ...keptResult(outcome.result ?? said, redactor),
      isError:
        outcome.status === 'error' ||
        (outcome.status === 'blocked' && outcome.by !== 'plugin-before-tool-call'),
      timestamp: Math.round(startedAt + durationMs),
    },
  ]
}

/** Arguments as a log keeps them. */
export function keptArgs(args: Args, redactor: Redactor): unknown {
  const safe = redactor.value(args)
  const bytes = sizeOf(safe)
  return bytes > persistedBytes.args ? { omitted: `${bytes} bytes of arguments` } : safe
}

/** A result as a log keeps it: pictures by their size, long texts from their start, `details` whole or not at all. */
export function keptResult(
  { content, details }: ToolResult,
  redactor: Redactor,
): { readonly content: readonly ContentBlock[]; readonly details?: unknown } {
  let left: number = persistedBytes.result
  const kept = content.map((block): ContentBlock => {
    if (block.type === 'image') {
      return { type: 'text', text: `[image ${block.mimeType}, ${block.data.length} characters of base64]` }
    }
    // Redacting megabytes to keep a part of them would cost more than the call; a secret at the cut is cut, too.
    const safe = redactor.text(block.text.slice(0, left * 2))
    const isCut = block.text.length > left * 2 || safe.length > left
    if (!isCut) {
      left -= safe.length
      return { type: 'text', text: safe }
    }
    const text = safe.slice(0, left).toWellFormed()
    left = 0
    return { type: 'text', text: `${text}\n[${block.text.length - text.length} more characters]` }
  })
  if (details === undefined) return { content: kept }
  if (sizeOf(details) > persistedBytes.result) {
    return { content: kept, details: { persistedDetailsTruncated: true, ...shortFields(details) } }
  }
  return { content: kept, details: redactor.value(details) }
}

/** The plain fields of details that are too large to be kept, such as a status. */
function shortFields(details: unknown): object {
  if (!isRecord(details)) return {}
  return Object.fromEntries(
    Object.entries(details)
      .filter(([, value]) => typeof value === 'number' || typeof value === 'boolean')
      .slice(0, 20),
  )
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
