import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CallLog } from '../../../src/calls/call-log.ts'
import type { CodeRunner } from '../../../src/calls/code-runner.ts'
import { callMessages, persistedBytes } from '../../../src/calls/projection.ts'
import type { CallEvent } from '../../../src/calls/events.ts'
import { SessionLog } from '../../../src/sessions/session-log.ts'
import { createRedactor } from '../../../src/telemetry/redaction.ts'
import { tempDir } from '../../helpers/run-cli.ts'
import { said, TestRun } from './run.ts'

const redactor = createRedactor({})

interface Line {
  readonly type: string
  readonly id?: string
  readonly parentId?: string | null
  readonly customType?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly message?: Readonly<Record<string, unknown>>
}

/** A line of a log in few words. */
function brief({ type, customType, data, message }: Line): string {
  if (customType !== undefined)
    return `${customType} ${JSON.stringify(data?.['kind'] ?? data?.['callCount'])}`
  if (message === undefined) return type
  const [part] = message['content'] as readonly Readonly<Record<string, unknown>>[]
  if (message['role'] === 'assistant')
    return `call ${String(part?.['id'])} ${String(part?.['name'])} ${JSON.stringify(part?.['arguments'])}`
  return `result ${String(message['toolCallId'])} ${String(message['toolName'])}${message['isError'] === true ? ' failed' : ''}`
}

test('a turn in the layout of transcripts: each control with its own calls behind it, then the turn', async () => {
  const file = join(await tempDir(), 's.jsonl')
  const log = new SessionLog({ file, header: { id: 's', cwd: '/w' }, clock: () => 1_780_000_000_000 })
  const calls = new CallLog(log, redactor)
  const code: CodeRunner = async ({ bridge, signal }) => {
    const call = (id: string, args: unknown) => bridge.call({ id, args }, signal).catch(() => {})
    await Promise.all([call('add', { n: 1 }), call('add', { n: 2 }), call('fail', {}), call('veto', {})])
    await call('ghost', {})
    return {
      ok: true,
      value: 'done',
      logs: [],
      telemetry: { searchCount: 0, describeCount: 0, callCount: 0 },
    }
  }
  const run = new TestRun({
    config: { tools: { toolSearch: { mode: 'code' }, deny: ['ghost'] } },
    tools: [
      { name: 'add' },
      { name: 'fail', run: () => Promise.reject(new Error('kaput')) },
      { name: 'veto' },
      { name: 'ghost' },
    ],
    before: [({ toolName }) => (toolName === 'veto' ? { block: true, blockReason: 'no' } : undefined)],
    code,
  })
  await run.call('tool_search_code', { code: 'x' })
  for (const event of run.events) calls.record(event)
  const outer = run.recorded.find(({ callId }) => callId === 'c1')
  if (outer === undefined) throw new Error('no outer call')
  calls.write(outer)
  calls.endTurn({ runId: 'r1', origin: 'model', sent: null, view: run.view, telemetry: run.run.telemetry() })
  log.close()

  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line))
  expect(lines.map(brief)).toEqual([
    'session',
    'openclaw.policy "blocked"',
    'openclaw.policy "denied"',
    'call c1 tool_search_code {"code":"x"}',
    'result c1 tool_search_code',
    'call tool_search_code:c1:add:1 add {"n":1}',
    'result tool_search_code:c1:add:1 add',
    'call tool_search_code:c1:add:2 add {"n":2}',
    'result tool_search_code:c1:add:2 add',
    'call tool_search_code:c1:fail:3 fail {}',
    'result tool_search_code:c1:fail:3 fail failed',
    'call tool_search_code:c1:veto:4 veto {}',
    'result tool_search_code:c1:veto:4 veto',
    'openclaw.turn 4',
  ])
  // Each entry names the one before; the header is no entry.
  expect(lines.slice(1).map(({ parentId }) => parentId)).toEqual([
    null,
    ...lines.slice(1, -1).map(({ id }) => id),
  ])
  expect(lines.at(-1)?.data).toEqual({
    runId: 'r1',
    mode: 'code',
    origin: 'model',
    sent: null,
    catalogSize: expect.any(Number),
    sources: { openclaw: expect.any(Number), mcp: 0, client: 0 },
    searchCount: 0,
    describeCount: 0,
    callCount: 4,
    calls: expect.arrayContaining([
      {
        toolCallId: 'tool_search_code:c1:add:1',
        parentToolCallId: 'c1',
        id: 'openclaw:kit:add',
        name: 'add',
        source: 'openclaw',
        status: 'ok',
        durationMs: expect.any(Number),
      },
    ]),
  })
})

const event = (more: Partial<CallEvent>): CallEvent => ({
  type: 'call',
  callId: 'c1',
  tool: { id: 'openclaw:kit:add', name: 'add', source: 'openclaw' },
  toolSource: 'plugin',
  args: {},
  outcome: { status: 'ok', result: said('x') },
  ran: true,
  startedAt: 1000,
  durationMs: 12.5,
  ...more,
})

test('secrets of the config, and what looks like one, are in no entry', () => {
  const own = createRedactor({ mcp: { servers: { a: { env: { TOKEN: 'tok3n-value-of-mine' } } } } })
  const text = 'tok3n-value-of-mine and sk-abcdefghijklmnopqrstuv'
  const messages = callMessages(
    event({
      args: { password: 'hunter2', note: text, deep: [{ apiKey: 'x1y2z3' }] },
      outcome: { status: 'ok', result: said(text, { token: 't', list: [text] }) },
    }),
    own,
  )
  const written = JSON.stringify(messages)
  for (const secret of ['hunter2', 'tok3n-value', 'sk-abcdef', 'x1y2z3'])
    expect(written).not.toContain(secret)
})

test('long arguments, texts and details are replaced by what they were', () => {
  const [call, result] = callMessages(
    event({
      args: { text: 'x'.repeat(10_000) },
      outcome: {
        status: 'ok',
        result: {
          content: [
            { type: 'text', text: 'y'.repeat(100_000) },
            { type: 'image', data: 'A'.repeat(4000), mimeType: 'image/png' },
            { type: 'text', text: 'z' },
          ],
          details: { exitCode: 3, ok: false, text: 'y'.repeat(100_000) },
        },
      },
    }),
    redactor,
  )
  expect(call.content[0].arguments).toEqual({ omitted: '10011 bytes of arguments' })
  expect(result.content[0]).toEqual({
    type: 'text',
    text: `${'y'.repeat(persistedBytes.result)}\n[67232 more characters]`,
  })
  expect(result.content.slice(1)).toEqual([
    { type: 'text', text: '[image image/png, 4000 characters of base64]' },
    { type: 'text', text: '\n[1 more characters]' },
  ])
  expect(result.details).toEqual({ persistedDetailsTruncated: true, exitCode: 3, ok: false })
})

test('a failure without a result is written in its own words', () => {
  const outcome = { status: 'error', code: 'TOOL_FAILED', message: 'kaput', hints: [], data: {} } as const
  const [, result] = callMessages(event({ outcome }), redactor)
  expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'kaput' }], timestamp: 1013 })
})
