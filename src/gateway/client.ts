import { WebSocket } from 'ws'
import { isRecord } from '../catalog/source.ts'
import { errorExit, OpenClawError, type ErrorCode } from '../kernel/errors.ts'
import { cleanLine } from '../kernel/untrusted-text.ts'
import { limits, protocolVersion } from './protocol.ts'
import type { Scope } from './scopes.ts'

/** Milliseconds for everything up to the login, and for one request. */
const connectMs = 10_000
const requestMs = 30_000

export interface ClientOptions {
  /** `ws://`, `wss://`, `http://` or `https://`. */
  readonly url: string
  readonly token?: string | undefined
  readonly password?: string | undefined
  /** What is asked for; nothing more is granted. */
  readonly scopes: readonly Scope[]
  /** Version of this program. */
  readonly version: string
  readonly signal: AbortSignal
  readonly onEvent?: ((event: string, payload: unknown) => void) | undefined
  /** Milliseconds for one request. */
  readonly timeoutMs?: number | undefined
}

interface Waiting {
  readonly resolve: (payload: unknown) => void
  readonly reject: (error: Error) => void
}

/** A connection of this program to a running Gateway. */
export class GatewayClient {
  readonly #socket: WebSocket
  readonly #options: ClientOptions
  readonly #waiting = new Map<string, Waiting>()
  readonly #challenge = Promise.withResolvers<void>()
  #ended: OpenClawError | null = null
  #count = 0
  /** What the server said when it let the client in. */
  hello: Readonly<Record<string, unknown>> = {}

  private constructor(socket: WebSocket, options: ClientOptions) {
    this.#socket = socket
    this.#options = options
    this.#challenge.promise.catch(() => {})
    socket.on('message', (data) => this.#take(data.toString()))
    socket.on('error', (error) => this.#end(this.#unreachable(reasonOf(error))))
    socket.on('close', (code, reason) => {
      this.#end(this.#unreachable(`it closed the connection (${code} ${cleanLine(reason.toString(), 120)})`))
    })
  }

  /** Connects and logs in. GATEWAY_UNREACHABLE where nothing answers that speaks the protocol, UNAUTHORIZED where the credentials are refused, USAGE for an address that is none. */
  static async connect(options: ClientOptions): Promise<GatewayClient> {
    const url = addressOf(options.url)
    options.signal.throwIfAborted()
    const socket = new WebSocket(url, {
      handshakeTimeout: connectMs,
      maxPayload: limits.payloadBytes * 4,
      perMessageDeflate: false,
    })
    const client = new GatewayClient(socket, options)
    try {
      await client.#within(client.#challenge.promise, connectMs, 'the gateway said nothing')
      const { token, password, scopes, version } = options
      client.hello = await client.#login({
        minProtocol: protocolVersion,
        maxProtocol: protocolVersion,
        client: { id: 'cli', version, platform: process.platform, mode: 'cli' },
        role: 'operator',
        scopes,
        auth: { ...(token !== undefined && { token }), ...(password !== undefined && { password }) },
      })
      return client
    } catch (error) {
      client.close()
      throw error
    }
  }

  /** Asks for something. An error of the server keeps the code that it names, where that is one of ours. */
  async call(method: string, params: unknown): Promise<unknown> {
    const ms = this.#options.timeoutMs ?? requestMs
    return this.#within(this.#request(method, params), ms, `no answer to ${method}`)
  }

  close(): void {
    this.#ended ??= this.#unreachable('the connection was closed')
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.terminate()
    else this.#socket.close()
  }

  async #login(params: object): Promise<Readonly<Record<string, unknown>>> {
    try {
      const hello = await this.#within(this.#request('connect', params), connectMs, 'no answer to the login')
      if (isRecord(hello) && hello['type'] === 'hello-ok') return hello
    } catch (error) {
      if (!(error instanceof OpenClawError) || error.code === 'GATEWAY_UNREACHABLE') throw error
      throw new OpenClawError(
        'UNAUTHORIZED',
        `the gateway ${this.#options.url} refused the login: ${error.message}`,
        {
          hints: ['give the token with --token-file or OPENCLAW_GATEWAY_TOKEN'],
          data: { ...error.data, url: this.#options.url },
        },
      )
    }
    throw this.#unreachable('it does not speak this protocol')
  }

  #request(method: string, params: unknown): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    this.#count += 1
    const id = String(this.#count)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject })
    this.#socket.send(JSON.stringify({ type: 'req', id, method, params }))
    return promise
  }

  async #within<Value>(promise: Promise<Value>, ms: number, what: string): Promise<Value> {
    const { signal, url } = this.#options
    const { promise: given, reject } = Promise.withResolvers<never>()
    const onAbort = (): void => reject(signal.reason)
    const timer = setTimeout(() => {
      reject(new OpenClawError('TIMEOUT', `${what} within ${ms / 1000} s (${url})`, { data: { url } }))
    }, ms)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      signal.throwIfAborted()
      return await Promise.race([promise, given])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  #take(text: string): void {
    let frame: unknown
    try {
      frame = JSON.parse(text)
    } catch {
      frame = null
    }
    if (!isRecord(frame)) {
      this.#end(this.#unreachable('it does not speak this protocol'))
      this.#socket.terminate()
      return
    }
    const { type, event, payload, id, ok, error } = frame
    if (type === 'event' && typeof event === 'string') {
      if (event === 'connect.challenge') this.#challenge.resolve()
      else this.#options.onEvent?.(event, payload)
      return
    }
    const waiting = typeof id === 'string' ? this.#waiting.get(id) : undefined
    if (waiting === undefined || typeof id !== 'string') return
    this.#waiting.delete(id)
    if (ok === true) waiting.resolve(payload)
    else waiting.reject(errorOf(error))
  }

  #end(error: OpenClawError): void {
    this.#ended ??= error
    this.#challenge.reject(this.#ended)
    for (const { reject } of this.#waiting.values()) reject(this.#ended)
    this.#waiting.clear()
  }

  #unreachable(why: string): OpenClawError {
    const { url } = this.#options
    return new OpenClawError('GATEWAY_UNREACHABLE', `the gateway ${url} cannot be reached: ${why}`, {
      hints: ['openclaw gateway run starts one', 'check the address, or gateway.port'],
      data: { url },
    })
  }
}

function addressOf(text: string): string {
  const url = URL.parse(text)
  const scheme = url?.protocol.replace(/^http/, 'ws')
  if (url !== null && (scheme === 'ws:' || scheme === 'wss:') && url.username === '' && url.password === '') {
    return text.replace(/^http/i, 'ws')
  }
  const shown = JSON.stringify(text.replace(/\/\/[^/?#]*@/, '//…@'))
  const isLogin = url !== null && `${url.username}${url.password}` !== ''
  throw new OpenClawError('USAGE', `${shown} is no address of a gateway`, {
    hints: [
      'write it as ws://127.0.0.1:18789',
      ...(isLogin ? ['give the token with --token-file or OPENCLAW_GATEWAY_TOKEN'] : []),
    ],
  })
}

function reasonOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  // Several addresses were tried.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  return inner instanceof Error ? reasonOf(inner) : cleanLine(error.message, 200)
}

/** What the server says about what went wrong, as an error of this program. */
function errorOf(error: unknown): OpenClawError {
  const { code, message, details, retryAfterMs }: Readonly<Record<string, unknown>> = isRecord(error)
    ? error
    : {}
  const { code: own, hints, ...data }: Readonly<Record<string, unknown>> = isRecord(details) ? details : {}
  return new OpenClawError(codeOf(own, code), typeof message === 'string' ? message : 'the gateway failed', {
    hints: Array.isArray(hints) ? hints.filter((each) => typeof each === 'string') : [],
    data: { ...data, gatewayCode: code, ...(own !== undefined && { detailsCode: own }), retryAfterMs },
  })
}

const knownDetails: Readonly<Record<string, ErrorCode>> = {
  UNKNOWN_AGENT_ID: 'UNKNOWN_AGENT',
  MISSING_SCOPE: 'UNAUTHORIZED',
}

const knownCodes: Readonly<Record<string, ErrorCode>> = {
  INVALID_REQUEST: 'INPUT_INVALID',
  FORBIDDEN: 'UNAUTHORIZED',
  NOT_PAIRED: 'UNAUTHORIZED',
  APPROVAL_NOT_FOUND: 'INPUT_INVALID',
}

function codeOf(own: unknown, code: unknown): ErrorCode {
  if (typeof own === 'string') {
    if (isErrorCode(own)) return own
    const known = Object.hasOwn(knownDetails, own) ? knownDetails[own] : undefined
    if (known !== undefined) return known
  }
  return (
    (typeof code === 'string' && Object.hasOwn(knownCodes, code) ? knownCodes[code] : undefined) ??
    'TOOL_FAILED'
  )
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorExit, text)
}
