import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { redactText } from '../../config/redact.ts'
import { faultError, networkFault, quote, refusal } from './fault.ts'
import { HeaderList, type HeaderSource } from './header-list.ts'
import { CutAnswer, send, textOf, type HttpAnswer } from './http.ts'
import type { WireBytes } from './provider.ts'

/** Bytes of one answer; a model's words are a thousandth of it. */
const largestAnswer = 64 * 1024 * 1024

/** Bytes of an error body that are read; the rest says nothing new. */
const largestRefusal = 64 * 1024

/** Headers of a protocol that its SDK sets and the provider needs. Everything else an SDK adds tells about this machine, or comes from its environment. */
const passed = ['accept', 'content-type', 'anthropic-version', 'anthropic-beta']

export interface WireOptions {
  /** Those of the config and the key, which no SDK gets to see: what it never had it cannot log. */
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
  /** Milliseconds without a byte after which the provider has failed. */
  readonly silenceMs: number
  readonly userAgent: string
}

/** Carries one request of an SDK: adds the key, bounds silence and size, follows no redirection, and remembers why it failed, which SDKs partly swallow. */
export class Wire {
  readonly #options: WireOptions
  #fault: OpenClawError | null = null
  #request = 0
  #response = 0
  #url = ''
  #isAnswering = false
  #watch: SilenceWatch | null = null

  constructor(options: WireOptions) {
    this.#options = options
  }

  get bytes(): WireBytes {
    return { request: this.#request, response: this.#response }
  }

  /** The fetch to hand to an SDK, which calls it with an address, headers that can be iterated and a text. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const body = typeof init.body === 'string' ? init.body : null
    this.#url = typeof input === 'object' && 'url' in input ? input.url : String(input)
    this.#request += body === null ? 0 : Buffer.byteLength(body)
    const watch = new SilenceWatch(this.#options.silenceMs, () => this.#silent())
    this.#watch = watch
    try {
      const answer = await send(this.#url, {
        method: init.method ?? 'GET',
        headers: this.#headers(new HeaderList(sourceOf(init.headers))),
        body,
        signal: AbortSignal.any([watch.signal, ...(init.signal ? [init.signal] : [])]),
      })
      if (answer.status < 200 || answer.status > 299) throw await this.#refused(answer)
      this.#requireProtocol(answer)
      this.#isAnswering = true
      return asResponse(answer, this.#url, this.#meter(answer.body, watch))
    } catch (error) {
      throw (this.#fault ??= this.causeOf(error))
    }
  }

  /** Has to be called when the answer is there, or is not wanted any more. */
  close(): void {
    this.#watch?.stop()
  }

  /** The fault behind an error that came out of an SDK; what went wrong here first explains what the SDK made of it. */
  causeOf(error: unknown): OpenClawError {
    if (this.#fault !== null) return this.#fault
    if (error instanceof OpenClawError) return error
    const { secrets } = this.#options
    if (!this.#isAnswering) return networkFault(error, this.#url, secrets)
    const text = error instanceof Error ? error.message : String(error)
    if (error instanceof SyntaxError) {
      return faultError('protocol', `its answer is malformed: ${quote(text, secrets)}`, { cause: error })
    }
    if (error instanceof CutAnswer) {
      return faultError('cut', 'the connection broke in the middle of its answer', { cause: error })
    }
    if (error instanceof Error && 'status' in error && 'error' in error) {
      return refusal(null, error.error ?? text, null, secrets)
    }
    return faultError('protocol', `its answer cannot be used: ${quote(text, secrets)}`, { cause: error })
  }

  #headers(from: HeaderList): HeaderList {
    const headers = new HeaderList()
    for (const name of passed) {
      const value = from.get(name)
      if (value !== null) headers.set(name, value)
    }
    headers.set('user-agent', this.#options.userAgent)
    for (const [name, value] of Object.entries(this.#options.headers)) headers.set(name, value)
    return headers
  }

  #silent(): OpenClawError {
    const seconds = Number((this.#options.silenceMs / 1000).toFixed(1))
    const when = this.#isAnswering ? ' in the middle of its answer' : ''
    return (this.#fault ??= faultError('timeout', `it was silent for ${seconds} s${when}`))
  }

  async #refused(answer: HttpAnswer): Promise<OpenClawError> {
    const target = answer.headers.get('location')
    if (answer.status >= 300 && answer.status < 400) {
      const place = target === null ? 'elsewhere' : showName(redactText(target), 160)
      answer.drop()
      return faultError(
        'refused',
        `it redirects to ${place}, where the key would go, too; use that as its baseUrl if it is right`,
        { status: answer.status },
      )
    }
    const text = await readStart(answer, largestRefusal)
    return refusal(answer.status, parsed(text), answer.headers, this.#options.secrets)
  }

  /** A web page with status 200 is what a wrong address mostly gives. */
  #requireProtocol({ headers, drop }: HttpAnswer): void {
    const type = headers.get('content-type') ?? ''
    if (!/^\s*text\/html\b/i.test(type)) return
    drop()
    throw faultError('not-found', 'it answered with a web page; its baseUrl may be wrong')
  }

  async *#meter(body: AsyncIterable<Uint8Array>, watch: SilenceWatch): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of body) {
      watch.heard()
      this.#response += chunk.length
      if (this.#response > largestAnswer) {
        throw (this.#fault ??= faultError(
          'flood',
          `it sent an answer of more than ${largestAnswer / 1024 / 1024} MB`,
        ))
      }
      yield chunk
    }
  }
}

function sourceOf(headers: RequestInit['headers']): HeaderSource {
  if (headers === undefined) return []
  if (Array.isArray(headers)) return headers.map(([name = '', value = '']) => [name, value] as const)
  if (Symbol.iterator in headers) return headers
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** An answer with as much of a `Response` as the SDKs read: status, headers, and the body piece by piece or whole. */
function asResponse(answer: HttpAnswer, url: string, body: AsyncIterable<Uint8Array>): Response {
  const { status, headers } = answer
  const text = (): Promise<string> => textOf({ body })
  const read = {
    ok: true,
    status,
    statusText: '',
    url,
    headers,
    body,
    text,
    json: async () => JSON.parse(await text()),
  }
  return read as unknown as Response
}

/** Aborts when nothing was heard for a while. */
class SilenceWatch {
  readonly #controller = new AbortController()
  readonly #limitMs: number
  readonly #timer: NodeJS.Timeout

  constructor(limitMs: number, onSilence: () => OpenClawError) {
    this.#limitMs = Math.min(limitMs, 2 ** 31 - 1)
    this.#timer = setTimeout(() => this.#controller.abort(onSilence()), this.#limitMs)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  heard(): void {
    this.#timer.refresh()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

async function readStart({ body }: HttpAnswer, limit: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= limit) break
    }
  } catch {
    // The status says enough where the body breaks off.
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
