import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import { OpenClawError } from '../kernel/errors.ts'
import { AgentRuns } from './agent-runs.ts'
import type { AuthSecret } from './auth.ts'
import { AuthLimit } from './auth-limit.ts'
import { Connection } from './connection.ts'
import type { Admitted } from './handshake.ts'
import type { GatewayHost } from './host.ts'
import { serveHttp } from './http/router.ts'
import { plainError, sendJson } from './http/reply.ts'
import { Invoker } from './invoke.ts'
import type { Log } from './log.ts'
import type { Services } from './method.ts'
import { methods } from './methods/all.ts'
import { originProblem, type OriginRules } from './origin.ts'
import { closeCodes, eventNames, limits } from './protocol.ts'
import { liveSettings, type LiveSettings } from './settings.ts'

/** Sockets that are open at the same time; more are turned away by the system. */
const mostConnections = 4_096
/** Milliseconds that requests and runs have for their end when the server ends. */
const drainMs = 5_000
/** Milliseconds they have once they have been aborted. */
const lastWordsMs = 500

/** What is answered to requests that are none, by the code of the parser. */
const faultStatuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

export interface ServerOptions {
  readonly host: GatewayHost
  readonly auth: AuthSecret
  readonly address: { readonly host: string; readonly port: number }
  readonly log: Log
  readonly clock: () => number
}

/** A server that listens. */
export interface GatewayServer {
  readonly port: number
  readonly url: string
  /** Tells clients, waits for what is under way, and ends. */
  close(): Promise<void>
}

/** Starts the server: WebSocket and HTTP on one port. CONFIG_CONFLICT where the port is taken or may not be used. */
export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const gateway = new Gateway(options)
  await gateway.listen()
  return gateway
}

class Gateway implements GatewayServer {
  readonly #options: ServerOptions
  readonly #http: Server
  readonly #sockets: WebSocketServer
  readonly #connections = new Set<Connection>()
  readonly #services: Services
  readonly #closing = new AbortController()
  readonly #startedAt: number
  #limit: { readonly settings: string; readonly value: AuthLimit } | null = null
  #live: { readonly revision: number; readonly value: LiveSettings } | null = null
  #ticker: NodeJS.Timeout | undefined
  #running = 0
  #isClosing = false

  constructor(options: ServerOptions) {
    this.#options = options
    const { host, auth, log, clock } = options
    this.#startedAt = clock()
    const invoker = new Invoker(host, this.#closing.signal, clock)
    const runs = new AgentRuns({
      host,
      clock,
      closing: this.#closing.signal,
      emit: (payload) => this.#tell('agent', payload),
    })
    const facts = {
      startedAt: this.#startedAt,
      authMode: auth.mode,
      connections: () => this.#connections.size,
      url: () => this.url,
    }
    this.#services = { host, invoker, runs, facts, log, closing: this.#closing.signal }
    this.#http = createServer({ requestTimeout: 0, headersTimeout: 15_000, keepAliveTimeout: 5_000 })
    this.#http.maxConnections = mostConnections
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: limits.payloadBytes,
      perMessageDeflate: false,
      clientTracking: false,
    })
    this.#http.on('request', (request, response) => {
      this.#running += 1
      response.once('close', () => (this.#running -= 1))
      const router = {
        auth,
        limit: () => this.#authLimit(),
        origins: () => this.#origins(),
        services: this.#services,
      }
      serveHttp(request, response, router).catch((error: unknown) => {
        const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
        log('error', 'request failed', { route: request.url?.slice(0, 200), cause })
        sendJson(response, 500, plainError('internal error', 'internal_error'))
      })
    })
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
    this.#http.on('clientError', (error, socket) => {
      const status = ('code' in error && faultStatuses[String(error.code)]) || '400 Bad Request'
      if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`)
      else socket.destroy()
    })
    host.onEvent((event, payload, scope) => {
      for (const connection of this.#connections) connection.event(event, payload, scope)
    })
  }

  get port(): number {
    const address = this.#http.address()
    return typeof address === 'object' && address !== null ? address.port : this.#options.address.port
  }

  get url(): string {
    const { host } = this.#options.address
    const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
    return `ws://${name.includes(':') ? `[${name}]` : name}:${this.port}`
  }

  async listen(): Promise<void> {
    const { host, port } = this.#options.address
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#http.once('error', reject)
    this.#http.listen(port, host, resolve)
    try {
      await promise
    } catch (error) {
      throw cannotListen(error, host, port)
    }
    this.#http.off('error', reject)
    this.#http.on('error', (error) => this.#options.log('error', 'server error', { cause: error.message }))
    this.#ticker = setInterval(() => this.#tick(), limits.tickMs)
  }

  async close(): Promise<void> {
    clearInterval(this.#ticker)
    this.#isClosing = true
    this.#tell('shutdown', { reason: 'the gateway is shutting down' })
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()))
    this.#http.closeIdleConnections()
    await this.#drained(drainMs)
    this.#closing.abort(new OpenClawError('ABORTED', 'the gateway is shutting down'))
    // Whoever follows a run hears how it ended.
    if (this.#services.runs.isBusy) await this.#drained(lastWordsMs)
    for (const connection of this.#connections) connection.close(closeCodes.goingAway, 'shutting down')
    // Answers that were just written have a moment to get out.
    setTimeout(() => this.#http.closeAllConnections(), 100).unref()
    await closed
    await this.#options.host.close()
  }

  /** Waits until nothing is under way, at most for a while. */
  async #drained(ms: number): Promise<void> {
    const end = performance.now() + ms
    const isBusy = (): boolean =>
      this.#running > 0 ||
      this.#services.runs.isBusy ||
      [...this.#connections].some((connection) => connection.isBusy)
    while (isBusy() && performance.now() < end) await sleep(20)
  }

  #tell(event: Parameters<Connection['event']>[0], payload: object): void {
    for (const connection of this.#connections) connection.event(event, payload, 'operator.read')
  }

  #tick(): void {
    const now = this.#options.clock()
    for (const connection of this.#connections) {
      connection.event('tick', { ts: now })
      connection.ping()
    }
    setTimeout(() => {
      for (const connection of this.#connections) connection.dropIfDead()
    }, limits.pongMs).unref()
  }

  #liveSettings(): LiveSettings {
    const { revision, config } = this.#options.host.state
    if (this.#live?.revision !== revision) this.#live = { revision, value: liveSettings(config) }
    return this.#live.value
  }

  /** Counters of failed logins; other settings begin new ones. */
  #authLimit(): AuthLimit {
    const { authLimit } = this.#liveSettings()
    const settings = JSON.stringify(authLimit)
    if (this.#limit?.settings !== settings) {
      this.#limit = { settings, value: new AuthLimit(authLimit, this.#options.clock) }
    }
    return this.#limit.value
  }

  #origins(): OriginRules {
    return { allowed: this.#liveSettings().allowedOrigins, open: this.#options.auth.mode === 'none' }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { origin, host } = request.headers
    const problem = originProblem({ origin, host }, this.#origins())
    if (problem !== null || this.#isClosing) {
      this.#options.log('warn', 'connection refused', { reason: problem ?? 'shutting down' })
      socket.end(
        `HTTP/1.1 ${problem === null ? '503 Service Unavailable' : '403 Forbidden'}\r\nconnection: close\r\n\r\n`,
      )
      return
    }
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const { auth, clock } = this.#options
      const connection = new Connection({
        socket: webSocket,
        connId: randomUUID(),
        address: request.socket.remoteAddress ?? '',
        nonce: randomBytes(16).toString('hex'),
        auth,
        limit: () => this.#authLimit(),
        methods,
        services: this.#services,
        clock,
        hello: (admitted, connId) => this.#hello(admitted, connId),
      })
      this.#connections.add(connection)
      webSocket.once('close', () => this.#connections.delete(connection))
      watchFirstBytes(request.socket, connection)
    })
  }

  #hello({ protocol, role, scopes }: Admitted, connId: string): object {
    const { host, auth, clock } = this.#options
    const { state } = host
    return {
      type: 'hello-ok',
      protocol,
      server: { version: host.version, connId },
      features: { methods: Object.keys(methods).toSorted(), events: eventNames, capabilities: [] },
      snapshot: {
        presence: [],
        health: { ok: true },
        stateVersion: { presence: 0, health: 0 },
        uptimeMs: clock() - this.#startedAt,
        appliedConfigHash: host.configHash,
        configPath: state.configFile,
        stateDir: state.stateDir,
        sessionDefaults: { defaultAgentId: state.defaultAgentId, mainSessionKey: state.mainSessionKey },
        authMode: auth.mode,
      },
      auth: { method: auth.mode, role, scopes },
      policy: {
        maxPayload: limits.payloadBytes,
        maxBufferedBytes: limits.bufferedBytes,
        tickIntervalMs: limits.tickMs,
      },
    }
  }
}

/** Ends a connection whose client sends more than a login before it is let in; the library would collect up to the largest frame. */
function watchFirstBytes(socket: Socket, connection: Connection): void {
  const start = socket.bytesRead
  const watch = (): void => {
    if (connection.isAdmitted) socket.off('data', watch)
    else if (socket.bytesRead - start > limits.preAuthBytes + 64) {
      socket.off('data', watch)
      connection.tooMuch()
    }
  }
  socket.on('data', watch)
}

function cannotListen(error: unknown, host: string, port: number): OpenClawError {
  const code = error instanceof Error && 'code' in error ? error.code : null
  const place = `port ${port} of ${host}`
  if (code === 'EADDRINUSE') {
    return new OpenClawError('CONFIG_CONFLICT', `${place} is taken by another program`, {
      hints: ['openclaw gateway status', 'openclaw gateway run --port 0'],
      data: { host, port },
    })
  }
  const reason = error instanceof Error ? error.message : String(error)
  return new OpenClawError('CONFIG_CONFLICT', `the server cannot listen on ${place}: ${reason}`, {
    hints: ['check gateway.port and gateway.bind'],
    data: { host, port },
  })
}
