import { randomBytes } from 'node:crypto'
import type { OpenCall, Segment } from './client-run.ts'

/** Writes one server-sent event; the name is left out where a form has none. */
export type SendEvent = (data: unknown, event?: string) => void

/** An answer in one of the two forms, written as it comes or whole. */
export interface Writer {
  readonly id: string
  /** Begins a stream. */
  begin(send: SendEvent): void
  /** Writes text as it comes. */
  text(send: SendEvent, delta: string): void
  /** Ends a stream with what the run has come to. */
  end(send: SendEvent, segment: Segment): void
  /** Ends a stream that failed. */
  fail(send: SendEvent, message: string): void
  /** The whole answer at once. */
  whole(segment: Segment): object
}

const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

function usageOf(segment: Segment): {
  readonly input: number
  readonly output: number
  readonly total: number
} {
  if (segment.kind !== 'ended') return { input: 0, output: 0, total: 0 }
  const { input, output, totalTokens } = segment.result.usage
  return { input, output, total: totalTokens }
}

const isCut = (segment: Segment): boolean => segment.kind === 'ended' && segment.result.ended !== 'stop'

/** Text of a segment: all that came while it was followed, else the last message of the run. */
function textOf(segment: Segment): string {
  return segment.kind === 'ended' && segment.text === '' ? segment.result.text : segment.text
}

/** The form of chat completions. */
export function chatWriter(model: string, created: number, includeUsage: boolean): Writer {
  const id = newId('chatcmpl')
  const chunk = (delta: object, reason: string | null = null): object => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const costOf = (segment: Segment): object => {
    const { input, output, total } = usageOf(segment)
    return { prompt_tokens: input, completion_tokens: output, total_tokens: total }
  }
  const reasonOf = (segment: Segment): string =>
    segment.kind === 'calls' ? 'tool_calls' : isCut(segment) ? 'length' : 'stop'
  const toolCall = ({ callId, name, args }: OpenCall): object => ({
    id: callId,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  })
  return {
    id,
    begin: (send) => send(chunk({ role: 'assistant', content: '' })),
    text: (send, delta) => send(chunk({ content: delta })),
    end: (send, segment) => {
      if (segment.kind === 'calls') {
        const calls = segment.calls.map((call, index) => ({ index, ...toolCall(call) }))
        send(chunk({ tool_calls: calls }))
      }
      send(chunk({}, reasonOf(segment)))
      if (includeUsage) send({ ...chunk({}), choices: [], usage: costOf(segment) })
    },
    fail: (send, message) => send({ error: { message, type: 'api_error' } }),
    whole: (segment) => {
      const text = textOf(segment)
      const calls = segment.kind === 'calls' ? { tool_calls: segment.calls.map(toolCall) } : {}
      const content = text === '' && segment.kind === 'calls' ? null : text
      return {
        id,
        object: 'chat.completion',
        created,
        model,
        choices: [
          { index: 0, message: { role: 'assistant', content, ...calls }, finish_reason: reasonOf(segment) },
        ],
        usage: costOf(segment),
      }
    },
  }
}

/** The form of responses. */
export function responseWriter(model: string, created: number): Writer {
  const id = newId('resp')
  const messageId = newId('msg')
  let hasText = false
  let written = ''
  const shell = (status: string, output: readonly object[], segment?: Segment): object => {
    const usage = segment === undefined ? null : usageOf(segment)
    return {
      id,
      object: 'response',
      created_at: created,
      status,
      model,
      output,
      error: null,
      incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
      usage: usage && { input_tokens: usage.input, output_tokens: usage.output, total_tokens: usage.total },
    }
  }
  const part = (text: string): object => ({ type: 'output_text', text, annotations: [] })
  const messageItem = (status: string, text: string | null): object => ({
    type: 'message',
    id: messageId,
    role: 'assistant',
    status,
    content: text === null ? [] : [part(text)],
  })
  const callItem = ({ callId, name, args }: OpenCall, status: string): object => ({
    type: 'function_call',
    id: `fc_${callId}`,
    call_id: callId,
    name,
    arguments: JSON.stringify(args),
    status,
  })
  const itemsOf = (segment: Segment): readonly object[] => {
    const text = textOf(segment)
    const calls = segment.kind === 'calls' ? segment.calls.map((call) => callItem(call, 'completed')) : []
    return [...(text === '' && calls.length > 0 ? [] : [messageItem('completed', text)]), ...calls]
  }
  let number = 0
  const tell = (send: SendEvent, type: string, fields: object): void => {
    send({ type, sequence_number: number++, ...fields }, type)
  }
  const openText = (send: SendEvent): void => {
    if (hasText) return
    hasText = true
    tell(send, 'response.output_item.added', { output_index: 0, item: messageItem('in_progress', null) })
    const where = { item_id: messageId, output_index: 0, content_index: 0 }
    tell(send, 'response.content_part.added', { ...where, part: part('') })
  }
  const writeText = (send: SendEvent, delta: string): void => {
    openText(send)
    written += delta
    tell(send, 'response.output_text.delta', { item_id: messageId, output_index: 0, content_index: 0, delta })
  }
  const closeText = (send: SendEvent): void => {
    const where = { item_id: messageId, output_index: 0, content_index: 0 }
    tell(send, 'response.output_text.done', { ...where, text: written })
    tell(send, 'response.content_part.done', { ...where, part: part(written) })
    tell(send, 'response.output_item.done', { output_index: 0, item: messageItem('completed', written) })
  }
  return {
    id,
    begin: (send) => {
      tell(send, 'response.created', { response: shell('in_progress', []) })
      tell(send, 'response.in_progress', { response: shell('in_progress', []) })
    },
    text: writeText,
    end: (send, segment) => {
      if (written === '' && segment.kind === 'ended') writeText(send, textOf(segment))
      if (hasText) closeText(send)
      const first = hasText ? 1 : 0
      const calls = segment.kind === 'calls' ? segment.calls : []
      for (const [at, call] of calls.entries()) {
        const where = { output_index: first + at }
        const item = callItem(call, 'completed')
        tell(send, 'response.output_item.added', {
          ...where,
          item: { ...callItem(call, 'in_progress'), arguments: '' },
        })
        const args = { item_id: `fc_${call.callId}`, ...where, arguments: JSON.stringify(call.args) }
        tell(send, 'response.function_call_arguments.done', args)
        tell(send, 'response.output_item.done', { ...where, item })
      }
      const status = isCut(segment) ? 'incomplete' : 'completed'
      tell(send, `response.${status}`, { response: shell(status, itemsOf(segment), segment) })
    },
    fail: (send, message) => {
      const response = { ...shell('failed', []), error: { code: 'api_error', message } }
      tell(send, 'response.failed', { response })
    },
    whole: (segment) => shell(isCut(segment) ? 'incomplete' : 'completed', itemsOf(segment), segment),
  }
}
