import { describe, expect, test } from 'vitest'
import { largestImage, longestText, toolResult } from '../../../src/mcp/result.ts'

const blocks = (...content: unknown[]) => toolResult({ content }, 's', 't').content

test.each<[string, unknown, unknown]>([
  ['text', { type: 'text', text: 'a\nb' }, { type: 'text', text: 'a\nb' }],
  [
    'image',
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
  ],
  [
    'audio',
    { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
    { type: 'text', text: '[audio audio/wav]' },
  ],
  [
    'link',
    { type: 'resource_link', uri: 'file:///x', name: 'x', title: 'X' },
    { type: 'text', text: '[X] file:///x' },
  ],
  [
    'resource with text',
    { type: 'resource', resource: { uri: 'u', text: 'body' } },
    { type: 'text', text: 'body' },
  ],
  [
    'resource with a picture',
    { type: 'resource', resource: { uri: 'u', blob: 'AA==', mimeType: 'image/png' } },
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
  ],
  [
    'resource with bytes',
    { type: 'resource', resource: { uri: 'u', blob: 'AA==' } },
    { type: 'text', text: '[resource] u' },
  ],
  [
    'image without a type',
    { type: 'image', data: 'AA==' },
    { type: 'text', text: '{\n  "type": "image",\n  "data": "AA=="\n}' },
  ],
  ['of no known kind', { type: 'video' }, { type: 'text', text: '{\n  "type": "video"\n}' }],
  ['no block', 7, { type: 'text', text: '7' }],
  ['null', null, { type: 'text', text: 'null' }],
])('%s', (_name, block, expected) => {
  expect(blocks(block)).toEqual([expected])
})

describe('what an answer without content says', () => {
  test.each<[unknown, string]>([
    [{}, 'Done, without output.'],
    [null, 'Done, without output.'],
    [{ content: 'text' }, 'Done, without output.'],
    [{ content: [], isError: true }, 'The tool failed and did not say why.'],
    [{ content: [{ type: 'text', text: '' }], structuredContent: [1] }, '[\n  1\n]'],
    [{ toolResult: 'old form' }, '{\n  "toolResult": "old form"\n}'],
  ])('%j', (raw, text) => {
    expect(toolResult(raw, 's', 't').content).toEqual([{ type: 'text', text }])
  })
})

test('details', () => {
  expect(
    toolResult({ content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 } }, 's', 't'),
  ).toMatchObject({
    details: { mcpServer: 's', mcpTool: 't', structuredContent: { a: 1 } },
    isError: false,
  })
  const failed = toolResult({ content: [], isError: true }, 's', 't')
  expect(failed).toMatchObject({ details: { status: 'error' }, isError: true })
  expect('status' in toolResult({ isError: 'yes' }, 's', 't').details).toBe(false)
})

describe('what is too long', () => {
  test('texts share one limit, and a marker says what is missing', () => {
    const long = 'x'.repeat(longestText - 1)
    const [first, second, third] = blocks(
      { type: 'text', text: long },
      { type: 'text', text: 'ab' },
      { type: 'text', text: 'cde' },
    )
    expect(first).toEqual({ type: 'text', text: long })
    expect(second).toEqual({ type: 'text', text: 'a\n[1 more characters left out]' })
    expect(third).toEqual({ type: 'text', text: '\n[3 more characters left out]' })
  })

  test('images, data and blocks', () => {
    const data = 'A'.repeat(largestImage + 1)
    expect(blocks({ type: 'image', data, mimeType: 'image/png' })).toEqual([
      { type: 'text', text: '[image image/png of 8 MB left out]' },
    ])
    const big = toolResult({ structuredContent: { big: 'x'.repeat(longestText) } }, 's', 't')
    expect(big.details).toEqual({ mcpServer: 's', mcpTool: 't' })
    const many = blocks(...Array.from({ length: 1005 }, () => ({ type: 'text', text: 'a' })))
    expect(many).toHaveLength(1001)
    expect(many.at(-1)).toEqual({ type: 'text', text: '[5 more blocks left out]' })
  })

  test('what cannot be printed', () => {
    const round: Record<string, unknown> = {}
    round['self'] = round
    expect(blocks(round)).toEqual([{ type: 'text', text: '[an answer that cannot be printed]' }])
  })
})
