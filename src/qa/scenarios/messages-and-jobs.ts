import { createHmac } from 'node:crypto'
import { isRecord } from '../../config/path-value.ts'
import { Bench, type CallResult } from '../bench.ts'
import { json, type SiteRequest } from '../local-site.ts'
import { defineScenario, type Check } from '../scenario.ts'

/** A message as the receiver got it. */
interface Received {
  readonly text: string
  /** Whether its signature is that of the shared secret. */
  readonly signed: boolean
}

/** What was sent, at once and by a job. */
export interface MessageEvidence {
  readonly done: readonly CallResult[]
  readonly received: readonly Received[]
  /** What the job's own turn was asked. */
  readonly jobRequests: number
}

const sessionKey = 'agent:main:qa-messages'
const atOnce = 'The tide is in.'
const later = 'The ferry leaves.'

/** Asserted about that. */
export const messageChecks: readonly Check<MessageEvidence>[] = [
  {
    id: 'message-arrives',
    title: 'A message of a model arrives at the webhook',
    judge: ({ received, done }) =>
      received.some(({ text }) => text === atOnce) ? null : `message gave ${done[0]?.text}`,
  },
  {
    id: 'messages-are-signed',
    title: 'Every message carries the signature of the shared secret',
    judge: ({ received }) => {
      const unsigned = received.filter(({ signed }) => !signed)
      return received.length > 0 && unsigned.length === 0 ? null : `${unsigned.length} are not`
    },
  },
  {
    id: 'job-runs',
    title: 'A job that the model has made runs a turn of its own when its time comes',
    judge: ({ jobRequests, done }) => (jobRequests > 0 ? null : `cron gave ${done[1]?.text}`),
  },
  {
    id: 'job-is-delivered',
    title: 'What that turn says is delivered over the channel',
    judge: ({ received }) =>
      received.some(({ text }) => text.includes(later))
        ? null
        : `it received ${received.map(({ text }) => text).join('; ')}`,
  },
]

/** A model sends a message, and has another one sent later. */
export const messagesAndJobs = defineScenario<MessageEvidence>({
  id: 'messages-and-jobs',
  title: 'Messages go out over a webhook, at once and when a job says so',
  limitMs: 60_000,
  async drive(lab) {
    const secret = lab.secret()
    const site = await lab.site(({ method }) => (method === 'POST' ? json({ ok: true }) : null))
    const bench = await lab.step('the Gateway starts with a webhook', () =>
      Bench.open(lab, {
        name: 'messages',
        tools: 1,
        config: {
          tools: { profile: 'minimal', alsoAllow: ['message', 'cron'] },
          channels: { webhook: { url: `${site.url}/in`, secret } },
        },
      }),
    )
    const job = {
      name: 'ferry',
      schedule: { kind: 'every', every: '1s' },
      payload: { kind: 'agentTurn', message: `say ${later}` },
      delivery: { mode: 'announce', channel: 'webhook', to: 'quay' },
    }
    const lines = [
      `then message ${JSON.stringify({ channel: 'webhook', target: 'quay', message: atOnce })}`,
      `then cron ${JSON.stringify({ action: 'add', job })}`,
    ]
    await lab.step('a turn sends a message and makes a job', () => bench.turn(sessionKey, lines.join('\n')))
    const done = await bench.results(sessionKey)
    const waited = AbortSignal.any([lab.signal, AbortSignal.timeout(20_000)])
    await lab.step('the job is waited for', () =>
      site.request(({ body }) => body.includes(later), waited).catch(() => lab.signal.throwIfAborted()),
    )
    const jobRequests = bench.mock.requests.filter(
      ({ prompt }) => prompt.includes(`say ${later}`) && !prompt.includes('cron'),
    ).length
    await lab.step('the Gateway ends', () => bench.stop())
    return { done, received: site.requests.map((request) => readMessage(request, secret)), jobRequests }
  },
  checks: messageChecks,
})

function readMessage({ body, headers }: SiteRequest, secret: string): Received {
  const raw = Buffer.from(body, 'latin1')
  const timestamp = String(headers['x-openclaw-timestamp'])
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest('hex')
  const value: unknown = JSON.parse(raw.toString('utf8'))
  const text = isRecord(value) ? (value['text'] ?? value['message']) : ''
  return { text: String(text), signed: headers['x-openclaw-signature'] === `sha256=${expected}` }
}
