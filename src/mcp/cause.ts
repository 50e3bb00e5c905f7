import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError } from '@modelcontextprotocol/client'
import { isRecord } from '../catalog/source.ts'
import { redactText } from '../config/redact.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { faultOf, quote, type Fault } from './fault.ts'
import type { ServerSettings } from './settings.ts'
import { standIn, type Wire } from './wire.ts'

/** What was going on when an error came. */
export interface Doing {
  readonly settings: ServerSettings
  readonly wire: Wire | null
  /** The request without an answer. */
  readonly method: string
  /** Milliseconds it was given. */
  readonly limitMs: number
}

/** Says in one clause about "it" why a server failed; the connection's own end explains more than the error it caused. */
export function causeOf(error: unknown, doing: Doing): Fault {
  const { wire, method } = doing
  if (wire?.fault) return wire.fault
  const known = faultOf(error)
  if (known !== null) return known
  if (ProtocolError.isInstance(error)) return refusal(error, doing)
  if (SdkHttpError.isInstance(error)) {
    return redirectFault(error.message) ?? httpFault(error.status, httpBody(error), doing)
  }
  if (SdkError.isInstance(error)) return sdkFault(error, doing)
  if (error instanceof SseError && error.code !== undefined) return httpFault(error.code, undefined, doing)
  const network = networkFault(error, doing)
  if (network !== null) return network
  if (isTimeout(error)) return timeout(doing)
  const message = error instanceof Error ? error.message : String(error)
  const revision = /protocol version is not supported: (.*)/.exec(message)?.[1]
  if (revision !== undefined) {
    return {
      kind: 'protocol',
      message: `it speaks the protocol of ${quoted(revision, doing)}, which is not known here`,
    }
  }
  return { kind: 'protocol', message: `its answer to ${method} cannot be used: ${quoted(message, doing)}` }
}

function quoted(text: string, { settings }: Doing): string {
  return quote(text, settings.secrets)
}

function refusal(error: ProtocolError, doing: Doing): Fault {
  const { method } = doing
  if (error.data === standIn.ended) return closedBefore(method)
  if (error.data === standIn.malformed) {
    return { kind: 'protocol', message: `it answered ${method} with ${error.message}` }
  }
  return {
    kind: 'refused',
    message: `it answered ${method} with error ${error.code}: ${quoted(error.message, doing)}`,
  }
}

function timeout({ method, limitMs, wire }: Doing): Fault {
  const [odd] = wire?.remarks ?? []
  const also = odd === undefined ? '' : `; ${odd}`
  return { kind: 'timeout', message: `it did not answer ${method} within ${inSeconds(limitMs)}${also}` }
}

function sdkFault(error: SdkError, doing: Doing): Fault {
  const { method } = doing
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return timeout(doing)
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return closedBefore(method)
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return {
        kind: 'protocol',
        message: `it answered ${method} with something else than JSON or an event stream`,
      }
    case SdkErrorCode.InvalidResult:
      return { kind: 'protocol', message: `its answer to ${method} is not what the protocol asks for` }
    default:
      return { kind: 'protocol', message: `${method} failed: ${quoted(error.message, doing)}` }
  }
}

/** The body of a refusal. */
export function httpBody({ data }: SdkHttpError): string {
  return isRecord(data) && typeof data['text'] === 'string' ? data['text'] : ''
}

function closedBefore(method: string): Fault {
  return { kind: 'network', message: `it closed the connection before it answered ${method}` }
}

const statusHints: Readonly<Record<number, string>> = {
  401: 'it wants a login: put a token into headers.Authorization',
  403: 'the login it was given is not enough',
  404: 'the address may be wrong, or be meant for the other transport',
  405: 'the address may be meant for the other transport',
}

/** Where the SDK says that it did not follow a redirection, which would take the request's headers to another server. */
function redirectFault(message: string): Fault | null {
  const target = /Redirect to (\S+) not followed/.exec(message)?.[1]
  if (target === undefined) return null
  const place = showName(redactText(target), 160)
  return { kind: 'http', message: `it redirects to ${place}; use that as its url if it is the right server` }
}

function httpFault(status: number | undefined, body: string | undefined, doing: Doing): Fault {
  const { settings, method } = doing
  const oauth = settings.kind === 'remote' && settings.oauth && status === 401
  const hint = oauth
    ? 'logging in with OAuth is not supported here: put a token into headers.Authorization'
    : statusHints[status ?? 0]
  const said =
    body === undefined || body.trim() === '' || /^\s*</.test(body) ? '' : `, saying ${quoted(body, doing)}`
  return {
    kind: 'http',
    message: `it answered ${method} with HTTP status ${status ?? 'unknown'}${said}${hint === undefined ? '' : `; ${hint}`}`,
  }
}

function networkFault(error: unknown, { settings, method }: Doing): Fault | null {
  const place = settings.kind === 'remote' ? showName(redactText(settings.url.host), 120) : 'it'
  const network = (message: string): Fault => ({ kind: 'network', message })
  const code = networkCode(error)
  if (code === null) {
    const isFetch = error instanceof TypeError && error.message === 'fetch failed'
    return isFetch ? network(`${place} cannot be asked: ${quote(String(error.cause), [])}`) : null
  }
  if (code === 'ECONNREFUSED') return network(`nothing listens at ${place}`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return network(`the host of ${place} is not known`)
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return network(`there is no way to ${place}`)
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return network(`${place} does not answer`)
  if (/^(?:CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)) {
    return network(
      `the certificate of ${place} is not accepted (${code}); sslVerify: false would skip the check`,
    )
  }
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') {
    return closedBefore(method)
  }
  if (/^(?:HPE_|ERR_SSL_|UND_ERR_|EPROTO)/.test(code)) {
    return { kind: 'protocol', message: `${place} does not speak HTTP as it should (${code})` }
  }
  return null
}

/** The system's or library's code of a failed request; fetch hides it in the cause, and that in a list for hosts of two addresses. */
function networkCode(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z0-9_]+$/.test(at.code)) return at.code
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  // The SDK's event streams keep only the text.
  return error instanceof SseError ? (/\bE[A-Z]{4,}\b/.exec(error.message)?.[0] ?? null) : null
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

function inSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`
}
