import { findAgent } from '../../config/agents.ts'
import { isRecord } from '../../config/path-value.ts'
import type { Config } from '../../config/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { MediaKind } from './backend.ts'
import type { MediaModel } from './models.ts'

/** Setting of an agent, or of all, that names the model of a kind; speech has its own place. */
export const modelSettings = {
  image: 'imageGenerationModel',
  video: 'videoGenerationModel',
  music: 'musicGenerationModel',
  vision: 'imageModel',
  pdf: 'pdfModel',
} as const

/** What an account of OpenAI makes when no model is named. */
const usualModels: Readonly<Partial<Record<MediaKind, string>>> = {
  image: 'gpt-image-1',
  speech: 'gpt-4o-mini-tts',
  video: 'sora-2',
}

/** The models for a kind, the preferred one first: the one asked for, else what is set for the agent or for all, else OpenAI's where it has an account. */
export function modelsFor(
  kind: MediaKind,
  config: Config,
  agentId: string,
  asked?: string,
): readonly MediaModel[] {
  if (asked !== undefined) return [parsed(asked)]
  const named = kind === 'speech' ? speechModels(config) : settingOf(kind, config, agentId)
  if (named.length > 0) return named.map(parsed)
  const usual = usualModels[kind]
  return usual !== undefined && hasAccount(config) ? [{ provider: 'openai', model: usual }] : []
}

function settingOf(kind: Exclude<MediaKind, 'speech'>, config: Config, agentId: string): readonly string[] {
  const key = modelSettings[kind]
  const setting = findAgent(config, agentId)?.config[key] ?? config.agents?.defaults?.[key]
  if (typeof setting === 'string') return setting.trim() === '' ? [] : [setting]
  if (setting === undefined || setting === null) return []
  const { primary, fallbacks = [] } = setting
  return [primary, ...fallbacks].filter((each) => each !== undefined && each.trim() !== '') as string[]
}

/** `messages.tts`: `model`, or `provider` with a `model` in the section that has its name. */
function speechModels(config: Config): readonly string[] {
  const tts = ttsOf(config)
  const { model, provider } = tts
  if (typeof model === 'string' && model.includes('/')) return [model]
  if (typeof provider !== 'string' || provider.trim() === '') return []
  const own = ownSection(tts, provider)['model'] ?? model
  if (typeof own === 'string' && own.trim() !== '') return [`${provider}/${own}`]
  return provider.toLowerCase() === 'openai' ? [`openai/${usualModels.speech}`] : []
}

/** `messages.tts` of a config, as it is. */
export function ttsOf(config: Config): Readonly<Record<string, unknown>> {
  const { messages } = config
  const tts = isRecord(messages) ? messages['tts'] : undefined
  return isRecord(tts) ? tts : {}
}

/** The settings of one speech provider: `messages.tts.<provider>`, or below `providers`. */
export function ownSection(
  tts: Readonly<Record<string, unknown>>,
  provider: string,
): Record<string, unknown> {
  const providers = tts['providers']
  const own = (isRecord(providers) ? providers[provider] : undefined) ?? tts[provider]
  return isRecord(own) ? own : {}
}

function hasAccount({ models }: Config): boolean {
  const key = models?.providers?.['openai']?.apiKey
  return key !== undefined && key !== null && key !== ''
}

function parsed(text: string): MediaModel {
  const at = text.indexOf('/')
  const provider = text.slice(0, at).trim()
  const model = text.slice(at + 1).trim()
  if (at > 0 && provider !== '' && model !== '') return { provider, model }
  throw new OpenClawError('INPUT_INVALID', `"${showName(text)}" names no model: write it as provider/model`)
}
