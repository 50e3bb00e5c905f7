import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRecord } from '../../catalog/source.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { Route, SessionRef } from '../host.ts'
import { toldMissing, type InvokeEnd } from '../invoke.ts'
import type { Services } from '../method.ts'
import { missingScope } from '../rpc-error.ts'
import { holds, isOwner, type Caller } from '../scopes.ts'
import { readJson, refuseBody, sendJson, wayOut } from './reply.ts'

/** Largest body in bytes (gateway facts §1.7). */
const mostBytes = 2_097_152

type Fields = Readonly<Record<string, unknown>>

interface Reply {
  readonly status: number
  readonly body: object
}

function refusal(status: number, type: string, message: string, more: object = {}): Reply {
  return { status, body: { ok: false, error: { type, message, ...more } } }
}

/** Serves `POST /tools/invoke` with the status table of gateway facts §1.7; a dry run does not run. */
export async function serveToolsInvoke(
  request: IncomingMessage,
  response: ServerResponse,
  services: Services,
  caller: Caller,
): Promise<void> {
  const body = await readJson(request, mostBytes)
  if ('status' in body) return refuseBody(response, body)
  const gone = new AbortController()
  response.once('close', () => gone.abort(new Error('the caller has gone')))
  const startedAt = performance.now()
  const reply = await answer(body.value, request, services, caller, gone.signal)
  const ms = Math.round((performance.now() - startedAt) * 1000) / 1000
  services.log('info', 'request', { connId: caller.connId, route: '/tools/invoke', status: reply.status, ms })
  sendJson(response, reply.status, reply.body)
  return undefined
}

async function answer(
  body: unknown,
  request: IncomingMessage,
  services: Services,
  caller: Caller,
  signal: AbortSignal,
): Promise<Reply> {
  if (!holds(caller.scopes, 'operator.write')) {
    const { message, details } = missingScope('operator.write')
    return refusal(403, 'forbidden', message, { details })
  }
  const fields: Fields = isRecord(body) ? body : {}
  const name = textIn(fields, 'name') ?? textIn(fields, 'tool')
  if (name === undefined) return refusal(400, 'invalid_request', 'tools.invoke requires name')
  const wrong = wrongField(fields)
  if (wrong !== null) return refusal(400, 'invalid_request', wrong)
  const key = textIn(fields, 'idempotencyKey')
  const ref: SessionRef = {
    sessionKey: textIn(fields, 'sessionKey'),
    agentId: textIn(fields, 'agentId'),
  }
  const reserved = /(?:^|:)incognito-/i.test(ref.sessionKey ?? '')
  if (reserved) return refusal(400, 'invalid_request', 'session keys with incognito- are reserved')
  const options = { exists: 'any', owner: isOwner(caller), route: routeOf(request) } as const
  try {
    const session = await services.host.session(ref, options)
    const end = await services.invoker.invoke({
      name,
      args: argsOf(fields, session.view.decisions.find(({ tool }) => tool.name === name)?.tool.parameters),
      ref,
      session: options,
      callId: `http-${key ?? randomUUID()}`,
      confirm: false,
      dryRun: fields['dryRun'] === true,
      idempotencyKey: key,
      signal,
    })
    return replyTo(end, name, holds(caller.scopes, 'operator.read'))
  } catch (error) {
    return failureReply(error, services, caller)
  }
}

/** Fields of another kind than they must have; `args` that are no object count as none. */
function wrongField(fields: Fields): string | null {
  for (const name of ['sessionKey', 'agentId', 'idempotencyKey', 'action']) {
    const value = fields[name]
    if (value !== undefined && value !== null && typeof value !== 'string') return `${name} must be a string`
  }
  const { dryRun } = fields
  if (dryRun !== undefined && typeof dryRun !== 'boolean') return 'dryRun must be true or false'
  return (textIn(fields, 'idempotencyKey')?.length ?? 0) > 256
    ? 'idempotencyKey has more than 256 characters'
    : null
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Where the caller says it comes from; only whoever has the secret gets here. */
function routeOf(request: IncomingMessage): Route {
  return {
    channel: headerOf(request, 'x-openclaw-message-channel'),
    accountId: headerOf(request, 'x-openclaw-account-id'),
    threadId: headerOf(request, 'x-openclaw-thread-id'),
  }
}

/** The arguments; `action` beside them goes in where the tool has such a property and the arguments do not. */
function argsOf(fields: Fields, parameters: unknown): Fields {
  const args: Fields = isRecord(fields['args']) ? fields['args'] : {}
  const { action } = fields
  const properties = isRecord(parameters) ? parameters['properties'] : undefined
  const takes = isRecord(properties) && Object.hasOwn(properties, 'action')
  return typeof action === 'string' && takes && args['action'] === undefined ? { ...args, action } : args
}

function replyTo(end: InvokeEnd, name: string, mayRead: boolean): Reply {
  switch (end.kind) {
    case 'done':
      return { status: 200, body: { ok: true, result: end.result } }
    case 'checked':
      return { status: 200, body: { ok: true, dryRun: true, tool: end.tool, args: end.args } }
    case 'not-found':
      return refusal(404, 'not_found', `Tool not available: ${name}`, mayRead ? toldMissing(end) : {})
    case 'invalid':
      return refusal(400, 'invalid_request', end.message)
    case 'failed':
      return failedReply(end)
  }
}

function failedReply({ outcome, tool }: Extract<InvokeEnd, { kind: 'failed' }>): Reply {
  const { code, message, data } = outcome
  if (outcome.status === 'blocked') {
    const { approvalId } = data
    const waits = typeof approvalId === 'string' ? { requiresApproval: true, approvalId } : {}
    return refusal(403, 'tool_call_blocked', message, { blockedBy: outcome.by, ...waits })
  }
  if (code === 'INPUT_INVALID') return refusal(400, 'tool_error', message, { problems: data['problems'] })
  if (code === 'TOOL_DENIED') return refusal(403, 'forbidden', message)
  return refusal(500, 'tool_error', failureText(outcome, tool.name), { code })
}

/** What a caller is told of a tool that failed: its own words where it reported the failure, and nothing of what it threw. */
export function failureText(
  outcome: Extract<InvokeEnd, { kind: 'failed' }>['outcome'],
  name: string,
): string {
  const isOwnWord = outcome.result !== undefined || outcome.code !== 'TOOL_FAILED'
  return isOwnWord ? outcome.message : `${name} failed; the log of the gateway says more`
}

const statuses: Readonly<Record<string, number>> = {
  USAGE: 400,
  INPUT_INVALID: 400,
  UNKNOWN_AGENT: 400,
  UNKNOWN_SESSION: 400,
}

function failureReply(error: unknown, { log }: Services, caller: Caller): Reply {
  if (error instanceof OpenClawError) {
    const status = statuses[error.code]
    if (status !== undefined) return refusal(status, 'invalid_request', error.message, wayOut(error, caller))
    // The check of a dry run throws what would end the call.
    if (error.code === 'TOOL_UNAVAILABLE') return refusal(503, 'unavailable', error.message)
    if (error.code !== 'INTERNAL') return refusal(500, 'tool_error', error.message, { code: error.code })
  }
  log('error', 'tools/invoke failed', { cause: error instanceof Error ? (error.stack ?? '') : String(error) })
  return refusal(500, 'tool_error', 'internal error')
}
