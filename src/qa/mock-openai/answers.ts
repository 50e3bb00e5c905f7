import type { Protocol } from './conversation.ts'

/** A call with its arguments as text, which need not be JSON. */
export interface WireCall {
  readonly id: string
  readonly name: string
  readonly argsText: string
}

/** A message to send. */
export interface WireMessage {
  readonly id: string
  readonly model: string
  readonly text: string
  readonly calls: readonly WireCall[]
  readonly usage: { readonly input: number; readonly output: number }
}

/** One server-sent event. */
export interface SentEvent {
  readonly event?: string
  readonly data: unknown
}

/** How one protocol writes a message. */
export interface Writer {
  /** The body of an answer that is not streamed. */
  whole(message: WireMessage): unknown
  /** The events of one that is, in order; the last of them make it complete. */
  events(message: WireMessage): SentEvent[]
  /** An error inside a stream. */
  error(message: string): SentEvent
  /** The body of a refusal. */
  refusal(status: number, message: string): unknown
  /** A body without any message in it. */
  readonly empty: unknown
}

/** Cuts a text into pieces as a model would send them; together they are the text. */
export function pieces(text: string, size = 12): string[] {
  const found: string[] = []
  let rest = text
  while (rest.length > 0) {
    // Surrogate pairs stay together, as they do in a real stream.
    const piece = rest.slice(0, size).replace(/[\uD800-\uDBFF]$/, '') || rest.slice(0, size + 1)
    found.push(piece)
    rest = rest.slice(piece.length)
  }
  return found
}

const created = 1_700_000_000

function openAiRefusal(status: number, message: string): unknown {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error'
  return { error: { message, type, param: null, code: null } }
}

const chat: Writer = {
  whole: ({ id, model, text, calls, usage }) => ({
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' ? null : text,
          ...(calls.length > 0 && { tool_calls: calls.map(chatCall) }),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: chatUsage(usage),
  }),
  events: ({ id, model, text, calls, usage }) => {
    const chunk = (delta: unknown, finish: string | null = null): SentEvent => ({
      data: {
        id,
        object: 'chat.completion.chunk',
        created,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    })
    return [
      chunk({ role: 'assistant', content: '' }),
      ...pieces(text).map((content) => chunk({ content })),
      ...calls.flatMap((call, index) => [
        chunk({
          tool_calls: [
            { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } },
          ],
        }),
        ...pieces(call.argsText).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
      {
        data: { id, object: 'chat.completion.chunk', created, model, choices: [], usage: chatUsage(usage) },
      },
      { data: '[DONE]' },
    ]
  },
  error: (message) => ({ data: { error: { message, type: 'server_error' } } }),
  refusal: openAiRefusal,
  empty: { id: 'chatcmpl_0', object: 'chat.completion', choices: [] },
}

function chatCall({ id, name, argsText }: WireCall): unknown {
  return { id, type: 'function', function: { name, arguments: argsText } }
}

function chatUsage({ input, output }: WireMessage['usage']): unknown {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}

const responses: Writer = {
  whole: (message) => responseBody(message, 'completed', outputOf(message)),
  events: (message) => {
    let sequence = 0
    const event = (type: string, more: object): SentEvent => ({
      event: type,
      data: { type, sequence_number: sequence++, ...more },
    })
    const output = outputOf(message)
    return [
      event('response.created', { response: responseBody(message, 'in_progress', []) }),
      event('response.in_progress', { response: responseBody(message, 'in_progress', []) }),
      ...output.flatMap((item, output_index) => {
        const place = { item_id: item.id, output_index }
        if (item.type === 'function_call') {
          return [
            event('response.output_item.added', { output_index, item: { ...item, arguments: '' } }),
            ...pieces(item.arguments).map((delta) =>
              event('response.function_call_arguments.delta', { ...place, delta }),
            ),
            event('response.function_call_arguments.done', { ...place, arguments: item.arguments }),
            event('response.output_item.done', { output_index, item }),
          ]
        }
        const inPart = { ...place, content_index: 0 }
        return [
          event('response.output_item.added', { output_index, item: { ...item, content: [] } }),
          event('response.content_part.added', { ...inPart, part: outputText('') }),
          ...pieces(message.text).map((delta) => event('response.output_text.delta', { ...inPart, delta })),
          event('response.output_text.done', { ...inPart, text: message.text }),
          event('response.output_item.done', { output_index, item }),
        ]
      }),
      event('response.completed', { response: responseBody(message, 'completed', output) }),
    ]
  },
  error: (message) => ({
    event: 'error',
    data: { type: 'error', code: 'server_error', message, param: null },
  }),
  refusal: openAiRefusal,
  empty: { id: 'resp_0', object: 'response', status: 'completed' },
}

const outputText = (text: string) => ({ type: 'output_text' as const, text, annotations: [] })

function outputOf({ id, text, calls }: WireMessage) {
  return [
    ...(text === ''
      ? []
      : [
          {
            type: 'message' as const,
            id: `msg_${id}`,
            role: 'assistant',
            status: 'completed',
            content: [outputText(text)],
          },
        ]),
    ...calls.map((call) => ({
      type: 'function_call' as const,
      id: `fc_${call.id}`,
      call_id: call.id,
      name: call.name,
      arguments: call.argsText,
      status: 'completed',
    })),
  ]
}

function responseBody({ id, model, usage }: WireMessage, status: string, output: readonly object[]): unknown {
  const counts = {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  }
  return {
    id,
    object: 'response',
    created_at: created,
    status,
    model,
    output,
    error: null,
    incomplete_details: null,
    ...(status === 'completed' && { usage: counts }),
  }
}

const messages: Writer = {
  whole: (message) => messageBody(message, blocksOf(message)),
  events: (message) => {
    const event = (type: string, more: object): SentEvent => ({ event: type, data: { type, ...more } })
    const { text, calls, usage } = message
    const blocks = [
      ...(text === ''
        ? []
        : [
            {
              start: { type: 'text', text: '' },
              deltas: pieces(text).map((each) => ({ type: 'text_delta', text: each })),
            },
          ]),
      ...calls.map(({ id, name, argsText }) => ({
        start: { type: 'tool_use', id, name, input: {} },
        deltas: pieces(argsText).map((each) => ({ type: 'input_json_delta', partial_json: each })),
      })),
    ]
    return [
      event('message_start', { message: { ...messageBody(message, []), stop_reason: null } }),
      event('ping', {}),
      ...blocks.flatMap(({ start, deltas }, index) => [
        event('content_block_start', { index, content_block: start }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', {
        delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: usage.output },
      }),
      event('message_stop', {}),
    ]
  },
  error: (message) => ({
    event: 'error',
    data: { type: 'error', error: { type: 'overloaded_error', message } },
  }),
  refusal: (status, message) => ({
    type: 'error',
    error: {
      type: status === 429 ? 'rate_limit_error' : status >= 500 ? 'api_error' : 'invalid_request_error',
      message,
    },
  }),
  empty: { id: 'msg_0', type: 'message', role: 'assistant' },
}

function blocksOf({ text, calls }: WireMessage): readonly object[] {
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, argsText }) => ({ type: 'tool_use', id, name, input: parsed(argsText) })),
  ]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function messageBody({ id, model, calls, usage }: WireMessage, content: readonly object[]): object {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: usage.output },
  }
}

/** How each protocol writes what the model says. */
export const writers: Readonly<Record<Protocol, Writer>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
}
