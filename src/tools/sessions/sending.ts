import { OpenClawError } from '../../kernel/errors.ts'
import type { SystemEvents } from '../system-events.ts'
import { quoted } from './child.ts'
import type { RunTurn, Turn, TurnEnd } from './turns.ts'
import type { Waits } from './waits.ts'

/** A message of one session to another. */
export interface Sending extends Turn {
  /** Key of the session that sends it. */
  readonly from: string
  /** The run in which it sends it. */
  readonly fromRun: string
  /** Milliseconds to wait for the answer; 0 does not wait. */
  readonly limitMs: number
}

export type SendEnd =
  | { readonly status: 'accepted' | 'timeout' }
  | { readonly status: 'ok'; readonly end: TurnEnd }
  | { readonly status: 'error'; readonly message: string }

interface SendParts {
  readonly runTurn: RunTurn
  readonly events: SystemEvents
  readonly waits: Waits
  readonly signal: AbortSignal
  /** Told when somebody has begun to wait. */
  readonly changed: () => void
  /** Lets the program know of work that goes on. */
  readonly keep: (work: Promise<void>) => void
}

/** Runs a turn of another session; what is not waited for any longer goes on, and its answer waits for the sender. */
export async function sendTurn(sending: Sending, parts: SendParts): Promise<SendEnd> {
  const { from, fromRun: _run, limitMs, signal, ...turn } = sending
  const { sessionKey } = turn
  const { waits, runTurn, events, keep, changed } = parts
  if (from.toLowerCase() === sessionKey.toLowerCase()) {
    throw new OpenClawError('INPUT_INVALID', 'a session cannot send to itself', {
      hints: ['say it in your answer'],
    })
  }
  if (limitMs > 0 && waits.reaches(sessionKey, from)) {
    throw new OpenClawError(
      'INPUT_INVALID',
      `${sessionKey} waits for you, so it cannot answer before you end`,
      {
        hints: ['say it in your answer', 'timeoutSeconds: 0 sends without waiting'],
      },
    )
  }
  const own = new AbortController()
  const running = runTurn({ ...turn, signal: AbortSignal.any([own.signal, parts.signal]) }).then(
    (end): SendEnd => ({ status: 'ok', end }),
    (error: unknown): SendEnd => ({
      status: 'error',
      message: error instanceof Error ? error.message : String(error),
    }),
  )
  let isWaiting = limitMs > 0
  const follow = async (): Promise<void> => {
    const end = await running
    if (!isWaiting && limitMs > 0 && !own.signal.aborted) events.push(from, answerOf(sessionKey, end))
  }
  keep(follow())
  if (limitMs === 0) return { status: 'accepted' }
  const stop = waits.begin(from, sessionKey)
  changed()
  const { promise: over, resolve, reject } = Promise.withResolvers<SendEnd>()
  const timer = setTimeout(() => resolve({ status: 'timeout' }), limitMs)
  const onAbort = (): void => {
    own.abort(signal.reason)
    reject(signal.reason)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([running, over])
  } finally {
    isWaiting = false
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    stop()
  }
}

function answerOf(sessionKey: string, end: SendEnd): string {
  if (end.status === 'ok') return `${sessionKey} has answered your message:\n${quoted(end.end.text)}`
  return `${sessionKey} did not answer your message${end.status === 'error' ? `: ${end.message}` : '.'}`
}
