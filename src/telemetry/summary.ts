import { isFields, LoggedMessages, type Counts, type LoggedCall, type LogEntry } from './logged-messages.ts'
import { logTypes, type SentPayload, type TurnRecord } from './turn.ts'

/** What a session did with its tools: the answer of `sessions log --summary`. */
export interface LogSummary extends Counts {
  readonly messages: number
  readonly turns: number
  /** What the latest turn of a model was sent; null where no log says it. */
  readonly sent: SentPayload | null
  /** How many of the final calls came from where. */
  readonly sources: { readonly openclaw: number; readonly mcp: number; readonly client: number }
  /** What rules decided, by kind. */
  readonly policy: Readonly<Record<string, number>>
}

/**
 * Sums up one log. Turns that this program wrote are counted by their own record; what other programs logged is counted from calls and
 * results, where the numbers of `tool_search_code` are totals that only grow (tool search facts §3.1). Pure.
 */
export function summarize(entries: readonly LogEntry[]): LogSummary {
  const turns = entries.flatMap(({ type, record }) => {
    const data = type === 'custom' && record['customType'] === logTypes.turn ? record['data'] : null
    return isTurn(data) ? [data] : []
  })
  const isTurnEntry = ({ record }: LogEntry): boolean => record['customType'] === logTypes.turn
  const seen = new LoggedMessages(entries)
  // A turn that a crash cut short has no record of its own.
  const rest = new LoggedMessages(entries.slice(entries.findLastIndex(isTurnEntry) + 1)).count()
  const counted = turns.length > 0 ? addCounts(countTurns(turns, seen), rest) : rest
  const policy: Record<string, number> = {}
  for (const { type, record } of entries) {
    if (type !== 'custom' || record['customType'] !== logTypes.policy || !isFields(record['data'])) continue
    const kind = String(record['data']['kind'])
    policy[kind] = (policy[kind] ?? 0) + 1
  }
  const sources = { openclaw: 0, mcp: 0, client: 0 }
  for (const { source } of counted.finalCalls) sources[source] += 1
  const messages = entries.filter(({ message }) => message !== undefined).length
  return {
    messages,
    turns: turns.length > 0 ? turns.length : seen.questions,
    sent: turns.findLast(({ sent }) => sent !== null)?.sent ?? null,
    ...counted,
    sources,
    policy,
  }
}

function addCounts(a: Counts, b: Counts): Counts {
  return {
    searches: a.searches + b.searches,
    describes: a.describes + b.describes,
    calls: a.calls + b.calls,
    finalCalls: [...a.finalCalls, ...b.finalCalls],
  }
}

function isTurn(value: unknown): value is TurnRecord {
  if (!isFields(value) || !Array.isArray(value['calls'])) return false
  return ['searchCount', 'describeCount', 'callCount'].every((key) => typeof value[key] === 'number')
}

function countTurns(turns: readonly TurnRecord[], seen: LoggedMessages): Counts {
  const sum = (key: 'searchCount' | 'describeCount' | 'callCount'): number =>
    turns.reduce((total, turn) => total + turn[key], 0)
  const finalCalls = turns.flatMap(({ calls }) =>
    calls.map(({ toolCallId, parentToolCallId, id, name, source, status }): LoggedCall => ({
      toolCallId,
      id,
      name,
      source,
      status,
      via: parentToolCallId === undefined ? 'direct' : seen.viaOf(parentToolCallId),
    })),
  )
  return {
    searches: sum('searchCount'),
    describes: sum('describeCount'),
    calls: sum('callCount'),
    finalCalls,
  }
}

/** The sum of the summaries of several logs of one session, in the order of the logs. */
export function addSummaries(summaries: readonly LogSummary[]): LogSummary {
  const sum = (key: 'messages' | 'turns' | 'searches' | 'describes' | 'calls'): number =>
    summaries.reduce((total, each) => total + each[key], 0)
  const sources = { openclaw: 0, mcp: 0, client: 0 }
  const policy: Record<string, number> = {}
  for (const each of summaries) {
    for (const source of ['openclaw', 'mcp', 'client'] as const) sources[source] += each.sources[source]
    for (const [kind, count] of Object.entries(each.policy)) policy[kind] = (policy[kind] ?? 0) + count
  }
  return {
    messages: sum('messages'),
    turns: sum('turns'),
    sent: summaries.findLast(({ sent }) => sent !== null)?.sent ?? null,
    searches: sum('searches'),
    describes: sum('describes'),
    calls: sum('calls'),
    finalCalls: summaries.flatMap(({ finalCalls }) => finalCalls),
    sources,
    policy,
  }
}
