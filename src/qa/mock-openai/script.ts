import { isRecord } from '../../config/path-value.ts'
import { lastUserText, sinceUser, type Conversation, type OfferedTool } from './conversation.ts'

/** A call that the model plans. */
export interface PlannedCall {
  readonly name: string
  readonly args: unknown
}

/** The model's next message. */
export interface Plan {
  readonly text: string
  readonly calls: readonly PlannedCall[]
}

/** Decides what the model says next; it sees nothing but the request. */
export type Script = (conversation: Conversation) => Plan

/** The ways to a tool that a prompt may prescribe. */
const paths = ['direct', 'search', 'describe', 'call', 'code'] as const

type Via = (typeof paths)[number]

/** What a prompt asks for. */
interface Task {
  readonly target: string
  readonly args: unknown
  /** Null: whichever way the offered tools leave. */
  readonly via: Via | null
}

const say = (text: string): Plan => ({ text, calls: [] })
const call = (name: string, args: unknown): Plan => ({ text: '', calls: [{ name, args }] })

/**
 * The model of the mock server. It reads commands out of what the user said last:
 *
 *   tool search qa check target=NAME [via=direct|search|describe|call|code] [args={…}]
 *   call NAME {…}      one line per call, all in one message
 *   then NAME {…}      one line per call, each in a message of its own after the result of the one before
 *   say TEXT           whatever the text is, in front
 *
 * and reaches a target by the way that the offered tools leave: directly, else through `tool_search_code`, else through
 * `tool_search` and `tool_call`. Anything else it repeats.
 */
export const defaultScript: Script = (conversation) => {
  const prompt = lastUserText(conversation)
  const task = /^say\s/.test(prompt) ? null : readTask(prompt)
  if (task !== null) return pursue(task, conversation)
  const lines = prompt.split('\n').map((line) => line.trim())
  const calls = lines.flatMap((line) => commandIn(line, 'call'))
  const done = sinceUser(conversation)
  const next = lines.flatMap((line) => commandIn(line, 'then'))[done.length - calls.length]
  if (next !== undefined && done.length >= calls.length) return planOffered([next], conversation)
  if (calls.length > 0 && done.length === 0) return planOffered(calls, conversation)
  if (done.length > 0) return say(done.map(({ name, output }) => `${name}: ${output}`).join('\n'))
  const said = lines.find((line) => /^say\s/.test(line))
  return say(said === undefined ? `You said: ${prompt}` : said.replace(/^say\s+/, ''))
}

function commandIn(line: string, verb: 'call' | 'then'): readonly PlannedCall[] {
  const [, said, name, args] = /^(call|then)\s+(\S+)\s*(\{.*\})?$/s.exec(line) ?? []
  return name === undefined || said !== verb ? [] : [{ name, args: parse(args) ?? {} }]
}

function planOffered(calls: readonly PlannedCall[], { tools }: Conversation): Plan {
  const missing = calls.find(({ name }) => !tools.some((tool) => tool.name === name))
  if (missing !== undefined) return say(`There is no tool ${missing.name}.`)
  return { text: '', calls }
}

function readTask(prompt: string): Task | null {
  const target = /\btarget=(\S+)/.exec(prompt)?.[1]
  if (target === undefined || !/tool search qa check/i.test(prompt)) return null
  const named = /\bvia=(\w+)/.exec(prompt)?.[1]
  const via = paths.find((path) => path === named) ?? null
  return { target, via, args: parse(/\bargs=(\{.*\})/s.exec(prompt)?.[1]) }
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function pursue(task: Task, conversation: Conversation): Plan {
  const { tools } = conversation
  const offered = (name: string): OfferedTool | undefined => tools.find((tool) => tool.name === name)
  const done = sinceUser(conversation)
  const last = done.at(-1)
  const isEnd = last !== undefined && (last.name !== 'tool_search' || task.via === 'search')
  if (isEnd) return conclude(task, last.output)
  if (task.via !== null) return forced(task, offered)
  if (last !== undefined) {
    const id = findHit(last.output, task.target)
    if (id === null) return say(`No tool ${task.target} was found.`)
    return call('tool_call', { id, args: task.args ?? { marker: 'normal' } })
  }
  const direct = offered(task.target)
  if (direct !== undefined) return call(task.target, task.args ?? sampleArgs(direct.parameters))
  if (offered('tool_search_code')) return call('tool_search_code', { code: codeFor(task) })
  if (offered('tool_search')) return call('tool_search', { query: task.target, limit: 5 })
  return say(`There is no tool ${task.target}.`)
}

function forced(task: Task, offered: (name: string) => OfferedTool | undefined): Plan {
  const { target, via } = task
  const args = task.args ?? { marker: 'normal' }
  const plans: Record<Via, PlannedCall> = {
    direct: { name: target, args },
    search: { name: 'tool_search', args: { query: target } },
    describe: { name: 'tool_describe', args: { id: target } },
    call: { name: 'tool_call', args: { id: target, args } },
    code: { name: 'tool_search_code', args: { code: codeFor(task) } },
  }
  const plan = plans[via ?? 'direct']
  // A model writes names it was not offered, too; whoever serves it must not obey.
  return via === 'direct' || offered(plan.name)
    ? { text: '', calls: [plan] }
    : say(`There is no tool ${plan.name}.`)
}

function codeFor({ target, args }: Task): string {
  return [
    `const hits = await openclaw.tools.search(${JSON.stringify(target)}, { limit: 5 })`,
    `const hit = hits.find((each) => each.name === ${JSON.stringify(target)})`,
    `if (!hit) throw new Error('target tool not found')`,
    `return await openclaw.tools.call(hit.id, ${JSON.stringify(args ?? { marker: 'normal' })})`,
  ].join('\n')
}

/** The id of a tool in the result of a search. */
function findHit(output: string, target: string): string | null {
  const value = parse(output)
  const lists = isRecord(value) && Array.isArray(value['results']) ? value['results'] : [value]
  for (const each of lists) {
    const hits = isRecord(each) ? (each['hits'] ?? each['candidates']) : each
    if (!Array.isArray(hits)) continue
    const hit = hits.find((item: unknown) => isRecord(item) && item['name'] === target)
    if (isRecord(hit) && typeof hit['id'] === 'string') return hit['id']
  }
  return null
}

function conclude({ target }: Task, output: string): Plan {
  if (output.includes('FAKE_PLUGIN_OK') && output.includes(target)) return say(`FAKE_PLUGIN_OK ${target}`)
  return say(`Result for ${target}: ${output.slice(0, 2000)}`)
}

/** Arguments that a schema accepts, as far as the required ones go. */
export function sampleArgs(schema: unknown): Record<string, unknown> {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return {}
  const { properties, required } = schema
  const names = Array.isArray(required) ? required.map(String) : []
  return Object.fromEntries(names.map((name) => [name, sample(properties[name])]))
}

function sample(schema: unknown): unknown {
  if (!isRecord(schema)) return 'normal'
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return sampleArgs(schema)
    default:
      return 'normal'
  }
}
