import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { StoredSession } from './store.ts'

/** A piece of a message: text, thinking or an image as they are, or a call of a tool. */
export interface TranscriptPart {
  readonly type: string
  readonly text?: string
  /** Of a `toolCall`. */
  readonly id?: string
  readonly name?: string
  readonly arguments?: unknown
}

export interface TranscriptMessage {
  readonly role: string
  readonly content: readonly TranscriptPart[]
  readonly stopReason?: string
  /** Of a `toolResult`. */
  readonly toolCallId?: string
  readonly toolName?: string
  readonly isError?: boolean
}

/** One line of a transcript; `record` is all of it. */
export interface TranscriptEvent {
  /** 1-based. */
  readonly line: number
  /** `session`, `message`, `model_change`, `compaction` and so on; `unreadable` for a line that is no JSON object. */
  readonly type: string
  readonly id?: string
  readonly parentId?: string
  readonly timestamp?: string
  /** Of a `message`. */
  readonly message?: TranscriptMessage
  readonly record: Readonly<Record<string, unknown>>
}

/** The transcript beside a JSON store; null where there is none to be expected, which includes ids that are no file name. */
export function transcriptFile(session: StoredSession): string | null {
  const { sessionId } = session.entry
  if (session.layout !== 'json' || sessionId === undefined || !/^[\w-][\w.-]*$/.test(sessionId)) return null
  return join(dirname(session.file), `${sessionId}.jsonl`)
}

/** Reads a JSONL transcript line by line (gateway facts §5.1); a last line that a dying writer cut off is left out. File errors are thrown as they come. */
export async function* readTranscript(file: string): AsyncGenerator<TranscriptEvent> {
  let line = 0
  let cutOff: TranscriptEvent | null = null
  const handle = await open(file)
  try {
    for await (const text of handle.readLines({ encoding: 'utf8' })) {
      line += 1
      if (text.trim() === '') continue
      if (cutOff) yield cutOff
      const event = readEvent(text, line)
      cutOff = event.type === 'unreadable' ? event : null
      if (!cutOff) yield event
    }
  } finally {
    await handle.close()
  }
}

/** Reads one line; `line` is its place. */
export function readEvent(text: string, line: number): TranscriptEvent {
  const record = parseRecord(text)
  if (record === null) return { line, type: 'unreadable', record: { text } }
  const message = readMessage(record['message'])
  return {
    line,
    type: typeof record['type'] === 'string' ? record['type'] : 'unreadable',
    ...texts(record, ['id', 'parentId', 'timestamp']),
    ...(message && { message }),
    record,
  }
}

function readMessage(value: unknown): TranscriptMessage | null {
  if (!isRecord(value) || typeof value['role'] !== 'string') return null
  const { content, isError } = value
  return {
    role: value['role'],
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : readParts(content),
    ...texts(value, ['stopReason', 'toolCallId', 'toolName']),
    ...(typeof isError === 'boolean' && { isError }),
  }
}

function readParts(value: unknown): readonly TranscriptPart[] {
  if (!Array.isArray(value)) return []
  return value.filter(isRecord).map((part) => ({
    type: typeof part['type'] === 'string' ? part['type'] : 'unknown',
    ...texts(part, ['text', 'id', 'name']),
    ...('arguments' in part && { arguments: part['arguments'] }),
  }))
}

function texts<K extends string>(
  record: Readonly<Record<string, unknown>>,
  names: readonly K[],
): { readonly [N in K]?: string } {
  const result: { [N in K]?: string } = {}
  for (const name of names) {
    const value = record[name]
    if (typeof value === 'string') result[name] = value
  }
  return result
}

function parseRecord(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
