import { isDeeper, type ChildMessage, type Method } from './protocol.ts'
import { sizeInWords, type RunLimits } from './limits.ts'

export interface SearchArgs {
  readonly query: string
  /** As the snippet gave it; anything but a number counts as not given. */
  readonly limit?: number
}

export interface DescribeArgs {
  /** A catalogue id or a unique name. */
  readonly id: string
}

export interface CallArgs {
  readonly id: string
  /** Any JSON value, `{}` where the snippet gave none; not checked against the tool's schema. */
  readonly args: unknown
}

/**
 * What `openclaw.tools` does, on the trusted side. Results become JSON; errors reach the snippet with their `message` and, if
 * they have one, their `code`. The signal ends with the run; a call that ignores it is left alone.
 */
export interface Bridge {
  search(args: SearchArgs, signal: AbortSignal): Promise<unknown>
  describe(args: DescribeArgs, signal: AbortSignal): Promise<unknown>
  call(args: CallArgs, signal: AbortSignal): Promise<unknown>
}

/** How often a snippet has used what, refused requests included. */
export interface BridgeCounts {
  readonly searchCount: number
  readonly describeCount: number
  readonly callCount: number
}

type Request = Extract<ChildMessage, { t: 'call' }>

export interface BridgeQueueOptions {
  readonly bridge: Bridge | null
  readonly limits: RunLimits
  readonly signal: AbortSignal
  readonly answer: (id: number, ok: boolean, json: string) => void
  /** Whether the child has taken enough of the earlier answers to get more. */
  readonly hasRoom: () => boolean
}

/**
 * Carries out the requests of a child: some at a time, the others in order, and not faster than the limit allows. A request
 * that no intact child would make is refused with a reason and ends the run.
 */
export class BridgeQueue {
  readonly #options: BridgeQueueOptions
  readonly #counts: Record<Method, number> = { search: 0, describe: 0, call: 0 }
  #waiting: Request[] = []
  #running = 0
  #lastId = 0
  #taken = 0
  #allowance: number
  #refilledAt = performance.now()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: BridgeQueueOptions) {
    this.#options = options
    this.#allowance = options.limits.callsPerSecond
  }

  /** Takes a request; the answer is why the child cannot be intact, or null. */
  take(request: Request): string | null {
    const { calls, pending, valueSize, depth } = this.#options.limits
    if (this.#isClosed) return null
    if (this.#options.bridge === null) return 'it made a call without a bridge'
    this.#taken++
    if (request.id <= this.#lastId) return 'it used the number of a call twice'
    if (this.#taken > calls) return `it made more than ${calls} calls`
    if (this.#waiting.length + this.#running >= pending) return `it had more than ${pending} calls open`
    if (request.size > valueSize + frameSize)
      return `the arguments of a call were larger than ${sizeInWords(valueSize)}`
    this.#lastId = request.id
    if (isDeeper(request.args, depth)) {
      this.#fail(request.id, new RangeError(`the arguments are nested more than ${depth} levels deep`))
      return null
    }
    this.#counts[request.method]++
    this.#waiting.push(request)
    this.advance()
    return null
  }

  /** Starts what may start now. */
  advance(): void {
    const { limits, hasRoom } = this.#options
    while (!this.#isClosed && this.#waiting.length > 0 && this.#running < limits.concurrency && hasRoom()) {
      if (!this.#isAllowed()) return
      const request = this.#waiting.shift()
      if (request) void this.#run(request)
    }
  }

  /** Nothing is started or answered any more; returns how many requests were at work and how many had not begun. */
  close(): { readonly running: number; readonly waiting: number } {
    const left = { running: this.#running, waiting: this.#waiting.length }
    this.#isClosed = true
    this.#waiting = []
    clearTimeout(this.#timer)
    return left
  }

  get counts(): BridgeCounts {
    const { search, describe, call } = this.#counts
    return { searchCount: search, describeCount: describe, callCount: call }
  }

  /** Takes one from the allowance, or comes back when there is one. */
  #isAllowed(): boolean {
    const { callsPerSecond } = this.#options.limits
    const now = performance.now()
    const earned = ((now - this.#refilledAt) / 1000) * callsPerSecond
    this.#allowance = Math.min(callsPerSecond, this.#allowance + earned)
    this.#refilledAt = now
    if (this.#allowance >= 1) {
      this.#allowance--
      return true
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.advance(), Math.ceil(1000 / callsPerSecond)).unref()
    return false
  }

  async #run(request: Request): Promise<void> {
    this.#running++
    try {
      const { bridge, signal } = this.#options
      if (bridge === null) return
      const value = await perform(bridge, request, signal)
      const json = JSON.stringify(value) ?? 'null'
      const { valueSize } = this.#options.limits
      if (json.length > valueSize) {
        const most = `a snippet gets at most ${valueSize}`
        throw new RangeError(`the tool ran, but its result has ${json.length} characters of JSON; ${most}`)
      }
      if (!this.#isClosed) this.#options.answer(request.id, true, json)
    } catch (error) {
      this.#fail(request.id, error)
    } finally {
      this.#running--
    }
    this.advance()
  }

  #fail(id: number, error: unknown): void {
    if (this.#isClosed) return
    this.#options.answer(id, false, JSON.stringify(described(error)))
  }
}

/** What a line has around the arguments of a call. */
const frameSize = 100

const longestText = 4096

/** What a snippet learns of an error; tools throw anything, also objects that throw when they are looked at. */
function described(error: unknown): { message: string; code?: string } {
  try {
    if (typeof error !== 'object' || error === null || !('message' in error))
      return { message: String(error) }
    const message = String(error.message).slice(0, longestText)
    return 'code' in error && typeof error.code === 'string' ? { message, code: error.code } : { message }
  } catch {
    return { message: 'the call failed' }
  }
}

function readText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new TypeError(`${what} must be a string`)
  if (value.length > longestText) throw new RangeError(`${what} is longer than ${longestText} characters`)
  return value
}

async function perform(bridge: Bridge, { method, args }: Request, signal: AbortSignal): Promise<unknown> {
  const [first, second] = args
  switch (method) {
    case 'search': {
      const query = readText(first, 'the search query')
      const limit =
        typeof second === 'object' && second !== null && 'limit' in second ? second.limit : undefined
      return bridge.search(typeof limit === 'number' ? { query, limit } : { query }, signal)
    }
    case 'describe':
      return bridge.describe({ id: readText(first, 'the id to describe') }, signal)
    case 'call':
      return bridge.call({ id: readText(first, 'the id to call'), args: second ?? {} }, signal)
  }
}
