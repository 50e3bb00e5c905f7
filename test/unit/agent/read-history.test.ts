import { expect, test } from 'vitest'
import { readHistory } from '../../../src/agent/read-history.ts'
import { tempDir } from '../../helpers/run-cli.ts'
import { told } from './session.ts'

const header = { type: 'session', version: 4, id: 's', timestamp: '2026-07-01T00:00:00Z', cwd: '/' }

/** Entries in a row, each the child of the one before unless it says otherwise. */
async function transcript(...entries: readonly object[]): Promise<string> {
  const lines = entries.map((entry, at) => ({
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    ...entry,
  }))
  const dir = await tempDir({
    's.jsonl': [header, ...lines].map((each) => `${JSON.stringify(each)}\n`).join(''),
  })
  return `${dir}/s.jsonl`
}

const user = (content: unknown) => ({ type: 'message', message: { role: 'user', content } })
const says = (...content: readonly unknown[]) => ({
  type: 'message',
  message: { role: 'assistant', content },
})
const result = (toolCallId: string, text: string) => ({
  type: 'message',
  message: {
    role: 'toolResult',
    toolCallId,
    toolName: 't',
    content: [{ type: 'text', text }],
    isError: false,
  },
})
const call = (id: string, name: string) => ({ type: 'toolCall', id, name, arguments: { a: 1 } })
const text = (value: string) => ({ type: 'text', text: value })

test('brings back messages of every kind, and passes the rest over', async () => {
  const file = await transcript(
    { type: 'model_change', provider: 'p', modelId: 'm' },
    user('hello'),
    says(text('let me see'), call('c1', 'read'), { type: 'image' }),
    result('c1', 'contents'),
    { type: 'custom', customType: 'openclaw.turn', data: {} },
    { type: 'custom_message', content: 'a note for the model' },
    says(text('done')),
    { type: 'message', message: { role: 'narrator', content: 'once upon a time' } },
  )
  expect(told(await readHistory(file))).toEqual([
    'user: hello',
    'assistant: let me see → read {"a":1}',
    'toolResult: contents',
    'user: a note for the model',
    'assistant: done',
  ])
})

test('leaves out the calls that Tool Search made', async () => {
  const file = await transcript(
    user('hello'),
    says(call('c1', 'tool_call')),
    result('c1', 'outer'),
    says(call('tool_search_code:c1:read:1', 'read')),
    result('tool_search_code:c1:read:1', 'inner'),
    says(text('done')),
  )
  expect(told(await readHistory(file))).toEqual([
    'user: hello',
    'assistant: → tool_call {"a":1}',
    'toolResult: outer',
    'assistant: done',
  ])
})

test('goes on from a compaction, and from a reset', async () => {
  const kept = await transcript(
    user('old'),
    says(text('older')),
    user('kept'),
    { type: 'compaction', summary: 'They said hello.', firstKeptEntryId: 'e2', tokensBefore: 9 },
    says(text('new')),
  )
  expect(told(await readHistory(kept))).toEqual([
    'user: Summary of what was said before:\nThey said hello.',
    'user: kept',
    'assistant: new',
  ])
  const reset = await transcript(user('old'), { type: 'reset' }, user('new'))
  expect(told(await readHistory(reset))).toEqual(['user: new'])
})

test('follows the newest branch', async () => {
  const file = await transcript(
    user('root'),
    says(text('first try')),
    { ...user('asked anew'), parentId: 'e0' },
    says(text('second try')),
  )
  expect(told(await readHistory(file))).toEqual(['user: root', 'user: asked anew', 'assistant: second try'])
})

test('reads what a dying writer left, and nothing where there is no file', async () => {
  const dir = await tempDir({
    's.jsonl': `${JSON.stringify(header)}\n${JSON.stringify({ id: 'a', parentId: null, ...user('hello') })}\n{"type":"mess`,
  })
  expect(told(await readHistory(`${dir}/s.jsonl`))).toEqual(['user: hello'])
  expect(await readHistory(`${dir}/none.jsonl`)).toEqual([])
})

test('does not turn in circles', async () => {
  const file = await transcript({ ...user('a'), parentId: 'e1' }, { ...user('b'), parentId: 'e0' })
  expect(told(await readHistory(file))).toEqual(['user: a', 'user: b'])
})
