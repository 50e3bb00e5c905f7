import { isRecord } from '../../config/path-value.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { ModelMessage, ModelPart, ModelProvider, ModelReply } from '../../plugins/authoring.ts'
import type { AssistantPart, Message, StopReason } from '../messages.ts'
import { noUsage } from '../messages.ts'
import { faultError, faultOf } from './fault.ts'
import { tokens, type Model } from './provider.ts'

const noName = 'unnamed'

/** A model of a provider that a plugin brings. What the plugin throws, and an answer that is none, is a ProviderFault; sizes on the wire are not known. */
export function createPluginModel(provider: ModelProvider, id: string): Model {
  return {
    provider: provider.id,
    id,
    api: 'plugin',
    contextWindow: null,
    readsImages: true,
    async ask({ system, messages, tools }, { signal, onDelta }) {
      const onText = (delta: unknown): void => {
        if (typeof delta === 'string' && delta !== '' && !signal.aborted) onDelta?.({ type: 'text', delta })
      }
      const request = {
        model: id,
        system,
        messages: messages.map(plainMessage),
        tools: tools.map(({ name, description, parameters }) => ({
          name,
          description,
          parameters: isRecord(parameters) ? { ...parameters } : { type: 'object' },
        })),
      }
      const reply: unknown = await answered(() => provider.ask(request, { signal, onText }), signal)
      if (!isReply(reply))
        throw faultError('protocol', 'its plugin answered with something that is no message')
      const content = partsOf(reply.content)
      const [input, output] = [tokens(reply.usage?.input), tokens(reply.usage?.output)]
      return {
        message: {
          role: 'assistant',
          content,
          api: 'plugin',
          provider: provider.id,
          model: id,
          usage: { ...noUsage, input, output, totalTokens: input + output },
          stopReason: stopOf(reply, content),
          timestamp: Date.now(),
        },
        bytes: { request: 0, response: 0 },
      }
    },
  }
}

/** Waits for a plugin no longer than somebody waits for it. */
async function answered(ask: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([ask(), promise])
  } catch (error) {
    signal.throwIfAborted()
    if (faultOf(error) !== null) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw faultError('server', `its plugin failed: ${cleanLine(why, 300)}`, { cause: error })
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function plainMessage(message: Message): ModelMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [...message.content] }
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content.flatMap((part): ModelPart[] => {
          if (part.type === 'text') return [{ type: 'text', text: part.text }]
          if (part.type !== 'toolCall') return []
          const { id, name, arguments: args } = part
          return [{ type: 'toolCall', id, name, arguments: { ...args } }]
        }),
      }
    case 'toolResult': {
      const { toolCallId, toolName, content, isError } = message
      return { role: 'toolResult', toolCallId, toolName, content: [...content], isError }
    }
  }
}

function isReply(value: unknown): value is ModelReply {
  return isRecord(value) && Array.isArray(value['content'])
}

/** The parts of an answer that are of use; every call has an id of its own. */
function partsOf(content: readonly unknown[]): readonly AssistantPart[] {
  const ids = new Set<string>()
  return content.flatMap((part): AssistantPart[] => {
    if (!isRecord(part)) return []
    const { type, text, id, name, arguments: args } = part
    if (type === 'text') return typeof text === 'string' && text !== '' ? [{ type, text }] : []
    if (type !== 'toolCall') return []
    let own = typeof id === 'string' && id !== '' ? id : 'call_1'
    for (let count = 2; ids.has(own); count += 1) own = `call_${count}`
    ids.add(own)
    const call = { type, id: own, name: typeof name === 'string' && name !== '' ? name : noName } as const
    if (isRecord(args)) return [{ ...call, arguments: args }]
    return [{ ...call, arguments: {}, malformedArguments: JSON.stringify(args) ?? '' }]
  })
}

function stopOf({ stopReason }: ModelReply, content: readonly AssistantPart[]): StopReason {
  if (stopReason === 'length') return 'length'
  return content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop'
}
