import { SseError, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import { faultError, type Fault, type FaultKind } from './fault.ts'
import type { MessageId } from './json-rpc.ts'
import { inMegabytes, largestSilence } from './limits.ts'

/** Data of the errors that stand for an answer which did not come; compared by identity, so no server can forge it. */
export const standIn = {
  /** The server sent something else in its place; the message says what. */
  malformed: Object.freeze({}),
  /** The connection for this request ended. */
  ended: Object.freeze({}),
} as const

/**
 * What passes between the SDK and one server. It knows which requests are open, so that a broken answer fails its request at
 * once instead of after the time limit, and takes tool lists aside before the SDK would refuse them for one bad tool.
 */
export class Wire {
  readonly #transport: Transport
  readonly #onListChanged: () => void
  readonly #open = new Map<MessageId, string>()
  readonly #remarks = new Set<string>()
  #isConnected = false
  #unanswered = 0
  #fault: Fault | null = null
  #tools: unknown = null
  readonly #end = Promise.withResolvers<never>()

  /** Has to be made before the SDK takes the transport, because it wants to see messages first. */
  constructor(transport: Transport, onListChanged: () => void) {
    this.#transport = transport
    this.#onListChanged = onListChanged
    const send = transport.send.bind(transport)
    transport.send = (message, options) => {
      if (!('method' in message) || !('id' in message)) return send(message, options)
      const { id, method } = message
      this.#open.set(id, method)
      const onRequestStreamEnd = () => {
        options?.onRequestStreamEnd?.()
        this.#answer(id, '', standIn.ended)
      }
      return send(message, { ...options, onRequestStreamEnd })
    }
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows only this
    transport.onmessage = (message) => this.#see(message)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows only this
    transport.onerror = (error) => this.#seeError(error)
    this.#end.promise.catch(() => {})
  }

  /** Rejects with the fault when the connection ends. */
  get end(): Promise<never> {
    return this.#end.promise
  }

  /** Why the connection ended, once it has. */
  get fault(): Fault | null {
    return this.#fault
  }

  /** What was odd and did no harm, for people. */
  get remarks(): readonly string[] {
    return [...this.#remarks]
  }

  /** The method of the oldest request without an answer, or null. */
  get openMethod(): string | null {
    return this.#open.values().next().value ?? null
  }

  remark(text: string): void {
    if (this.#remarks.size < 10) this.#remarks.add(text)
  }

  /** Ends the connection for a reason; the first one counts. */
  fail(kind: FaultKind, message: string): void {
    if (this.#fault !== null) return
    this.#fault = { kind, message }
    this.#open.clear()
    this.#end.reject(faultError(kind, message))
    void this.#transport.close().catch(() => {})
  }

  /** The handshake is over: from now on an end of the connection is one. */
  connected(): void {
    this.#isConnected = true
  }

  /** The other side has ended the connection. */
  closed(): void {
    if (!this.#isConnected) return
    const method = this.openMethod
    this.fail('network', `it closed the connection${method === null ? '' : ` before it answered ${method}`}`)
  }

  /** Counts what arrived; too much without an answer in it ends the connection. */
  received(bytes: number): void {
    this.#unanswered += bytes
    if (this.#unanswered > largestSilence) {
      this.fail('flood', `it sent more than ${inMegabytes(largestSilence)} that nobody asked for`)
    }
  }

  /** A message that is no JSON-RPC, and the request it was meant for; `open` means the only open one. */
  malformed(problem: string, answers: MessageId | 'open' | null): void {
    this.remark(`it sent ${problem}`)
    const [only] = this.#open.keys()
    const id = answers === 'open' ? (this.#open.size === 1 ? only : undefined) : answers
    if (id !== null && id !== undefined) this.#answer(id, problem, standIn.malformed)
  }

  /** The tools of the last answered `tools/list`, as they came; null if there were none. */
  takeTools(): unknown {
    const tools = this.#tools
    this.#tools = null
    return tools
  }

  #see(message: JSONRPCMessage): void {
    if ('method' in message) {
      if (message.method === 'notifications/tools/list_changed') this.#onListChanged()
      return
    }
    const { id } = message
    const method = id === undefined ? undefined : (this.#open.get(id) ?? this.#open.get(Number(id)))
    if (id === undefined || method === undefined) return this.remark('it sent an answer to no open request')
    this.#open.delete(id)
    this.#open.delete(Number(id))
    this.#unanswered = 0
    if (method === 'tools/list' && 'result' in message) this.#takeAside(message.result)
  }

  #takeAside(result: Record<string, unknown>): void {
    this.#tools = result['tools']
    if (Array.isArray(this.#tools)) result['tools'] = []
    if (typeof result['nextCursor'] !== 'string') delete result['nextCursor']
  }

  /** Over HTTP the SDK reads the messages; what it could not read is told here and belongs to no request. */
  #seeError(error: Error): void {
    // The SDK connects again, but to another session: nobody there knows what was asked.
    if (error instanceof SseError && this.#isConnected) return this.closed()
    if (error.name !== 'ZodError' && error.name !== '$ZodError' && error.name !== 'SyntaxError') return
    // A server that talks nonsense during a call may still finish it.
    this.malformed('a message that is no JSON-RPC 2.0', this.openMethod === 'tools/call' ? null : 'open')
  }

  #answer(id: MessageId, message: string, data: object): void {
    if (!this.#open.has(id)) return
    const error = { code: -32_603, message, data }
    this.#transport.onmessage?.({ jsonrpc: '2.0', id, error })
  }
}
