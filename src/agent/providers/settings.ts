import type { Config } from '../../config/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { Path } from '../../kernel/path.ts'
import { suggest } from '../../kernel/suggest.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { apis, type Api } from './provider.ts'
import { readSecret, type SecretSources } from './secrets.ts'

/** A model by provider and id, as `provider/model` names it. */
export interface ModelRef {
  readonly provider: string
  readonly model: string
}

/** Dollars for a million tokens. */
export interface Prices {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** Everything that asking a model depends on; the only place that holds its key. */
export interface ModelSettings {
  readonly provider: string
  readonly id: string
  readonly api: Api
  readonly baseUrl: string
  /** With the key. */
  readonly headers: Readonly<Record<string, string>>
  /** Values that must never be printed. */
  readonly secrets: readonly string[]
  readonly silenceMs: number
  readonly maxTokens: number | null
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens'
  readonly contextWindow: number | null
  /** False only where the config describes the model and says nothing of images. */
  readonly readsImages: boolean
  readonly reasoning: boolean
  readonly prices: Prices | null
}

type ProviderConfig = NonNullable<NonNullable<Config['models']>['providers']>[string]

interface KnownProvider {
  readonly baseUrl: string
  readonly api: Api
  readonly variable: string
}

/** Providers that need no entry under `models.providers`. */
const known: Readonly<Record<string, KnownProvider>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', api: 'openai-responses', variable: 'OPENAI_API_KEY' },
  anthropic: {
    baseUrl: 'https://api.anthropic.com',
    api: 'anthropic-messages',
    variable: 'ANTHROPIC_API_KEY',
  },
}

/** Protocols under other names; what speaks them also speaks ours. */
const otherApis: Readonly<Record<string, Api>> = {
  openai: 'openai-completions',
  'openai-chat': 'openai-completions',
  anthropic: 'anthropic-messages',
  ollama: 'openai-completions',
}

const defaultSilenceMs = 300_000
/** Shorter values are words, and hiding them would make messages unreadable. */
const shortestSecret = 6

/** Finds out how a model is asked (gateway facts §6.2). CONFIG_INVALID for a provider that is not configured or cannot be spoken to, PROVIDER_FAILED (fault `auth`) for a key that is not at hand; both name the config path. */
export async function readModelSettings(ref: ModelRef, sources: SecretSources): Promise<ModelSettings> {
  const { key: name, config } = findProvider(sources.config, ref.provider)
  const builtIn = Object.hasOwn(known, ref.provider) ? known[ref.provider] : undefined
  const path = ['models', 'providers', name]
  const api = readApi(config?.api ?? builtIn?.api, [...path, 'api'], ref)
  const baseUrl = readBaseUrl(config, builtIn, [...path, 'baseUrl'], api)
  const model = config?.models?.find(({ id }) => id === ref.model || id === `${ref.provider}/${ref.model}`)
  const key = await readKey(config, builtIn, ref, sources)
  const custom = await readHeaders(config, path, sources)
  const bearer = api !== 'anthropic-messages' || config?.authHeader === true || config?.auth === 'token'
  const keyHeader: Record<string, string> =
    key === null ? {} : bearer ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }
  const { cost } = model ?? {}
  return {
    provider: ref.provider,
    id: model?.id ?? ref.model,
    api,
    baseUrl,
    headers: { ...keyHeader, ...custom.headers },
    secrets: [...(key === null ? [] : [key]), ...custom.secrets].filter(
      (secret) => secret.length >= shortestSecret,
    ),
    silenceMs: config?.timeoutSeconds ? config.timeoutSeconds * 1000 : defaultSilenceMs,
    maxTokens: model?.maxTokens ?? config?.maxTokens ?? null,
    maxTokensField: model?.compat?.maxTokensField ?? 'max_completion_tokens',
    contextWindow: model?.contextWindow ?? null,
    readsImages: model === undefined || (model.input?.includes('image') ?? false),
    reasoning: model?.reasoning ?? false,
    prices: cost
      ? {
          input: cost.input ?? 0,
          output: cost.output ?? 0,
          cacheRead: cost.cacheRead ?? 0,
          cacheWrite: cost.cacheWrite ?? 0,
        }
      : null,
  }
}

function configError(message: string, path: Path, hints: readonly string[] = []): OpenClawError {
  return new OpenClawError('CONFIG_INVALID', message, { hints, data: { path } })
}

function findProvider(config: Config, id: string): { key: string; config: ProviderConfig | undefined } {
  const providers = config.models?.providers ?? {}
  const key = Object.hasOwn(providers, id)
    ? id
    : Object.keys(providers).find((each) => each.toLowerCase() === id.toLowerCase())
  if (key !== undefined) return { key, config: providers[key] }
  if (Object.hasOwn(known, id)) return { key: id, config: undefined }
  const names = [...Object.keys(providers), ...Object.keys(known)]
  const near = suggest(id, names)
  throw configError(
    `provider "${showName(id)}" is not configured`,
    ['models', 'providers', id],
    near.length > 0
      ? [`did you mean ${near.join(', ')}?`]
      : [`describe it under models.providers.${showName(id)}: { baseUrl, apiKey, api }`],
  )
}

function readApi(text: string | undefined, path: Path, ref: ModelRef): Api {
  const name = text?.trim() ?? ''
  const api =
    apis.find((each) => each === name) ?? (Object.hasOwn(otherApis, name) ? otherApis[name] : undefined)
  if (api !== undefined) return api
  if (name === '') return 'openai-completions'
  throw configError(
    `provider "${showName(ref.provider)}": protocol "${showName(name)}" is not spoken here`,
    path,
    [`api is one of ${apis.join(', ')}`],
  )
}

function readBaseUrl(
  config: ProviderConfig | undefined,
  builtIn: KnownProvider | undefined,
  path: Path,
  api: Api,
): string {
  const text = config?.baseUrl?.trim() ?? builtIn?.baseUrl ?? ''
  if (text === '')
    throw configError(`${path.join('.')} is not set`, path, ['set it to the address of the provider'])
  const unresolved = /\$\{([^}]*)\}/.exec(text)?.[1]
  if (unresolved !== undefined) {
    throw configError(`${path.join('.')} needs the variable ${showName(unresolved)}, which is not set`, path)
  }
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw configError(`${path.join('.')} is no http or https address without login`, path)
  }
  const plain = text.replace(/\/+$/, '')
  // The SDK of this protocol adds the version itself.
  if (api === 'anthropic-messages') return plain.replace(/\/v1$/, '')
  return config?.api === 'ollama' && !plain.endsWith('/v1') ? `${plain}/v1` : plain
}

/** The key, or null for a provider that needs none. */
async function readKey(
  config: ProviderConfig | undefined,
  builtIn: KnownProvider | undefined,
  ref: ModelRef,
  sources: SecretSources,
): Promise<string | null> {
  const place = `models.providers.${showName(ref.provider)}.apiKey`
  const fail = (why: string, hint: string): OpenClawError =>
    new OpenClawError('PROVIDER_FAILED', `provider "${showName(ref.provider)}" has no key: ${why}`, {
      hints: [hint],
      data: { provider: ref.provider, model: ref.model, fault: 'auth', status: null },
    })
  if (config?.auth !== undefined && !['api-key', 'token'].includes(config.auth)) {
    throw fail(`auth "${showName(config.auth)}" is not supported here`, `set ${place} to a key`)
  }
  if (config?.apiKey !== undefined) {
    const secret = await readSecret(config.apiKey, sources)
    if ('value' in secret) return headerValue(secret.value) ?? fatal(fail, place)
    throw fail(`${place}: ${secret.missing}`, `set the variable, or ${place}`)
  }
  // A key of the environment belongs to the provider itself, not to whatever address the config puts in its place.
  const isElsewhere = config?.baseUrl !== undefined && new URL(config.baseUrl).origin !== originOf(builtIn)
  if (builtIn === undefined || isElsewhere) return null
  const value = sources.lookup.find(builtIn.variable)
  if (value !== null) return headerValue(value) ?? fatal(fail, builtIn.variable)
  throw fail(`neither ${builtIn.variable} nor ${place} is set`, `set ${builtIn.variable}`)
}

function originOf(builtIn: KnownProvider | undefined): string | null {
  return builtIn === undefined ? null : new URL(builtIn.baseUrl).origin
}

function fatal(fail: (why: string, hint: string) => OpenClawError, place: string): never {
  throw fail(`${place} holds characters that no key has`, `write ${place} anew, without line breaks`)
}

/** A text as a header may hold it; pasted keys bring blanks and line ends along. */
function headerValue(text: string): string | null {
  const value = text.trim()
  return /^[\x20-\x7e]+$/.test(value) ? value : null
}

async function readHeaders(
  config: ProviderConfig | undefined,
  path: readonly string[],
  sources: SecretSources,
): Promise<{ readonly headers: Record<string, string>; readonly secrets: readonly string[] }> {
  const headers: Record<string, string> = {}
  const secrets: string[] = []
  for (const [name, value] of Object.entries(config?.headers ?? {})) {
    const place = [...path, 'headers', name]
    const plain = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    const secret =
      typeof plain === 'string' && !plain.trim().startsWith('$')
        ? { value: plain }
        : await readSecret(plain, sources)
    if ('missing' in secret)
      throw configError(`${place.map(showSegment).join('.')}: ${secret.missing}`, place)
    const text = headerValue(secret.value)
    if (text === null || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw configError(`${place.map(showSegment).join('.')} cannot be sent as a header`, place)
    }
    headers[name.toLowerCase()] = text
    secrets.push(text)
  }
  return { headers, secrets }
}

function showSegment(segment: string): string {
  return showName(segment)
}
