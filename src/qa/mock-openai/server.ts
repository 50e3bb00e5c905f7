import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writers, type WireMessage } from './answers.ts'
import { BadRequest, readConversation, type Conversation, type Protocol } from './conversation.ts'
import { FaultQueue, readFaults, type Fault } from './faults.ts'
import { describe, History, type RecordedRequest } from './recorded.ts'
import { defaultScript, type Plan, type Script } from './script.ts'
import { respond, sendJson } from './send.ts'

export interface MockOptions {
  /** What the model says; else it obeys the commands of the prompt. */
  readonly script?: Script
  /** The key that requests must have; without one every request is served. */
  readonly apiKey?: string
  readonly models?: readonly string[]
  /** 0 or absent: any free port. */
  readonly port?: number
}

/** A provider that runs on this machine and does as it is told. */
export interface MockServer {
  readonly port: number
  /** `http://127.0.0.1:<port>/v1`, as a baseUrl. */
  readonly baseUrl: string
  /** The newest requests to the model, the oldest first. */
  readonly requests: readonly RecordedRequest[]
  /** Requests that were not answered to the end yet. */
  readonly inFlight: number
  /** Spoils the next requests to the model. */
  fail(fault: Fault, times?: number): void
  /** Resolves as soon as so many requests have come, over the whole life of the server. */
  received(count: number): Promise<void>
  close(): Promise<void>
}

const largestBody = 64 * 1024 * 1024

const modelRoutes: Readonly<Record<string, Protocol>> = {
  '/v1/chat/completions': 'openai-chat',
  '/v1/responses': 'openai-responses',
  '/v1/messages': 'anthropic-messages',
}

/** Starts a mock provider on 127.0.0.1: `/v1/models`, `/v1/responses`, `/v1/chat/completions`, `/v1/messages` and debug routes. Its model can only call tools whose schema the request holds. */
export async function startMockServer(options: MockOptions = {}): Promise<MockServer> {
  const provider = new MockProvider(options)
  const server = createServer((request, response) => {
    provider.handle(request, response).catch((error: unknown) => {
      if (!response.headersSent)
        sendJson(response, 500, { error: { message: String(error), type: 'mock_error' } })
      else response.destroy()
    })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await Promise.race([
    new Promise((resolve) => server.once('listening', resolve)),
    new Promise((_, reject) => server.once('error', reject)),
  ])
  const { port } = server.address() as AddressInfo
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    get requests() {
      return provider.history.all
    },
    get inFlight() {
      return provider.inFlight.size
    },
    fail: (fault, times) => provider.faults.add(fault, times),
    received: (count) => provider.received(count),
    close: () => close(server),
  }
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
}

class MockProvider {
  readonly history = new History()
  readonly faults = new FaultQueue()
  readonly inFlight = new Set<RecordedRequest>()
  readonly #options: MockOptions
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = []
  #calls = 0

  constructor(options: MockOptions) {
    this.#options = options
  }

  received(count: number): Promise<void> {
    if (this.history.cursor >= count) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ count, resolve })
    return promise
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://mock')
    const protocol = Object.hasOwn(modelRoutes, url.pathname) ? modelRoutes[url.pathname] : undefined
    if (protocol !== undefined && request.method === 'POST') {
      return this.#serveModel(protocol, url.pathname, request, response)
    }
    return this.#serveOther(url, request, response)
  }

  async #serveModel(
    protocol: Protocol,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const writer = writers[protocol]
    const raw = await readBody(request)
    if (raw === null) return sendJson(response, 413, writer.refusal(413, 'request too large'))
    const { name: keyHeader, key } = keyOf(request)
    if (this.#options.apiKey !== undefined && key !== this.#options.apiKey) {
      return sendJson(response, 401, writer.refusal(401, `Incorrect API key provided: ${key ?? 'none'}`))
    }
    let body: unknown
    let conversation: Conversation
    try {
      body = JSON.parse(raw)
      conversation = readConversation(protocol, body)
    } catch (error) {
      if (!(error instanceof BadRequest) && !(error instanceof SyntaxError)) throw error
      return sendJson(response, 400, writer.refusal(400, error.message))
    }
    const fault = this.faults.take()
    const { plan, refused } = this.#plan(conversation, fault)
    const message = this.#toMessage(plan, conversation, raw, fault)
    const recorded = this.history.add({
      protocol,
      path,
      raw,
      rawBytes: Buffer.byteLength(raw),
      body,
      ...describe(conversation),
      keyHeader,
      userAgent: request.headers['user-agent'] ?? '',
      headerNames: Object.keys(request.headers).toSorted(),
      planned: message.calls.map(({ id, name }, at) => ({ id, name, args: plan.calls[at]?.args })),
      plannedToolName: message.calls[0]?.name ?? null,
      refused,
      fault,
      status: 200,
      finished: false,
    })
    this.inFlight.add(recorded)
    response.once('close', () => this.inFlight.delete(recorded))
    response.once('finish', () => {
      recorded.finished = true
      recorded.status = response.statusCode
    })
    this.#wake()
    respond(response, writer, message, { fault, stream: conversation.stream })
  }

  #wake(): void {
    const due = this.#waiting.filter(({ count }) => this.history.cursor >= count)
    for (const each of due) {
      this.#waiting.splice(this.#waiting.indexOf(each), 1)
      each.resolve()
    }
  }

  /** What the model says; tools that it was not offered it cannot call, except where the fault is that it does. */
  #plan(conversation: Conversation, fault: Fault | null): { plan: Plan; refused: readonly string[] } {
    if (fault?.kind === 'unknown-tool') {
      return { plan: { text: '', calls: [{ name: fault.name ?? 'no_such_tool', args: {} }] }, refused: [] }
    }
    const wanted = (this.#options.script ?? defaultScript)(conversation)
    const offered = new Set(conversation.tools.map(({ name }) => name))
    const calls = wanted.calls.filter(({ name }) => offered.has(name))
    const refused = wanted.calls.filter(({ name }) => !offered.has(name)).map(({ name }) => name)
    const text =
      calls.length === 0 && refused.length > 0 ? `I was not offered ${refused.join(', ')}.` : wanted.text
    return { plan: { text, calls }, refused }
  }

  #toMessage(plan: Plan, conversation: Conversation, raw: string, fault: Fault | null): WireMessage {
    const calls = plan.calls.map(({ name, args }) => {
      this.#calls += 1
      const argsText = fault?.kind === 'malformed-arguments' ? '{"marker": "nor' : JSON.stringify(args ?? {})
      return { id: `call_${this.#calls}`, name, argsText }
    })
    const said = plan.text.length + calls.reduce((sum, { argsText }) => sum + argsText.length, 0)
    return {
      id: `mock_${this.history.cursor + 1}`,
      model: conversation.model,
      text: plan.text,
      calls,
      usage: { input: Math.ceil(raw.length / 4), output: Math.ceil(said / 4) },
    }
  }

  async #serveOther(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path } = url
    const ids = this.#options.models ?? ['mock-model']
    const models = ids.map((id) => ({ id, object: 'model', created: 0, owned_by: 'mock' }))
    const isGet = request.method === 'GET'
    if (isGet && (path === '/healthz' || path === '/readyz')) return sendJson(response, 200, { ok: true })
    if (isGet && path === '/v1/models') return sendJson(response, 200, { object: 'list', data: models })
    const model = models.find(({ id }) => path === `/v1/models/${encodeURIComponent(id)}`)
    if (isGet && model) return sendJson(response, 200, model)
    if (isGet && path === '/debug/last-request')
      return sendJson(response, 200, this.history.all.at(-1) ?? null)
    if (isGet && path === '/debug/request-cursor')
      return sendJson(response, 200, { cursor: this.history.cursor })
    if (isGet && path === '/debug/requests') return this.#serveRequests(url, response)
    if (isGet && path === '/debug/inflight-requests') {
      return sendJson(response, 200, { requests: [...this.inFlight] })
    }
    if (path === '/debug/faults') return this.#serveFaults(request, response)
    return sendJson(response, 404, { error: 'not found' })
  }

  #serveRequests(url: URL, response: ServerResponse): void {
    const text = url.searchParams.get('after') ?? '0'
    if (!/^\d{1,15}$/.test(text)) return sendJson(response, 400, { error: 'after: expected a cursor' })
    const page = this.history.after(Number(text))
    if ('gone' in page) return sendJson(response, 409, { error: 'cursor expired or ahead' })
    return sendJson(response, 200, { cursor: this.history.cursor, requests: page.requests })
  }

  async #serveFaults(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'DELETE') this.faults.clear()
    else if (request.method === 'POST') {
      const faults = readFaults(parse((await readBody(request)) ?? ''))
      if (faults === null) return sendJson(response, 400, { error: 'expected faults: { kind, times? }' })
      for (const { fault, times } of faults) this.faults.add(fault, times)
    }
    return sendJson(response, 200, { faults: this.faults.waiting })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function keyOf({ headers }: IncomingMessage): { readonly name: string | null; readonly key: string | null } {
  const { authorization, 'x-api-key': other } = headers
  if (authorization !== undefined) {
    return { name: 'authorization', key: /^Bearer\s+(.*)$/i.exec(authorization)?.[1] ?? null }
  }
  return typeof other === 'string' ? { name: 'x-api-key', key: other } : { name: null, key: null }
}

/** The body as text, or null where it is larger than any sensible request. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    size += bytes.length
    if (size > largestBody) return null
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}
