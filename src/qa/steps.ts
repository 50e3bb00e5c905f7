import { OpenClawError } from '../kernel/errors.ts'
import type { Status } from './scenario.ts'

/** One thing that was done or judged, with how long it took in milliseconds. */
export interface StepResult {
  readonly name: string
  readonly status: Status
  readonly ms: number
  /** What is wrong; only of one that failed. */
  readonly details?: string
}

/** Told of every step when it begins and when it has ended. */
export interface StepListener {
  onBegin(name: string): void
  onEnd(result: StepResult): void
}

/** Keeps the steps of one scenario in the order in which they began. */
export class Steps {
  readonly #listener: StepListener
  readonly #signal: AbortSignal
  readonly #results: (StepResult | { readonly name: string; readonly startedAt: number })[] = []

  constructor(listener: StepListener, signal: AbortSignal) {
    this.#listener = listener
    this.#signal = signal
  }

  /** Does one thing under a name; it fails with what it throws, and when the time of the scenario is over. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    this.#signal.throwIfAborted()
    const startedAt = performance.now()
    const at = this.#results.push({ name, startedAt }) - 1
    this.#listener.onBegin(name)
    try {
      const result = await withSignal(work(), this.#signal)
      this.#end(at, { name, status: 'pass', ms: since(startedAt) })
      return result
    } catch (error) {
      this.#end(at, { name, status: 'fail', ms: since(startedAt), details: describeError(error) })
      throw error
    }
  }

  /** Adds a step that took no time of its own. */
  add(result: StepResult): void {
    this.#listener.onBegin(result.name)
    this.#end(this.#results.push(result) - 1, result)
  }

  /** All steps so far; one that never ended has failed. */
  get results(): readonly StepResult[] {
    return this.#results.map((each) =>
      'status' in each
        ? each
        : { name: each.name, status: 'fail', ms: since(each.startedAt), details: 'it did not end' },
    )
  }

  #end(at: number, result: StepResult): void {
    this.#results[at] = result
    this.#listener.onEnd(result)
  }
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt)
}

/** The result of work, or the signal's reason as soon as it fires. */
export async function withSignal<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** What went wrong, in words and with its code where it has one. */
export function describeError(error: unknown): string {
  if (error instanceof OpenClawError) return `${error.code}: ${error.message}`
  return error instanceof Error ? error.message : String(error)
}
