import { OpenClawError } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'
import type { SessionRequest } from './request.ts'

/** Reads one value; `at` is its path for messages. */
type Read<T> = (value: unknown, at: string) => T

/** Reads what a context file or the context of a policy test says (contract §2); null counts as absent. INPUT_INVALID with the path for unknown fields and wrong types. */
export function parseContext(value: unknown, at = 'context'): SessionRequest {
  const { sender, ...fields } = readFields(value, at, contextFields)
  if (sender === undefined) return fields
  const { isOwner, ...identity } = sender
  return { ...fields, sender: identity, ...(isOwner === undefined ? {} : { isOwner }) }
}

const text: Read<string> = (value, at) => {
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  throw wrong(at, 'a text that is not empty', value)
}

/** Ids are often typed as bare numbers; beyond 2^53 the file's number is no longer the one that was written. */
const id: Read<string> = (value, at) => {
  if (typeof value !== 'number') return text(value, at)
  if (Number.isSafeInteger(value)) return String(value)
  throw wrong(at, 'an id in quotes, since this number is not kept as it was written', value)
}

const flag: Read<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value
  throw wrong(at, 'true or false', value)
}

const depth: Read<number> = (value, at) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw wrong(at, 'a whole number from 0', value)
}

const names: Read<readonly string[]> = (value, at) => {
  if (!Array.isArray(value)) throw wrong(at, 'a list of texts', value)
  return value.map((each: unknown, index) => {
    if (typeof each === 'string') return each
    throw wrong(`${at}[${index}]`, 'a text', each)
  })
}

function oneOf<const T extends string>(...allowed: readonly T[]): Read<T> {
  return (value, at) => {
    const found = allowed.find((each) => each === value)
    if (found !== undefined) return found
    const near = typeof value === 'string' ? suggest(value, allowed, 1) : []
    throw wrong(at, allowed.join(' or '), value, near)
  }
}

function object<T extends object>(fields: Fields<T>): Read<Partial<T>> {
  return (value, at) => readFields(value, at, fields)
}

const contextFields = {
  sessionKey: text,
  agentId: text,
  provider: text,
  model: text,
  channel: text,
  accountId: id,
  groupId: id,
  threadId: id,
  sender: object({ id, e164: id, username: text, name: text, isOwner: flag }),
  sandboxed: flag,
  spawnedBy: text,
  spawnDepth: depth,
  subagentRole: oneOf('main', 'orchestrator', 'leaf'),
  inherited: object({ allow: names, deny: names }),
  toolsAllow: names,
  harness: oneOf('openclaw', 'codex'),
  supports: object({ tools: flag, vision: flag, permission: flag }),
  clientCaps: names,
  disableTools: flag,
  heartbeat: flag,
}

/** Names other surfaces use for the same thing; too far off for a spelling suggestion. */
const otherNames: Readonly<Record<string, string>> = {
  agent: 'agentId',
  session: 'sessionKey',
  key: 'sessionKey',
  account: 'accountId',
  group: 'groupId',
  thread: 'threadId',
  topic: 'threadId',
  from: 'sender',
  owner: 'sender.isOwner',
  isOwner: 'sender.isOwner',
  senderIsOwner: 'sender.isOwner',
  senderId: 'sender.id',
  phone: 'e164',
  depth: 'spawnDepth',
  subagentDepth: 'spawnDepth',
  role: 'subagentRole',
  vision: 'supports.vision',
}

type Fields<T> = { readonly [K in keyof T]: Read<T[K]> }

function readFields<T extends object>(value: unknown, at: string, fields: Fields<T>): Partial<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(at, 'an object', value)
  }
  const result: Partial<T> = {}
  for (const [name, each] of Object.entries(value)) {
    if (!isField(fields, name)) throw unknownField(at, name, Object.keys(fields))
    if (each !== null && each !== undefined) result[name] = fields[name](each, `${at}.${name}`)
  }
  return result
}

function isField<T extends object>(fields: Fields<T>, name: string): name is keyof T & string {
  return Object.hasOwn(fields, name)
}

function unknownField(at: string, name: string, known: readonly string[]): OpenClawError {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined
  const near = other === undefined ? suggest(name, known) : [other]
  return new OpenClawError('INPUT_INVALID', `unknown field "${name}" in ${at}`, {
    hints: near.length > 0 ? [`did you mean ${near.join(', ')}?`] : [`known fields: ${known.join(', ')}`],
    data: { path: `${at}.${name}`, suggestions: near },
  })
}

function wrong(at: string, expected: string, got: unknown, near: readonly string[] = []): OpenClawError {
  const shown = JSON.stringify(got) ?? String(got)
  const message = `${at}: expected ${expected}, got ${shown.length > 80 ? `${shown.slice(0, 77)}…` : shown}`
  return new OpenClawError('INPUT_INVALID', message, {
    hints: near.map((each) => `did you mean ${each}?`),
    data: { path: at, expected },
  })
}
