import { expect, test } from 'vitest'
import { envProxy } from '../../../../src/tools/web/env-proxy.ts'

const proxy = 'http://proxy.test:3128'

test.each([
  ['http://a.corp.test/', 'corp.test', null],
  ['http://a.corp.test/', '*.corp.test', null],
  ['http://corp.test:8080/', 'corp.test:8080', null],
  ['http://corp.test/', 'corp.test:8080', proxy],
  ['http://notcorp.test/', 'corp.test', proxy],
  ['http://[::1]/', '::1', null],
  ['http://[::1]:81/', '[::1]:81', null],
  ['http://[::1]/', '[::1]:81', proxy],
  ['http://[fe80::1]/', 'localhost,FE80::1', null],
  ['http://[fe80::2]/', 'fe80::1', proxy],
])('%s with NO_PROXY=%s', (url, list, expected) => {
  expect(envProxy(new URL(url), { HTTP_PROXY: proxy, NO_PROXY: list })).toBe(expected)
})
