import { createServer, request as plainRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { OpenClawError } from '../../kernel/errors.ts'
import { hostOf, type AddressGuard } from '../web/guard.ts'

/** A way to the web that leads only where a guard allows. */
export interface GuardProxy {
  /** What `--proxy-server` takes. */
  readonly server: string
  /** The refusals since the last time somebody asked, oldest first; at most 20. */
  readonly refusals: () => readonly OpenClawError[]
  readonly close: () => Promise<void>
}

const mostRefusals = 20
const mostSockets = 512
/** Milliseconds without a byte after which a connection is given up. */
const idleMs = 120_000
/** Header of an answer of the proxy itself. */
export const refusedHeader = 'x-openclaw-refused'

/**
 * A proxy on this machine for one browser. Browsers find the addresses of names themselves, follow redirects and open sockets of which no driver
 * hears; all of it has to come through here, where names are looked up once and just what was judged is connected to.
 */
export async function openGuardProxy(guard: AddressGuard): Promise<GuardProxy> {
  const refusals: OpenClawError[] = []
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.setTimeout(idleMs, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
  }
  const refuse = (error: unknown): { status: number; text: string } => {
    if (!(error instanceof OpenClawError)) return { status: 502, text: 'The host cannot be reached.' }
    const isDenied = error.code === 'TOOL_DENIED' || error.code === 'INPUT_INVALID'
    if (isDenied) {
      if (refusals.length >= mostRefusals) refusals.shift()
      refusals.push(error)
    }
    return { status: isDenied ? 403 : 502, text: error.message }
  }

  const forward = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.on('error', () => {})
    // Only a proxy is asked for whole addresses; pages that find this port get nothing.
    const asked = incoming.url ?? ''
    if (!/^http:\/\//i.test(asked)) {
      response.writeHead(400, { connection: 'close' }).end()
      return
    }
    try {
      const url = guard.check(asked)
      const [address] = await guard.addresses(url)
      const lookup: LookupFunction = (_host, options, done) => {
        if (address === undefined) done(new Error('no address'), '', 4)
        else if (options.all === true) done(null, [address])
        else done(null, address.address, address.family)
      }
      const { 'proxy-connection': _own, 'proxy-authorization': _key, ...headers } = incoming.headers
      const outgoing = plainRequest({
        hostname: hostOf(url),
        port: url.port === '' ? 80 : Number(url.port),
        path: `${url.pathname}${url.search}`,
        method: incoming.method,
        headers: { ...headers, host: url.host, connection: 'close' },
        agent: false,
        lookup,
        timeout: idleMs,
      })
      outgoing.on('socket', keep)
      outgoing.once('timeout', () => outgoing.destroy())
      outgoing.once('upgrade', (_answer, socket) => {
        socket.destroy()
        response.writeHead(502).end()
      })
      outgoing.once('response', (answer) => {
        answer.on('error', () => response.destroy())
        const { statusCode = 0 } = answer
        // A status that is none could not be passed on, and the attempt would end the program.
        if (statusCode < 200 || statusCode > 999) {
          outgoing.destroy()
          response.writeHead(502).end()
          return
        }
        const {
          connection: _connection,
          'keep-alive': _alive,
          [refusedHeader]: _fake,
          ...rest
        } = answer.headers
        response.writeHead(statusCode, rest)
        answer.pipe(response)
      })
      outgoing.on('error', () => {
        if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' })
        response.end()
      })
      response.once('close', () => outgoing.destroy())
      incoming.pipe(outgoing)
    } catch (error) {
      const { status, text } = refuse(error)
      response
        .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', [refusedHeader]: 'yes' })
        .end(text)
    }
  }

  const tunnel = async (incoming: IncomingMessage, client: Socket, head: Buffer): Promise<void> => {
    keep(client)
    try {
      const target = incoming.url ?? ''
      const url = guard.check(`https://${target}/`)
      if (!/:\d+$/.test(target)) throw new OpenClawError('INPUT_INVALID', 'a tunnel needs a port')
      const [address] = await guard.addresses(url)
      if (address === undefined || client.destroyed) throw new Error('nobody waits for it')
      const remote = connect({ host: address.address, port: url.port === '' ? 443 : Number(url.port) })
      keep(remote)
      remote.once('connect', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        remote.write(head)
        remote.pipe(client)
        client.pipe(remote)
      })
      remote.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
      remote.once('close', () => client.destroy())
      client.once('close', () => remote.destroy())
    } catch (error) {
      const { status } = refuse(error)
      client.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
    }
  }

  const server = createServer(
    { maxHeaderSize: 64 * 1024 },
    (incoming, response) => void forward(incoming, response),
  )
  server.on('connection', (socket) => {
    if (sockets.size >= mostSockets) socket.destroy()
    else keep(socket)
  })
  server.on('connect', (incoming, socket, head) => void tunnel(incoming, socket as Socket, head))
  server.on('clientError', (_error, socket) => socket.destroy())
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new OpenClawError('INTERNAL', 'the proxy has no port')
  // It serves a browser; nothing waits for it alone.
  server.unref()
  return {
    server: `http://127.0.0.1:${address.port}`,
    refusals: () => refusals.splice(0),
    close: async () => {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await closed.promise
    },
  }
}
