import { once } from 'node:events'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openGuardProxy, type GuardProxy } from '../../../../src/tools/browser/guard-proxy.ts'
import { AddressGuard, type Resolve } from '../../../../src/tools/web/guard.ts'
import { webServer } from '../../../helpers/web-server.ts'

async function proxyFor(hosts: readonly string[], resolve?: Resolve): Promise<GuardProxy> {
  const proxy = await openGuardProxy(
    new AddressGuard({ hosts, allowPrivate: false, hostsPath: null }, resolve),
  )
  onTestFinished(() => proxy.close())
  return proxy
}

/** Sends a path or a whole address to the proxy. */
async function get(proxy: GuardProxy, path: string) {
  const { hostname, port } = new URL(proxy.server)
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    body: string
    refused: boolean
  }>()
  const outgoing = request({ hostname, port, path, agent: false }, (response) => {
    let body = ''
    response.on('data', (chunk: Buffer) => (body += chunk.toString()))
    response.on('end', () => {
      const refused = response.headers['x-openclaw-refused'] === 'yes'
      resolve({ status: response.statusCode ?? 0, body, refused })
    })
  })
  outgoing.on('error', reject)
  outgoing.end()
  return promise
}

/** What comes back of a tunnel, with a request sent through it where it opens. */
async function tunnel(proxy: GuardProxy, target: string, said = ''): Promise<string> {
  const { hostname, port } = new URL(proxy.server)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
    if (text.endsWith('OK\r\n\r\n') && said !== '') socket.write(said)
  })
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`)
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.once('close', resolve)
  socket.on('error', () => {})
  await promise
  return text
}

/** A port where nobody listens: one that was just given back. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('the way of a browser to the web', () => {
  test('leads to what is open, and says so where it does not', async () => {
    const open = await webServer((request_, response) => {
      response.writeHead(200, { 'x-openclaw-refused': 'yes' }).end(`hello ${request_.url}`)
    })
    const closed = await webServer((_request, response) => response.end('secret'))
    const proxy = await proxyFor([open.host])
    expect(await get(proxy, `${open.origin}/a?b`)).toEqual({
      status: 200,
      body: 'hello /a?b',
      refused: false,
    })
    expect(await get(proxy, `${closed.origin}/`)).toMatchObject({ status: 403, refused: true })
    expect(await get(proxy, 'http://169.254.169.254/')).toMatchObject({ status: 403, refused: true })
    expect(await get(proxy, '/a')).toMatchObject({ status: 400, body: '' })
    expect(await get(proxy, 'ftp://a.example/')).toMatchObject({ status: 400 })
    expect(proxy.refusals().map(({ code }) => code)).toEqual(['TOOL_DENIED', 'TOOL_DENIED'])
    expect(proxy.refusals()).toEqual([])
    expect(closed.requests).toEqual([])
  })

  test('tunnels to what is open only', async () => {
    const open = await webServer((_request, response) => response.end('through'))
    const closed = await webServer((_request, response) => response.end('secret'))
    const proxy = await proxyFor([open.host])
    const said = 'GET /x HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
    expect(await tunnel(proxy, open.host, said)).toMatch(
      /^HTTP\/1\.1 200 OK\r\n\r\nHTTP\/1\.1 200 OK[\s\S]*through$/,
    )
    for (const target of [
      closed.host,
      'localhost:443',
      '169.254.169.254:80',
      '[::1]:443',
      'a.example:25',
      'x:y',
      'a.example',
    ]) {
      expect(await tunnel(proxy, target, said)).toMatch(/^HTTP\/1\.1 (?:403|502|400) /)
    }
    expect(closed.requests).toEqual([])
  })

  test('looks a name up once for each connection, and connects to what it has judged', async () => {
    const server = await webServer((request_, response) => response.end(`for ${request_.headers.host}`))
    const answers = ['127.0.0.1']
    const resolve: Resolve = async () => [{ address: answers.shift() ?? '10.0.0.1', family: 4 }]
    const proxy = await proxyFor(['rebind.example'], resolve)
    const address = `http://rebind.example:${server.port}/`
    expect(await get(proxy, address)).toMatchObject({ body: `for rebind.example:${server.port}` })
    const strange = await proxyFor([], async () => [{ address: '127.0.0.1', family: 4 }])
    expect(await get(strange, address)).toMatchObject({ status: 403 })
    expect(server.requests).toHaveLength(1)
  })

  test('passes no status on that is none, and does not end for one', async () => {
    const answers = [
      'HTTP/1.1 000 Zero\r\ncontent-length: 0\r\n\r\n',
      'HTTP/1.1 099 Low\r\ncontent-length: 0\r\n\r\n',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ]
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write(answers.shift() ?? 'HTTP/1.1 200 OK\r\n\r\n'))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const proxy = await proxyFor([`127.0.0.1:${port}`])
    while (answers.length > 0) {
      expect(await get(proxy, `http://127.0.0.1:${port}/`)).toMatchObject({ status: 502, refused: false })
    }
  })

  test('says that a host is not reached', async () => {
    const proxy = await proxyFor(['127.0.0.1'])
    const port = await freePort()
    expect((await get(proxy, `http://127.0.0.1:${port}/`)).status).toBe(502)
    expect(await tunnel(proxy, `127.0.0.1:${port}`)).toContain('502')
    expect(proxy.refusals()).toEqual([])
  })
})
