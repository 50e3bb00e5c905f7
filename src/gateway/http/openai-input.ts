import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { takeDirective, type ElevatedDirective } from '../../agent/directives.ts'
import { isRecord } from '../../catalog/source.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { ClientTool } from '../agent-service.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a request in one of the two forms asks for. */
export interface OpenAiAsk {
  readonly agentId: string | undefined
  readonly sessionKey: string
  readonly modelName: string
  readonly model: string | undefined
  readonly message: string
  /** What of the message was an order about elevated. */
  readonly directive: ElevatedDirective | null
  readonly tools: readonly ClientTool[]
  /** A client tool that has to be called: any, or one by name. */
  readonly mustCall: { readonly name: string | null } | null
  /** Results of client tools by the id of their call. */
  readonly outputs: ReadonlyMap<string, string>
  /** The message together with those results, for a new run where the one that asked for them is gone. */
  readonly messageWithOutputs: string
  readonly stream: boolean
  /** Whether a stream of chat completions ends with what it has cost. */
  readonly includeUsage: boolean
}

function wrong(message: string): OpenClawError {
  return new OpenClawError('INPUT_INVALID', message)
}

const mostTools = 512

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** The agent that a model name means: `openclaw`, `openclaw/default`, `openclaw/<id>`, `openclaw:<id>`, `agent:<id>` (gateway facts §1.8). */
function agentOf(model: string, headers: IncomingHttpHeaders): string | undefined {
  const [, named] = /^(?:openclaw[/:]|agent:)(.+)$/i.exec(model) ?? []
  if (named === undefined && model.toLowerCase() !== 'openclaw') {
    throw wrong(`unknown model "${model.slice(0, 80)}"; use openclaw or openclaw/<agent id>`)
  }
  const agent = named?.toLowerCase() === 'default' ? undefined : named
  return agent ?? header(headers, 'x-openclaw-agent-id') ?? header(headers, 'x-openclaw-agent')
}

function sessionOf(
  agentId: string | undefined,
  body: Fields,
  headers: IncomingHttpHeaders,
  previous: string | undefined,
): string {
  const asked = header(headers, 'x-openclaw-session-key')
  if (asked !== undefined) {
    if (/(?:^|:)(?:subagent|cron|acp|incognito-[^:]*)(?::|$)/i.test(asked)) {
      throw wrong(`the session key "${asked.slice(0, 80)}" is reserved`)
    }
    return agentId === undefined || /^agent:/i.test(asked) ? asked : `agent:${agentId}:${asked}`
  }
  if (previous !== undefined) return previous
  const { user } = body
  const rest =
    typeof user === 'string' && user.trim() !== '' ? `openai-user:${user.trim()}` : `openai:${randomUUID()}`
  return agentId === undefined ? rest : `agent:${agentId}:${rest}`
}

/** The text of a message in any of the forms that clients write. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .filter(isRecord)
    .map(({ text, refusal }) =>
      typeof text === 'string' ? text : typeof refusal === 'string' ? refusal : '',
    )
    .filter((text) => text !== '')
    .join('\n')
}

interface Said {
  readonly role: string
  readonly text: string
}

/** One message out of a conversation: instructions and what was said before go in front of what the user says now. */
function promptOf(said: readonly Said[], instructions: unknown, hasOutputs: boolean): string {
  const isInstruction = ({ role }: Said): boolean => role === 'system' || role === 'developer'
  const told = [
    ...(typeof instructions === 'string' && instructions.trim() !== '' ? [instructions.trim()] : []),
    ...said.filter(isInstruction).map(({ text }) => text),
  ]
  const talk = said.filter((each) => !isInstruction(each) && each.text !== '')
  // What was said along with calls that have results by now is not the last word.
  if (hasOutputs) talk.splice(talk.findLastIndex(({ role }) => role === 'user') + 1)
  const last = talk.at(-1)
  if (last === undefined || last.role !== 'user') return ''
  const before = talk.slice(0, -1).map(({ role, text }) => `${role}: ${text}`)
  return [
    ...(told.length > 0 ? [`Instructions of the caller:\n${told.join('\n\n')}`] : []),
    ...(before.length > 0 ? [`Said before:\n${before.join('\n\n')}`] : []),
    last.text,
  ].join('\n\n')
}

function toolOf(value: unknown): ClientTool {
  const { name, description, parameters }: Fields = isRecord(value) ? value : {}
  if (typeof name !== 'string' || name.trim() === '') throw wrong('a tool has no name')
  return {
    name: name.trim(),
    ...(typeof description === 'string' && { description }),
    ...(isRecord(parameters) && { parameters }),
  }
}

function toolsOf(value: unknown, isChat: boolean): readonly ClientTool[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw wrong('tools must be a list')
  if (value.length > mostTools) throw wrong(`there are more than ${mostTools} tools`)
  return value.map((each: unknown) => {
    const { type, function: inner }: Fields = isRecord(each) ? each : {}
    if (type !== 'function')
      throw wrong(`tools of type ${JSON.stringify(type)} are not supported; use "function"`)
    return toolOf(isChat ? inner : each)
  })
}

function choiceOf(value: unknown): OpenAiAsk['mustCall'] | 'none' {
  if (value === undefined || value === null || value === 'auto') return null
  if (value === 'none') return 'none'
  if (value === 'required') return { name: null }
  if (isRecord(value) && value['type'] === 'function') {
    const inner = isRecord(value['function']) ? value['function'] : value
    if (typeof inner['name'] === 'string') return { name: inner['name'] }
  }
  throw wrong('this tool_choice is not supported; use auto, none, required or a function')
}

/** Reads a body of `/v1/chat/completions` or `/v1/responses`; `previous` finds the session of an earlier response. INPUT_INVALID with what is wrong. */
export function readOpenAi(
  body: unknown,
  headers: IncomingHttpHeaders,
  isChat: boolean,
  previous: (responseId: string) => string | undefined,
): OpenAiAsk {
  if (!isRecord(body)) throw wrong('the body must be an object')
  const { model, tools, tool_choice: choice, stream, previous_response_id: before } = body
  const { stream_options: streamOptions } = body
  if (typeof model !== 'string' || model.trim() === '') throw wrong('model is missing')
  const agentId = agentOf(model.trim(), headers)
  const {
    said: heard,
    outputs,
    calls,
  } = isChat ? chatMessages(body['messages']) : responseInput(body['input'])
  const { said, directive } = withoutOrders(heard)
  const earlier = typeof before === 'string' ? previous(before) : undefined
  if (typeof before === 'string' && earlier === undefined && outputs.size === 0) {
    throw wrong(`previous_response_id "${before.slice(0, 80)}" is not known`)
  }
  const mustCall = choiceOf(choice)
  const offered = mustCall === 'none' ? [] : toolsOf(tools, isChat)
  const pinned = mustCall !== null && mustCall !== 'none' ? mustCall : null
  if (pinned !== null && !offered.some(({ name }) => pinned.name === null || name === pinned.name)) {
    throw wrong('tool_choice asks for a tool that is not among tools')
  }
  const message = promptOf(said, body['instructions'], outputs.size > 0)
  if (message.trim() === '' && directive === null && outputs.size === 0)
    throw wrong('there is no message of the user')
  return {
    agentId,
    sessionKey: sessionOf(agentId, body, headers, earlier),
    modelName: model.trim(),
    model: header(headers, 'x-openclaw-model'),
    message,
    directive,
    tools: offered,
    mustCall: pinned,
    outputs,
    messageWithOutputs: [message, resultsOf(outputs, calls)].join('\n\n'),
    stream: stream === true,
    includeUsage: isRecord(streamOptions) && streamOptions['include_usage'] === true,
  }
}

/** A conversation without the orders in it: the last message's counts, those before were obeyed when they were given. */
function withoutOrders(heard: readonly Said[]): {
  readonly said: readonly Said[]
  readonly directive: ElevatedDirective | null
} {
  let directive: ElevatedDirective | null = null
  const said = heard.map((each, index) => {
    if (each.role !== 'user') return each
    const taken = takeDirective(each.text)
    if (index === heard.length - 1) ({ directive } = taken)
    return { ...each, text: taken.text }
  })
  return { said, directive }
}

interface Conversation {
  readonly said: readonly Said[]
  readonly outputs: ReadonlyMap<string, string>
  /** Calls as they were made, by their id. */
  readonly calls: ReadonlyMap<string, string>
}

/** Without these results a model would make the same calls again. */
function resultsOf(outputs: Conversation['outputs'], calls: Conversation['calls']): string {
  const lines = [...outputs].map(([callId, output]) => `${calls.get(callId) ?? callId}: ${output}`)
  return `Calls made for this already, with their results:\n${lines.join('\n')}`
}

function callText({ name, arguments: args }: Fields): string {
  return `${String(name)} ${typeof args === 'string' ? args : ''}`.trim()
}

function chatMessages(value: unknown): Conversation {
  if (!Array.isArray(value)) throw wrong('messages must be a list')
  const said: Said[] = []
  let outputs = new Map<string, string>()
  const calls = new Map<string, string>()
  for (const each of value) {
    const { role, content, tool_call_id: callId, tool_calls: made }: Fields = isRecord(each) ? each : {}
    for (const call of Array.isArray(made) ? made.filter(isRecord) : []) {
      if (isRecord(call['function'])) calls.set(String(call['id']), callText(call['function']))
    }
    if (typeof role !== 'string') throw wrong('a message has no role')
    if (role === 'tool') {
      if (typeof callId !== 'string') throw wrong('a message of role tool has no tool_call_id')
      outputs.set(callId, textOf(content))
      continue
    }
    // Results that something was said after belong to an earlier turn.
    if (role === 'user') outputs = new Map()
    said.push({ role, text: textOf(content) })
  }
  return { said, outputs, calls }
}

function responseInput(value: unknown): Conversation {
  if (typeof value === 'string') {
    return { said: [{ role: 'user', text: value }], outputs: new Map(), calls: new Map() }
  }
  if (!Array.isArray(value)) throw wrong('input must be a text or a list')
  const said: Said[] = []
  let outputs = new Map<string, string>()
  const calls = new Map<string, string>()
  for (const each of value) {
    const { type = 'message', role, content, call_id: callId, output }: Fields = isRecord(each) ? each : {}
    if (type === 'function_call_output') {
      if (typeof callId !== 'string') throw wrong('a function_call_output has no call_id')
      outputs.set(callId, typeof output === 'string' ? output : textOf(output))
    } else if (type === 'message') {
      if (typeof role !== 'string') throw wrong('a message has no role')
      if (role === 'user') outputs = new Map()
      said.push({ role, text: textOf(content) })
    } else if (type === 'function_call' && isRecord(each)) {
      calls.set(String(callId), callText(each))
    } else if (type !== 'reasoning') {
      throw wrong(`input items of type ${JSON.stringify(type)} are not supported`)
    }
  }
  return { said, outputs, calls }
}
