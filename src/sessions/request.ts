import { OpenClawError } from '../kernel/errors.ts'
import type { Context, Sender } from '../policy/context.ts'
import { formatSessionKey, parseSessionKey } from './key.ts'

/** What one source (a context file, the flags) says about the session; what is absent or undefined is decided by the next source or the config. */
export interface SessionRequest {
  readonly sessionKey?: string | undefined
  readonly agentId?: string | undefined
  readonly provider?: string | undefined
  /** May hold the provider, too, where none is named: `provider/model`. */
  readonly model?: string | undefined
  readonly channel?: string | undefined
  readonly accountId?: string | undefined
  readonly groupId?: string | undefined
  readonly threadId?: string | undefined
  readonly sender?: Sender | undefined
  readonly isOwner?: boolean | undefined
  readonly sandboxed?: boolean | undefined
  readonly spawnedBy?: string | undefined
  readonly spawnDepth?: number | undefined
  readonly subagentRole?: Context['subagentRole'] | undefined
  readonly inherited?: NonNullable<Context['inherited']> | undefined
  readonly toolsAllow?: readonly string[] | undefined
  readonly harness?: Context['harness'] | undefined
  readonly supports?: Partial<Context['supports']> | undefined
  readonly clientCaps?: readonly string[] | undefined
  readonly disableTools?: boolean | undefined
  readonly heartbeat?: boolean | undefined
}

/** Lays later requests over earlier ones, field by field; what belongs to a replaced value (its model, its ownership, its agent) goes with it. */
export function overlayRequests(...requests: readonly SessionRequest[]): SessionRequest {
  return requests.map((request) => splitModelField(defined(request))).reduce(overlay, {})
}

function defined(request: SessionRequest): SessionRequest {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined))
}

function overlay(below: SessionRequest, above: SessionRequest): SessionRequest {
  return defined({
    ...below,
    model: differ(above.provider, below.provider) ? undefined : below.model,
    accountId: differ(above.channel, below.channel) ? undefined : below.accountId,
    isOwner: above.sender === undefined ? below.isOwner : undefined,
    agentId: namesAgent(above.sessionKey) ? undefined : below.agentId,
    sessionKey: moveKey(below.sessionKey, above.agentId),
    ...above,
    supports: above.supports ? { ...below.supports, ...above.supports } : below.supports,
  })
}

function differ(above: string | undefined, below: string | undefined): boolean {
  if (above === undefined || below === undefined) return false
  return above.trim().toLowerCase() !== below.trim().toLowerCase()
}

function namesAgent(sessionKey: string | undefined): boolean {
  return sessionKey !== undefined && parseSessionKey(sessionKey).agentId !== null
}

/** The same session of another agent: what `--agent` means over a context file that names a key. */
function moveKey(sessionKey: string | undefined, agentId: string | undefined): string | undefined {
  if (sessionKey === undefined || agentId === undefined || !namesAgent(sessionKey)) return sessionKey
  return formatSessionKey({ agentId, rest: parseSessionKey(sessionKey).rest })
}

function splitModelField(request: SessionRequest): SessionRequest {
  if (request.model === undefined || request.provider !== undefined) return request
  const { provider, model } = splitModel(request.model)
  return defined({ ...request, provider: provider ?? undefined, model: model ?? undefined })
}

/** Splits `provider/model` at the first slash that is not the first character; without one there is no provider (policy facts §5.1). */
export function splitModel(text: string): {
  readonly provider: string | null
  readonly model: string | null
} {
  const trimmed = text.trim()
  const slash = trimmed.indexOf('/', 1)
  const provider = slash < 0 ? '' : trimmed.slice(0, slash).trim()
  const model = slash < 0 ? trimmed : trimmed.slice(slash + 1).trim()
  return { provider: provider === '' ? null : provider, model: model === '' ? null : model }
}

/** Reads the value of `--model`, with or without a provider; USAGE when there is no model in it. */
export function parseModel(text: string): Pick<SessionRequest, 'provider' | 'model'> {
  const { provider, model } = splitModel(text)
  if (model !== null) return { model, provider: provider ?? undefined }
  throw new OpenClawError('USAGE', `"${text}" names no model`, {
    hints: ['write it as provider/model, such as openai/gpt-5.5, or as the model alone'],
  })
}

const senderFields = ['id', 'e164', 'username', 'name'] as const

/** What people write for the kinds of identity before they know their names. */
const otherKinds: Readonly<Record<string, (typeof senderFields)[number]>> = {
  handle: 'username',
  nick: 'username',
  phone: 'e164',
  tel: 'e164',
  user: 'username',
  userid: 'id',
}

function senderExamples(text: string): string {
  const [, kind = '', value = ''] = /^\s*(\w+)\s*:\s*(.+)$/s.exec(text) ?? []
  const name = kind.toLowerCase()
  const meant = Object.hasOwn(otherKinds, name) ? otherKinds[name] : undefined
  if (meant !== undefined) return `write ${meant}:${value.trim()}`
  const example = text.trim() === '' ? '…' : text.trim()
  return `write one of ${senderFields.map((each) => `${each}:${example}`).join(', ')}`
}

/** Reads the value of `--sender`: `id:…`, `e164:…`, `username:…` or `name:…`; USAGE for anything else. */
export function parseSender(text: string): Sender {
  const match = /^\s*(id|e164|username|name)\s*:(.*)$/is.exec(text)
  const field = senderFields.find((name) => name === match?.[1]?.toLowerCase())
  const value = match?.[2]?.trim() ?? ''
  if (field !== undefined && value !== '') return { [field]: value }
  const why = field === undefined ? 'does not say which kind of identity it is' : 'has no value'
  throw new OpenClawError('USAGE', `the sender "${text}" ${why}`, {
    hints: [senderExamples(field === undefined ? text : '')],
  })
}

/** Reads the value of `--tools-allow`: names separated by commas; an empty text means no tools. */
export function parseToolsAllow(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
