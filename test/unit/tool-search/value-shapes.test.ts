import { expect, test } from 'vitest'
import { readValueShapes } from '../../../src/tool-search/value-shapes.ts'

const hinted = (query: string): string[] => readValueShapes(query).hints.map(({ word }) => word)

test.each([
  'flights on 2026-03-08',
  'flights on 3/8/2026',
  'flights on 8.3.2026',
  'flights on March 8th',
  'flights on the 8th of march',
  'flights on 8 Mar 2026',
  'flights on Sept. 30',
  '3月8日的航班',
])('%s: a tool that takes a date is meant', (query) => {
  expect(hinted(query)).toEqual(['date'])
})

test.each([
  'you may delete 8 rows',
  'march to the office',
  'ping 10.1.1.20',
  'version 1.2.34',
  'divide 3/4 by 8',
  'a meeting in may 8:30',
  'decode 12 decibels',
])('%s: no date', (query) => {
  expect(hinted(query)).toEqual([])
})

test('a date stays a part of the text, a path and a URL do not', () => {
  const { text, hints } = readValueShapes('save https://a.example/x of May 8 to /out/may-8.csv')
  expect(text.replace(/\s+/g, ' ').trim()).toBe('save of May 8 to')
  expect(hints.map(({ word }) => word)).toEqual(['url', 'web', 'file', 'csv', 'write', 'date'])
})
