import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { Readable } from 'node:stream'
import type { FetchLike } from '@modelcontextprotocol/client'
import { showName } from '../kernel/untrusted-text.ts'
import { faultError } from './fault.ts'
import type { TlsSettings } from './settings.ts'

async function readPem(file: string | null, what: string): Promise<string | undefined> {
  if (file === null) return undefined
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw faultError('config', `its ${what} ${showName(file, 160)} cannot be read`)
  }
}

/** A fetch over https with a client certificate, or without checking the server's; Node's own has no setting for one address. */
export async function tlsFetch({ verify, certFile, keyFile }: TlsSettings): Promise<FetchLike> {
  const cert = await readPem(certFile, 'clientCert')
  const key = await readPem(keyFile, 'clientKey')
  const tls = { rejectUnauthorized: verify, ...(cert && { cert }), ...(key && { key }) }
  return (url, init = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const headers = Object.fromEntries(new Headers(init.headers))
    const { signal } = init
    const outgoing = request(url, {
      ...tls,
      method: init.method ?? 'GET',
      headers,
      ...(signal && { signal }),
    })
    outgoing.once('error', reject)
    outgoing.once('response', (incoming) => {
      const received = new Headers()
      for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
        received.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '')
      }
      const status = incoming.statusCode ?? 502
      const hasBody = status !== 204 && status !== 205 && status !== 304
      if (!hasBody) incoming.resume()
      const body = hasBody ? toWeb(incoming) : null
      resolve(new Response(body, { status, statusText: incoming.statusMessage ?? '', headers: received }))
    })
    outgoing.end(typeof init.body === 'string' ? init.body : undefined)
    return promise
  }
}

function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  const iterator = stream[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => {
      stream.destroy()
    },
  })
}
