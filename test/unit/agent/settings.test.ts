import { describe, expect, test } from 'vitest'
import { createLookup } from '../../../src/config/env.ts'
import type { Config } from '../../../src/config/types.ts'
import { readModelSettings } from '../../../src/agent/providers/settings.ts'
import { tempDir } from '../../helpers/run-cli.ts'
import { rejection } from './ask.ts'

interface Case {
  readonly config?: Config
  readonly env?: Readonly<Record<string, string>>
  readonly provider?: string
  readonly model?: string
  readonly baseDir?: string
}

function read({ config = {}, env = {}, provider = 'acme', model = 'm1', baseDir = '/' }: Case) {
  const lookup = createLookup(env, '/nonexistent', '/nonexistent', config)
  return readModelSettings({ provider, model }, { config, lookup, baseDir, home: '/home/u' })
}

type ProviderConfig = NonNullable<NonNullable<Config['models']>['providers']>[string]

const acme = (more: ProviderConfig): Config => ({
  models: { providers: { acme: { baseUrl: 'https://acme.example/v1', ...more } } },
})

describe('what a model is asked with', () => {
  test('a provider that is known needs its variable only', async () => {
    const settings = await read({
      provider: 'openai',
      model: 'gpt-5.5',
      env: { OPENAI_API_KEY: 'key-from-environment' },
    })
    expect(settings).toEqual({
      provider: 'openai',
      id: 'gpt-5.5',
      api: 'openai-responses',
      baseUrl: 'https://api.openai.com/v1',
      headers: { authorization: 'Bearer key-from-environment' },
      secrets: ['key-from-environment'],
      silenceMs: 300_000,
      maxTokens: null,
      maxTokensField: 'max_completion_tokens',
      contextWindow: null,
      readsImages: true,
      reasoning: false,
      prices: null,
    })
  })

  test('the model of a config brings its numbers', async () => {
    const models = [
      {
        id: 'm1',
        contextWindow: 200_000,
        maxTokens: 4096,
        reasoning: true,
        cost: { input: 3, output: 15 },
        compat: { maxTokensField: 'max_tokens' as const },
      },
    ]
    const settings = await read({ config: acme({ apiKey: 'plain-key', timeoutSeconds: 12, models }) })
    expect(settings).toMatchObject({
      contextWindow: 200_000,
      readsImages: false,
      maxTokens: 4096,
      maxTokensField: 'max_tokens',
      reasoning: true,
      silenceMs: 12_000,
      prices: { input: 3, output: 15, cacheRead: 0, cacheWrite: 0 },
    })
  })

  test.each([
    { api: undefined, is: 'openai-completions' },
    { api: 'openai-responses', is: 'openai-responses' },
    { api: 'anthropic-messages', is: 'anthropic-messages' },
    { api: 'anthropic', is: 'anthropic-messages' },
    { api: 'ollama', is: 'openai-completions' },
  ])('protocol $api is $is', async ({ api, is }) => {
    const settings = await read({ config: acme({ apiKey: 'k', ...(api !== undefined && { api }) }) })
    expect(settings.api).toBe(is)
  })

  test.each([
    { api: 'openai-completions', baseUrl: 'https://a.example/v1/', is: 'https://a.example/v1' },
    { api: 'anthropic-messages', baseUrl: 'https://a.example/x/v1', is: 'https://a.example/x' },
    { api: 'ollama', baseUrl: 'http://127.0.0.1:11434', is: 'http://127.0.0.1:11434/v1' },
    { api: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', is: 'http://127.0.0.1:11434/v1' },
  ])('$api at $baseUrl is asked at $is', async ({ is, ...config }) => {
    expect((await read({ config: acme({ ...config, apiKey: 'k' }) })).baseUrl).toBe(is)
  })

  test.each([
    { api: 'openai-responses', headers: { authorization: 'Bearer some-key' } },
    { api: 'anthropic-messages', headers: { 'x-api-key': 'some-key' } },
    { api: 'anthropic-messages', auth: 'token', headers: { authorization: 'Bearer some-key' } },
    { api: 'anthropic-messages', authHeader: true, headers: { authorization: 'Bearer some-key' } },
  ])(
    'the key goes where $api wants it, auth $auth, authHeader $authHeader',
    async ({ headers, ...config }) => {
      const settings = await read({ config: acme({ ...config, apiKey: 'some-key' }) })
      expect(settings.headers).toEqual(headers)
    },
  )

  test('headers of the config are sent, win over the key, and are secret', async () => {
    const headers = { 'X-Org': 'org-1234567', Authorization: '$GATE_TOKEN', 'X-Count': 3 }
    const settings = await read({
      config: acme({ apiKey: 'some-key', headers }),
      env: { GATE_TOKEN: 'Token from-the-gate' },
    })
    expect(settings.headers).toEqual({
      authorization: 'Token from-the-gate',
      'x-org': 'org-1234567',
      'x-count': '3',
    })
    expect(settings.secrets).toEqual(['some-key', 'org-1234567', 'Token from-the-gate'])
  })

  test('an own server needs no key, and is not given the one of the provider', async () => {
    const env = { OPENAI_API_KEY: 'key-of-the-real-one' }
    expect((await read({ config: acme({}), env })).headers).toEqual({})
    const config: Config = { models: { providers: { openai: { baseUrl: 'http://127.0.0.1:9/v1' } } } }
    expect((await read({ config, env, provider: 'openai' })).headers).toEqual({})
  })
})

describe('secrets', () => {
  const env = { ACME_KEY: 'from-the-variable' }

  test.each([
    { apiKey: 'plain-key-1', is: 'plain-key-1' },
    { apiKey: '  pasted-key \n', is: 'pasted-key' },
    { apiKey: '$ACME_KEY', is: 'from-the-variable' },
    { apiKey: '${ACME_KEY}', is: 'from-the-variable' },
    { apiKey: 'ACME_KEY', is: 'from-the-variable' },
    { apiKey: { source: 'env', provider: 'default', id: 'ACME_KEY' }, is: 'from-the-variable' },
  ])('$apiKey is $is', async ({ apiKey, is }) => {
    expect((await read({ config: acme({ apiKey }), env })).headers).toEqual({ authorization: `Bearer ${is}` })
  })

  test.each([
    { reference: { source: 'file', provider: 'vault', id: '/acme/key' }, is: 'from-the-file' },
    { reference: { source: 'file', provider: 'vault', id: 'acme/key' }, is: 'from-the-file' },
    { reference: { source: 'file', id: '/acme/key' }, is: 'from-the-file' },
    { reference: { source: 'file', provider: 'one', id: 'value' }, is: 'the-only-one' },
  ])('a file gives $is for $reference', async ({ reference, is }) => {
    const baseDir = await tempDir({
      'vault.json': JSON.stringify({ acme: { key: 'from-the-file' } }),
      'one.txt': 'the-only-one\n',
    })
    const secrets = {
      providers: {
        vault: { source: 'file', path: 'vault.json' },
        one: { source: 'file', path: `${baseDir}/one.txt`, mode: 'singleValue' },
      },
      defaults: { file: 'vault' },
    }
    const settings = await read({ config: { ...acme({ apiKey: reference }), secrets }, baseDir })
    expect(settings.headers).toEqual({ authorization: `Bearer ${is}` })
  })

  test.each([
    {
      name: 'a variable that is not set',
      config: acme({ apiKey: '${NOT_SET_KEY}' }),
      message:
        'provider "acme" has no key: models.providers.acme.apiKey: the variable NOT_SET_KEY is not set, or empty',
    },
    {
      name: 'a source that cannot be read here',
      config: acme({ apiKey: { source: 'exec', provider: 'op', id: 'x' } }),
      message:
        'provider "acme" has no key: models.providers.acme.apiKey: secret source "exec" is not supported here; use "env" or "file"',
    },
    {
      name: 'a file that nobody described',
      config: acme({ apiKey: { source: 'file', provider: 'vault', id: '/x' } }),
      message:
        'provider "acme" has no key: models.providers.acme.apiKey: secrets.providers.vault names no file',
    },
    {
      name: 'a key with a line break in it',
      config: acme({ apiKey: 'first\nsecond' }),
      message: 'provider "acme" has no key: models.providers.acme.apiKey holds characters that no key has',
    },
    {
      name: 'a login that is not supported',
      config: acme({ auth: 'oauth' }),
      message: 'provider "acme" has no key: auth "oauth" is not supported here',
    },
    {
      name: 'a known provider without its variable',
      config: {},
      provider: 'anthropic',
      message:
        'provider "anthropic" has no key: neither ANTHROPIC_API_KEY nor models.providers.anthropic.apiKey is set',
    },
  ])('$name is told without a secret in it', async ({ message, ...given }) => {
    const error = await rejection(read(given))
    expect(error).toMatchObject({ code: 'PROVIDER_FAILED', message, data: { fault: 'auth' } })
  })
})

describe('a config that nobody can be asked with', () => {
  test.each([
    {
      config: acme({ api: 'google-vertex' }),
      message: 'provider "acme": protocol "google-vertex" is not spoken here',
    },
    {
      config: { models: { providers: { acme: {} } } },
      message: 'models.providers.acme.baseUrl is not set',
    },
    {
      config: acme({ baseUrl: '${ACME_URL}' }),
      message: 'models.providers.acme.baseUrl needs the variable ACME_URL, which is not set',
    },
    {
      config: acme({ baseUrl: 'acme.example/v1' }),
      message: 'models.providers.acme.baseUrl is no http or https address without login',
    },
    {
      config: acme({ baseUrl: 'https://user:word@acme.example' }),
      message: 'models.providers.acme.baseUrl is no http or https address without login',
    },
    {
      config: acme({ apiKey: 'k', headers: { 'X Bad': '1' } }),
      message: 'models.providers.acme.headers.X Bad cannot be sent as a header',
    },
    {
      config: acme({ apiKey: 'k', headers: { 'X-Org': '$NOT_SET' } }),
      message: 'models.providers.acme.headers.X-Org: the variable NOT_SET is not set, or empty',
    },
    { config: {}, message: 'provider "acme" is not configured' },
  ])('$message', async ({ config, message }) => {
    const error = await rejection(read({ config }))
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', message })
    expect(error).toHaveProperty('data.path')
  })
})
