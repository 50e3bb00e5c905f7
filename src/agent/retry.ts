import { setTimeout as delay } from 'node:timers/promises'
import { faultOf, isPassing, type ProviderFault } from './providers/fault.ts'

/** How often and after how long a provider is asked again. */
export interface RetryPolicy {
  /** Attempts altogether. */
  readonly attempts: number
  /** Milliseconds before the second attempt; doubled each time, with up to a quarter more by chance. */
  readonly baseMs: number
  readonly longestMs: number
  /** A provider that wants to be left alone for longer is given up. */
  readonly longestRetryAfterMs: number
}

export const usualRetries: RetryPolicy = {
  attempts: 4,
  baseMs: 500,
  longestMs: 20_000,
  longestRetryAfterMs: 60_000,
}

/** Milliseconds to wait after a failed attempt, or null where asking again makes no sense. `chance` is from 0 to 1. */
export function waitAfter(
  fault: ProviderFault,
  attempt: number,
  policy: RetryPolicy,
  chance: number,
): number | null {
  if (!isPassing(fault) || attempt >= policy.attempts) return null
  if (fault.retryAfterMs !== null) {
    return fault.retryAfterMs <= policy.longestRetryAfterMs ? fault.retryAfterMs : null
  }
  const step = Math.min(policy.longestMs, policy.baseMs * 2 ** (attempt - 1))
  return Math.round(step * (1 + chance / 4))
}

/** Makes attempts until one succeeds or fails for good; waiting ends with the signal, whose reason is then thrown. */
export async function withRetries<Value>(
  attempt: () => Promise<Value>,
  options: {
    readonly policy: RetryPolicy
    readonly signal: AbortSignal
    readonly onRetry: (retry: {
      readonly attempt: number
      readonly waitMs: number
      readonly fault: ProviderFault
    }) => void
  },
): Promise<Value> {
  const { policy, signal, onRetry } = options
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      const fault = faultOf(error)
      const waitMs = fault === null ? null : waitAfter(fault, count, policy, Math.random())
      if (fault === null || waitMs === null) throw error
      onRetry({ attempt: count, waitMs, fault })
      await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}
