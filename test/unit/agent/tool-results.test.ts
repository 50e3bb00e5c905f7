import { expect, test } from 'vitest'
import { resultMessage } from '../../../src/agent/tool-results.ts'

const long = (name: string) => {
  const content = [{ type: 'text' as const, text: `begin ${'x'.repeat(1_000)} end` }]
  const [block] = resultMessage({ id: 'c', name }, { status: 'ok', result: { content } }, 40).content
  return block?.type === 'text' ? block.text : ''
}

test('a long result keeps its beginning, and that of a command its end as well', () => {
  expect(long('web_fetch')).toBe(`begin ${'x'.repeat(34)}\n[970 more characters left out]`)
  expect(long('exec')).toBe(`begin xxxx\n[970 characters left out here]\n${'x'.repeat(26)} end`)
})

test('a result that fits stays as it is', () => {
  const content = [{ type: 'text' as const, text: 'x'.repeat(40) }]
  const { content: kept } = resultMessage(
    { id: 'c', name: 'exec' },
    { status: 'ok', result: { content } },
    40,
  )
  expect(kept).toEqual(content)
})
