import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { HeaderList } from '../../../src/agent/providers/header-list.ts'
import { CutAnswer, send, textOf } from '../../../src/agent/providers/http.ts'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function ask(url: string, body: string | null = null, signal = new AbortController().signal) {
  return send(url, { method: body === null ? 'GET' : 'POST', headers: [['x-mine', 'yes']], body, signal })
}

test('a request has its method, headers and length, and the answer comes with its head', async () => {
  const url = await serve((request, response) => {
    const { 'x-mine': mine, 'content-length': length } = request.headers
    request.resume()
    response.writeHead(201, { 'Set-Cookie': ['a=1', 'b=2'] }).end(`${request.method} ${mine} ${length}`)
  })
  const answer = await ask(url, 'größer')
  expect([answer.status, answer.headers.get('SET-COOKIE')]).toEqual([201, 'a=1, b=2'])
  expect(await textOf(answer)).toBe('POST yes 8')
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
])('an answer that is compressed all the same (%s) is read', async (encoding, compress) => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(compress('words '.repeat(10_000)))
  })
  expect(await textOf(await ask(url))).toBe('words '.repeat(10_000))
})

test('what says that it is compressed and is not fails while it is read', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain words')
  })
  await expect(textOf(await ask(url))).rejects.toThrow('incorrect header check')
})

test.each([{}, { 'content-encoding': 'gzip' }])(
  'a connection that breaks is told as such',
  async (headers) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, headers)
      response.write(gzipSync('some').subarray(0, 6), () => response.destroy())
    })
    await expect(textOf(await ask(url))).rejects.toThrow(CutAnswer)
  },
)

test.each(['before its head', 'in its middle'])('an answer is given up %s', async (when) => {
  const controller = new AbortController()
  const url = await serve((_request, response) => {
    if (when === 'in its middle') response.write('some')
    else controller.abort(new Error('enough'))
  })
  const reading = ask(url, null, controller.signal).then((answer) => {
    const text = textOf(answer)
    controller.abort(new Error('enough'))
    return text
  })
  await expect(reading).rejects.toThrow('enough')
})

test('headers have names in any case and values that add up', () => {
  const list = new HeaderList({ Accept: ' a ' })
  list.append('accept', 'b')
  list.set('X-One', '1')
  expect([...list]).toEqual([
    ['accept', 'a, b'],
    ['x-one', '1'],
  ])
  list.delete('ACCEPT')
  expect([list.has('accept'), list.get('accept'), [...new HeaderList(list).keys()]]).toEqual([
    false,
    null,
    ['x-one'],
  ])
})
