import { send, textOf } from '../agent/providers/http.ts'
import { GatewayClient } from '../gateway/client.ts'
import { sharedSecretScopes } from '../gateway/scopes.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { useOf, type ProcessEnd, type ProcessUse, type RunningProcess } from './processes.ts'
import { withSignal } from './steps.ts'

const startMs = 20_000
const requestMs = 60_000

/** The answer to a request over HTTP; a body that is no JSON comes as text. */
export interface HttpAnswer {
  readonly status: number
  readonly body: unknown
}

export interface GatewayOptions {
  readonly running: RunningProcess
  readonly token: string
  readonly version: string
  readonly signal: AbortSignal
}

/** A Gateway that runs in a process of its own. */
export class Gateway {
  readonly url: string
  readonly #options: GatewayOptions
  readonly #events: { readonly event: string; readonly payload: unknown }[] = []
  readonly #lookers = new Set<() => void>()
  #client: Promise<GatewayClient> | null = null
  #ended: Promise<ProcessEnd> | null = null

  private constructor(url: string, options: GatewayOptions) {
    this.url = url
    this.#options = options
  }

  /** Waits until a process that was just started says where it listens. GATEWAY_UNREACHABLE where it ends before or takes too long. */
  static async open(options: GatewayOptions): Promise<Gateway> {
    const { running, signal } = options
    const limit = AbortSignal.any([signal, AbortSignal.timeout(startMs)])
    const found = await withSignal(running.find(/\b(?:https?|wss?):\/\/127\.0\.0\.1:(\d+)/), limit)
    if (found !== null) return new Gateway(`http://127.0.0.1:${found[1]}`, options)
    const { code, stdout, stderr } = await running.ended
    const said = (stderr || stdout).trim().slice(-1_000)
    throw new OpenClawError('GATEWAY_UNREACHABLE', `the Gateway ended with ${code}: ${said}`)
  }

  /** What it wrote to its output so far. */
  get output(): { readonly stdout: string; readonly stderr: string } {
    return this.#options.running.output
  }

  /** What its process has used so far. */
  get use(): ProcessUse {
    return useOf(this.#options.running.pid)
  }

  /** Asks over HTTP: GET without a body, POST with one. */
  async http(
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpAnswer> {
    const { token, signal } = this.#options
    const answer = await send(new URL(path, this.url).href, {
      method: body === undefined ? 'GET' : 'POST',
      headers: Object.entries({
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      }),
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
    })
    return { status: answer.status, body: parsed(await textOf(answer)) }
  }

  /** Asks over WebSocket, on a connection that is made when it is first needed. Errors of the client, and those the Gateway answers with. */
  async call(method: string, params: unknown = {}): Promise<unknown> {
    const client = await this.listen()
    return client.call(method, params)
  }

  /** Connects where that has not been done, so that events come in from now on. */
  listen(): Promise<GatewayClient> {
    const { token, version, signal } = this.#options
    this.#client ??= GatewayClient.connect({
      url: this.url,
      token,
      scopes: sharedSecretScopes,
      version,
      signal,
      timeoutMs: requestMs,
      onEvent: (event, payload) => {
        this.#events.push({ event, payload })
        for (const look of this.#lookers) look()
      },
    })
    return this.#client
  }

  /** How many events have come in so far. */
  get eventCount(): number {
    return this.#events.length
  }

  /** The payload of the first event of a name that passes, of those that have come after the first `since` ones and those that will. TIMEOUT where none comes. */
  async event(name: string, passes: (payload: unknown) => boolean, since = 0): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const look = (): void => {
      const found = this.#events.slice(since).find(({ event, payload }) => event === name && passes(payload))
      if (found !== undefined) resolve(found.payload)
    }
    const timer = setTimeout(
      () => reject(new OpenClawError('TIMEOUT', `no event ${name} within ${requestMs} ms`)),
      requestMs,
    )
    this.#lookers.add(look)
    look()
    try {
      return await withSignal(promise, this.#options.signal)
    } finally {
      clearTimeout(timer)
      this.#lookers.delete(look)
    }
  }

  /** Asks it to end and waits until it has; again is the same end. */
  stop(): Promise<ProcessEnd> {
    this.#ended ??= this.#stop()
    return this.#ended
  }

  async #stop(): Promise<ProcessEnd> {
    const client = await this.#client?.catch(() => null)
    client?.close()
    return this.#options.running.end()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
