import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestTls } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { HeaderList } from './header-list.ts'

/** One request; redirections are not followed. */
export interface HttpRequest {
  readonly method: string
  readonly headers: Iterable<readonly [string, string]>
  readonly body: string | null
  readonly signal: AbortSignal
}

/** The head of an answer, with its body as it comes in. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: HeaderList
  readonly body: AsyncIterable<Uint8Array>
  /** Lets go of a body that nobody reads. */
  readonly drop: () => void
}

/** A connection that ended in the middle of an answer. */
export class CutAnswer extends Error {}

/**
 * Sends a request over HTTP or HTTPS and waits for the head of the answer. Node's `fetch` does the same and more, for a tenth of a second
 * of CPU before its first byte. Throws what the system throws, and the reason of the signal.
 */
export function send(url: string, { method, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>()
  const fail = (error: Error): void => reject(signal.aborted ? signal.reason : error)
  try {
    signal.throwIfAborted()
    const target = new URL(url)
    const request = target.protocol === 'https:' ? requestTls : requestPlain
    const sent = request(target, { method, signal, headers: Object.fromEntries(headers) })
    sent.once('error', fail)
    sent.once('response', (response) => resolve(answerOf(response, signal)))
    // With its length, since some servers take no body in chunks.
    if (body === null) sent.end()
    else {
      sent.setHeader('content-length', Buffer.byteLength(body))
      sent.end(body)
    }
  } catch (error) {
    reject(error)
  }
  return promise
}

/** The whole body of an answer, for answers that are known to be small. */
export async function textOf({ body }: Pick<HttpAnswer, 'body'>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function answerOf(response: IncomingMessage, signal: AbortSignal): HttpAnswer {
  // One that breaks before somebody reads it must not end the process; who reads it is told all the same.
  response.on('error', () => {})
  const headers = new HeaderList()
  for (let at = 0; at + 1 < response.rawHeaders.length; at += 2) {
    headers.append(response.rawHeaders[at] ?? '', response.rawHeaders[at + 1] ?? '')
  }
  return {
    status: response.statusCode ?? 0,
    headers,
    body: read(response, decoded(response, headers.get('content-encoding')), signal),
    drop: () => void response.destroy(),
  }
}

/** Nobody asks for compressed answers, but some servers send nothing else. */
function decoded(response: IncomingMessage, encoding: string | null): Readable {
  const decoder = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }
  const name = encoding?.trim().toLowerCase() ?? ''
  if (!isKey(name, decoder)) return response
  const stream = decoder[name]()
  response.once('error', (error) => stream.destroy(error))
  return response.pipe(stream)
}

function isKey<Of extends object>(name: string, of: Of): name is Extract<keyof Of, string> {
  return Object.hasOwn(of, name)
}

async function* read(
  response: IncomingMessage,
  body: Readable,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of body) yield chunk
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (!response.complete) throw new CutAnswer('the connection broke', { cause: error })
    throw error
  } finally {
    // What is not read to its end would keep its connection busy.
    if (!response.complete) response.destroy()
  }
}
