import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** A web server of this machine that ends with the test. */
export interface WebServer {
  /** Its address, without a path. */
  readonly origin: string
  /** As `allowedHostnames` and `SearXNG` settings name it. */
  readonly host: string
  readonly port: number
  /** Every request, as `METHOD path`. */
  readonly requests: string[]
  /** Connections that are open now. */
  readonly open: () => number
}

/** Starts a server of the given answers. */
export async function webServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<WebServer> {
  const requests: string[] = []
  let connections = 0
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.on('error', () => {})
    answer(request, response)
  })
  server.on('connection', (socket) => {
    connections += 1
    socket.on('error', () => {})
    socket.once('close', () => (connections -= 1))
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const host = `127.0.0.1:${address.port}`
  return { origin: `http://${host}`, host, port: address.port, requests, open: () => connections }
}

/** Answers by path; 404 for every other. */
export function pages(
  table: Readonly<Record<string, string | { readonly type: string; readonly body: string | Buffer }>>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const page = table[new URL(request.url ?? '/', 'http://x').pathname]
    if (page === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here')
      return
    }
    const { type, body } = typeof page === 'string' ? { type: 'text/html; charset=utf-8', body: page } : page
    response.writeHead(200, { 'content-type': type }).end(body)
  }
}
