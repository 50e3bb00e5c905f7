import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bearer, judgeSecret, type AuthSecret } from '../auth.ts'
import type { AuthLimit } from '../auth-limit.ts'
import type { Services } from '../method.ts'
import { originProblem, type OriginRules } from '../origin.ts'
import { knownScopes, sharedSecretScopes, type Caller } from '../scopes.ts'
import { plainError, refuseMethod, sendJson } from './reply.ts'
import { serveToolsInvoke } from './tools-invoke.ts'

export interface RouterOptions {
  readonly auth: AuthSecret
  readonly limit: () => AuthLimit
  readonly origins: () => OriginRules
  readonly services: Services
}

const liveness: ReadonlySet<string> = new Set([
  '/health',
  '/healthz',
  '/ready',
  '/readyz',
  '/startup',
  '/startupz',
])

type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  services: Services,
  caller: Caller,
  path: string,
) => Promise<void>

/** What serves a path. */
export interface RouteEntry {
  readonly method: 'GET' | 'POST'
  readonly serve: Serve
}

/** What a path leads to; null where nothing is there. */
async function routeOf(path: string, { host }: Services): Promise<RouteEntry | null> {
  if (path === '/tools/invoke') return { method: 'POST', serve: serveToolsInvoke }
  if (!path.startsWith('/v1/')) return null
  const { openaiRoute } = await import('./openai.ts')
  return openaiRoute(path, host.state.config)
}

/** Answers HTTP requests: liveness for everybody, everything else for callers with the secret. */
export async function serveHttp(
  request: IncomingMessage,
  response: ServerResponse,
  options: RouterOptions,
): Promise<void> {
  const url = URL.parse(request.url ?? '', 'http://gateway')
  if (url === null || !(request.url ?? '').startsWith('/')) {
    return sendJson(response, 400, { error: 'bad_request' })
  }
  const path = url.pathname
  if (liveness.has(path)) return serveLiveness(request, response)
  const { origin, host } = request.headers
  const problem = originProblem({ origin, host }, options.origins())
  if (problem !== null) return sendJson(response, 403, plainError(problem, 'forbidden'))
  const route = await routeOf(path, options.services)
  if (route === null) return sendJson(response, 404, plainError('not found', 'not_found'))
  if (request.method !== route.method) return refuseMethod(response, route.method)
  const caller = admit(request, response, options)
  if (caller === null) return undefined
  return route.serve(request, response, options.services, caller, path)
}

function serveLiveness(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'GET' || request.method === 'HEAD')
    sendJson(response, 200, { ok: true, status: 'live' })
  else refuseMethod(response, 'GET, HEAD')
}

/** Lets a caller in, or answers it and returns null. */
function admit(request: IncomingMessage, response: ServerResponse, options: RouterOptions): Caller | null {
  const { auth, services } = options
  const limit = options.limit()
  const address = request.socket.remoteAddress ?? ''
  const waitMs = limit.waitMs(address)
  if (waitMs > 0) {
    const seconds = String(Math.ceil(waitMs / 1000))
    sendJson(response, 429, plainError('too many failed logins', 'rate_limited'), { 'retry-after': seconds })
    return null
  }
  const verdict = judgeSecret(auth, [bearer(request.headers.authorization)])
  if (verdict !== 'ok') {
    if (verdict === 'mismatch') limit.fail(address)
    services.log('warn', 'request refused', { address, reason: `credentials ${verdict}` })
    sendJson(response, 401, plainError('Unauthorized', 'unauthorized'), { 'www-authenticate': 'Bearer' })
    return null
  }
  limit.succeed(address)
  const connId = `http-${randomBytes(4).toString('hex')}`
  return { scopes: scopesOf(request, auth), connId, origin: 'http' }
}

/** Whoever has the secret has all of it; without one, the header narrows what a caller may do (gateway facts §1.7). */
function scopesOf(request: IncomingMessage, auth: AuthSecret): Caller['scopes'] {
  const header = request.headers['x-openclaw-scopes']
  if (auth.mode !== 'none' || typeof header !== 'string') return sharedSecretScopes
  return knownScopes(header.split(',').map((each) => each.trim()))
}
