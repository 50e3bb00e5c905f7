import { expect, test } from 'vitest'
import { resolveProviders } from '../../../src/catalog/providers.ts'
import type { Config } from '../../../src/config/types.ts'

function usable(config: Config, declared = {}, agentId?: string): string {
  return Object.entries(resolveProviders(config, declared, agentId))
    .flatMap(([name, on]) => (on ? [name] : []))
    .join(' ')
}

const anyway = 'tts web_search'

test.each<[string, Config, string]>([
  ['nothing', {}, anyway],
  ['an image model', { agents: { defaults: { imageModel: 'x/y' } } }, `image ${anyway}`],
  [
    'a model that reads images',
    { models: { providers: { p: { models: [{ id: 'm', input: ['text', 'image'] }] } } } },
    `image ${anyway}`,
  ],
  [
    'a model that reads text',
    { models: { providers: { p: { models: [{ id: 'm', input: ['text'] }] } } } },
    anyway,
  ],
  [
    'models that make media',
    {
      agents: {
        defaults: {
          imageGenerationModel: 'a/b',
          videoGenerationModel: { primary: 'a/c' },
          musicGenerationModel: 'a/d',
        },
      },
    },
    `image_generate video_generate music_generate ${anyway}`,
  ],
  [
    'a key of a maker',
    { models: { providers: { OpenAI: { apiKey: 'EXAMPLE' } } } },
    'image_generate video_generate pdf tts web_search',
  ],
  ['a provider without a key', { models: { providers: { openai: { baseUrl: 'http://x.test' } } } }, anyway],
  [
    'an account of a maker',
    { auth: { profiles: { 'google:default': { provider: 'google', mode: 'api_key' } } } },
    'image_generate video_generate music_generate pdf tts web_search',
  ],
  ['an account of somebody else', { auth: { profiles: { a: { provider: 'ven' }, b: null, c: 5 } } }, anyway],
  [
    'a model for PDFs',
    { agents: { defaults: { pdfModel: 'a/b' } } },
    `pdf tts web_search`.replace('pdf tts', 'pdf tts'),
  ],
  ['speech switched off', { messages: { tts: { enabled: false } } }, 'web_search'],
  ['speech only on request', { messages: { tts: { auto: 'off' } } }, anyway],
  ['a search provider', { tools: { web: { search: { provider: 'gemini' } } } }, anyway],
  [
    'a search provider whose plugin is off',
    {
      tools: { web: { search: { provider: 'Gemini' } } },
      plugins: { entries: { google: { enabled: false } } },
    },
    'tts',
  ],
  [
    'a search provider named like its plugin, off',
    {
      tools: { web: { search: { provider: 'brave' } } },
      plugins: { entries: { brave: { enabled: false } } },
    },
    'tts',
  ],
  [
    'xAI tools asked for',
    {
      plugins: {
        entries: { xai: { config: { xSearch: { enabled: true }, codeExecution: { enabled: true } } } },
      },
    },
    'tts web_search x_search code_execution',
  ],
  [
    'xAI tools asked for, plugin off',
    { plugins: { entries: { xai: { enabled: false, config: { xSearch: { enabled: true } } } } } },
    anyway,
  ],
  [
    'x_search in its old place',
    { tools: { web: { x_search: { enabled: true } } } },
    'tts web_search x_search',
  ],
])('%s', (_name, config, expected) => {
  expect(usable(config)).toBe(expected)
})

test('what is declared wins over config', () => {
  expect(
    usable({ agents: { defaults: { pdfModel: 'a/b' } } }, { pdf: false, tts: false, x_search: true }),
  ).toBe('web_search x_search')
})

test('a model of one agent counts for that agent', () => {
  const config: Config = { agents: { entries: { painter: { imageGenerationModel: 'a/b' }, clerk: {} } } }
  expect(usable(config, {}, 'painter')).toBe('image_generate tts web_search')
  expect(usable(config, {}, 'clerk')).toBe(anyway)
  expect(usable(config)).toBe(anyway)
})
