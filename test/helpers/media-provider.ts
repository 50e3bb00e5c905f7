import { createServer, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'

/** A png of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
)

/** A request as a provider got it. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string
  readonly body: string
}

/** A provider of media on this machine, with the endpoints that OpenAI has; it answers every question about an image with what it was asked. */
export interface MediaProvider {
  readonly baseUrl: string
  readonly seen: readonly SeenRequest[]
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('latin1')
}

/** Starts one for the time of a test; a prompt with the word "fail" is refused with an error that repeats the key. */
export async function startMediaProvider(): Promise<MediaProvider> {
  const seen: SeenRequest[] = []
  let polls = 0
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const { method = '', url: path = '', headers } = request
    seen.push({ method, path, authorization: headers.authorization ?? '', body })
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (body.includes('fail'))
      return json(400, { error: { message: `no such thing for ${headers.authorization}` } })
    switch (path) {
      case '/v1/images/generations':
      case '/v1/images/edits':
        return json(200, { data: [{ b64_json: pixel.toString('base64') }] })
      case '/v1/audio/speech':
        response.writeHead(200, { 'content-type': 'audio/mpeg' })
        return void response.end(Buffer.from([0xff, 0xfb, 0x90, 0x64, 0, 0, 0, 0]))
      case '/v1/videos':
        return json(200, { id: 'v1', status: 'queued' })
      case '/v1/videos/v1':
        polls += 1
        return json(200, { id: 'v1', status: polls > 1 ? 'completed' : 'in_progress' })
      case '/v1/videos/v1/content':
        return void response.end('a film')
      case '/v1/chat/completions': {
        const text =
          /"role":"user","content":(?:\[\{"type":"text","text":)?"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] ?? ''
        const message = { role: 'assistant', content: `asked: ${text.slice(0, 60)}` }
        return json(200, { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: {} })
      }
      default:
        return json(404, { error: { message: 'no such path' } })
    }
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { baseUrl: `http://127.0.0.1:${port}/v1`, seen }
}
