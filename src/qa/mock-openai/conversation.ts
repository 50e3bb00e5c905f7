import { isRecord } from '../../config/path-value.ts'

/** The three ways in which a model is asked. */
export type Protocol = 'openai-chat' | 'openai-responses' | 'anthropic-messages'

/** A tool that the request offers. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** One thing that was said, whatever the protocol. */
export type Entry =
  | { readonly kind: 'user' | 'assistant'; readonly text: string; readonly images: number }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly args: unknown }
  | { readonly kind: 'result'; readonly id: string; readonly text: string; readonly images: number }

/** A request as the scripted model reads it. */
export interface Conversation {
  readonly protocol: Protocol
  readonly model: string
  readonly stream: boolean
  readonly system: string
  readonly tools: readonly OfferedTool[]
  readonly entries: readonly Entry[]
}

/** What a provider would answer with status 400. */
export class BadRequest extends Error {}

type Fields = Readonly<Record<string, unknown>>

function bad(message: string): never {
  throw new BadRequest(message)
}

function listAt(body: Fields, key: string): readonly Fields[] {
  const value = body[key]
  if (value === undefined) return []
  if (!Array.isArray(value)) return bad(`${key}: expected a list`)
  return value.map((item: unknown) => (isRecord(item) ? item : bad(`${key}: expected objects`)))
}

function textAt(fields: Fields, key: string): string {
  const value = fields[key]
  return typeof value === 'string' ? value : bad(`${key}: expected a text`)
}

/** Text and number of images of a content field: a text, or a list of parts. */
function contentOf(content: unknown): { readonly text: string; readonly images: number } {
  if (content === null || content === undefined) return { text: '', images: 0 }
  if (typeof content === 'string') return { text: content, images: 0 }
  if (!Array.isArray(content)) return bad('content: expected a text or a list')
  const parts = content.filter(isRecord)
  return {
    text: parts.flatMap(({ text }) => (typeof text === 'string' ? text : [])).join(''),
    images: parts.filter(({ type }) => typeof type === 'string' && type.includes('image')).length,
  }
}

function parseArgs(text: unknown): unknown {
  if (typeof text !== 'string') return bad('arguments: expected a text')
  try {
    return JSON.parse(text)
  } catch {
    return bad(`arguments: not JSON: ${text.slice(0, 80)}`)
  }
}

function toolOf(fields: Fields, schemaKey: string): OfferedTool {
  const name = textAt(fields, 'name')
  const parameters = fields[schemaKey]
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) bad(`tools: invalid name ${JSON.stringify(name)}`)
  if (!isRecord(parameters) || parameters['type'] !== 'object' || !isRecord(parameters['properties'])) {
    return bad(`tools: ${name}: the schema must be an object schema with properties`)
  }
  const { description } = fields
  return { name, description: typeof description === 'string' ? description : '', parameters }
}

function readChat(body: Fields): Pick<Conversation, 'system' | 'tools' | 'entries'> {
  const system: string[] = []
  const entries: Entry[] = []
  for (const message of listAt(body, 'messages')) {
    const { role } = message
    if (role === 'system' || role === 'developer') system.push(contentOf(message['content']).text)
    else if (role === 'tool') {
      const { text, images } = contentOf(message['content'])
      entries.push({ kind: 'result', id: textAt(message, 'tool_call_id'), text, images })
    } else if (role === 'user' || role === 'assistant') {
      const content = contentOf(message['content'])
      const calls = listAt(message, 'tool_calls')
      if (role === 'user' || content.text !== '' || calls.length === 0)
        entries.push({ kind: role, ...content })
      for (const call of calls) {
        const named = isRecord(call['function']) ? call['function'] : bad('tool_calls: no function')
        entries.push({
          kind: 'call',
          id: textAt(call, 'id'),
          name: textAt(named, 'name'),
          args: parseArgs(named['arguments']),
        })
      }
    } else bad(`messages: unknown role ${JSON.stringify(role)}`)
  }
  const tools = listAt(body, 'tools').map(({ function: named }) =>
    toolOf(isRecord(named) ? named : bad('tools: no function'), 'parameters'),
  )
  return { system: system.join('\n'), tools, entries }
}

function readResponses(body: Fields): Pick<Conversation, 'system' | 'tools' | 'entries'> {
  const { input, instructions } = body
  const system = typeof instructions === 'string' ? [instructions] : []
  const entries: Entry[] = []
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listAt(body, 'input')
  for (const item of items as readonly Fields[]) {
    const { type = 'message', role } = item
    if (type === 'function_call') {
      const args = parseArgs(item['arguments'])
      entries.push({ kind: 'call', id: textAt(item, 'call_id'), name: textAt(item, 'name'), args })
    } else if (type === 'function_call_output') {
      entries.push({ kind: 'result', id: textAt(item, 'call_id'), ...contentOf(item['output']) })
    } else if (type === 'message' && (role === 'system' || role === 'developer')) {
      system.push(contentOf(item['content']).text)
    } else if (type === 'message' && (role === 'user' || role === 'assistant')) {
      entries.push({ kind: role, ...contentOf(item['content']) })
    } else if (type !== 'reasoning') bad(`input: unknown item ${JSON.stringify(type)}`)
  }
  const tools = listAt(body, 'tools').map((tool) => toolOf(tool, 'parameters'))
  return { system: system.join('\n'), tools, entries }
}

function readMessages(body: Fields): Pick<Conversation, 'system' | 'tools' | 'entries'> {
  if (typeof body['max_tokens'] !== 'number') bad('max_tokens: field required')
  const entries: Entry[] = []
  let previous: unknown = 'assistant'
  for (const message of listAt(body, 'messages')) {
    const { role, content } = message
    if (role !== 'user' && role !== 'assistant') bad(`messages: unknown role ${JSON.stringify(role)}`)
    if (role === previous) bad('messages: roles must alternate, and the first is the user')
    previous = role
    const blocks =
      typeof content === 'string' ? [{ type: 'text', text: content }] : listAt(message, 'content')
    for (const block of blocks as readonly Fields[]) {
      if (block['type'] === 'tool_use') {
        const args = isRecord(block['input']) ? block['input'] : bad('tool_use: input must be an object')
        entries.push({ kind: 'call', id: textAt(block, 'id'), name: textAt(block, 'name'), args })
      } else if (block['type'] === 'tool_result') {
        const { text, images } = contentOf(block['content'])
        entries.push({ kind: 'result', id: textAt(block, 'tool_use_id'), text, images })
      } else if (block['type'] === 'text' || block['type'] === 'image') {
        if (block['type'] === 'text' && textAt(block, 'text').trim() === '') {
          bad('messages: text content blocks must be non-empty')
        }
        entries.push({ kind: role === 'user' ? 'user' : 'assistant', ...contentOf([block]) })
      }
    }
  }
  const tools = listAt(body, 'tools').map((tool) => toolOf(tool, 'input_schema'))
  return { system: contentOf(body['system']).text, tools, entries }
}

/** Providers refuse a call without its result, and a result without its call. */
function requirePairs(entries: readonly Entry[]): void {
  const open = new Set<string>()
  const seen = new Set<string>()
  for (const entry of entries) {
    if (entry.kind === 'call') {
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(entry.id)) bad(`invalid call id ${JSON.stringify(entry.id)}`)
      if (seen.has(entry.id)) bad(`call id ${entry.id} is used twice`)
      seen.add(entry.id)
      open.add(entry.id)
    } else if (entry.kind === 'result') {
      if (!open.delete(entry.id)) bad(`the result for ${entry.id} has no call before it`)
    } else if (open.size > 0) bad(`no result was found for the call ${[...open].join(', ')}`)
  }
  if (open.size > 0) bad(`no result was found for the call ${[...open].join(', ')}`)
}

const readers = {
  'openai-chat': readChat,
  'openai-responses': readResponses,
  'anthropic-messages': readMessages,
} as const

/** Reads a request body as strictly as providers do. Throws BadRequest. */
export function readConversation(protocol: Protocol, body: unknown): Conversation {
  if (!isRecord(body)) return bad('the body must be an object')
  const { system, tools, entries } = readers[protocol](body)
  const names = new Set(tools.map(({ name }) => name))
  if (names.size < tools.length) bad('tools: names must be unique')
  if (entries.length === 0) bad('there is nothing to answer')
  requirePairs(entries)
  return { protocol, model: textAt(body, 'model'), stream: body['stream'] === true, system, tools, entries }
}

/** What the user said last. */
export function lastUserText({ entries }: Conversation): string {
  const last = entries.findLast((entry) => entry.kind === 'user')
  return last?.kind === 'user' ? last.text : ''
}

/** Calls with their results since the user spoke last, in order. */
export function sinceUser({ entries }: Conversation): readonly {
  readonly id: string
  readonly name: string
  readonly args: unknown
  readonly output: string
}[] {
  const start = entries.findLastIndex((entry) => entry.kind === 'user')
  const recent = entries.slice(start + 1)
  return recent.flatMap((entry) => {
    if (entry.kind !== 'call') return []
    const result = recent.find((other) => other.kind === 'result' && other.id === entry.id)
    return [
      {
        id: entry.id,
        name: entry.name,
        args: entry.args,
        output: result?.kind === 'result' ? result.text : '',
      },
    ]
  })
}
