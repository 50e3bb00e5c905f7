import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A request as the site got it. */
export interface SiteRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** What it answers; 200 and text unless told. */
export interface SiteAnswer {
  readonly status?: number
  readonly type?: string
  readonly body: string | Uint8Array
}

/** A web site on this machine for the time of a scenario. */
export interface LocalSite {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** `127.0.0.1:PORT`, as settings name hosts. */
  readonly host: string
  readonly requests: readonly SiteRequest[]
  /** The first request that passes, of those that came and those that will. Throws the signal's reason. */
  request(passes: (request: SiteRequest) => boolean, signal: AbortSignal): Promise<SiteRequest>
  close(): Promise<void>
}

/** Starts a site; what `answer` gives no answer to is not found. */
export async function startLocalSite(
  answer: (request: SiteRequest) => SiteAnswer | null,
): Promise<LocalSite> {
  const requests: SiteRequest[] = []
  const lookers = new Set<() => void>()
  const server = createServer((request, response) => {
    void serve(request, response, (seen) => {
      requests.push(seen)
      for (const look of lookers) look()
      return answer(seen)
    })
  })
  server.listen(0, '127.0.0.1')
  await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  const address = server.address()
  const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    url: `http://${host}`,
    host,
    requests,
    request: async (passes, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<SiteRequest>()
      const look = (): void => {
        const found = requests.find(passes)
        if (found !== undefined) resolve(found)
      }
      const onAbort = (): void => reject(signal.reason)
      lookers.add(look)
      signal.addEventListener('abort', onAbort, { once: true })
      look()
      try {
        return await promise
      } finally {
        lookers.delete(look)
        signal.removeEventListener('abort', onAbort)
      }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: SiteRequest) => SiteAnswer | null,
): Promise<void> {
  const { method = 'GET', url: path = '/', headers } = request
  let body = ''
  request.setEncoding('latin1')
  try {
    for await (const chunk of request) body += String(chunk)
  } catch {
    // Whoever asked is gone.
    return
  }
  const {
    status = 200,
    type = 'text/plain; charset=utf-8',
    body: said,
  } = answer({
    method,
    path,
    headers,
    body,
  }) ?? { status: 404, body: 'not found' }
  response.writeHead(status, { 'content-type': type }).end(said)
}

/** A page with a title and a paragraph. */
export function page(title: string, text: string): SiteAnswer {
  const html = `<!doctype html><html><head><title>${title}</title></head><body><article><h1>${title}</h1><p>${text}</p></article></body></html>`
  return { type: 'text/html; charset=utf-8', body: html }
}

/** A value as JSON. */
export function json(value: unknown): SiteAnswer {
  return { type: 'application/json', body: JSON.stringify(value) }
}
