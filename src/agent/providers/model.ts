import type { AssistantMessage, Usage } from '../messages.ts'
import type { AskOptions, Model, ModelRequest, Reply, TokenCounts } from './provider.ts'
import type { ModelSettings, Prices } from './settings.ts'
import { Wire } from './wire.ts'

/** The SDK is given this in place of the key, which only the wire knows. */
const noKey = 'unused'

/** Longer than any limit of ours, so that the SDK's own never acts. */
const sdkTimeoutMs = 2 ** 31 - 1

/** Makes a model that can be asked; the SDK is loaded with the first question. */
export function createModel(settings: ModelSettings, version: string): Model {
  const { provider, id, api, contextWindow, readsImages } = settings
  return {
    provider,
    id,
    api,
    contextWindow,
    readsImages,
    async ask(request, options) {
      const wire = new Wire({
        headers: settings.headers,
        secrets: settings.secrets,
        silenceMs: settings.silenceMs,
        userAgent: `openclaw/${version}`,
      })
      try {
        const reply = await speak(settings, wire, request, options)
        options.signal.throwIfAborted()
        return { message: toMessage(reply, settings), bytes: wire.bytes }
      } catch (error) {
        options.signal.throwIfAborted()
        throw wire.causeOf(error)
      } finally {
        wire.close()
      }
    },
  }
}

async function speak(
  settings: ModelSettings,
  wire: Wire,
  request: ModelRequest,
  options: AskOptions,
): Promise<Reply> {
  const common = {
    baseURL: settings.baseUrl,
    apiKey: noKey,
    fetch: wire.fetch,
    maxRetries: 0,
    timeout: sdkTimeoutMs,
    logLevel: 'off' as const,
  }
  if (settings.api === 'anthropic-messages') {
    const [{ Anthropic }, { askMessages }] = await Promise.all([
      import('@anthropic-ai/sdk/client'),
      import('./anthropic-messages.ts'),
    ])
    return askMessages(new Anthropic(common), settings, request, options)
  }
  const { OpenAI } = await import('openai/client')
  const client = new OpenAI({
    ...common,
    // Nothing of the environment: it may belong to another provider.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
  })
  if (settings.api === 'openai-responses') {
    const { askResponses } = await import('./openai-responses.ts')
    return askResponses(client, settings, request, options)
  }
  const { askChat } = await import('./openai-chat.ts')
  return askChat(client, settings, request, options)
}

function toMessage(reply: Reply, settings: ModelSettings): AssistantMessage {
  const { content, stopReason, errorMessage, responseId, tokens } = reply
  return {
    role: 'assistant',
    content,
    api: settings.api,
    provider: settings.provider,
    model: settings.id,
    usage: priced(tokens, settings.prices),
    stopReason,
    ...(errorMessage !== undefined && { errorMessage }),
    ...(responseId !== undefined && { responseId }),
    timestamp: Date.now(),
  }
}

function priced(tokens: TokenCounts, prices: Prices | null): Usage {
  const cost = (key: keyof TokenCounts): number => (tokens[key] * (prices?.[key] ?? 0)) / 1_000_000
  const { input, output, cacheRead, cacheWrite } = tokens
  const parts = {
    input: cost('input'),
    output: cost('output'),
    cacheRead: cost('cacheRead'),
    cacheWrite: cost('cacheWrite'),
  }
  const total = parts.input + parts.output + parts.cacheRead + parts.cacheWrite
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: input + output + cacheRead + cacheWrite,
    cost: { ...parts, total },
  }
}
