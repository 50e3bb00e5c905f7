import { onTestFinished } from 'vitest'
import { createLookup } from '../../../src/config/env.ts'
import type { Config } from '../../../src/config/types.ts'
import type { Message } from '../../../src/agent/messages.ts'
import { createModel } from '../../../src/agent/providers/model.ts'
import type { Api, Model, ModelRequest } from '../../../src/agent/providers/provider.ts'
import { readModelSettings } from '../../../src/agent/providers/settings.ts'
import { replayable } from '../../../src/agent/replay.ts'
import { startMockServer, type MockOptions, type MockServer } from '../../../src/qa/mock-openai/server.ts'
import type { RequestTool } from '../../../src/tool-search/payload.ts'

/** A mock provider that ends with the test. */
export async function mockServer(options: MockOptions = {}): Promise<MockServer> {
  const server = await startMockServer(options)
  onTestFinished(() => server.close())
  return server
}

type ProviderConfig = NonNullable<NonNullable<Config['models']>['providers']>[string]

/** The model `mock/mock-model` of a config. */
export async function modelOf(
  provider: ProviderConfig,
  env: Readonly<Record<string, string>> = {},
  more: Config = {},
): Promise<Model> {
  const config: Config = { ...more, models: { providers: { mock: provider } } }
  const lookup = createLookup(env, '/nonexistent', '/nonexistent', config)
  const settings = await readModelSettings(
    { provider: 'mock', model: 'mock-model' },
    { config, lookup, baseDir: '/', home: '/' },
  )
  return createModel(settings, '0.0.0')
}

/** A model of a mock provider. */
export function modelAt(server: MockServer, api: Api, more: ProviderConfig = {}): Promise<Model> {
  return modelOf({ baseUrl: server.baseUrl, api, apiKey: 'key-of-the-test', ...more })
}

export const readTool: RequestTool = {
  name: 'read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

/** A user message. */
export function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }], timestamp: 0 }
}

/** A request with one tool. */
export function request(stream: boolean, ...messages: readonly Message[]): ModelRequest {
  return { system: 'You are a test.', messages: replayable(messages), tools: [readTool], stream }
}

/** The error a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('it was not rejected')
}
