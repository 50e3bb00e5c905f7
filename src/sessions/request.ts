import { OpenClawError } from '../kernel/errors.ts'
import type { Context, Sender } from '../policy/context.ts'
import { formatSessionKey, parseSessionKey } from './key.ts'

/** What one source (a context file, the flags) says about the session; what is absent is decided by the next source or the config. */
export interface SessionRequest {
  readonly sessionKey?: string | undefined
  readonly agentId?: string | undefined
  readonly provider?: string | undefined
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
}

/** Lays later requests over earlier ones, field by field; what belongs to a replaced value (its model, its ownership, its agent) goes with it. */
export function overlayRequests(...requests: readonly SessionRequest[]): SessionRequest {
  return requests.map(splitModelField).reduce(overlay, {})
}

function overlay(below: SessionRequest, above: SessionRequest): SessionRequest {
  const { model, isOwner, agentId, sessionKey, ...rest } = below
  const sameProvider = above.provider === undefined || sameName(above.provider, below.provider)
  return {
    ...rest,
    ...(sameProvider && model !== undefined ? { model } : {}),
    ...(above.sender === undefined && isOwner !== undefined ? { isOwner } : {}),
    ...overlayKey({ agentId, sessionKey }, above),
    ...above,
    ...(below.supports && above.supports ? { supports: { ...below.supports, ...above.supports } } : {}),
  }
}

/** A key names its agent, so it ends an agent named below; an agent alone moves the key from below to that agent. */
function overlayKey(
  below: { readonly agentId: string | undefined; readonly sessionKey: string | undefined },
  above: SessionRequest,
): Pick<SessionRequest, 'agentId' | 'sessionKey'> {
  if (above.sessionKey !== undefined) {
    const named = parseSessionKey(above.sessionKey).agentId !== null
    return named || below.agentId === undefined ? {} : { agentId: below.agentId }
  }
  const moved = below.sessionKey !== undefined && above.agentId !== undefined
  const key = moved ? moveKey(below.sessionKey, above.agentId) : below.sessionKey
  return {
    ...(below.agentId === undefined ? {} : { agentId: below.agentId }),
    ...(key === undefined ? {} : { sessionKey: key }),
  }
}

function moveKey(text: string, agentId: string): string {
  const key = parseSessionKey(text)
  return key.agentId === null ? text : formatSessionKey({ agentId, rest: key.rest })
}

function splitModelField(request: SessionRequest): SessionRequest {
  if (request.model === undefined) return request
  if (request.provider === undefined) {
    const { provider, model } = splitModel(request.model)
    return { ...request, ...(provider === null ? {} : { provider }), ...(model === null ? {} : { model }) }
  }
  const prefix = `${request.provider.trim()}/`
  const repeated = request.model.toLowerCase().startsWith(prefix.toLowerCase())
  return repeated ? { ...request, model: request.model.slice(prefix.length) } : request
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
  if (model === null) {
    throw new OpenClawError('USAGE', `"${text}" names no model.`, {
      hints: ['Write it as provider/model, such as openai/gpt-5.5, or as the model alone'],
    })
  }
  return { ...(provider === null ? {} : { provider }), model }
}

const senderFields = ['id', 'e164', 'username', 'name'] as const

/** Reads the value of `--sender`: `id:…`, `e164:…`, `username:…` or `name:…`; USAGE for anything else. */
export function parseSender(text: string): Sender {
  const match = /^\s*(id|e164|username|name)\s*:(.*)$/is.exec(text)
  const field = senderFields.find((name) => name === match?.[1]?.toLowerCase())
  const value = match?.[2]?.trim() ?? ''
  if (field === undefined || value === '') {
    const why = field === undefined ? 'does not say what kind of identity it is' : 'has no value'
    throw new OpenClawError('USAGE', `The sender "${text}" ${why}.`, {
      hints: [
        `Write ${senderFields.map((name) => `${name}:…`).join(', ')}${field === undefined && text.trim() !== '' ? `; perhaps id:${text.trim()}` : ''}`,
      ],
    })
  }
  return { [field]: value }
}

/** Reads the value of `--tools-allow`: names separated by commas; an empty text means no tools. */
export function parseToolsAllow(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function sameName(left: string, right: string | undefined): boolean {
  return left.trim().toLowerCase() === right?.trim().toLowerCase()
}
