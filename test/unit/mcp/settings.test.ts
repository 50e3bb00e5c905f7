import { expect, test } from 'vitest'
import type { McpServerConfig } from '../../../src/config/types.ts'
import { readSettings } from '../../../src/mcp/settings.ts'

const around = {
  env: { HOME: '/home/me', PATH: '/bin', KEY: 'from-env', OTHER: 'x' },
  cwd: '/work',
  home: '/home/me',
}

/** How an entry is dialled, as one line. */
function told(config: McpServerConfig): string {
  const settings = readSettings('s', config, around)
  switch (settings.kind) {
    case 'stdio':
      return `${[settings.command, ...settings.args].join(' ')} in ${settings.cwd} with ${Object.keys(settings.env).join(' ')}`
    case 'remote':
      return `${settings.url.href} over ${settings.transports.join(', then ')}`
    default:
      return settings.problem
  }
}

test.each<[string, McpServerConfig, string]>([
  ['command', { command: 'srv', args: ['-x', 'a b'] }, 'srv -x a b in /work with HOME PATH'],
  ['command wins', { command: 'srv', url: 'http://x/' }, 'srv in /work with HOME PATH'],
  ['cwd', { command: 'srv', cwd: 'sub', workingDirectory: '/no' }, 'srv in /work/sub with HOME PATH'],
  [
    'home',
    { command: '~/bin/srv', workingDirectory: '~/w' },
    '/home/me/bin/srv in /home/me/w with HOME PATH',
  ],
  ['environment', { command: 'srv', env: { A: 1, LD_PRELOAD: 'x' } }, 'srv in /work with HOME PATH A'],
  ['nothing', {}, 'it has neither command nor url'],
  ['blank', { command: ' ' }, 'it has neither command nor url'],
  [
    'stdio without command',
    { url: 'http://x/', transport: 'stdio' },
    'its transport is stdio, but it has no command',
  ],
  ['no transport', { url: 'http://x/mcp' }, 'http://x/mcp over streamable-http, then sse'],
  ['sse', { url: 'http://x/', transport: 'sse' }, 'http://x/ over sse'],
  ['http', { url: 'http://x/', type: 'http' }, 'http://x/ over streamable-http'],
  ['transport wins over type', { url: 'http://x/', transport: 'sse', type: 'http' }, 'http://x/ over sse'],
  ['login', { url: 'https://me:pw@x/' }, 'https://x/ over streamable-http, then sse'],
  ['another scheme', { url: 'ws://x/' }, 'its url is no http or https address: ws://x/'],
  ['no url', { url: '${HOST}/mcp' }, 'its url is no http or https address: ${HOST}/mcp'],
  [
    'a secret from the environment',
    { command: 'srv', env: { A: { source: 'env', id: 'KEY' } } },
    'srv in /work with HOME PATH A',
  ],
  [
    'a secret that is not set',
    { command: 'srv', env: { A: { source: 'env', id: 'NO' } } },
    'the secret that env.A refers to is not at hand',
  ],
  [
    'a secret elsewhere',
    { url: 'http://x/', headers: { A: { source: 'file', id: '/x' } } },
    'the secret that headers.A refers to is not at hand',
  ],
])('%s', (_name, config, expected) => {
  expect(told(config)).toBe(expected)
})

test.each<[McpServerConfig, number, number]>([
  [{}, 30_000, 60_000],
  [{ timeout: 5, connectTimeout: 0.5 }, 500, 5000],
  [{ requestTimeoutMs: 700, connectionTimeoutMs: 800 }, 800, 700],
  [{ timeout: 1, requestTimeoutMs: 700 }, 30_000, 1000],
  [{ timeout: 1e9 }, 30_000, 2 ** 31 - 1],
])('time limits of %j', (config, connectMs, requestMs) => {
  expect(readSettings('s', config, around)).toMatchObject({ connectMs, requestMs })
})

test('what people see of it has no secrets', () => {
  const endpoint = (config: McpServerConfig) => readSettings('s', config, around).endpoint
  expect(endpoint({ command: 'srv', args: ['--token', 'abcdefgh', '--name', 'n'] })).toBe(
    'srv --token __OPENCLAW_REDACTED__ --name n',
  )
  expect(endpoint({ url: 'https://me:pw123456@x/?api_key=abcdefgh' })).not.toMatch(/pw123456|abcdefgh/)
})
