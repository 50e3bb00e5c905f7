import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { boundFetch } from './bounded-fetch.ts'
import type { RemoteSettings, RemoteTransport } from './settings.ts'
import { tlsFetch } from './tls-fetch.ts'
import type { Wire } from './wire.ts'

/** A transport of the SDK for one address, with bounded responses; `wire` is asked for once the SDK uses it. */
export async function remoteTransport(
  settings: RemoteSettings,
  kind: RemoteTransport,
  wire: () => Wire | null,
): Promise<Transport> {
  const { url, headers, tls } = settings
  const base = tls !== null && url.protocol === 'https:' ? await tlsFetch(tls) : fetch
  const options = { requestInit: { headers: { ...headers } }, fetch: boundFetch(base, wire) }
  if (kind === 'sse') return new SSEClientTransport(url, options)
  return new StreamableHTTPClientTransport(url, options)
}
