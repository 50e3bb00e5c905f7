import { describe, expect, test } from 'vitest'
import { isSecretPath, redact, redactArgs, redactAt, redactText } from '../../../src/config/redact.ts'
import { isSensitiveKey, isSensitiveVariable } from '../../../src/config/sensitive.ts'

const hidden = '__OPENCLAW_REDACTED__'

describe('names', () => {
  test.each(
    'token botToken tokens accessToken password appPassword clientSecret signingSecret apiKey api_key api-key APIKEY encryptKey encryption_key privateKey serviceAccount serviceAccountRef authorization Proxy-Authorization credentials'.split(
      ' ',
    ),
  )('%s is sensitive', (name) => {
    expect(isSensitiveKey(name)).toBe(name !== 'encryption_key')
  })

  test.each(
    'maxTokens max_tokens maxOutputTokens maxInputTokens maxCompletionTokens contextTokens totalTokens tokenCount tokenLimit tokenBudget passwordFile userTokenReadOnly tokenOptimization profile mainKey keys author publicKey mode'.split(
      ' ',
    ),
  )('%s is not', (name) => {
    expect(isSensitiveKey(name)).toBe(false)
  })

  test('variables', () => {
    const names = [
      'GH_TOKEN',
      'AWS_SECRET_ACCESS_KEY',
      'DB_PASS',
      'PGPASSWORD',
      'X_API_KEY',
      'SENTRY_DSN',
      'GH_PAT',
    ]
    expect(names.filter((name) => !isSensitiveVariable(name))).toEqual([])
    expect(['HOME', 'OLLAMA_BASE_URL', 'PATH', 'KEYBOARD', 'TEAM_DIR'].filter(isSensitiveVariable)).toEqual(
      [],
    )
  })
})

describe('redact', () => {
  test('hides secret strings and nothing else', () => {
    const config = {
      gateway: { port: 18789, auth: { mode: 'token', token: 'real-token', password: '' } },
      channels: {
        slack: {
          botToken: 'xoxb',
          userTokenReadOnly: true,
          token: { source: 'env', provider: 'default', id: 'X' },
        },
        discord: { token: '${DISCORD_TOKEN}', accounts: { token: { name: 'plain' } } },
      },
      models: {
        providers: {
          p: { apiKey: 'k', baseUrl: 'https://u:p@host/v1?api_key=abc&x=1', models: [{ maxTokens: 8192 }] },
        },
      },
      env: { vars: { REGION: 'eu' }, shellEnv: { enabled: true, timeoutMs: 15000 } },
      mcp: {
        servers: {
          'password-manager': {
            command: 'run',
            args: ['--token', 'abc', '--verbose', '--api-key=abc', '--port', '80'],
            env: { LIMIT: '10', URL: '${URL}', SITE: '${SITE:-example.com}', GH_TOKEN: '${GH_TOKEN:-abc}' },
            headers: { Authorization: 'Bearer ${T}', Cookie: 'Bearer abc', 'X-Any': 'value' },
          },
        },
      },
      plugins: {
        entries: {
          brave: {
            config: {
              apiKey: { source: 'file', provider: 'default', id: '/k.txt' },
              old: { source: 'env', var: 'K' },
            },
          },
        },
      },
      agents: { entries: { secretary: { model: 'p/m', tools: { deny: ['exec'] } } } },
      secrets: { providers: { vault: { source: 'exec', command: '/bin/vault', args: ['get'] } } },
      auth: { token: { nested: 'abc', source: 'unknown' }, apiKeys: ['abc', '$P_KEY', 5, null] },
      nothing: null,
    }
    expect(redact(config)).toEqual({
      gateway: { port: 18789, auth: { mode: 'token', token: hidden, password: '' } },
      channels: {
        slack: {
          botToken: hidden,
          userTokenReadOnly: true,
          token: { source: 'env', provider: 'default', id: 'X' },
        },
        discord: { token: '${DISCORD_TOKEN}', accounts: { token: { name: 'plain' } } },
      },
      models: {
        providers: {
          p: {
            apiKey: hidden,
            baseUrl: `https://${hidden}@host/v1?api_key=${hidden}&x=1`,
            models: [{ maxTokens: 8192 }],
          },
        },
      },
      env: { vars: { REGION: hidden }, shellEnv: { enabled: true, timeoutMs: 15000 } },
      mcp: {
        servers: {
          'password-manager': {
            command: 'run',
            args: ['--token', hidden, '--verbose', `--api-key=${hidden}`, '--port', '80'],
            env: { LIMIT: hidden, URL: '${URL}', SITE: '${SITE:-example.com}', GH_TOKEN: hidden },
            headers: { Authorization: 'Bearer ${T}', Cookie: hidden, 'X-Any': hidden },
          },
        },
      },
      plugins: {
        entries: {
          brave: {
            config: {
              apiKey: { source: 'file', provider: 'default', id: '/k.txt' },
              old: { source: 'env', var: 'K' },
            },
          },
        },
      },
      agents: { entries: { secretary: { model: 'p/m', tools: { deny: ['exec'] } } } },
      secrets: { providers: { vault: { source: 'exec', command: '/bin/vault', args: ['get'] } } },
      auth: { token: { nested: hidden, source: hidden }, apiKeys: [hidden, '$P_KEY', 5, null] },
      nothing: null,
    })
  })

  test('a part of a config is judged by its whole path', () => {
    expect(redact('abc', { base: ['gateway', 'auth', 'token'] })).toBe(hidden)
    expect(redact({ A: 'x' }, { base: ['mcp', 'servers', 's', 'env'] })).toEqual({ A: hidden })
    expect(redact('x', { base: ['apiKeys', 0] })).toBe(hidden)
    expect(redact({ model: 'm' }, { base: ['agents', 'entries', 'secretary'] })).toEqual({ model: 'm' })
    expect(redact('coding', { base: ['tools', 'profile'] })).toBe('coding')
    expect(isSecretPath(['mcp', 'servers', 'token', 'url'])).toBe(false)
    expect(isSecretPath(['mcp', 'servers', 'x', 'env', 'A'])).toBe(true)
  })

  test('what came out of a secret variable is hidden under any key', () => {
    const authored = {
      a: 'postgres ${DB_PASSWORD} x',
      b: '${REGION}',
      c: '$${API_KEY}',
      args: ['${API_KEY}'],
    }
    const config = { a: 'postgres hunter22 x', b: 'eu', c: '${API_KEY}', args: ['hunter22'] }
    expect(redact(config, { authored })).toEqual({ a: hidden, b: 'eu', c: '${API_KEY}', args: [hidden] })
    expect(redact('hunter22', { authored, base: ['args', 0] })).toBe(hidden)
  })

  test('reference-like passwords are still passwords', () => {
    expect(redact({ password: ['$ecret', '$Abc', '${A}x', 'Bearer', '${'] })).toEqual({
      password: [hidden, hidden, hidden, hidden, hidden],
    })
  })

  test('__proto__ keys survive as own keys', () => {
    expect(JSON.stringify(redact(JSON.parse('{"__proto__":{"token":"x"}}')))).toBe(
      `{"__proto__":{"token":"${hidden}"}}`,
    )
  })
})

test('redactText', () => {
  const texts = [
    'GET https://user:pw@host/x?token=abc&sig=def&page=2',
    'postgres://u:${PW}@db/x',
    'Authorization: Bearer abcdefghij.klm',
    'Authorization: Basic ${AUTH}',
    '{"password":"hunter22","profile":"coding"}',
    'token: hunter22, mode: token',
    'config: token=abc',
    'GH_TOKEN=abc DB_PASS=xyz node run.js --api-key=abc --port=80',
    'max_tokens=4096 tokens: 12 secret: true',
    'key sk-proj-abcdefghijklmnop1234 and ghp_abcdefghijklmnopqrstuvwx1234 end',
    'bot 123456789:AAabcdefghijklmnopqrstuvwxyz0123456 x',
    'eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM-x',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
    'Host=db;Password=hunter22;User=x',
    'tools.deny[0] denies exec; see task-sk-1 and monkey=1',
    '__OPENCLAW_REDACTED__ token=__OPENCLAW_REDACTED__',
  ]
  expect(texts.map((text) => redactText(text)).join('\n')).toMatchInlineSnapshot(`
    "GET https://__OPENCLAW_REDACTED__@host/x?token=__OPENCLAW_REDACTED__&sig=__OPENCLAW_REDACTED__&page=2
    postgres://u:\${PW}@db/x
    Authorization: Bearer __OPENCLAW_REDACTED__
    Authorization: Basic \${AUTH}
    {"password":"__OPENCLAW_REDACTED__","profile":"coding"}
    token: __OPENCLAW_REDACTED__, mode: token
    config: token=__OPENCLAW_REDACTED__
    GH_TOKEN=__OPENCLAW_REDACTED__ DB_PASS=__OPENCLAW_REDACTED__ node run.js --api-key=__OPENCLAW_REDACTED__ --port=80
    max_tokens=4096 tokens: 12 secret: true
    key __OPENCLAW_REDACTED__ and __OPENCLAW_REDACTED__ end
    bot __OPENCLAW_REDACTED__ x
    __OPENCLAW_REDACTED__
    -----BEGIN RSA PRIVATE KEY-----__OPENCLAW_REDACTED__-----END RSA PRIVATE KEY-----
    Host=db;Password=__OPENCLAW_REDACTED__;User=x
    tools.deny[0] denies exec; see task-sk-1 and monkey=1
    __OPENCLAW_REDACTED__ token=__OPENCLAW_REDACTED__"
  `)
})

test('redactArgs hides the argument of a sensitive flag', () => {
  expect(
    redactArgs(['call', '--token', 'abc', '--password', '--json', '--secret', '${S}', '--api-key=x', 'a b']),
  ).toEqual([
    'call',
    '--token',
    hidden,
    '--password',
    '--json',
    '--secret',
    '${S}',
    `--api-key=${hidden}`,
    'a b',
  ])
})

test('an argument stays secret in a list that holds more than strings, and alone', () => {
  const config = { mcp: { servers: { a: { args: ['--token', 'abc', 5, '--port', '80'] } } } }
  expect(redact(config)).toEqual({
    mcp: { servers: { a: { args: ['--token', hidden, 5, '--port', '80'] } } },
  })
  const at = (index: number): unknown => redactAt(config, ['mcp', 'servers', 'a', 'args', index])
  expect([at(0), at(1), at(2), at(4)]).toEqual(['--token', hidden, 5, '80'])
})

test('logins under everyday names are hidden, settings beside them are not', () => {
  const safe = redact({
    gateway: { auth: 'abc' },
    auth: { profiles: { x: { mode: 'oauth', key: 'abc', access: 'abc', refresh: 'abc', provider: 'p' } } },
    models: { providers: { p: { auth: 'api-key' } } },
  })
  expect(safe).toEqual({
    gateway: { auth: hidden },
    auth: { profiles: { x: { mode: 'oauth', key: hidden, access: hidden, refresh: hidden, provider: 'p' } } },
    models: { providers: { p: { auth: 'api-key' } } },
  })
})

test.each([
  ['run --token s3cret -v', `run --token ${hidden} -v`],
  [`args: ['--api-key', 's3cret' 'x']`, `args: ['--api-key', '${hidden}' 'x']`],
  ['--token is missing; pass --token TOKEN', '--token is missing; pass --token TOKEN'],
  ['--max-tokens 500 --port 80', '--max-tokens 500 --port 80'],
  ['--token --json, --token ${T}', '--token --json, --token ${T}'],
])('redactText knows the arguments of flags: %s', (text, expected) => {
  expect(redactText(text)).toBe(expected)
})

test.each([
  [`--token${' '.repeat(300_000)}`],
  ['--token '.repeat(50_000)],
  ['-'.repeat(300_000)],
  ['a.'.repeat(200_000)],
  ['eyJ-'.repeat(100_000)],
  ['token '.repeat(70_000)],
  ['"'.repeat(300_000)],
  [`token:${' '.repeat(300_000)}`],
  ['${'.repeat(150_000)],
  ['https://'.repeat(50_000)],
  ['-----BEGIN PRIVATE KEY-----'.repeat(10_000)],
  ['a=&?'.repeat(100_000)],
])('redactText stays quick on hostile text (%#)', (text) => {
  const before = process.cpuUsage()
  redactText(text)
  const spent = process.cpuUsage(before)
  expect((spent.user + spent.system) / 1000).toBeLessThan(2000)
})
