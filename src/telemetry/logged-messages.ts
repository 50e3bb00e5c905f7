import type { FinalCall } from './turn.ts'

export type Fields = Readonly<Record<string, unknown>>

/** An entry of a session log, as far as a summary looks at it. */
export interface LogEntry {
  readonly type: string
  readonly message?: {
    readonly role: string
    readonly content: readonly {
      readonly type: string
      readonly text?: string
      readonly id?: string
      readonly name?: string
      readonly arguments?: unknown
    }[]
    readonly toolCallId?: string
    readonly isError?: boolean
  }
  readonly record: Fields
}

/** What was counted in a log. */
export interface Counts {
  readonly searches: number
  readonly describes: number
  /** Calls that went through Tool Search. */
  readonly calls: number
  /** Tools that were called in the end, in order. */
  readonly finalCalls: readonly LoggedCall[]
}

/** A final call; what a log of another program does not say is null. */
export interface LoggedCall extends Pick<FinalCall, 'toolCallId' | 'name' | 'status' | 'source'> {
  readonly id: string | null
  readonly via: 'direct' | 'tool_call' | 'tool_search_code'
}

const nestedId = /^tool_search_code:(.+):[^:]+:\d+$/
const controls: ReadonlySet<string> = new Set([
  'tool_search_code',
  'tool_search',
  'tool_describe',
  'tool_call',
])
/** Entry in which later editions keep a nested call instead of a pair of messages. */
const nestedEntry = 'openclaw.nested-tool.v1'

/** An object that is no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface Call {
  readonly id: string
  readonly name: string
  readonly args: Fields
}

interface Result {
  readonly isError: boolean
  readonly details: unknown
  readonly text: string
}

/** The calls and results that the messages of a log hold, counted from them where no record of a turn says it better. */
export class LoggedMessages {
  readonly #calls: Call[] = []
  readonly #results = new Map<string, Result>()
  /** Messages of a person, which each begin a turn. */
  questions = 0

  constructor(entries: readonly LogEntry[]) {
    for (const { message, record } of entries) {
      if (message?.role === 'user') this.questions += 1
      if (message?.role === 'assistant') this.#addCalls(message.content)
      const raw = isFields(record['message']) ? record['message'] : {}
      if (message?.role === 'toolResult' && message.toolCallId !== undefined) {
        const text = message.content.find(({ type }) => type === 'text')?.text ?? ''
        const result = { isError: message.isError === true, details: raw['details'], text }
        this.#results.set(message.toolCallId, result)
      }
      this.#addNested([record['data'], raw['details'], record['details']], [record, raw])
    }
  }

  /** Which control made a nested call. */
  viaOf(parent: string): LoggedCall['via'] {
    return this.#calls.find(({ id }) => id === parent)?.name === 'tool_call'
      ? 'tool_call'
      : 'tool_search_code'
  }

  count(): Counts {
    const counts = { searches: 0, describes: 0, calls: 0 }
    const finalCalls: LoggedCall[] = []
    const totals = { searchCount: 0, describeCount: 0, callCount: 0 }
    const nested = new Set(this.#calls.flatMap(({ id }) => nestedId.exec(id)?.[1] ?? []))
    for (const call of this.#calls) {
      const result = this.#results.get(call.id)
      if (call.name === 'tool_search') counts.searches += queriesOf(call.args)
      if (call.name === 'tool_describe') counts.describes += 1
      if (call.name === 'tool_call') {
        counts.calls += 1
        if (!nested.has(call.id)) finalCalls.push(...enveloped(call, result))
      }
      if (call.name === 'tool_search_code') {
        const grown = growth(totals, telemetryOf(result))
        counts.searches += grown.searchCount
        counts.describes += grown.describeCount
        counts.calls += grown.callCount
      }
      if (!controls.has(call.name)) finalCalls.push(this.#final(call, result))
    }
    return { ...counts, finalCalls }
  }

  #final({ id, name }: Call, result: Result | undefined): LoggedCall {
    const parent = nestedId.exec(id)?.[1]
    return {
      toolCallId: id,
      id: null,
      name,
      source: isFields(result?.details) && 'mcpServer' in result.details ? 'mcp' : 'openclaw',
      status: result === undefined || result.isError ? 'error' : 'ok',
      via: parent === undefined ? 'direct' : this.viaOf(parent),
    }
  }

  #addCalls(content: NonNullable<LogEntry['message']>['content']): void {
    for (const { type, id, name, arguments: args } of content) {
      if (type !== 'toolCall' || id === undefined || name === undefined) continue
      this.#calls.push({ id, name, args: isFields(args) ? args : {} })
    }
  }

  #addNested(candidates: readonly unknown[], owners: readonly Fields[]): void {
    if (!owners.some((owner) => owner['customType'] === nestedEntry)) return
    const data = candidates.find((each) => isFields(each) && typeof each['toolCallId'] === 'string')
    if (!isFields(data)) return
    const id = String(data['toolCallId'])
    this.#calls.push({ id, name: String(data['toolName']), args: {} })
    const result = isFields(data['result']) ? data['result'] : {}
    this.#results.set(id, { isError: data['isError'] === true, details: result['details'], text: '' })
  }
}

function queriesOf({ query, queries }: Fields): number {
  const own = typeof query === 'string' && query.trim() !== '' ? 1 : 0
  return Math.max(1, own + (Array.isArray(queries) ? queries.length : 0))
}

/** The call that the envelope of a `tool_call` tells of, in logs that have no pair of messages for it. */
function enveloped({ id: toolCallId, args }: Call, result: Result | undefined): LoggedCall[] {
  const envelope = isFields(result?.details) ? result.details : parsed(result?.text)
  const tool = isFields(envelope['tool']) ? envelope['tool'] : {}
  const selector = [tool['id'], args['id'], args['toolId'], args['name']].find(
    (each) => typeof each === 'string',
  )
  if (selector === undefined) return []
  const { source, name } = tool
  return [
    {
      toolCallId,
      id: typeof tool['id'] === 'string' ? tool['id'] : null,
      name: typeof name === 'string' ? name : String(selector),
      source: source === 'mcp' || source === 'client' ? source : 'openclaw',
      status: result === undefined || result.isError ? 'error' : 'ok',
      via: 'tool_call',
    },
  ]
}

function parsed(text: string | undefined): Fields {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isFields(value) ? value : {}
  } catch {
    return {}
  }
}

function telemetryOf(result: Result | undefined): Fields {
  const outer = isFields(result?.details) ? result.details : parsed(result?.text)
  return isFields(outer['telemetry']) ? outer['telemetry'] : {}
}

type Totals = Record<'searchCount' | 'describeCount' | 'callCount', number>

/** What was added since the last totals; when one of them is smaller than before, all count anew. */
function growth(totals: Totals, telemetry: Fields): Totals {
  const keys = ['searchCount', 'describeCount', 'callCount'] as const
  const now = (key: (typeof keys)[number]): number => {
    const value = telemetry[key]
    return typeof value === 'number' ? value : totals[key]
  }
  const isNew = keys.some((key) => now(key) < totals[key])
  const grown: Totals = { searchCount: 0, describeCount: 0, callCount: 0 }
  for (const key of keys) {
    const value = now(key)
    grown[key] = isNew ? value : value - totals[key]
    totals[key] = value
  }
  return grown
}
