import { isRecord } from '../../config/path-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import { withoutSecrets } from '../../mcp/fault.ts'

const faultKinds = [
  // The key is missing, wrong or not enough.
  'auth',
  // The account has no money or quota left.
  'quota',
  'rate-limit',
  // The provider is at its limit or broken: status 5xx, or it says so in a stream.
  'server',
  // Nothing answers at the address, or the connection broke before an answer.
  'network',
  // It was silent for too long.
  'timeout',
  // The answer ended before it was complete.
  'cut',
  // It answered with something that is not its protocol.
  'protocol',
  // It sent more than anybody can use.
  'flood',
  // No such model or address.
  'not-found',
  // What was asked is longer than the model reads.
  'context',
  // It refuses the request as it is.
  'refused',
] as const

/** What went wrong with a provider, in a word that scripts may compare. */
export type FaultKind = (typeof faultKinds)[number]

/** What may be over in a moment, so that asking again makes sense; the rest is for other models or for people. */
const passing: ReadonlySet<FaultKind> = new Set([
  'rate-limit',
  'server',
  'network',
  'timeout',
  'cut',
  'protocol',
])

/** Why a provider did not answer. The message is one line, safe to print, and a clause about "it". */
export interface ProviderFault {
  readonly kind: FaultKind
  readonly message: string
  readonly status: number | null
  /** Milliseconds the provider wants to be left alone for. */
  readonly retryAfterMs: number | null
}

/** A fault as the error to throw inside this room; who started the run gets it with provider and model. */
export function faultError(
  kind: FaultKind,
  message: string,
  more: Partial<Pick<ProviderFault, 'status' | 'retryAfterMs'>> & { readonly cause?: unknown } = {},
): OpenClawError {
  const { status = null, retryAfterMs = null, cause } = more
  return new OpenClawError('PROVIDER_FAILED', message, {
    data: { fault: kind, status, retryAfterMs },
    ...(cause !== undefined && { cause }),
  })
}

/** The fault that an error of `faultError` carries, or null for any other error. */
export function faultOf(error: unknown): ProviderFault | null {
  if (!(error instanceof OpenClawError) || error.code !== 'PROVIDER_FAILED') return null
  const { fault, status, retryAfterMs } = error.data
  const kind = faultKinds.find((each) => each === fault)
  if (kind === undefined) return null
  return {
    kind,
    message: error.message,
    status: typeof status === 'number' ? status : null,
    retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : null,
  }
}

/** Whether asking the same provider again may help. */
export function isPassing({ kind }: Pick<ProviderFault, 'kind'>): boolean {
  return passing.has(kind)
}

/** A stranger's text in quotes, on one line, without what was secret in the request. */
export function quote(text: string, secrets: readonly string[], limit = 300): string {
  return `"${cleanLine(withoutSecrets(text, secrets), limit)}"`
}

const quotaWords = /insufficient_quota|billing|credit balance|exceeded your current quota/i
const contextWords =
  /context[_ ](?:length|window)|maximum context|prompt is too long|too many (?:input )?tokens|request_too_large/i
const busyWords = /overloaded|server_error|internal|unavailable|timeout|try again/i

/** What a provider says in an error body, whatever the shape: `{ error: { message, type, code } }`, `{ message }`, text. */
function said(body: unknown): { readonly text: string; readonly words: string } {
  const inner = isRecord(body) && body['error'] !== undefined ? body['error'] : body
  if (typeof inner === 'string') return { text: inner, words: inner }
  if (!isRecord(inner)) return { text: '', words: '' }
  const message = [inner['message'], inner['detail']].find((each) => typeof each === 'string')
  const text = String(message ?? JSON.stringify(inner))
  return { text, words: [inner['type'], inner['code'], text].map(String).join(' ') }
}

function kindOf(status: number | null, words: string): FaultKind {
  if (quotaWords.test(words)) return 'quota'
  if (status === 402) return 'quota'
  if (status === 413 || contextWords.test(words)) return 'context'
  if (status === 429 || /rate_limit/.test(words)) return 'rate-limit'
  if (status === 401 || status === 403 || /authentication_error|invalid_api_key/.test(words)) return 'auth'
  if (status === 404 || /model_not_found|not_found_error/.test(words)) return 'not-found'
  if (status === 408 || status === 409 || (status ?? 0) >= 500) return 'server'
  if (status === null && busyWords.test(words)) return 'server'
  return 'refused'
}

const advice: Partial<Record<FaultKind, string>> = {
  auth: 'the key is missing, wrong or not enough',
  'not-found': 'the model or the baseUrl may be wrong',
}

/** The fault behind a refusal: an HTTP status with its body, or an error inside a stream (status null). */
export function refusal(
  status: number | null,
  body: unknown,
  headers: Pick<Headers, 'get'> | null,
  secrets: readonly string[],
): OpenClawError {
  const { text, words } = said(body)
  const kind = kindOf(status, words)
  const quoted = text === '' || /^\s*</.test(text) ? '' : `: ${quote(text, secrets)}`
  const how =
    status === null ? 'it broke its answer off with an error' : `it answered with HTTP status ${status}`
  const hint = advice[kind]
  return faultError(kind, `${how}${quoted}${hint === undefined ? '' : `; ${hint}`}`, {
    status,
    retryAfterMs: headers === null ? null : retryAfter(headers),
  })
}

/** The waiting time a provider asks for, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryAfter(headers: Pick<Headers, 'get'>, now: number = Date.now()): number | null {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (Number.isFinite(exact)) return Math.max(0, exact)
  const text = headers.get('retry-after')?.trim() ?? ''
  if (text === '') return null
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** The system's or library's code of a failed request; fetch hides it in the cause, and that in a list for hosts of two addresses. */
function codeOf(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; depth++) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z0-9_]+$/.test(at.code)) return at.code
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  return null
}

/** Says in one clause why a request never got its answer. */
export function networkFault(error: unknown, url: string, secrets: readonly string[]): OpenClawError {
  const place = showName(URL.parse(url)?.host ?? url, 120)
  const code = codeOf(error)
  const network = (message: string): OpenClawError => faultError('network', message, { cause: error })
  if (code === 'ECONNREFUSED') return network(`nothing listens at ${place}`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return network(`the host of ${place} is not known`)
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return network(`there is no way to ${place}`)
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return network(`${place} does not answer`)
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return faultError('timeout', 'it was silent for longer than requests may wait', { cause: error })
  }
  if (/^(?:CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code ?? '')) {
    return faultError('refused', `the certificate of ${place} is not accepted (${code})`, { cause: error })
  }
  if (/^(?:HPE_|ERR_SSL_|EPROTO)/.test(code ?? '')) {
    return faultError('refused', `${place} does not speak HTTP as it should (${code})`, { cause: error })
  }
  if (code !== null) return network(`the connection to ${place} broke (${code})`)
  const text = error instanceof Error ? error.message : String(error)
  return network(`${place} cannot be asked: ${quote(text, secrets)}`)
}
