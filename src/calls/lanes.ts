/** Calls that run at the same time, over all tools of a run. */
const mostAtOnce = 16

interface Waiting {
  readonly alone: boolean
  start(): void
}

/**
 * Lets calls run at the same time, up to a bound, and a tool that must be alone only when nothing else runs; first come, first served,
 * so that neither kind can starve the other.
 */
export class Lanes {
  readonly #most: number
  #running = 0
  #alone = false
  readonly #queue: Waiting[] = []

  constructor(most: number = mostAtOnce) {
    this.#most = most
  }

  /** Runs the work when its turn comes; the signal's reason is thrown where the call is given up while it waits. */
  async run<Value>(alone: boolean, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    await this.#enter(alone, signal)
    try {
      return await work()
    } finally {
      this.#leave(alone)
    }
  }

  #enter(alone: boolean, signal: AbortSignal): Promise<void> | undefined {
    signal.throwIfAborted()
    if (this.#queue.length === 0 && this.#fits(alone)) {
      this.#take(alone)
      return undefined
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (): void => {
      this.#queue.splice(this.#queue.indexOf(waiting), 1)
      reject(signal.reason)
      this.#advance()
    }
    const waiting: Waiting = {
      alone,
      start: () => {
        signal.removeEventListener('abort', giveUp)
        this.#take(alone)
        resolve()
      },
    }
    this.#queue.push(waiting)
    signal.addEventListener('abort', giveUp, { once: true })
    return promise
  }

  #fits(alone: boolean): boolean {
    return alone ? this.#running === 0 : !this.#alone && this.#running < this.#most
  }

  #take(alone: boolean): void {
    this.#running += 1
    this.#alone = alone
  }

  #leave(alone: boolean): void {
    this.#running -= 1
    if (alone) this.#alone = false
    this.#advance()
  }

  #advance(): void {
    for (let next = this.#queue[0]; next !== undefined && this.#fits(next.alone); next = this.#queue[0]) {
      this.#queue.shift()
      next.start()
    }
  }
}
