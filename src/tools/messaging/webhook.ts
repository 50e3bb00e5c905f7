import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord } from '../../config/path-value.ts'
import type { Config } from '../../config/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine, cleanText } from '../../kernel/untrusted-text.ts'
import type { Channel, ChannelMessage } from '../../plugins/authoring.ts'
import type { ReadSecret } from '../secret.ts'
import { accountOf } from './accounts.ts'

type Settings = NonNullable<NonNullable<Config['channels']>['webhook']>

export interface WebhookOptions {
  readonly settings: Settings
  /** Reads the key of signatures and values of headers. */
  readonly readSecret: ReadSecret | undefined
  readonly clock: () => number
  /** Milliseconds before the second attempt; twice as many before each further one. */
  readonly pauseMs?: number
}

const usualPauseMs = 500
const longestPauseMs = 30_000
const longestAnswer = 64 * 1024

interface Answer {
  readonly messageId?: string
  readonly reply: string | null
}

/**
 * The channel that posts messages as JSON to the address of the config, and to no other: redirects are not followed. With a secret each
 * attempt carries `x-openclaw-signature: sha256=HMAC(secret, timestamp + "." + body)`. Attempts that fail by the network, by 408, 429 or
 * 5xx are repeated with the same `x-openclaw-delivery`.
 */
export function webhookChannel({
  settings,
  readSecret,
  clock,
  pauseMs = usualPauseMs,
}: WebhookOptions): Channel {
  const post = async (message: ChannelMessage, signal: AbortSignal): Promise<Answer> => {
    const account = accountOf('webhook', settings, message.accountId)
    const { url, timeoutSeconds = 10, retries = 3 } = account
    const { address, login } = addressOf(url)
    const body = JSON.stringify({ channel: 'webhook', ...message, sentAt: new Date(clock()).toISOString() })
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': 'openclaw-webhook',
      'x-openclaw-delivery': message.id,
      ...login,
    }
    for (const [name, value] of Object.entries(account.headers ?? {})) {
      headers[name.toLowerCase()] = await secretOf(value, readSecret, `channels.webhook.headers.${name}`)
    }
    const key =
      account.secret === undefined
        ? null
        : await secretOf(account.secret, readSecret, 'channels.webhook.secret')
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await once(address, {
        body,
        headers: { ...headers, ...(key !== null && signature(key, clock(), body)) },
        signal,
        timeoutMs: timeoutSeconds * 1000,
      })
      if (outcome.answer !== undefined) return outcome.answer
      signal.throwIfAborted()
      if (!outcome.again || attempt >= retries) {
        const tries = attempt === 0 ? '' : ` after ${attempt + 1} attempts`
        throw new OpenClawError(
          'TOOL_FAILED',
          `the webhook ${address.origin} did not take the message${tries}: ${outcome.problem}`,
          {
            data: { deliveryId: message.id, attempts: attempt + 1, status: outcome.status },
          },
        )
      }
      const wanted = outcome.retryAfterMs ?? pauseMs * 2 ** attempt
      await sleep(Math.min(wanted, longestPauseMs), undefined, { signal })
    }
  }
  return {
    id: 'webhook',
    label: 'Webhook',
    send: async (message, { signal }) => {
      const { messageId } = await post(message, signal)
      return { messageId: messageId ?? message.id, to: message.to ?? 'default' }
    },
    turn: async (message, { signal }) => {
      const { reply, messageId } = await post(message, signal)
      if (reply === null) {
        throw new OpenClawError('TOOL_FAILED', 'the webhook took the message and answered nothing', {
          hints: ['a receiver answers with JSON: { "reply": "…" }'],
        })
      }
      return { messageId: messageId ?? message.id, to: message.to ?? 'default', reply }
    },
    list: async () => [
      ...(settings.url === undefined ? [] : [{ to: 'default' }]),
      ...Object.entries(settings.accounts ?? {}).flatMap(([accountId, { enabled }]) =>
        enabled === false ? [] : [{ to: 'default', accountId }],
      ),
    ],
  }
}

/** The address without a login that stands in it, which goes into a header: a request takes no such address, and says it aloud when it refuses it. */
function addressOf(url: string | undefined): {
  readonly address: URL
  readonly login: Record<string, string>
} {
  const address = url === undefined ? null : URL.parse(url)
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') {
    throw new OpenClawError('TOOL_UNAVAILABLE', 'the webhook has no address of http or https to post to', {
      hints: ['openclaw config set channels.webhook.url https://…'],
    })
  }
  const { username, password } = address
  if (username === '' && password === '') return { address, login: {} }
  const login = Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString('base64')
  address.username = ''
  address.password = ''
  return { address, login: { authorization: `Basic ${login}` } }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function secretOf(value: unknown, readSecret: ReadSecret | undefined, path: string): Promise<string> {
  if (readSecret === undefined && typeof value === 'string') return value
  const read = (await readSecret?.(value)) ?? { missing: 'this program cannot read it' }
  if ('value' in read) return read.value
  throw new OpenClawError('TOOL_UNAVAILABLE', `${path}: ${read.missing}`, {
    hints: [`openclaw config get ${path}`],
  })
}

function signature(key: string, now: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const digest = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')
  return { 'x-openclaw-timestamp': timestamp, 'x-openclaw-signature': `sha256=${digest}` }
}

interface Attempt {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

interface Outcome {
  readonly answer?: Answer
  readonly problem: string
  readonly status: number | null
  readonly again: boolean
  readonly retryAfterMs?: number
}

async function once(address: URL, { body, headers, signal, timeoutMs }: Attempt): Promise<Outcome> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, timeoutMs))])
  try {
    const response = await fetch(address, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: limit,
    })
    const { status, ok } = response
    const text = await bounded(response)
    if (ok) return { answer: answerOf(text), problem: '', status, again: false }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      problem:
        status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`,
      status,
      again: status === 408 || status === 429 || status >= 500,
      ...(seconds >= 0 && { retryAfterMs: seconds * 1000 }),
    }
  } catch (error) {
    signal.throwIfAborted()
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const problem = limit.aborted
      ? `no answer within ${timeoutMs} ms`
      : cause instanceof Error
        ? cause.message
        : ''
    return { problem: cleanLine(problem, 200), status: null, again: true }
  }
}

async function bounded({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    parts.push(part)
    size += part.length
    if (size > longestAnswer) break
  }
  return Buffer.concat(parts).subarray(0, longestAnswer).toString('utf8')
}

/** Name of the message and reply, as far as the receiver answers with JSON. */
function answerOf(text: string): Answer {
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value)) return { reply: null }
    const { messageId, reply } = value
    return {
      ...(typeof messageId === 'string' && { messageId: cleanLine(messageId, 200) }),
      reply: typeof reply === 'string' ? cleanText(reply, longestAnswer) : null,
    }
  } catch {
    return { reply: null }
  }
}
