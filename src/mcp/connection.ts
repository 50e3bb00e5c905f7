import { setTimeout as delay } from 'node:timers/promises'
import {
  Client,
  isSpecType,
  StreamableHTTPClientTransport,
  type ClientOptions,
  type RequestOptions,
  type StandardSchemaV1,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client'
import { isRecord } from '../catalog/source.ts'
import { Attempts, type Attempt } from './attempts.ts'
import { causeOf } from './cause.ts'
import { faultError, type Fault } from './fault.ts'
import { remoteTransport } from './remote-transport.ts'
import type { RemoteTransport, ServerSettings } from './settings.ts'
import { StdioTransport } from './stdio-transport.ts'
import { readPages, type Page } from './tool-list.ts'
import { Wire } from './wire.ts'

export interface ConnectOptions {
  /** Ends the attempt; its reason is thrown. */
  readonly signal: AbortSignal
  /** Version of this program, told to the server. */
  readonly version: string
  /** Called when the server says that its tool list has changed; without it the server is not asked to say so. */
  readonly onListChanged?: () => void
}

export interface CallOptions {
  readonly signal: AbortSignal
  /** Milliseconds; else what the config says of this server. */
  readonly timeoutMs?: number | undefined
}

/** A live connection to one server. */
export interface Connection {
  readonly transport: 'stdio' | RemoteTransport
  readonly protocolVersion: string | null
  /** What the server calls itself; a stranger's words. */
  readonly serverInfo: { readonly name: string; readonly version: string } | null
  /** What was odd and did no harm, so far. */
  readonly remarks: readonly string[]
  /** Why the connection has ended; null while it lives. */
  readonly ended: Fault | null
  /** All tools as listed. MCP_UNREACHABLE with `data.fault`; the signal's reason when aborted. */
  listTools(options: CallOptions): Promise<readonly unknown[]>
  /** The raw result of `tools/call`. MCP_UNREACHABLE with `data.fault`; the signal's reason when aborted. */
  callTool(name: string, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown>
  /** Ends the connection and every process of a stdio server; never fails. */
  close(): Promise<void>
}

/** Connects to a server within its time limit, by whatever transport and protocol revision works. MCP_UNREACHABLE with `data.fault`; the signal's reason when aborted. */
export async function openConnection(settings: ServerSettings, options: ConnectOptions): Promise<Connection> {
  if (settings.kind === 'unusable') throw faultError('config', settings.problem)
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(settings.connectMs)])
  const attempts = new Attempts(settings)
  for (let attempt = attempts.next(); attempt !== undefined; attempt = attempts.next()) {
    const link = new Link(settings, attempt, options)
    try {
      await link.connect(signal)
      return link
    } catch (error) {
      const fault = link.explain(error, 'initialize', settings.connectMs)
      await link.close()
      options.signal.throwIfAborted()
      attempts.failed(attempt, error, fault)
    }
  }
  throw attempts.failure()
}

/** A result of any shape: one bad tool must not cost the list, and what is in a call's result is judged elsewhere. */
const anyResult: StandardSchemaV1<unknown, Readonly<Record<string, unknown>>> = {
  '~standard': {
    version: 1,
    vendor: 'openclaw',
    validate: (value) => (isRecord(value) ? { value } : { issues: [{ message: 'no object' }] }),
  },
}

/** What the SDK would check results with; schemas of strangers are not compiled. */
const noValidator: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'not checked' }),
}

/** Milliseconds for telling a remote server that its session is over. */
const farewell = 1000

type Dialled = Exclude<ServerSettings, { readonly kind: 'unusable' }>

class Link implements Connection {
  readonly transport: Connection['transport']
  readonly #settings: Dialled
  readonly #client: Client
  readonly #onListChanged: () => void
  readonly #modern: boolean
  #line: Transport | null = null
  #wire: Wire | null = null
  /** Tools with parameters that the newest revision wants in headers, too. */
  readonly #mirrored = new Map<string, Tool>()
  #listChanged = false
  #closing = false

  constructor(settings: Dialled, attempt: Attempt, { version, onListChanged }: ConnectOptions) {
    this.transport = attempt.transport
    this.#modern = attempt.modern
    this.#settings = settings
    this.#onListChanged = onListChanged ?? (() => {})
    this.#client = new Client(
      { name: 'openclaw', version },
      {
        capabilities: {},
        jsonSchemaValidator: noValidator,
        ...(attempt.modern && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
        ...(onListChanged && { listChanged: { tools: { autoRefresh: false, onChanged: () => {} } } }),
      },
    )
  }

  get protocolVersion(): string | null {
    return this.#client.getNegotiatedProtocolVersion() ?? null
  }

  get serverInfo(): Connection['serverInfo'] {
    const info = this.#client.getServerVersion()
    return info === undefined ? null : { name: info.name, version: info.version }
  }

  get remarks(): readonly string[] {
    return this.#wire?.remarks ?? []
  }

  get ended(): Fault | null {
    return this.#wire?.fault ?? null
  }

  async connect(signal: AbortSignal): Promise<void> {
    const line = await this.#openLine()
    const wire = new Wire(line, () => {
      this.#listChanged = true
      this.#onListChanged()
    })
    this.#line = line
    this.#wire = wire
    if (line instanceof StdioTransport) line.wire = wire
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows only this
    this.#client.onclose = () => {
      if (!this.#closing) wire.closed()
    }
    const { connectMs } = this.#settings
    await this.#during(wire, this.#client.connect(line, { signal, timeout: connectMs }), signal)
    wire.connected()
  }

  async listTools({
    signal,
    timeoutMs = this.#settings.requestMs,
  }: CallOptions): Promise<readonly unknown[]> {
    for (let round = 1; ; round++) {
      this.#listChanged = false
      try {
        const tools = await readPages(
          (cursor) => this.#readPage(cursor, { signal, timeout: timeoutMs }),
          (text) => this.#wire?.remark(text),
        )
        // A list that changed while it was read is half old and half new.
        if (this.#listChanged && round < 3) continue
        if (this.#modern) this.#noteMirrored(tools)
        return tools
      } catch (error) {
        signal.throwIfAborted()
        const { kind, message } = this.explain(error, 'tools/list', timeoutMs)
        if (kind === 'refused' && this.#client.getServerCapabilities()?.tools === undefined) {
          this.#wire?.remark('it offers no tools')
          return []
        }
        throw faultError(kind, message)
      }
    }
  }

  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    { signal, timeoutMs = this.#settings.requestMs }: CallOptions,
  ): Promise<unknown> {
    const params = { name, arguments: { ...args } }
    const options = { signal, timeout: timeoutMs }
    try {
      return await (this.#modern
        ? this.#request(
            () => this.#client.callTool(params, { ...options, ...this.#definition(name) }),
            signal,
          )
        : this.#request(
            () => this.#client.request({ method: 'tools/call', params }, anyResult, options),
            signal,
          ))
    } catch (error) {
      signal.throwIfAborted()
      const { kind, message } = this.explain(error, 'tools/call', timeoutMs)
      throw faultError(kind, message)
    }
  }

  /** Why an error came, with what a silent process said on stderr. */
  explain(error: unknown, method: string, limitMs: number): Fault {
    const open = this.#wire?.openMethod ?? method
    const fault = causeOf(error, { settings: this.#settings, wire: this.#wire, method: open, limitMs })
    if (fault.kind !== 'timeout' || !(this.#line instanceof StdioTransport)) return fault
    return { kind: fault.kind, message: `${fault.message}${this.#line.silence()}` }
  }

  async close(): Promise<void> {
    this.#closing = true
    const line = this.#line
    if (line instanceof StreamableHTTPClientTransport && this.ended === null) {
      await Promise.race([
        line.terminateSession().catch(() => {}),
        delay(farewell, undefined, { ref: false }),
      ])
    }
    await this.#client.close().catch(() => {})
    await line?.close().catch(() => {})
  }

  #noteMirrored(tools: readonly unknown[]): void {
    this.#mirrored.clear()
    for (const tool of tools) {
      if (!isSpecType.Tool(tool) || !JSON.stringify(tool.inputSchema).includes('"x-mcp-header"')) continue
      const { name, inputSchema } = tool
      this.#mirrored.set(name, { name, inputSchema })
    }
  }

  #definition(name: string): { readonly toolDefinition: Tool } | undefined {
    const toolDefinition = this.#mirrored.get(name)
    return toolDefinition && { toolDefinition }
  }

  async #openLine(): Promise<Transport> {
    if (this.#settings.kind === 'stdio') return new StdioTransport(this.#settings)
    const kind = this.transport === 'sse' ? 'sse' : 'streamable-http'
    return remoteTransport(this.#settings, kind, () => this.#wire)
  }

  async #readPage(
    cursor: string | undefined,
    options: RequestOptions & { signal: AbortSignal },
  ): Promise<Page> {
    const params = cursor === undefined ? {} : { cursor }
    const send = () => this.#client.request({ method: 'tools/list', params }, anyResult, options)
    const { nextCursor } = await this.#request(send, options.signal)
    return { tools: this.#wire?.takeTools(), nextCursor }
  }

  async #request<Result>(send: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const wire = this.#wire
    if (wire === null) throw faultError('network', 'it is not connected')
    if (wire.fault !== null) throw faultError(wire.fault.kind, wire.fault.message)
    return this.#during(wire, send(), signal)
  }

  /** Waits for the SDK, but not past the end of the connection or of the caller's patience. */
  async #during<Result>(wire: Wire, work: Promise<Result>, signal: AbortSignal): Promise<Result> {
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.catch(() => {})
    try {
      return await Promise.race([work, wire.end, aborted])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}
