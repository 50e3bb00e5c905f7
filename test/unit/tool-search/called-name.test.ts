import { expect, test } from 'vitest'
import { calledName } from '../../../src/tool-search/called-name.ts'

const offered: ReadonlySet<string> = new Set(['read', 'exec', 'cal__create_event', 'a.b'])

test.each([
  ['read', 'read'],
  ['openclaw PR#43312', null],
  ['functions:read', 'read'],
  ['functions.read', 'read'],
  ['default_api.cal__create_event', 'cal__create_event'],
  [' read ', 'read'],
  ['a.b', 'a.b'],
  ['functions:write', null],
  ['functions:functions:read', null],
  ['read:', null],
  [':read', null],
  ['Read', null],
  ['', null],
  ['  ', null],
  ['openclaw:core:read', null],
])('%o means %o', (name, expected) => {
  expect(calledName(name, (each) => offered.has(each))).toBe(expected)
})
