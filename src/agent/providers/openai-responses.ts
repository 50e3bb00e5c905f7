import type { OpenAI } from 'openai/client'
import type {
  FunctionTool,
  Response as ResponsesAnswer,
  ResponseCreateParamsBase,
  ResponseInputContent,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses'
import { isRecord } from '../../config/path-value.ts'
import type { AssistantMessage, ImagePart, Message, TextPart, ThinkingPart } from '../messages.ts'
import { DraftMessage } from './draft.ts'
import { faultError, refusal } from './fault.ts'
import {
  tokensWithCache,
  type AskOptions,
  type ModelRequest,
  type Reply,
  type TokenCounts,
} from './provider.ts'
import type { ModelSettings } from './settings.ts'
import { argumentsSchema } from './tool-schema.ts'

/** Asks over the Responses protocol; nothing is stored at the provider, the whole session goes with every request. */
export async function askResponses(
  client: OpenAI,
  settings: ModelSettings,
  request: ModelRequest,
  { signal, onDelta }: AskOptions,
): Promise<Reply> {
  const body = {
    model: settings.id,
    instructions: request.system,
    input: request.messages.flatMap((message) => toItems(message, settings)),
    store: false,
    ...(request.tools.length > 0 && { tools: toTools(request), tool_choice: 'auto' as const }),
    ...(settings.maxTokens !== null && { max_output_tokens: settings.maxTokens }),
    // What it thought comes back sealed, and has to be sent along with the calls that followed from it.
    ...(settings.reasoning && { include: ['reasoning.encrypted_content' as const] }),
  } satisfies ResponseCreateParamsBase
  if (!request.stream) {
    return fromResponse(await client.responses.create({ ...body, stream: false }, { signal }), settings)
  }
  const stream = await client.responses.create({ ...body, stream: true }, { signal })
  // Only for what is shown while it comes; the answer itself is the last event.
  const shown = new DraftMessage(onDelta)
  const items: ResponseOutputItem[] = []
  let last: ResponsesAnswer | null = null
  for await (const event of stream) {
    show(event, shown)
    if (event.type === 'response.output_item.done') items.push(event.item)
    else if (event.type === 'error') throw refusal(null, event, null, settings.secrets)
    else if (event.type === 'response.failed') throw refusal(null, event.response, null, settings.secrets)
    else if (event.type === 'response.completed' || event.type === 'response.incomplete')
      last = event.response
  }
  if (last === null) throw faultError('cut', 'its answer ended before it was complete')
  return fromResponse({ ...last, output: last.output?.length > 0 ? last.output : items }, settings)
}

function show(event: ResponseStreamEvent, draft: DraftMessage): void {
  if (event.type === 'response.output_text.delta' || event.type === 'response.refusal.delta') {
    draft.addText(event.delta)
  } else if (event.type === 'response.reasoning_summary_text.delta') draft.addThinking(event.delta)
  else if (event.type === 'response.output_item.added' && event.item.type === 'function_call') {
    draft.addCall(event.output_index, { name: event.item.name })
  }
}

function fromResponse(response: ResponsesAnswer, settings: ModelSettings): Reply {
  if (!Array.isArray(response.output)) throw faultError('protocol', 'its answer has no output')
  if (response.status === 'failed') throw refusal(null, response, null, settings.secrets)
  const draft = new DraftMessage()
  let hasCall = false
  for (const [at, item] of response.output.entries()) {
    if (item.type === 'function_call') {
      hasCall = true
      draft.addCall(at, { id: item.call_id, name: item.name, text: item.arguments })
    } else if (item.type === 'message') {
      for (const part of item.content) draft.addText(part.type === 'output_text' ? part.text : part.refusal)
      draft.close()
    } else if (item.type === 'reasoning') {
      draft.addThinking((item.summary ?? []).map(({ text }) => text).join('\n\n'))
      draft.sign(JSON.stringify(item))
    }
  }
  const why = response.incomplete_details?.reason
  const content = draft.parts()
  return {
    content,
    ...(response.status !== 'incomplete'
      ? { stopReason: hasCall ? 'toolUse' : 'stop' }
      : why === 'content_filter'
        ? { stopReason: 'error', errorMessage: 'the provider filtered the answer' }
        : { stopReason: 'length' }),
    ...(typeof response.id === 'string' && { responseId: response.id }),
    tokens: countTokens(response.usage),
  }
}

function countTokens(usage: ResponsesAnswer['usage']): TokenCounts {
  const cached = usage?.input_tokens_details?.cached_tokens
  return tokensWithCache(usage?.input_tokens, cached, usage?.output_tokens)
}

function toTools({ tools }: ModelRequest): FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    parameters: argumentsSchema(parameters),
    strict: false,
  }))
}

function toItems(message: Message, settings: ModelSettings): ResponseInputItem[] {
  if (message.role === 'user') {
    return [{ type: 'message', role: 'user', content: message.content.map(toContent) }]
  }
  if (message.role === 'toolResult') {
    const parts =
      message.content.length === 0 ? [{ type: 'text' as const, text: '[no output]' }] : message.content
    const onlyText = parts.every((part) => part.type === 'text')
    const output = onlyText ? parts.map((part) => part.text).join('') : parts.map(toContent)
    return [{ type: 'function_call_output', call_id: message.toolCallId, output }]
  }
  return message.content.flatMap((part): ResponseInputItem[] => {
    if (part.type === 'text') return [{ type: 'message', role: 'assistant', content: part.text }]
    if (part.type === 'thinking') return sealedThought(part, message, settings)
    return [
      { type: 'function_call', call_id: part.id, name: part.name, arguments: JSON.stringify(part.arguments) },
    ]
  })
}

/** A thought goes back to the model that had it; to another one its seal means nothing. */
function sealedThought(
  { signature }: ThinkingPart,
  { api, provider, model }: AssistantMessage,
  settings: ModelSettings,
): ResponseInputItem[] {
  const isOwn = api === settings.api && provider === settings.provider && model === settings.id
  if (!isOwn || signature === undefined) return []
  const item: unknown = JSON.parse(signature)
  if (!isRecord(item) || typeof item['encrypted_content'] !== 'string') return []
  const { id, summary, encrypted_content } = item
  if (typeof id !== 'string' || !Array.isArray(summary)) return []
  return [{ type: 'reasoning', id, summary, encrypted_content }]
}

function toContent(part: TextPart | ImagePart): ResponseInputContent {
  if (part.type === 'text') return { type: 'input_text', text: part.text }
  return { type: 'input_image', detail: 'auto', image_url: `data:${part.mimeType};base64,${part.data}` }
}
