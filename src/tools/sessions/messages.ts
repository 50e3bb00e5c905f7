import type { View } from '../../policy/view.ts'
import { cleanText } from '../../kernel/untrusted-text.ts'
import type { StoredSession } from '../../sessions/store.ts'
import { readTranscript, transcriptFile, type TranscriptEvent } from '../../sessions/transcript.ts'
import { createRedactor, type Redactor } from '../../telemetry/redaction.ts'

/** A message as other sessions may read it: no thoughts, no pictures, no secrets, of bounded length. */
export interface SaidMessage {
  readonly role: 'user' | 'assistant' | 'toolResult'
  readonly text: string
  /** Names of the tools that it calls, with their arguments in one line. */
  readonly calls?: readonly { readonly name: string; readonly args: string }[]
  /** Of a result. */
  readonly toolName?: string
  readonly isError?: boolean
  /** ISO. */
  readonly at: string | null
  /** Pictures that were left out. */
  readonly images?: number
}

export interface ReadingOptions {
  readonly limit: number
  readonly includeTools: boolean
}

export interface SaidMessages {
  readonly messages: readonly SaidMessage[]
  /** Earlier messages that are not shown. */
  readonly earlier: number
}

const longestText = 4_000
const longestArgs = 500
const mostBytes = 80_000

/** Takes out what no other session may read. */
export function redactorOf({ config }: View): Redactor {
  return createRedactor(config)
}

/** Events of a session's transcript, from its last reset on; empty for one that has none. */
export async function eventsOf(session: StoredSession): Promise<readonly TranscriptEvent[]> {
  let events: TranscriptEvent[] = []
  for await (const event of source(session)) {
    if (event.type === 'reset') events = []
    else events.push(event)
  }
  return events
}

async function* source(session: StoredSession): AsyncGenerator<TranscriptEvent> {
  if (session.layout === 'sqlite') {
    const { readSqliteTranscript } = await import('../../sessions/sqlite-transcript.ts')
    const { sessionId } = session.entry
    if (sessionId !== undefined) yield* await readSqliteTranscript(session.file, sessionId)
    return
  }
  const file = transcriptFile(session)
  if (file === null) return
  try {
    yield* readTranscript(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** The last messages of a session. */
export function lastMessages(
  events: readonly TranscriptEvent[],
  redactor: Redactor,
  { limit, includeTools }: ReadingOptions,
): SaidMessages {
  const said = events.filter((event) => isSaid(event, includeTools))
  const messages: SaidMessage[] = []
  let bytes = 0
  for (const event of said.toReversed()) {
    const message = saidMessage(event, redactor, includeTools)
    if (message === null) continue
    bytes += Buffer.byteLength(JSON.stringify(message))
    if (messages.length >= limit || (bytes > mostBytes && messages.length > 0)) break
    messages.push(message)
  }
  return { messages: messages.toReversed(), earlier: said.length - messages.length }
}

function isSaid({ message }: TranscriptEvent, includeTools: boolean): boolean {
  if (message === undefined) return false
  const { role, content } = message
  if (role === 'toolResult') return includeTools
  if (role !== 'user' && role !== 'assistant') return false
  return (
    includeTools || content.some(({ type, text }) => type === 'image' || (type === 'text' && text?.trim()))
  )
}

/** One message; null for what is none. */
export function saidMessage(
  { message, timestamp }: TranscriptEvent,
  redactor: Redactor,
  includeTools: boolean,
): SaidMessage | null {
  if (message === undefined) return null
  const { role, content, toolName, isError } = message
  if (role !== 'user' && role !== 'assistant' && role !== 'toolResult') return null
  const text = content.flatMap((part) => (part.type === 'text' ? (part.text ?? '') : [])).join('\n')
  const images = content.filter(({ type }) => type === 'image').length
  const calls = includeTools
    ? content.flatMap(({ type, name = '', arguments: args }) =>
        type === 'toolCall' ? [{ name, args: argsLine(args, redactor) }] : [],
      )
    : []
  return {
    role,
    text: cleanText(redactor.text(text), longestText),
    ...(calls.length > 0 && { calls }),
    ...(role === 'toolResult' && { toolName: toolName ?? '', isError: isError === true }),
    ...(images > 0 && { images }),
    at: timestamp ?? null,
  }
}

function argsLine(args: unknown, redactor: Redactor): string {
  return cleanText(JSON.stringify(redactor.value(args ?? {})), longestArgs)
}

/** Tokens that the model of a session has used, by its transcript. */
export interface TokenUse {
  readonly requests: number
  readonly input: number
  readonly output: number
  readonly totalTokens: number
}

/** Adds up what the messages of a transcript say they cost. */
export function tokenUse(events: readonly TranscriptEvent[]): TokenUse {
  let use: TokenUse = { requests: 0, input: 0, output: 0, totalTokens: 0 }
  for (const { message, record } of events) {
    if (message?.role !== 'assistant') continue
    const usage = fieldsOf(fieldsOf(record['message'])['usage'])
    use = {
      requests: use.requests + 1,
      input: use.input + amount(usage['input']),
      output: use.output + amount(usage['output']),
      totalTokens: use.totalTokens + amount(usage['totalTokens']),
    }
  }
  return use
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

function amount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
