import { describe, expect, test } from 'vitest'
import type { AgentEvent, AgentResult } from '../../../src/agent/events.ts'
import { noUsage } from '../../../src/agent/messages.ts'
import { AgentStream, usageLine } from '../../../src/ui/agent-stream.ts'
import { plainTheme } from '../../../src/ui/theme.ts'

/** What a terminal shows of events; lines of stderr are marked. */
function screen(...events: readonly Partial<AgentEvent>[]): string {
  let shown = ''
  const stream = new AgentStream({
    answer: (text) => {
      shown += text
    },
    aside: (line) => {
      shown += `# ${line}\n`
    },
    theme: plainTheme,
  })
  for (const event of events) stream.take(event as AgentEvent)
  return shown
}

const text = (delta: string) => ({ type: 'text', delta }) as const
const message = { type: 'message' } as const
const model = { provider: 'p', model: 'm' }
const fault = { kind: 'cut', message: 'it broke', status: null, retryAfterMs: null } as const
const retry = { type: 'retry', attempt: 1, waitMs: 1500, fault, model } as const

describe('a run on the screen', () => {
  test('is its text, each message from the start of a line', () => {
    expect(screen(text('one '), text('two'), message, text('three\n'), message)).toBe('one two\nthree\n')
  })

  test('has one line a call, away from the text', () => {
    const args = { query: 'x', apiKey: 'sk-1234567890abcdef1234' }
    expect(
      screen(
        text('let me see'),
        message,
        { type: 'call-start', callId: 'c', name: 'find', args },
        {
          type: 'call-end',
          callId: 'c',
          name: 'find',
          status: 'ok',
          code: null,
          durationMs: 12,
          message: null,
        },
        {
          type: 'call-end',
          callId: 'd',
          name: 'b\u001b[31mad',
          status: 'error',
          code: 'TOOL_FAILED',
          durationMs: 1,
          message: 'no',
        },
      ),
    ).toBe(
      [
        'let me see',
        '# → find {"query":"x","apiKey":"__OPENCLAW_REDACTED__"}',
        '# ✓ find 12 ms',
        '# ✗ b\\u{1b}[31mad: no',
        '',
      ].join('\n'),
    )
  })

  test.each([
    { name: 'repeats itself', again: ['one ', 'two ', 'three'], is: 'three\n' },
    { name: 'repeats itself in other pieces', again: ['o', 'ne two th', 'ree'], is: 'three\n' },
    { name: 'says something else', again: ['uno'], is: 'uno\n' },
    { name: 'says something else later on', again: ['one ', 'dos'], is: 'one dos\n' },
    { name: 'says less', again: ['one'], is: 'one\n' },
  ])('shows an attempt that $name', ({ again, is }) => {
    expect(screen(text('one two '), retry, ...again.map(text), message)).toBe(
      `one two \n# retry in 1.5 s: p broke\n${is}`,
    )
  })

  test('obeys no escape sequence and hides nothing', () => {
    expect(screen(text('a\u001b'), text('[31mb\u202Ec\u0007'), message)).toBe('a[31mbc\n')
  })

  test('tells of a fallback', () => {
    const to = { provider: 'q', model: 'n' }
    expect(screen({ type: 'fallback', from: model, to, message: 'it is down' })).toBe(
      '# fallback to q/n: is down\n',
    )
  })
})

test('the bill is one line', () => {
  const wire = { request: 1234, response: 9 }
  const result = {
    provider: 'p',
    model: 'm',
    turns: [{ wire }, { wire }],
    calls: [{}],
    usage: {
      ...noUsage,
      input: 1000,
      cacheRead: 200,
      output: 30,
      cost: { ...noUsage.cost, total: 0.0123 },
    },
  } as unknown as AgentResult
  expect(usageLine(result)).toBe(
    'p/m · 2 requests · 1 tool call · 1,200 tokens in (200 cached), 30 out · 2,468 bytes sent · $0.0123',
  )
})
