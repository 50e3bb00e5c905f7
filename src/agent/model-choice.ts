import { OpenClawError } from '../kernel/errors.ts'
import { faultOf, type ProviderFault } from './providers/fault.ts'
import type { Model } from './providers/provider.ts'
import type { ModelRef } from './providers/settings.ts'
import { withRetries, type RetryPolicy } from './retry.ts'

/** A model that may be asked; its key is looked up only then. */
export interface Candidate {
  readonly ref: ModelRef
  /** CONFIG_INVALID or PROVIDER_FAILED where it cannot be asked as it is configured. */
  open(): Promise<Model>
}

/** What is told while a model is sought that answers. */
export interface ChoiceListener {
  onRetry(retry: {
    readonly attempt: number
    readonly waitMs: number
    readonly fault: ProviderFault
    readonly model: ModelRef
  }): void
  onFallback(from: ModelRef, to: ModelRef, message: string): void
  /** The run goes on with this model. */
  onChange(ref: ModelRef): void
}

/** Asks the first candidate, and the next one when it fails for good; a run stays with the one that answered. */
export class ModelChoice {
  readonly #candidates: readonly Candidate[]
  readonly #policy: RetryPolicy
  readonly #signal: AbortSignal
  readonly #listener: ChoiceListener
  #at = 0
  #told = -1
  #model: Model | null = null

  constructor(
    candidates: readonly Candidate[],
    policy: RetryPolicy,
    signal: AbortSignal,
    listener: ChoiceListener,
  ) {
    this.#candidates = candidates
    this.#policy = policy
    this.#signal = signal
    this.#listener = listener
  }

  /** The model that is asked now. */
  get current(): ModelRef & { readonly api: string } {
    const { provider, model } = this.#candidate.ref
    return { provider, model, api: this.#model?.api ?? 'unknown' }
  }

  /** Lets `prepare` say how each model is asked, and asks until one has answered. Throws the failure of the last candidate, with all of them in its message, or the signal's reason. */
  async ask<Value>(prepare: (model: Model) => Promise<() => Promise<Value>>): Promise<Value> {
    const failures: { readonly ref: ModelRef; readonly error: OpenClawError }[] = []
    for (;;) {
      const { ref } = this.#candidate
      try {
        this.#model ??= await this.#candidate.open()
        const model = this.#model
        if (this.#told !== this.#at) {
          this.#told = this.#at
          this.#listener.onChange(ref)
        }
        return await withRetries(await prepare(model), {
          policy: this.#policy,
          signal: this.#signal,
          onRetry: (retry) => this.#listener.onRetry({ ...retry, model: ref }),
        })
      } catch (error) {
        this.#signal.throwIfAborted()
        if (!(error instanceof OpenClawError)) throw error
        failures.push({ ref, error })
        const next = this.#candidates[this.#at + 1]
        if (next === undefined) throw failed(failures)
        this.#at += 1
        this.#model = null
        this.#listener.onFallback(ref, next.ref, error.message)
      }
    }
  }

  get #candidate(): Candidate {
    const candidate = this.#candidates[this.#at]
    if (candidate === undefined) throw new OpenClawError('INTERNAL', 'a run without a model')
    return candidate
  }
}

/** The failure of a run, for people: which provider and model, and why; the words of a config error stand for themselves. */
function failed(
  failures: readonly { readonly ref: ModelRef; readonly error: OpenClawError }[],
): OpenClawError {
  const [first] = failures
  const last = failures.at(-1)
  if (first === undefined || last === undefined)
    return new OpenClawError('INTERNAL', 'a failure without a cause')
  const lines = failures.map(({ ref, error }) => {
    const fault = faultOf(error)
    return fault === null ? error.message : `${ref.provider}/${ref.model}: ${error.message}`
  })
  const isConfig = failures.every(({ error }) => error.code === 'CONFIG_INVALID')
  return new OpenClawError(isConfig ? 'CONFIG_INVALID' : 'PROVIDER_FAILED', [...new Set(lines)].join('\n'), {
    hints: [...new Set(failures.flatMap(({ error }) => error.hints))],
    data: {
      ...last.error.data,
      provider: last.ref.provider,
      model: last.ref.model,
      attempts: failures.map(({ ref, error }) => ({
        ...ref,
        fault: faultOf(error)?.kind ?? error.code,
        message: error.message,
      })),
    },
    cause: last.error,
  })
}
