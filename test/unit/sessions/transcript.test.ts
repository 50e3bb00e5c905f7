import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTranscript, transcriptFile, type TranscriptEvent } from '../../../src/sessions/transcript.ts'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'openclaw-transcript-test-'))
  file = join(directory, 's1.jsonl')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

async function read(...lines: readonly (object | string)[]): Promise<TranscriptEvent[]> {
  writeFileSync(
    file,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  )
  const events: TranscriptEvent[] = []
  for await (const event of readTranscript(file)) events.push(event)
  return events
}

/** Line, type and what the message says. */
function told(events: readonly TranscriptEvent[]): readonly unknown[] {
  return events.map(({ line, type, message }) => (message ? [line, type, message] : [line, type]))
}

test('messages of every role', async () => {
  const events = await read(
    { type: 'session', version: 4, id: 's1', timestamp: '2026-07-01T00:00:00Z', cwd: '/w' },
    { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'hi', timestamp: 1 } },
    {
      type: 'message',
      id: 'b',
      parentId: 'a',
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: '…' },
          { type: 'text', text: 'ok' },
          { type: 'toolCall', id: 'c1', name: 'exec', arguments: { command: 'ls' } },
          7,
        ],
        stopReason: 'toolUse',
      },
    },
    {
      type: 'message',
      id: 'c',
      message: {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'exec',
        content: [{ type: 'text', text: 'a.txt' }],
        isError: false,
      },
    },
    { type: 'compaction', id: 'd', summary: 's' },
    { type: 'message', id: 'e', message: 'not a message' },
    {},
  )
  expect(told(events)).toMatchInlineSnapshot(`
    [
      [
        1,
        "session",
      ],
      [
        2,
        "message",
        {
          "content": [
            {
              "text": "hi",
              "type": "text",
            },
          ],
          "role": "user",
        },
      ],
      [
        3,
        "message",
        {
          "content": [
            {
              "type": "thinking",
            },
            {
              "text": "ok",
              "type": "text",
            },
            {
              "arguments": {
                "command": "ls",
              },
              "id": "c1",
              "name": "exec",
              "type": "toolCall",
            },
          ],
          "role": "assistant",
          "stopReason": "toolUse",
        },
      ],
      [
        4,
        "message",
        {
          "content": [
            {
              "text": "a.txt",
              "type": "text",
            },
          ],
          "isError": false,
          "role": "toolResult",
          "toolCallId": "c1",
          "toolName": "exec",
        },
      ],
      [
        5,
        "compaction",
      ],
      [
        6,
        "message",
      ],
    ]
  `)
  expect(events[0]?.record).toEqual({
    type: 'session',
    version: 4,
    id: 's1',
    timestamp: '2026-07-01T00:00:00Z',
    cwd: '/w',
  })
  expect(events[2]).toMatchObject({ id: 'b', parentId: 'a' })
})

test('a last line that was cut off is left out, a broken one before it is not', async () => {
  expect(told(await read({ type: 'reset' }, '', 'broken', '[1]', { type: 'leaf' }, '{"type":"mess'))).toEqual(
    [
      [1, 'reset'],
      [3, 'unreadable'],
      [4, 'unreadable'],
      [5, 'leaf'],
    ],
  )
  expect(await read('')).toEqual([])
})

test('a reader may stop early; a file that is not there is an error', async () => {
  writeFileSync(file, '{"type":"session"}\n'.repeat(5000))
  for await (const event of readTranscript(file)) {
    if (event.line === 3) break
  }
  await expect(readTranscript(join(directory, 'none.jsonl')).next()).rejects.toThrow('ENOENT')
})

test.each([
  ['json', 's-1.a', '/x/sessions/s-1.a.jsonl'],
  ['json', '../../etc/passwd', null],
  ['json', undefined, null],
  ['sqlite', 's1', null],
] as const)('transcript of a session in %s with id %s', (layout, sessionId, expected) => {
  const entry = sessionId === undefined ? {} : { sessionId }
  const session = {
    agentId: 'main',
    key: 'agent:main:main',
    entry,
    file: '/x/sessions/sessions.json',
    layout,
  }
  expect(transcriptFile(session)).toBe(expected)
})
