import { expect, test } from 'vitest'
import { generateOver } from '../../../../src/tools/media/openai-media.ts'
import { pixel } from '../../../helpers/media-provider.ts'
import { failure } from '../../../helpers/tool-family.ts'
import { webServer } from '../../../helpers/web-server.ts'

const { signal } = new AbortController()
const key = 'sk-1234567890'

const endpoint = (baseUrl: string) => ({
  baseUrl,
  headers: { authorization: `Bearer ${key}` },
  secrets: [key],
})

test('gives as many images as were asked for, however many come', async () => {
  const server = await webServer((_request, response) => {
    response.end(
      JSON.stringify({ data: Array.from({ length: 500 }, () => ({ b64_json: pixel.toString('base64') })) }),
    )
  })
  const one = { kind: 'image', prompt: 'a dot', model: 'm' } as const
  expect(await generateOver(endpoint(server.origin), one, signal)).toHaveLength(1)
  expect(await generateOver(endpoint(server.origin), { ...one, count: 3 }, signal)).toHaveLength(3)
})

test.each([
  ['7', 'status 429: slow down; try again after 7 s'],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 'status 429: slow down; try again after Wed, 21 Oct 2026 07:28:00 GMT'],
])('tells when a provider with too many requests takes more: %s', async (after, words) => {
  const server = await webServer((_request, response) => {
    response.writeHead(429, { 'retry-after': after }).end('{"error":{"message":"slow down"}}')
  })
  const request = { kind: 'speech', prompt: 'hello', model: 'm' } as const
  const error = await failure(generateOver(endpoint(server.origin), request, signal))
  expect(error.message.endsWith(words)).toBe(true)
})

test('a key that is repeated is not shown, wherever the text is cut', async () => {
  for (const before of [370, 380, 384, 388, 392]) {
    const server = await webServer((_request, response) => {
      response.writeHead(400).end(JSON.stringify({ error: { message: `${'x'.repeat(before)}${key}` } }))
    })
    const request = { kind: 'image', prompt: 'a dot', model: 'm' } as const
    const { message } = await failure(generateOver(endpoint(server.origin), request, signal))
    expect(message).not.toContain('sk-1')
  }
})
