import { Type } from 'typebox'
import type { SessionLogAnswer, SessionSummary } from '../../runtime/session-log.ts'
import type { SessionItem, ShownSession } from '../../runtime/sessions.ts'
import { count, notice, nullable, open, someObject, text, time, word, type Promised } from './kit.ts'

const session = {
  key: text,
  agentId: text,
  sessionId: nullable(text),
  kind: text,
  label: nullable(text),
  channel: nullable(text),
  provider: nullable(text),
  model: nullable(text),
  spawnedBy: nullable(text),
  updatedAt: nullable(time),
  file: text,
}

/** `sessions list --json` (contract §8). */
export const list = open({ items: Type.Array(open(session)), notices: Type.Array(notice) })

/** `sessions show --json` (contract §8); what a store says is there for a stored session only. */
export const show = open({
  ...Type.Partial(open(session)).properties,
  key: text,
  agentId: text,
  stored: Type.Boolean(),
  entry: Type.Optional(someObject),
  logs: Type.Array(
    open({ kind: word('transcript', 'journal'), file: text, layout: word('jsonl', 'sqlite'), bytes: count }),
  ),
  notices: Type.Array(notice),
})

const whose = { key: text, agentId: text, sessionId: nullable(text), unreadable: count }

/** `sessions log --json` (contract §8). */
export const log = open({
  ...whose,
  items: Type.Array(
    open({
      timestamp: nullable(text),
      log: word('transcript', 'journal'),
      line: count,
      type: text,
      role: Type.Optional(text),
      text: Type.Optional(text),
      calls: Type.Optional(
        Type.Array(open({ id: nullable(text), name: nullable(text), arguments: Type.Unknown() })),
      ),
      toolCallId: Type.Optional(text),
      toolName: Type.Optional(text),
      isError: Type.Optional(Type.Boolean()),
      customType: Type.Optional(text),
      data: Type.Optional(Type.Unknown()),
    }),
  ),
  earlier: count,
  repair: open({ orphans: count, duplicates: count, displaced: count, unanswered: count, empty: count }),
})

const finalCall = open({
  toolCallId: text,
  id: nullable(text),
  name: text,
  status: word('ok', 'error', 'blocked'),
  source: word('openclaw', 'mcp', 'client'),
  via: word('direct', 'tool_call', 'tool_search_code'),
})

/** `sessions log --summary --json` (contract §8). */
export const summary = open({
  ...whose,
  messages: count,
  turns: count,
  sent: nullable(open({ tools: count, toolBytes: count, promptBytes: count, deferred: count })),
  schemasUpFront: nullable(count),
  searches: count,
  describes: count,
  calls: count,
  finalCalls: Type.Array(finalCall),
  finalTool: nullable(finalCall),
  sources: open({ openclaw: count, mcp: count, client: count }),
  policy: Type.Record(text, count),
})

type Holds<_Result extends Wanted, Wanted> = true
export type SessionResultsHold = [
  Holds<SessionItem, Promised<typeof list>['items'][number]>,
  Holds<ShownSession, Promised<typeof show>>,
  Holds<SessionLogAnswer, Promised<typeof log>>,
  Holds<SessionSummary, Promised<typeof summary>>,
]
