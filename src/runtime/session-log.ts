import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { isRecord } from '../catalog/source.ts'
import { repairHistory, type RepairReport } from '../sessions/repair.ts'
import { readSqliteTranscript } from '../sessions/sqlite-transcript.ts'
import { readTranscript, type TranscriptEvent, type TranscriptMessage } from '../sessions/transcript.ts'
import { createRedactor, type Redactor } from '../telemetry/redaction.ts'
import { addSummaries, summarize, type LogSummary } from '../telemetry/summary.ts'
import { openCase, type CaseOptions } from './case.ts'
import { findSession, type FoundSession, type LogFile } from './sessions.ts'

/** One entry of a log as `sessions log` prints it; secrets redacted. */
export interface LogItem {
  readonly timestamp: string | null
  readonly log: LogFile['kind']
  readonly line: number
  readonly type: string
  readonly role?: string
  readonly text?: string
  readonly calls?: readonly {
    readonly id: string | null
    readonly name: string | null
    readonly arguments: unknown
  }[]
  readonly toolCallId?: string
  readonly toolName?: string
  readonly isError?: boolean
  readonly customType?: string
  readonly data?: unknown
}

/** The answer of `sessions log`. */
export interface SessionLogAnswer {
  readonly key: string
  readonly agentId: string
  readonly sessionId: string | null
  readonly items: readonly LogItem[]
  /** Entries before the shown ones. */
  readonly earlier: number
  /** Lines that are no entries. */
  readonly unreadable: number
  /** What a run has to mend before it can go on from here. */
  readonly repair: RepairReport
}

/** The answer of `sessions log --summary`. */
export interface SessionSummary extends LogSummary {
  readonly key: string
  readonly agentId: string
  readonly sessionId: string | null
  /** Schemas that the model saw up front in the latest turn; null where no log says it. */
  readonly schemasUpFront: number | null
  /** The tool that was called last. */
  readonly finalTool: LogSummary['finalCalls'][number] | null
  readonly unreadable: number
}

interface ReadLog {
  readonly log: LogFile
  readonly events: readonly TranscriptEvent[]
}

async function readLogs({ stored, logs }: FoundSession): Promise<readonly ReadLog[]> {
  const read: ReadLog[] = []
  for (const log of logs) {
    const events: TranscriptEvent[] = []
    if (log.layout === 'jsonl') for await (const event of readTranscript(log.file)) events.push(event)
    else events.push(...(await readSqliteTranscript(log.file, stored?.entry.sessionId ?? '')))
    read.push({ log, events })
  }
  return read
}

const isUnreadable = ({ type }: TranscriptEvent): boolean => type === 'unreadable'

/** Prints what is logged of a session, all logs by time; the last `limit` entries. Errors as `findSession`. */
export async function sessionLog(
  options: CaseOptions,
  key: string,
  limit: number,
): Promise<SessionLogAnswer> {
  const session = await findSession(options, key)
  const [{ loaded, config }, logs] = await Promise.all([
    openCase(options, { request: {} }),
    readLogs(session),
  ])
  const redactor = createRedactor(config, loaded?.authored)
  const all = logs
    .flatMap(({ log, events }) =>
      events.filter((event) => !isUnreadable(event)).map((event) => ({ log, event })),
    )
    .toSorted((a, b) => compareTimes(a.event.timestamp, b.event.timestamp))
  const shown = all.slice(-limit)
  const history = logs
    .filter(({ log }) => log.kind === 'transcript')
    .flatMap(({ events }) => events.flatMap(({ message }) => message ?? []))
  return {
    ...identity(session),
    items: shown.map(({ log, event }) => logItem(event, log.kind, redactor)),
    earlier: all.length - shown.length,
    unreadable: logs.reduce((sum, { events }) => sum + events.filter(isUnreadable).length, 0),
    repair: repairHistory<TranscriptMessage>(history, missing).report,
  }
}

/** Sums up what a session did with its tools. Errors as `findSession`. */
export async function sessionSummary(options: CaseOptions, key: string): Promise<SessionSummary> {
  const session = await findSession(options, key)
  const logs = await readLogs(session)
  const summary = addSummaries(logs.map(({ events }) => summarize(events)))
  const { finalCalls, sent } = summary
  return {
    ...identity(session),
    schemasUpFront: sent?.tools ?? (await traced(session)),
    ...summary,
    finalTool: finalCalls.at(-1) ?? null,
    unreadable: logs.reduce((sum, { events }) => sum + events.filter(isUnreadable).length, 0),
  }
}

function identity({ key, agentId, stored }: FoundSession) {
  return { key, agentId, sessionId: stored?.entry.sessionId ?? null }
}

function missing(): TranscriptMessage {
  return { role: 'toolResult', content: [] }
}

/** Entries without a time stay where they are. */
function compareTimes(a: string | undefined, b: string | undefined): number {
  const [left, right] = [Date.parse(a ?? ''), Date.parse(b ?? '')]
  return Number.isNaN(left) || Number.isNaN(right) ? 0 : left - right
}

function logItem(event: TranscriptEvent, log: LogFile['kind'], redactor: Redactor): LogItem {
  const { line, type, timestamp = null, message, record } = event
  const { customType, data } = record
  const common = { timestamp, log, line, type }
  if (!message) {
    return {
      ...common,
      ...(typeof customType === 'string' && { customType }),
      ...(data !== undefined && { data: redactor.value(data) }),
    }
  }
  const { role, content, toolCallId, toolName, isError } = message
  const text = content.flatMap((part) => (part.type === 'text' ? (part.text ?? '') : [])).join('\n')
  const calls = content
    .filter((part) => part.type === 'toolCall')
    .map((part) => ({
      id: part.id ?? null,
      name: part.name ?? null,
      arguments: redactor.value(part.arguments ?? null),
    }))
  return {
    ...common,
    role,
    ...(text !== '' && { text: redactor.text(text) }),
    ...(calls.length > 0 && { calls }),
    ...(toolCallId !== undefined && { toolCallId }),
    ...(toolName !== undefined && { toolName }),
    ...(isError !== undefined && { isError }),
  }
}

/** How many schemas the model saw, by the trace that other programs keep beside a transcript (tool search facts §3.1); null without one. */
async function traced({ logs }: FoundSession): Promise<number | null> {
  const transcript = logs.find(({ kind, layout }) => kind === 'transcript' && layout === 'jsonl')
  if (transcript === undefined) return null
  const file = transcript.file.replace(/\.jsonl$/, '.trajectory.jsonl')
  let count: number | null = null
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      if (line.includes('"providerVisibleTools"')) count = visibleTools(line) ?? count
    }
  } catch {
    return count
  }
  return count
}

function visibleTools(line: string): number | null {
  try {
    const record: unknown = JSON.parse(line)
    const data = isRecord(record) && isRecord(record['data']) ? record['data'] : record
    const tools = isRecord(data) ? data['providerVisibleTools'] : undefined
    return Array.isArray(tools) ? tools.length : null
  } catch {
    return null
  }
}
