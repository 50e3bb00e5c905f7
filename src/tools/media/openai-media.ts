import { setTimeout as wait } from 'node:timers/promises'
import { isRecord } from '../../config/path-value.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { MediaFile, MediaRequest } from './backend.ts'
import type { MediaEndpoint } from './models.ts'

/** Milliseconds that making one thing may take. */
const limitMs = 300_000
const pollMs = 2_000
const largestAnswer = 128 * 1024 * 1024

/**
 * Makes media over the endpoints that OpenAI has and many others copy: `/images/generations` and `/images/edits`, `/audio/speech`,
 * `/videos`. Errors: PROVIDER_FAILED with the provider's words, TOOL_UNAVAILABLE for music, which has no such endpoint.
 */
export async function generateOver(
  endpoint: MediaEndpoint,
  request: MediaRequest & { readonly model: string },
  signal: AbortSignal,
): Promise<readonly MediaFile[]> {
  const both = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const client = new Client(endpoint, both, signal)
  switch (request.kind) {
    case 'image':
      return images(client, request)
    case 'speech':
      return speech(client, request)
    case 'video':
      return video(client, request, both)
    case 'music':
      throw new OpenClawError(
        'TOOL_UNAVAILABLE',
        'no provider makes music over an OpenAI-compatible endpoint',
        {
          hints: ['a plugin can bring one: api.registerMedia'],
        },
      )
  }
}

async function images(
  client: Client,
  request: MediaRequest & { readonly model: string },
): Promise<MediaFile[]> {
  const { prompt, model, count = 1, inputs = [], options } = request
  const size = options?.['size']
  const fields = { model, prompt, n: count, ...(typeof size === 'string' && { size }) }
  const answer =
    inputs.length === 0
      ? await client.json('/images/generations', JSON.stringify(fields))
      : await client.json('/images/edits', form(fields, inputs))
  const data = Array.isArray(answer['data']) ? answer['data'] : []
  // Whoever asked for one does not want five hundred.
  const found = data.slice(0, count).flatMap((each: unknown) => {
    const text = isRecord(each) ? each['b64_json'] : undefined
    return typeof text === 'string' ? [{ data: Buffer.from(text, 'base64'), mimeType: 'image/png' }] : []
  })
  if (found.length === 0) throw client.failure('it answered without an image (b64_json)')
  return found
}

function form(fields: Readonly<Record<string, string | number>>, inputs: readonly MediaFile[]): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value))
  for (const { data, mimeType, name = 'image' } of inputs)
    body.append('image[]', new Blob([new Uint8Array(data)], { type: mimeType }), name)
  return body
}

async function speech(
  client: Client,
  request: MediaRequest & { readonly model: string },
): Promise<MediaFile[]> {
  const { prompt, model, options } = request
  const voice = options?.['voice']
  const fields = {
    model,
    input: prompt,
    voice: typeof voice === 'string' ? voice : 'alloy',
    response_format: 'mp3',
  }
  const data = await client.bytes('/audio/speech', JSON.stringify(fields))
  if (data.length === 0) throw client.failure('it answered without sound')
  return [{ data, mimeType: 'audio/mpeg' }]
}

async function video(
  client: Client,
  { prompt, model, options }: MediaRequest & { readonly model: string },
  signal: AbortSignal,
): Promise<MediaFile[]> {
  const { size, seconds } = options ?? {}
  const fields = {
    model,
    prompt,
    ...(typeof size === 'string' && { size }),
    ...(typeof seconds === 'number' && { seconds: String(seconds) }),
  }
  let job = await client.json('/videos', JSON.stringify(fields))
  const { id } = job
  if (typeof id !== 'string' || !/^[\w-]{1,200}$/.test(id)) throw client.failure('it answered without a job')
  while (job['status'] === 'queued' || job['status'] === 'in_progress') {
    await wait(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    job = await client.json(`/videos/${id}`)
  }
  if (job['status'] !== 'completed') {
    const { error } = job
    const words =
      isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'the job failed'
    throw client.failure(words)
  }
  return [{ data: await client.bytes(`/videos/${id}/content`), mimeType: 'video/mp4' }]
}

/** Speaks to one endpoint; a body makes it a POST. */
class Client {
  readonly #endpoint: MediaEndpoint
  readonly #signal: AbortSignal
  readonly #given: AbortSignal

  constructor(endpoint: MediaEndpoint, signal: AbortSignal, given: AbortSignal) {
    this.#endpoint = endpoint
    this.#signal = signal
    this.#given = given
  }

  async json(path: string, body?: string | FormData): Promise<Record<string, unknown>> {
    const bytes = await this.bytes(path, body)
    try {
      const value: unknown = JSON.parse(bytes.toString('utf8'))
      if (isRecord(value)) return value
    } catch {
      // Told below, like any other answer that is no object.
    }
    throw this.failure('it answered with something else than a JSON object')
  }

  async bytes(path: string, body?: string | FormData): Promise<Buffer> {
    const { baseUrl, headers } = this.#endpoint
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...headers, ...(typeof body === 'string' && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body }),
        signal: this.#signal,
        // A key is for the address it is configured for.
        redirect: 'error',
      })
      const bytes = await this.#read(response)
      if (response.ok) return bytes
      throw this.failure(`status ${response.status}${wordsOf(bytes)}${laterOf(response)}`, response.status)
    } catch (error) {
      if (error instanceof OpenClawError) throw error
      this.#given.throwIfAborted()
      if (this.#signal.aborted)
        throw new OpenClawError('TIMEOUT', `the provider took longer than ${limitMs / 1000} s`)
      const { cause } = error instanceof Error ? error : {}
      throw this.failure(`it cannot be reached (${cause instanceof Error ? cause.message : String(error)})`)
    }
  }

  failure(words: string, status: number | null = null): OpenClawError {
    let text = words
    for (const secret of this.#endpoint.secrets) text = text.replaceAll(secret, '***')
    const { host } = new URL(this.#endpoint.baseUrl)
    return new OpenClawError('PROVIDER_FAILED', `the provider at ${host}: ${cleanLine(text, 400)}`, {
      data: { status },
    })
  }

  async #read({ body }: Response): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of body ?? []) {
      size += chunk.length
      if (size > largestAnswer) throw this.failure('its answer is larger than 128 MiB')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}

/** When a provider that gets too many requests takes the next one. */
function laterOf({ status, headers }: Response): string {
  const after = headers.get('retry-after')?.trim() ?? ''
  if (status !== 429 || after === '') return ''
  return `; try again after ${after}${/^\d+$/.test(after) ? ' s' : ''}`
}

/** The words of an error as OpenAI writes it. */
function wordsOf(bytes: Buffer): string {
  try {
    const value: unknown = JSON.parse(bytes.subarray(0, 65_536).toString('utf8'))
    const error = isRecord(value) ? value['error'] : undefined
    const message = isRecord(error) ? error['message'] : error
    return typeof message === 'string' ? `: ${message}` : ''
  } catch {
    return ''
  }
}
