import { expect, test } from 'vitest'
import { createRedactor } from '../../../src/telemetry/redaction.ts'

const hidden = '__OPENCLAW_REDACTED__'

test('values that a config keeps secret are found in any text, the longest first', () => {
  const { text } = createRedactor({
    gateway: { auth: { token: 'abc12345' } },
    models: { providers: { p: { apiKey: 'abc12345-and-more-678' } } },
  })
  expect(text('it says abc12345-and-more-678, abc12345')).toBe(`it says ${hidden}, ${hidden}`)
})

test.each([
  ['a word', 'production'],
  ['a path', '/usr/local/bin9'],
  ['an address', 'https://example.invalid/a1'],
  ['a short value', 'a1b2'],
  ['words', 'two w0rds here'],
])('%s in an environment is too common to be hidden everywhere', (_, value) => {
  const { text } = createRedactor({ mcp: { servers: { s: { env: { MODE: value } } } } })
  expect(text(`see ${value} there`)).toBe(`see ${value} there`)
})

test('a value that came out of a variable counts as it is after that', () => {
  const config = { agents: { defaults: { note: 's3cr3t-out-of-env' } } }
  const { text } = createRedactor(config, { agents: { defaults: { note: '${API_KEY}' } } })
  expect(text('x s3cr3t-out-of-env y')).toBe(`x ${hidden} y`)
})

test('values are copied, redacted by place and by look, keys and numbers stay', () => {
  const given = { token: 'x', n: 1, list: ['Bearer abcdefgh12345', null, { deep: true }] }
  expect(createRedactor({}).value(given)).toEqual({
    token: hidden,
    n: 1,
    list: [`Bearer ${hidden}`, null, { deep: true }],
  })
  expect(given.token).toBe('x')
})
