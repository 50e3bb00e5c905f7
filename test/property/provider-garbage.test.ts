import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { AssistantMessage } from '../../src/agent/messages.ts'
import { faultOf } from '../../src/agent/providers/fault.ts'
import { apis, type Api } from '../../src/agent/providers/provider.ts'
import { replayable } from '../../src/agent/replay.ts'
import { writers, type SentEvent, type WireMessage } from '../../src/qa/mock-openai/answers.ts'
import type { Protocol } from '../../src/qa/mock-openai/conversation.ts'
import { modelOf, request, user } from '../unit/agent/ask.ts'
import { runs, seedOf } from './random.ts'

const protocols: Readonly<Record<Api, Protocol>> = {
  'openai-completions': 'openai-chat',
  'openai-responses': 'openai-responses',
  'anthropic-messages': 'anthropic-messages',
}

const message: WireMessage = {
  id: 'mock_1',
  model: 'm',
  text: 'some text for the user',
  calls: [
    { id: 'call_1', name: 'read', argsText: '{"path":"/a"}' },
    { id: 'call_2', name: 'read', argsText: '{"path":"/b"}' },
  ],
  usage: { input: 3, output: 4 },
}

const junk = fc.oneof(
  fc.constant(null),
  fc.constant(undefined),
  fc.constant({}),
  fc.constant([]),
  fc.boolean(),
  fc.integer(),
  fc.string(),
  fc.constant([null]),
  fc.constant({ type: 'unheard-of' }),
)

/** Puts junk at some places of a JSON value. */
function spoil(value: unknown, at: readonly number[], junks: readonly unknown[]): unknown {
  let place = 0
  const walk = (item: unknown): unknown => {
    const here = at.indexOf(place)
    place += 1
    if (here >= 0) return junks[here]
    if (Array.isArray(item)) return item.map(walk)
    if (typeof item !== 'object' || item === null) return item
    return Object.fromEntries(Object.entries(item).map(([key, member]) => [key, walk(member)]))
  }
  return walk(value)
}

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, member) => sum + count(member), 1)
}

function print({ event, data }: SentEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

/** A provider that answers whatever it is told to answer next. */
async function parrot() {
  let next = { type: '', body: '' }
  const server = createServer((incoming, outgoing) => {
    incoming.resume().once('end', () => {
      outgoing.writeHead(200, { 'content-type': next.type }).end(next.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    answer: (type: string, body: string) => {
      next = { type, body }
    },
  }
}

/** What is not as it must be in a message, whatever it came from; null where it can be written down and sent back. */
function oddity(said: AssistantMessage): string | null {
  const odd = said.content.find((part) => {
    if (part.type === 'text') return typeof part.text !== 'string'
    if (part.type === 'thinking') return typeof part.thinking !== 'string'
    const { id, name, arguments: args } = part
    const isObject = typeof args === 'object' && args !== null && !Array.isArray(args)
    return typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '' || !isObject
  })
  if (odd !== undefined) return JSON.stringify(odd)
  if (Object.values(said.usage).some((value) => Number.isNaN(value) || value === null)) return 'usage'
  if (said.responseId !== undefined && typeof said.responseId !== 'string') return 'responseId'
  replayable([user('x'), said])
  return null
}

const { signal } = new AbortController()
const seed = seedOf('provider-garbage')

test.each(apis.flatMap((api) => [true, false].map((stream) => ({ api, stream }))))(
  'whatever $api answers (stream $stream) is a message or a fault',
  async ({ api, stream }) => {
    const provider = await parrot()
    const model = await modelOf({ baseUrl: provider.baseUrl, api })
    const writer = writers[protocols[api]]
    const good: unknown = stream ? writer.events(message) : writer.whole(message)
    const size = count(good)
    const place = fc.nat({ max: size - 1 })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(place, { minLength: 1, maxLength: 4 }),
        fc.array(junk, { minLength: 4, maxLength: 4 }),
        async (at, junks) => {
          const bad = spoil(good, at, junks)
          if (stream) {
            const events = Array.isArray(bad) ? bad : []
            const sent = events.map((each: unknown) =>
              typeof each === 'object' && each !== null && 'data' in each
                ? print(each as SentEvent)
                : `data: ${JSON.stringify(each)}\n\n`,
            )
            provider.answer('text/event-stream', sent.join(''))
          } else provider.answer('application/json', JSON.stringify(bad) ?? '')
          const asked = user('x')
          const outcome = await model.ask(request(stream, asked), { signal }).then(
            (answer) => oddity(answer.message),
            (error: unknown) => (faultOf(error) === null ? String(error) : null),
          )
          expect(outcome).toBe(null)
        },
      ),
      { numRuns: runs(2000), seed },
    )
  },
)
