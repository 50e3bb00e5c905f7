import { request as plainRequest, Agent, type IncomingMessage } from 'node:http'
import { request as secureRequest, Agent as SecureAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { hostOf, type Address } from './guard.ts'

/** An answer whose headers are there. */
export type Answer = IncomingMessage

/** One request to addresses that a guard has let through. */
export interface WireRequest {
  readonly url: URL
  /** The only addresses that are connected to, whatever the name says by then; empty where a proxy is asked. */
  readonly addresses: readonly Address[]
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
  /** URL of the proxy to go through; null for the direct way. */
  readonly proxy: string | null
}

/** Bytes of the headers of an answer. */
const largestHeaders = 32 * 1024

/** Sends a request over a connection of its own and gives the answer when its headers are there; rejects with the error of the connection or the signal's reason. */
export function send(wire: WireRequest): Promise<Answer> {
  const { url, addresses, method, headers, body, signal, proxy } = wire
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const isSecure = url.protocol === 'https:'
  const pinned: LookupFunction = (_host, options, done) => {
    const [first] = addresses
    if (first === undefined) done(new Error('no address was given'), '', 4)
    else if (options.all === true) done(null, [...addresses])
    else done(null, first.address, first.family)
  }
  const agent =
    proxy === null
      ? false
      : isSecure
        ? new SecureAgent({ proxyEnv: { HTTPS_PROXY: proxy }, keepAlive: false })
        : new Agent({ proxyEnv: { HTTP_PROXY: proxy }, keepAlive: false })
  const outgoing = (isSecure ? secureRequest : plainRequest)({
    protocol: url.protocol,
    hostname: hostOf(url),
    port: url.port === '' ? null : Number(url.port),
    path: `${url.pathname}${url.search}`,
    method,
    headers: { ...headers, connection: 'close' },
    agent,
    maxHeaderSize: largestHeaders,
    signal,
    ...(proxy === null && { lookup: pinned }),
  })
  outgoing.once('response', resolve)
  // Without a listener an error after the answer would end the program.
  outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : error))
  outgoing.once('upgrade', (_response, socket) => {
    socket.destroy()
    reject(new Error('it wants to speak another protocol'))
  })
  outgoing.end(body)
  return promise
}
