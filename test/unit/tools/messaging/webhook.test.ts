import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { ChannelMessage } from '../../../../src/plugins/authoring.ts'
import { webhookChannel } from '../../../../src/tools/messaging/webhook.ts'
import { failure } from '../../../helpers/tool-family.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver of webhooks that answers as it is told, one after the other; 200 when nothing is left. */
async function receiver(...answers: ((response: ServerResponse) => void)[]) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      const answer = answers.shift()
      if (answer === undefined) response.end('{}')
      else answer(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return { url: `http://127.0.0.1:${address.port}/hook`, received }
}

const message: ChannelMessage = {
  id: 'd1',
  to: null,
  accountId: null,
  threadId: null,
  replyTo: null,
  text: 'Hello',
  agentId: 'main',
  sessionKey: 'agent:main:main',
}

const status =
  (code: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse): void => {
    response.writeHead(code, headers).end(body)
  }

type Settings = Parameters<typeof webhookChannel>[0]['settings']

const open = (settings: Settings) =>
  webhookChannel({
    settings,
    readSecret: async (value) =>
      value === '$GONE' ? { missing: 'GONE is not set' } : { value: String(value) },
    clock: () => 1_700_000_000_000,
    pauseMs: 1,
  })

const context = (signal = new AbortController().signal) => ({ config: {}, signal })

test('posts the message, signed, with the headers of the config', async () => {
  const { url, received } = await receiver(status(200, {}, '{"messageId":"m7"}'))
  const channel = open({ url, secret: 'key', headers: { Authorization: 'Bearer t' } })
  expect(await channel.send(message, context())).toEqual({ messageId: 'm7', to: 'default' })
  const [{ headers, body } = { headers: {}, body: '' }] = received
  expect(JSON.parse(body)).toMatchObject({
    id: 'd1',
    text: 'Hello',
    channel: 'webhook',
    sentAt: '2023-11-14T22:13:20.000Z',
  })
  const expected = createHmac('sha256', 'key').update(`1700000000.${body}`).digest('hex')
  expect(headers).toMatchObject({
    'x-openclaw-signature': `sha256=${expected}`,
    'x-openclaw-timestamp': '1700000000',
    'x-openclaw-delivery': 'd1',
    authorization: 'Bearer t',
  })
})

test('tries again after failures that pass, with the same delivery id', async () => {
  const { url, received } = await receiver(status(503), status(429, { 'retry-after': '0' }), (response) =>
    response.destroy(),
  )
  expect(await open({ url }).send(message, context())).toMatchObject({ messageId: 'd1' })
  expect(received.map(({ headers }) => headers['x-openclaw-delivery'])).toEqual(['d1', 'd1', 'd1', 'd1'])
})

test.each([
  ['a failure that lasts', [status(500), status(500)], 2, 'after 2 attempts: status 500'],
  ['a refusal', [status(400)], 1, 'status 400'],
  ['a redirect', [status(302, { location: 'http://127.0.0.1:1/' })], 1, 'redirects are not followed'],
] as const)('gives up at %s', async (_name, answers, attempts, words) => {
  const { url, received } = await receiver(...answers)
  const error = await failure(open({ url, retries: 1 }).send(message, context()))
  expect(error).toMatchObject({ code: 'TOOL_FAILED', data: { attempts, deliveryId: 'd1' } })
  expect(error.message).toContain(words)
  expect(received).toHaveLength(attempts)
})

test('waits no longer than it was told for one answer, and not at all once nobody waits', async () => {
  const { url } = await receiver(
    () => {},
    () => {},
  )
  const slow = await failure(open({ url, retries: 0, timeoutSeconds: 0.05 }).send(message, context()))
  expect(slow.message).toContain('no answer within 50 ms')
  const gone = new AbortController()
  const call = open({ url }).send(message, context(gone.signal))
  gone.abort(new Error('gone'))
  await expect(call).rejects.toThrow('gone')
})

test('brings back what the receiver answers', async () => {
  const { url } = await receiver(status(200, {}, '{"reply":"Hi yourself"}'), status(200, {}, 'ok'))
  expect(await open({ url }).turn?.(message, context())).toMatchObject({ reply: 'Hi yourself' })
  const silent = open({ url }).turn?.(message, context()) ?? Promise.resolve()
  expect((await failure(silent)).hints[0]).toContain('reply')
})

test('goes to the address of an account, and says when there is none or a secret is missing', async () => {
  const { url, received } = await receiver()
  const channel = open({
    accounts: { ops: { url }, bad: { url: 'ftp://x' }, locked: { url, secret: '$GONE' } },
  })
  await channel.send({ ...message, accountId: 'ops' }, context())
  expect(received).toHaveLength(1)
  const fail = (accountId: string | null) => failure(channel.send({ ...message, accountId }, context()))
  expect(await fail(null)).toMatchObject({ code: 'TOOL_UNAVAILABLE' })
  expect(await fail('bad')).toMatchObject({ code: 'TOOL_UNAVAILABLE' })
  expect((await fail('locked')).message).toContain('GONE is not set')
})

test('a login in the address goes into a header, and into no message', async () => {
  const { url, received } = await receiver(status(200), status(401))
  const channel = open({ url: url.replace('//', '//anna:p%40ss@'), retries: 0 })
  await channel.send(message, { config: {}, signal: new AbortController().signal })
  expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('anna:p@ss').toString('base64')}`)
  const refused = await failure(channel.send(message, { config: {}, signal: new AbortController().signal }))
  expect(refused.message).toContain('status 401')
  expect(JSON.stringify([refused.message, refused.hints, refused.data])).not.toMatch(/p@ss|p%40ss/)
})

test('what a receiver answers comes without what a terminal would obey', async () => {
  const answer = JSON.stringify({ messageId: 'm\u001b]0;x\u00071', reply: 'hi\u001b[31m there' })
  const { url } = await receiver(status(200, {}, answer))
  const sent = open({ url }).turn?.(message, { config: {}, signal: new AbortController().signal })
  expect(await sent).toEqual({ messageId: 'm1', to: 'default', reply: 'hi there' })
})
