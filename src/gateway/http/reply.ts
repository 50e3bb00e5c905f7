import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OpenClawError } from '../../kernel/errors.ts'
import { holds, type Caller } from '../scopes.ts'

/** Headers of every answer. */
const safetyHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store',
} as const

/** Sends one JSON value. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return
  const text = JSON.stringify(value)
  response.writeHead(status, {
    ...safetyHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}

/** Starts a stream of server-sent events. */
export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { ...safetyHeaders, 'content-type': 'text/event-stream; charset=utf-8' })
}

/** Says which methods a path has. */
export function refuseMethod(response: ServerResponse, allowed: string): void {
  response.writeHead(405, { ...safetyHeaders, allow: allowed, 'content-type': 'text/plain; charset=utf-8' })
  response.end('Method Not Allowed')
}

/** An error in the form of the answers that never reached what was asked for. */
export function plainError(message: string, type: string, more: object = {}): object {
  return { error: { message, type, ...more } }
}

/** What an error says besides its message, for callers that may read. */
export function wayOut({ code, hints }: OpenClawError, caller: Caller): object {
  return holds(caller.scopes, 'operator.read') ? { code, ...(hints.length > 0 && { hints }) } : {}
}

/** A body that cannot be used, and what to answer. */
export interface BadBody {
  readonly status: 400 | 408 | 413
  readonly message: string
}

/** Milliseconds a client has for a body. */
const bodyMs = 30_000

/** Reads a JSON body of at most so many bytes; an empty one is `{}`. What is left of a body that cannot be used stays unread. */
export async function readJson(
  request: IncomingMessage,
  mostBytes: number,
): Promise<{ readonly value: unknown } | BadBody> {
  const body = await readBody(request, mostBytes)
  if ('status' in body) return body
  const text = body.bytes.toString('utf8')
  if (text.trim() === '') return { value: {} }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { status: 400, message: 'the body is not valid JSON' }
  }
}

function readBody(
  request: IncomingMessage,
  mostBytes: number,
): Promise<{ readonly bytes: Buffer } | BadBody> {
  const tooLarge: BadBody = { status: 413, message: `the body is larger than ${mostBytes} bytes` }
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return Promise.resolve(tooLarge)
  const { promise, resolve } = Promise.withResolvers<{ readonly bytes: Buffer } | BadBody>()
  const chunks: Buffer[] = []
  let size = 0
  const take = (chunk: Buffer): void => {
    size += chunk.length
    if (size > mostBytes) end(tooLarge)
    else chunks.push(chunk)
  }
  const finish = (): void => end({ bytes: Buffer.concat(chunks) })
  const fail = (): void => end({ status: 400, message: 'the body was cut off' })
  const timer = setTimeout(() => end({ status: 408, message: 'the body took too long' }), bodyMs)
  const end = (result: { readonly bytes: Buffer } | BadBody): void => {
    clearTimeout(timer)
    request.off('data', take).off('end', finish).off('close', fail).off('error', fail)
    request.on('error', () => {})
    request.pause()
    resolve(result)
  }
  request.on('data', take).once('end', finish).once('close', fail).once('error', fail)
  return promise
}

/** Answers a body that cannot be used; the connection ends with it, since the rest is never read. */
export function refuseBody(response: ServerResponse, { status, message }: BadBody): void {
  sendJson(response, status, plainError(message, 'invalid_request_error'), { connection: 'close' })
}
