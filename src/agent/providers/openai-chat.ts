import type { OpenAI } from 'openai/client'
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionContentPart,
  ChatCompletionCreateParamsBase,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions'
import {
  callsOf,
  textOf,
  type AssistantPart,
  type ImagePart,
  type Message,
  type TextPart,
} from '../messages.ts'
import { DraftMessage } from './draft.ts'
import { faultError } from './fault.ts'
import {
  tokensWithCache,
  type AskOptions,
  type ModelRequest,
  type Reply,
  type TokenCounts,
} from './provider.ts'
import type { ModelSettings } from './settings.ts'
import { argumentsSchema } from './tool-schema.ts'

/** Asks over chat completions (gateway facts §6.2). */
export async function askChat(
  client: OpenAI,
  settings: ModelSettings,
  request: ModelRequest,
  { signal, onDelta }: AskOptions,
): Promise<Reply> {
  const body = {
    model: settings.id,
    messages: toMessages(request),
    ...(request.tools.length > 0 && { tools: toTools(request), tool_choice: 'auto' as const }),
    ...(settings.maxTokens !== null && { [settings.maxTokensField]: settings.maxTokens }),
  } satisfies ChatCompletionCreateParamsBase
  if (!request.stream) {
    return fromCompletion(await client.chat.completions.create({ ...body, stream: false }, { signal }))
  }
  const stream = await client.chat.completions.create(
    { ...body, stream: true, stream_options: { include_usage: true } },
    { signal },
  )
  const draft = new DraftMessage(onDelta)
  let finish: string | null = null
  let usage: Tokens | null = null
  let id: unknown
  for await (const chunk of stream) {
    id ??= chunk.id
    usage = chunk.usage ?? usage
    const choice = chunk.choices?.[0]
    if (choice === undefined) continue
    addDelta(draft, choice.delta)
    if (typeof choice.finish_reason === 'string') finish = choice.finish_reason
  }
  if (finish === null) throw faultError('cut', 'its answer ended before it was complete')
  return {
    ...ending(finish, draft.parts()),
    ...(typeof id === 'string' && { responseId: id }),
    tokens: countTokens(usage),
  }
}

type Delta = ChatCompletionChunk.Choice.Delta
type Tokens = NonNullable<ChatCompletion['usage']>

function addDelta(draft: DraftMessage, delta: Delta | undefined): void {
  if (!delta) return
  draft.addThinking(thoughtOf(delta))
  draft.addText(delta.content)
  draft.addText(delta.refusal)
  for (const call of delta.tool_calls ?? []) {
    // Some servers leave the index out; then only the id tells calls apart.
    draft.addCall(call.index ?? call.id, {
      id: call.id,
      name: call.function?.name,
      text: call.function?.arguments,
    })
  }
}

/** Where servers put what a model thinks; the protocol itself has no place for it. */
function thoughtOf(message: object): unknown {
  const { reasoning_content: first, reasoning: second } = message as Record<string, unknown>
  return first ?? second
}

function fromCompletion(completion: ChatCompletion): Reply {
  const choice = completion.choices?.[0]
  if (!choice?.message) throw faultError('protocol', 'its answer has no message')
  const { message, finish_reason: finish } = choice
  const draft = new DraftMessage()
  draft.addThinking(thoughtOf(message))
  draft.addText(message.content)
  draft.addText(message.refusal)
  for (const [at, call] of (message.tool_calls ?? []).entries()) {
    if (call.type === 'custom') continue
    draft.addCall(at, { id: call.id, name: call.function?.name, text: call.function?.arguments })
  }
  return {
    ...ending(finish, draft.parts()),
    ...(typeof completion.id === 'string' && { responseId: completion.id }),
    tokens: countTokens(completion.usage ?? null),
  }
}

function ending(
  finish: string | null,
  content: readonly AssistantPart[],
): Pick<Reply, 'content' | 'stopReason' | 'errorMessage'> {
  if (finish === 'length') return { content, stopReason: 'length' }
  if (finish === 'content_filter') {
    return { content, stopReason: 'error', errorMessage: 'the provider filtered the answer' }
  }
  // Some servers say `stop` behind calls.
  return { content, stopReason: content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop' }
}

function countTokens(usage: Tokens | null): TokenCounts {
  const cached = usage?.prompt_tokens_details?.cached_tokens
  return tokensWithCache(usage?.prompt_tokens, cached, usage?.completion_tokens)
}

function toTools({ tools }: ModelRequest): ChatCompletionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters: argumentsSchema(parameters) },
  }))
}

function toMessages({ system, messages }: ModelRequest): ChatCompletionMessageParam[] {
  const result: ChatCompletionMessageParam[] = [{ role: 'system', content: system }]
  // Results can hold text only; their pictures follow in a message of the user, once all results are there.
  let pictures: ImagePart[] = []
  const showPictures = (): void => {
    if (pictures.length > 0) result.push({ role: 'user', content: pictures.map(toPart) })
    pictures = []
  }
  for (const message of messages) {
    if (message.role !== 'toolResult') showPictures()
    result.push(toMessage(message))
    if (message.role === 'toolResult')
      pictures.push(...message.content.filter((part) => part.type === 'image'))
  }
  showPictures()
  return result
}

function toMessage(message: Message): ChatCompletionMessageParam {
  if (message.role === 'user') {
    const onlyText = message.content.every(({ type }) => type === 'text')
    return { role: 'user', content: onlyText ? textOf(message) : message.content.map(toPart) }
  }
  if (message.role === 'toolResult') {
    const text = textOf(message)
    const hasPicture = message.content.some(({ type }) => type === 'image')
    const content = text === '' ? (hasPicture ? '[the picture follows]' : '[no output]') : text
    return { role: 'tool', tool_call_id: message.toolCallId, content }
  }
  const calls = callsOf(message)
  const text = textOf(message)
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, arguments: args }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: JSON.stringify(args) },
      })),
    }),
  }
}

function toPart(part: TextPart | ImagePart): ChatCompletionContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  return { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } }
}
