import type { Anthropic } from '@anthropic-ai/sdk/client'
import type {
  ContentBlock,
  ContentBlockParam,
  ImageBlockParam,
  Message as AnthropicMessage,
  MessageCreateParamsBase,
  MessageParam,
  RawMessageStreamEvent,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages'
import type { AssistantMessage, AssistantPart, ImagePart, Message, TextPart } from '../messages.ts'
import { DraftMessage } from './draft.ts'
import { faultError } from './fault.ts'
import { tokens, type AskOptions, type ModelRequest, type Reply, type TokenCounts } from './provider.ts'
import type { ModelSettings } from './settings.ts'
import { argumentsSchema } from './tool-schema.ts'

/** Tokens asked for where the config names no number, because this protocol wants one. */
const usualMaxTokens = 8192

/** Asks over Anthropic messages. */
export async function askMessages(
  client: Anthropic,
  settings: ModelSettings,
  request: ModelRequest,
  { signal, onDelta }: AskOptions,
): Promise<Reply> {
  const body = {
    model: settings.id,
    max_tokens: settings.maxTokens ?? usualMaxTokens,
    system: request.system,
    messages: toMessages(request.messages, settings),
    ...(request.tools.length > 0 && { tools: toTools(request) }),
  } satisfies MessageCreateParamsBase
  if (!request.stream) {
    return fromMessage(await client.messages.create({ ...body, stream: false }, { signal }))
  }
  const stream = await client.messages.create({ ...body, stream: true }, { signal })
  const draft = new DraftMessage(onDelta)
  const state: StreamState = { id: undefined, stop: null, usage: {}, isComplete: false }
  for await (const event of stream) take(event, draft, state)
  if (!state.isComplete) throw faultError('cut', 'its answer ended before it was complete')
  return {
    ...ending(state.stop, draft.parts()),
    ...(typeof state.id === 'string' && { responseId: state.id }),
    tokens: countTokens(state.usage),
  }
}

type Tokens = Partial<{
  readonly [Key in keyof AnthropicMessage['usage']]: AnthropicMessage['usage'][Key] | null
}>

interface StreamState {
  id: unknown
  stop: string | null
  usage: Tokens
  isComplete: boolean
}

function take(event: RawMessageStreamEvent, draft: DraftMessage, state: StreamState): void {
  switch (event.type) {
    case 'message_start':
      state.id = event.message.id
      state.usage = event.message.usage
      break
    case 'content_block_start':
      addBlock(draft, event.index, event.content_block, '')
      break
    case 'content_block_delta':
      if (event.delta.type === 'text_delta') draft.addText(event.delta.text)
      else if (event.delta.type === 'thinking_delta') draft.addThinking(event.delta.thinking)
      else if (event.delta.type === 'signature_delta') draft.sign(event.delta.signature)
      else if (event.delta.type === 'input_json_delta') {
        draft.addCall(event.index, { text: event.delta.partial_json })
      }
      break
    case 'content_block_stop':
      draft.close()
      break
    case 'message_delta':
      state.stop = event.delta.stop_reason ?? state.stop
      // Counts of the last event are totals; those it leaves out stand.
      state.usage = {
        ...state.usage,
        ...Object.fromEntries(Object.entries(event.usage ?? {}).filter(([, value]) => value !== null)),
      }
      break
    case 'message_stop':
      state.isComplete = true
      break
  }
}

function addBlock(draft: DraftMessage, at: number, block: ContentBlock, input: unknown): void {
  if (block.type === 'text') draft.addText(block.text)
  else if (block.type === 'tool_use') draft.addCall(at, { id: block.id, name: block.name, text: input })
  else if (block.type === 'thinking') {
    draft.addThinking(block.thinking)
    draft.sign(block.signature)
  }
}

function fromMessage(message: AnthropicMessage): Reply {
  if (!Array.isArray(message.content)) throw faultError('protocol', 'its answer has no content')
  const draft = new DraftMessage()
  for (const [at, block] of message.content.entries()) {
    addBlock(draft, at, block, block.type === 'tool_use' ? block.input : '')
    draft.close()
  }
  return {
    ...ending(message.stop_reason, draft.parts()),
    ...(typeof message.id === 'string' && { responseId: message.id }),
    tokens: countTokens(message.usage ?? {}),
  }
}

function ending(
  stop: string | null,
  content: readonly AssistantPart[],
): Pick<Reply, 'content' | 'stopReason' | 'errorMessage'> {
  if (stop === 'refusal') return { content, stopReason: 'error', errorMessage: 'the model refuses to answer' }
  if (stop === 'max_tokens' || stop === 'model_context_window_exceeded')
    return { content, stopReason: 'length' }
  return { content, stopReason: content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop' }
}

function countTokens(usage: Tokens): TokenCounts {
  return {
    input: tokens(usage.input_tokens),
    output: tokens(usage.output_tokens),
    cacheRead: tokens(usage.cache_read_input_tokens),
    cacheWrite: tokens(usage.cache_creation_input_tokens),
  }
}

function toTools({ tools }: ModelRequest): Tool[] {
  return tools.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: argumentsSchema(parameters),
  }))
}

/** Both sides take turns in this protocol, and results are something the user says. */
function toMessages(messages: readonly Message[], settings: ModelSettings): MessageParam[] {
  const result: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = toBlocks(message, settings)
    const last = result.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) result.push({ role, content })
  }
  return result
}

function toBlocks(message: Message, settings: ModelSettings): ContentBlockParam[] {
  if (message.role === 'user') return message.content.flatMap(toBlock)
  if (message.role === 'toolResult') {
    const content = message.content.flatMap(toBlock)
    return [
      {
        type: 'tool_result',
        tool_use_id: message.toolCallId,
        ...(content.length > 0 && { content }),
        ...(message.isError && { is_error: true }),
      },
    ]
  }
  return message.content.flatMap((part): ContentBlockParam[] => {
    if (part.type === 'toolCall')
      return [{ type: 'tool_use', id: part.id, name: part.name, input: part.arguments }]
    if (part.type === 'text') return toBlock(part)
    const { signature, thinking } = part
    return signature !== undefined && isOwn(message, settings)
      ? [{ type: 'thinking', thinking, signature }]
      : []
  })
}

/** Whether the model that is asked said this; a thought's signature means nothing to another one. */
function isOwn({ api, provider, model }: AssistantMessage, settings: ModelSettings): boolean {
  return api === settings.api && provider === settings.provider && model === settings.id
}

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** Blocks of text must not be empty or blank here. */
function toBlock(part: TextPart | ImagePart): (TextBlockParam | ImageBlockParam)[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
  const media_type = imageTypes.find((each) => each === part.mimeType)
  if (media_type === undefined) return [{ type: 'text', text: `[image ${part.mimeType} left out]` }]
  return [{ type: 'image', source: { type: 'base64', media_type, data: part.data } }]
}
