import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import { acceptedEncodings, readBody } from './body.ts'
import { envProxy } from './env-proxy.ts'
import { hostOf, type AddressGuard } from './guard.ts'
import { send, type Answer } from './transport.ts'

export interface DownloadRequest {
  readonly url: URL
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  /** Headers for the first origin only, such as a key. */
  readonly ownHeaders?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface DownloadLimits {
  /** Milliseconds from the first look-up to the last byte. */
  readonly timeoutMs: number
  readonly maxBytes: number
  /** 0 where the answer itself is wanted, whatever it is. */
  readonly maxRedirects: number
}

/** The answer at the end of all redirects. */
export interface Download {
  readonly url: URL
  readonly status: number
  readonly statusText: string
  readonly contentType: string
  readonly headers: Answer['headers']
  readonly bytes: Buffer
  readonly truncated: boolean
  readonly redirects: number
}

const redirectStatus: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Fetches a URL, every step of it let through by the guard and sent to just the addresses that the guard has seen. Errors: TIMEOUT,
 * TOOL_FAILED where the host cannot be reached or answers nonsense, TOOL_DENIED and INPUT_INVALID of the guard; the signal's reason.
 */
export async function download(
  request: DownloadRequest,
  guard: AddressGuard,
  limits: DownloadLimits,
  signal: AbortSignal,
  proxies?: Readonly<Record<string, string | undefined>>,
): Promise<Download> {
  const deadline = AbortSignal.timeout(limits.timeoutMs)
  const both = AbortSignal.any([signal, deadline])
  let { url } = request
  try {
    for (let redirects = 0; ; redirects += 1) {
      const response = await step(
        { ...request, url },
        url.origin === request.url.origin,
        guard,
        both,
        proxies,
      )
      const status = response.statusCode ?? 0
      const { location } = response.headers
      if (limits.maxRedirects === 0 || !redirectStatus.has(status) || location === undefined) {
        const body = await readBody(response, limits.maxBytes)
        // A body without a length ends with its connection, whoever ended that.
        both.throwIfAborted()
        return {
          url,
          status,
          statusText: cleanLine(response.statusMessage ?? '', 60),
          contentType: cleanLine(response.headers['content-type'] ?? '', 200),
          headers: response.headers,
          ...body,
          redirects,
        }
      }
      response.destroy()
      if (redirects >= limits.maxRedirects) {
        throw new OpenClawError('TOOL_FAILED', `it redirects more than ${limits.maxRedirects} times`, {
          data: { url: request.url.href, last: url.href },
        })
      }
      url = follow(location, url, guard)
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (deadline.aborted) {
      throw new OpenClawError(
        'TIMEOUT',
        `${where(url)} did not answer in full within ${limits.timeoutMs / 1000} s`,
      )
    }
    throw error instanceof OpenClawError ? error : networkError(error, url)
  }
}

async function step(
  { url, method = 'GET', headers, ownHeaders, body }: DownloadRequest,
  isOwn: boolean,
  guard: AddressGuard,
  signal: AbortSignal,
  proxies: Readonly<Record<string, string | undefined>> | undefined,
): Promise<Answer> {
  // Without a proxy for this very URL the way is a direct one, whatever the setting says.
  const proxy = proxies === undefined ? null : envProxy(url, proxies)
  // A name server that never answers must not hold the call up.
  const addresses = proxy === null ? await before(signal, guard.addresses(url)) : []
  return send({
    url,
    addresses,
    method,
    headers: { 'accept-encoding': acceptedEncodings, ...headers, ...(isOwn && ownHeaders) },
    ...(body !== undefined && { body }),
    signal,
    proxy,
  })
}

function follow(location: string, from: URL, guard: AddressGuard): URL {
  try {
    return guard.check(location, from)
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    const { code, message, hints } = error
    throw new OpenClawError(code, `${where(from)} redirects to an address that is not followed: ${message}`, {
      hints,
    })
  }
}

async function before<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
    aborted.catch(() => {})
    promise.catch(() => {})
  }
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'broke the connection off',
  EPIPE: 'broke the connection off',
  ETIMEDOUT: 'cannot be connected to',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  HPE_HEADER_OVERFLOW: 'sends more headers than are read',
  ERR_STREAM_PREMATURE_CLOSE: 'broke the connection off',
}

function networkError(error: unknown, url: URL): OpenClawError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = Object.hasOwn(words, code) ? words[code] : undefined
  const text = cleanLine(error instanceof Error ? error.message : String(error), 160)
  const what =
    known ??
    (/^(?:CERT_|ERR_TLS|DEPTH_|SELF_SIGNED|UNABLE_)/.test(code)
      ? `has a certificate that is not trusted (${text})`
      : code.startsWith('HPE_')
        ? `does not answer in HTTP (${text})`
        : code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR')
          ? 'sends content that cannot be unpacked'
          : `cannot be fetched (${text})`)
  return new OpenClawError('TOOL_FAILED', `${where(url)} ${what}`, { data: { url: url.href }, cause: error })
}

function where(url: URL): string {
  return showName(`${hostOf(url)}${url.port === '' ? '' : `:${url.port}`}`, 120)
}
