import { findAgent } from '../config/agents.ts'
import type { Config } from '../config/types.ts'
import { isRecord } from './source.ts'
import type { Providers } from './types.ts'

/** Model providers with whose account each kind of media can be made or read. */
const makers = {
  image_generate: ['fal', 'google', 'minimax', 'openai', 'xai'],
  video_generate: ['fal', 'google', 'minimax', 'openai', 'qwen', 'runway', 'together', 'xai'],
  music_generate: ['google', 'minimax'],
  pdf: ['anthropic', 'google', 'openai'],
} as const

/** Plugins that bring a web search provider under another name. */
const searchPlugins: Readonly<Record<string, string>> = { gemini: 'google', grok: 'xai', kimi: 'moonshot' }

/**
 * Which provider-backed tools can work: what is declared, the rest from config (ruling 17). Media need a model set for the agent or
 * an account of a maker in config; `tts` and `web_search` also work without an account, so only config can switch them off; keys in
 * the environment are not looked at, and a provider's own web search is never assumed.
 */
export function resolveProviders(config: Config, declared: Providers, agentId?: string): Required<Providers> {
  const own = agentId === undefined ? undefined : findAgent(config, agentId)?.config
  const defaults = config.agents?.defaults
  const accounts = accountsOf(config)
  const canMake = (kind: keyof typeof makers): boolean => makers[kind].some((maker) => accounts.has(maker))
  const image = (own?.imageModel ?? defaults?.imageModel) !== undefined || readsImages(config)
  return {
    image: declared.image ?? image,
    image_generate:
      declared.image_generate ??
      (isSet(own?.imageGenerationModel ?? defaults?.imageGenerationModel) || canMake('image_generate')),
    video_generate:
      declared.video_generate ??
      (isSet(own?.videoGenerationModel ?? defaults?.videoGenerationModel) || canMake('video_generate')),
    music_generate:
      declared.music_generate ??
      (isSet(own?.musicGenerationModel ?? defaults?.musicGenerationModel) || canMake('music_generate')),
    pdf: declared.pdf ?? (isSet(own?.pdfModel ?? defaults?.pdfModel) || canMake('pdf')),
    tts: declared.tts ?? field(config.messages, 'tts', 'enabled') !== false,
    web_search: declared.web_search ?? disabledSearchPlugin(config) === null,
    x_search:
      declared.x_search ??
      (xaiSetting(config, 'xSearch') || field(config.tools?.web, 'x_search', 'enabled') === true),
    code_execution: declared.code_execution ?? xaiSetting(config, 'codeExecution'),
  }
}

function isSet(model: unknown): boolean {
  return model !== undefined && model !== null && model !== ''
}

/** Providers with an account or key in config. */
function accountsOf(config: Config): ReadonlySet<string> {
  const accounts = new Set<string>()
  for (const [id, provider] of Object.entries(config.models?.providers ?? {})) {
    if (isSet(provider.apiKey) || isSet(field(provider, 'auth'))) accounts.add(id.toLowerCase())
  }
  const profiles = field(config.auth, 'profiles')
  for (const profile of isRecord(profiles) ? Object.values(profiles) : []) {
    const provider = field(profile, 'provider')
    if (typeof provider === 'string') accounts.add(provider.toLowerCase())
  }
  return accounts
}

function readsImages(config: Config): boolean {
  return Object.values(config.models?.providers ?? {}).some((provider) =>
    (provider.models ?? []).some((model) => model.input?.includes('image') === true),
  )
}

/** The plugin of the chosen search provider that is switched off; null where none is in the way. */
export function disabledSearchPlugin(config: Config): string | null {
  const chosen = config.tools?.web?.search?.provider?.trim().toLowerCase()
  if (chosen === undefined || chosen === '') return null
  const plugin = Object.hasOwn(searchPlugins, chosen) ? searchPlugins[chosen] : chosen
  const entries = config.plugins?.entries ?? {}
  return [chosen, plugin].find((id) => id !== undefined && entries[id]?.enabled === false) ?? null
}

/** Both tools come from xAI and are asked for in the settings of its plugin. */
function xaiSetting(config: Config, setting: 'xSearch' | 'codeExecution'): boolean {
  const entry = config.plugins?.entries?.['xai']
  return entry?.enabled !== false && field(entry?.config, setting, 'enabled') === true
}

function field(value: unknown, ...path: readonly string[]): unknown {
  let current = value
  for (const key of path) {
    if (!isRecord(current) || !Object.hasOwn(current, key)) return undefined
    current = current[key]
  }
  return current
}
