import type { WebSocket } from 'ws'
import { missingScope, toRpcError, unknownMethod } from './rpc-error.ts'
import type { AuthSecret } from './auth.ts'
import type { AuthLimit } from './auth-limit.ts'
import { judgeConnect, type Admitted } from './handshake.ts'
import type { Methods, Services } from './method.ts'
import {
  closeCodes,
  errorFrame,
  eventFrame,
  limits,
  okFrame,
  readFrame,
  type EventName,
  type RequestFrame,
  type RpcError,
} from './protocol.ts'
import { holds, type Caller, type Scope } from './scopes.ts'

/** Requests of one connection that run at the same time; more are left unread until some are done. */
const mostAtOnce = 256
/** Requests without the right to make them, and frames that are none, after which a connection is closed. */
const patience = 10
/** Milliseconds a client has for its part of the closing. */
const closingMs = 2_000

export interface ConnectionOptions {
  readonly socket: WebSocket
  readonly connId: string
  readonly address: string
  readonly nonce: string
  readonly auth: AuthSecret
  readonly limit: () => AuthLimit
  readonly methods: Methods
  readonly services: Services
  readonly clock: () => number
  /** The answer to a client that is let in. */
  readonly hello: (admitted: Admitted, connId: string) => object
}

/** One client on a WebSocket, from the challenge to the end. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #gone = new AbortController()
  #admitted: Admitted | null = null
  #caller: Caller | null = null
  #running = 0
  #seq = 0
  #refusals = 0
  #isClosing = false
  #isAlive = true
  readonly #handshake: NodeJS.Timeout

  constructor(options: ConnectionOptions) {
    this.#options = options
    const { socket, nonce, clock } = options
    this.#handshake = setTimeout(() => this.close(closeCodes.policy, 'handshake timeout'), limits.handshakeMs)
    this.#handshake.unref()
    socket.on('message', (data, isBinary) => {
      // A single buffer, because that is what the server asks the library for.
      if (isBinary) this.close(closeCodes.unsupported, 'text frames only')
      else this.#take(Buffer.isBuffer(data) ? data : Buffer.alloc(0))
    })
    socket.on('pong', () => {
      this.#isAlive = true
    })
    // Frames that break the protocol; the library closes the connection by itself.
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(this.#handshake)
      this.#gone.abort(new Error('the client has gone'))
    })
    this.#send(eventFrame('connect.challenge', { nonce, ts: clock(), capabilities: [] }))
  }

  /** Whether the client has been let in. */
  get isAdmitted(): boolean {
    return this.#admitted !== null
  }

  /** Whether a request is under way. */
  get isBusy(): boolean {
    return this.#running > 0
  }

  /** Sends an event to a client that has the scope for it. */
  event(event: EventName, payload: object, scope?: Scope): void {
    const admitted = this.#admitted
    if (admitted === null || (scope !== undefined && !holds(admitted.scopes, scope))) return
    this.#seq += 1
    this.#send(eventFrame(event, payload, this.#seq))
  }

  /** Asks the client for a sign of life. */
  ping(): void {
    if (this.#isClosing) return
    // What was left unread may hold the last answer.
    this.#isAlive = this.#options.socket.isPaused
    this.#options.socket.ping()
  }

  /** Ends a connection that gave no sign of life since the ping. */
  dropIfDead(): void {
    if (!this.#isAlive) this.#options.socket.terminate()
  }

  /** More came than a client that is not let in may send. */
  tooMuch(): void {
    this.close(closeCodes.tooBig, 'too much before connect')
  }

  close(code: number, reason: string): void {
    if (this.#isClosing) return
    this.#isClosing = true
    const { socket, services, connId } = this.#options
    services.log('info', 'connection closed', { connId, code, reason })
    socket.close(code, reason)
    setTimeout(() => socket.terminate(), closingMs).unref()
  }

  #take(bytes: Buffer): void {
    if (this.#isClosing) return
    const isTooLarge = this.#admitted === null && bytes.length > limits.preAuthBytes
    if (isTooLarge) return this.tooMuch()
    const frame = readFrame(bytes.toString())
    if ('problem' in frame) return this.#refuseFrame(frame.id, frame.problem)
    if (this.#caller === null) return this.#connect(frame)
    void this.#answer(frame, this.#caller)
    return undefined
  }

  #refuseFrame(id: string | null, problem: string): void {
    const error: RpcError = { code: 'INVALID_REQUEST', message: `invalid request frame: ${problem}` }
    this.#send(errorFrame(id ?? 'invalid', error))
    this.#refusals += 1
    if (this.#admitted === null || this.#refusals >= patience)
      this.close(closeCodes.policy, 'invalid request frame')
  }

  #connect(frame: RequestFrame): void {
    const { auth, address, connId, hello, services } = this.#options
    const limit = this.#options.limit()
    const waitMs = limit.waitMs(address)
    if (waitMs > 0) {
      const message = 'too many failed logins'
      const details = { code: 'AUTH_RATE_LIMITED' }
      const error = { code: 'UNAVAILABLE', message, details, retryable: true, retryAfterMs: waitMs } as const
      this.#send(errorFrame(frame.id, error))
      return this.close(closeCodes.policy, message)
    }
    const verdict = judgeConnect(frame, auth)
    if ('error' in verdict) {
      if (verdict.counts) limit.fail(address)
      const { message } = verdict.error
      services.log('warn', 'connection refused', { connId, address, reason: message })
      this.#send(errorFrame(frame.id, verdict.error))
      // Reasons of a closing have at most 123 bytes.
      return this.close(verdict.close, message.slice(0, 100))
    }
    limit.succeed(address)
    clearTimeout(this.#handshake)
    this.#admitted = verdict
    this.#caller = { scopes: verdict.scopes, connId, origin: 'rpc', clientId: verdict.clientId }
    services.log('info', 'connected', { connId, address, client: verdict.clientId, mode: verdict.clientMode })
    this.#send(okFrame(frame.id, hello(verdict, connId)))
    return undefined
  }

  async #answer({ id, method, params }: RequestFrame, caller: Caller): Promise<void> {
    const { services, methods, socket, connId } = this.#options
    const startedAt = performance.now()
    this.#running += 1
    if (this.#running >= mostAtOnce) socket.pause()
    let error: RpcError | null = null
    try {
      const known = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (known === undefined) {
        error = unknownMethod(method, Object.keys(methods))
      } else if (!holds(caller.scopes, known.scope)) {
        error = missingScope(known.scope)
        this.#refusals += 1
      } else {
        const payload = await known.run(params, services, { caller, signal: this.#gone.signal })
        this.#send(okFrame(id, payload))
      }
    } catch (thrown) {
      error = toRpcError(thrown, method)
      if (error.details?.['code'] === 'INTERNAL')
        services.log('error', `${method} failed`, {
          connId,
          cause: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
        })
    }
    if (error !== null) this.#send(errorFrame(id, error))
    const ms = Math.round((performance.now() - startedAt) * 1000) / 1000
    services.log('info', 'request', {
      connId,
      method: method.slice(0, 120),
      ok: error === null,
      code: error?.code,
      ms,
    })
    this.#running -= 1
    if (this.#running < mostAtOnce / 2 && socket.isPaused) socket.resume()
    if (this.#refusals >= patience) this.close(closeCodes.policy, 'repeated unauthorized calls')
  }

  #send(text: string): void {
    const { socket } = this.#options
    if (this.#isClosing || socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount + text.length > limits.bufferedBytes) {
      this.close(closeCodes.policy, 'slow consumer')
      return
    }
    socket.send(text)
  }
}
