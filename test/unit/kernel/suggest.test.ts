import { describe, expect, test } from 'vitest'
import { suggest } from '../../../src/kernel/suggest.ts'

const tools = [
  'read',
  'write',
  'edit',
  'exec',
  'process',
  'web_search',
  'web_fetch',
  'sessions_list',
  'message',
]

describe('suggest', () => {
  test.each<[string, string[]]>([
    ['raed', ['read']],
    ['wirte', ['write']],
    ['EXEC', ['exec']],
    ['exce', ['exec']],
    ['websearch', ['web_search']],
    ['web-fetch', ['web_fetch']],
    ['sessionslist', ['sessions_list']],
    ['sess', ['sessions_list']],
    ['messages', ['message']],
    ['web', ['web_fetch', 'web_search']],
    ['kubernetes', []],
    ['x', []],
    ['', []],
    ['e'.repeat(100_000), []],
  ])('%.20j', (word, expected) => {
    expect(suggest(word, tools)).toEqual(expected)
  })

  test('gives the nearest first, at most three, each once', () => {
    const candidates = ['tool4', 'tool3', 'tools', 'tool', 'tool2', 'tool']
    expect(suggest('tool', candidates)).toEqual(['tool', 'tool2', 'tool3'])
    expect(suggest('tool', candidates, 1)).toEqual(['tool'])
  })

  test('is quick on ten thousand candidates', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `some_tool_name_${index}`)
    const before = process.cpuUsage()
    expect(suggest('some_tool_nmae_77', many)).toContain('some_tool_name_77')
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1500)
  })
})
