import { Type } from 'typebox'
import type { CodeCallResult } from '../../calls/code-call.ts'
import type { AgentAnswer } from '../../runtime/agent.ts'
import type { CalledTool, PlannedCall } from '../../runtime/tool-calls.ts'
import {
  count,
  exposure,
  ms,
  notice,
  nullable,
  open,
  someObject,
  text,
  texts,
  toolName,
  word,
  type Promised,
} from './kit.ts'

const block = Type.Union([
  open({ type: Type.Literal('text'), text }),
  open({ type: Type.Literal('image'), data: text, mimeType: text }),
])

/** `tools call --json` (contract §5). */
export const call = open({
  tool: toolName,
  result: open({ content: Type.Array(block), details: Type.Optional(Type.Unknown()) }),
})

/** `tools call --dry-run --json`: the arguments are those the tool would get. */
export const plannedCall = open({
  dryRun: Type.Literal(true),
  tool: toolName,
  args: someObject,
  exposure: nullable(exposure),
})

/** `tools run --json`: a value where it is ok, else an error (contract §5). */
export const run = open({
  ok: Type.Boolean(),
  value: Type.Optional(Type.Unknown()),
  error: Type.Optional(
    open({
      code: word('timeout', 'memory', 'aborted', 'invalid_input', 'thrown', 'unavailable', 'output_limit'),
      message: text,
      line: Type.Optional(Type.Integer({ minimum: 1 })),
      column: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
  ),
  logs: texts,
  truncated: Type.Optional(Type.Literal(true)),
  notes: Type.Optional(texts),
  telemetry: open({
    catalogSize: count,
    sources: open({ openclaw: count, mcp: count, client: count }),
    searchCount: count,
    describeCount: count,
    callCount: count,
  }),
})

const tokens = { input: count, output: count, cacheRead: count, cacheWrite: count }
const dollars = Type.Number({ minimum: 0 })

/** `agent --json` (contract §8). */
export const agent = open({
  runId: text,
  agentId: text,
  sessionKey: text,
  sessionId: text,
  provider: text,
  model: text,
  text,
  ended: word('stop', 'length', 'filtered', 'turn-limit', 'byte-limit'),
  usage: open({
    ...tokens,
    totalTokens: count,
    cost: open({
      input: dollars,
      output: dollars,
      cacheRead: dollars,
      cacheWrite: dollars,
      total: dollars,
    }),
  }),
  turns: Type.Array(
    open({
      turn: Type.Integer({ minimum: 1 }),
      provider: text,
      model: text,
      toolCount: count,
      toolNames: texts,
      toolBytes: count,
      promptBytes: count,
      directoryBytes: count,
      deferredCount: count,
      toolSearchMode: nullable(text),
      wire: open({ request: count, response: count }),
    }),
  ),
  calls: Type.Array(
    open({
      callId: text,
      name: text,
      status: word('ok', 'error', 'blocked'),
      code: nullable(text),
      durationMs: ms,
    }),
  ),
  durationMs: ms,
  notices: Type.Array(notice),
  pending: Type.Array(open({ approvalId: text, command: text })),
})

type Holds<_Result extends Wanted, Wanted> = true
export type CallResultsHold = [
  Holds<CalledTool, Promised<typeof call>>,
  Holds<PlannedCall, Promised<typeof plannedCall>>,
  Holds<CodeCallResult, Promised<typeof run>>,
  Holds<AgentAnswer, Promised<typeof agent>>,
]
