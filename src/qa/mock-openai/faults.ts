import { isRecord } from '../../config/path-value.ts'

/** What can go wrong with one answer; `after` counts the pieces of a stream that still come. */
export type Fault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly retryAfter?: number
      readonly message?: string
    }
  /** Says nothing more. */
  | { readonly kind: 'stall'; readonly after?: number }
  /** Breaks the connection. */
  | { readonly kind: 'cut'; readonly after?: number }
  /** Ends the stream properly before the answer is complete. */
  | { readonly kind: 'end'; readonly after?: number }
  /** Sends an error inside the stream. */
  | { readonly kind: 'error-event'; readonly after?: number; readonly message?: string }
  /** Calls a tool with arguments that are no JSON. */
  | { readonly kind: 'malformed-arguments' }
  /** Calls a tool that nobody has. */
  | { readonly kind: 'unknown-tool'; readonly name?: string }
  /** Answers with what is no JSON. */
  | { readonly kind: 'garbage' }
  /** Answers with a message that lacks all that matters. */
  | { readonly kind: 'empty' }
  /** Answers with a web page. */
  | { readonly kind: 'page' }
  | { readonly kind: 'redirect'; readonly to: string }

export const faultKinds = [
  'status',
  'stall',
  'cut',
  'end',
  'error-event',
  'malformed-arguments',
  'unknown-tool',
  'garbage',
  'empty',
  'page',
  'redirect',
] as const satisfies readonly Fault['kind'][]

/** Faults that wait for the requests they will spoil, first come, first served. */
export class FaultQueue {
  readonly #waiting: Fault[] = []

  add(fault: Fault, times = 1): void {
    for (let count = 0; count < times; count++) this.#waiting.push(fault)
  }

  take(): Fault | null {
    return this.#waiting.shift() ?? null
  }

  clear(): void {
    this.#waiting.length = 0
  }

  get waiting(): readonly Fault[] {
    return [...this.#waiting]
  }
}

/** Reads faults of a debug request: one or a list, each with an optional `times`; null for anything else. */
export function readFaults(
  value: unknown,
): readonly { readonly fault: Fault; readonly times: number }[] | null {
  const list = Array.isArray(value) ? value : [value]
  const faults = list.map((item: unknown) => {
    if (!isRecord(item) || !faultKinds.some((kind) => kind === item['kind'])) return null
    const { times, ...fault } = item
    if (fault['kind'] === 'status' && typeof fault['status'] !== 'number') return null
    if (fault['kind'] === 'redirect' && typeof fault['to'] !== 'string') return null
    return { fault: fault as unknown as Fault, times: typeof times === 'number' ? times : 1 }
  })
  return faults.every((each) => each !== null) ? faults : null
}
