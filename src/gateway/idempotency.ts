import { OpenClawError } from '../kernel/errors.ts'

/** Milliseconds for which a result is kept. */
export const keptMs = 10 * 60_000
const mostKeys = 10_000
const mostBytes = 64 * 1024 * 1024

interface Kept<Result> {
  readonly args: string
  readonly outcome: Promise<Result>
  /** Milliseconds since 1970; null while it runs. */
  until: number | null
  bytes: number
}

/** What decides whether an outcome is kept, and how large it is. */
export interface Kind<Result> {
  isSuccess(result: Result): boolean
  bytes(result: Result): number
}

/**
 * Runs work once for a key: a repetition gets the first successful result for ten minutes, one that comes meanwhile waits for it. Results are
 * never given up before their time, since somebody relies on them; when too many are kept, further keys are refused.
 */
export class Idempotency<Result> {
  readonly #kind: Kind<Result>
  readonly #clock: () => number
  readonly #kept = new Map<string, Kept<Result>>()
  #bytes = 0

  constructor(kind: Kind<Result>, clock: () => number) {
    this.#kind = kind
    this.#clock = clock
  }

  /** Does the work or answers from what it did. `args` tells one call from another: INPUT_INVALID for another one under the same key, TOOL_UNAVAILABLE when too many keys are kept. */
  async run(scope: string, args: string, work: () => Promise<Result>): Promise<Result> {
    this.#prune()
    const known = this.#kept.get(scope)
    if (known !== undefined) {
      if (known.args !== args) {
        throw new OpenClawError('INPUT_INVALID', 'this idempotencyKey was used with other arguments', {
          hints: ['use a new key for another call'],
        })
      }
      return known.outcome
    }
    if (this.#kept.size >= mostKeys || this.#bytes >= mostBytes) {
      throw new OpenClawError('TOOL_UNAVAILABLE', 'too many results are kept for their idempotencyKeys', {
        hints: ['call without a key, or later'],
        data: { retryAfterMs: 30_000 },
      })
    }
    const kept: Kept<Result> = { args, outcome: work(), until: null, bytes: 0 }
    this.#kept.set(scope, kept)
    try {
      const result = await kept.outcome
      if (this.#kind.isSuccess(result)) this.#keep(kept, result)
      else this.#kept.delete(scope)
      return result
    } catch (error) {
      this.#kept.delete(scope)
      throw error
    }
  }

  #keep(kept: Kept<Result>, result: Result): void {
    kept.until = this.#clock() + keptMs
    kept.bytes = this.#kind.bytes(result)
    this.#bytes += kept.bytes
  }

  /** Entries are in the order in which they were begun, so those that end first are in front, apart from long ones. */
  #prune(): void {
    const now = this.#clock()
    for (const [scope, { until, bytes }] of this.#kept) {
      if (until === null) continue
      if (until > now) break
      this.#kept.delete(scope)
      this.#bytes -= bytes
    }
  }
}
