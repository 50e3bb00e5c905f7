/** Runs of one session come one after the other, in the order in which they were asked for; runs of different sessions do not wait for each other. */
export class SessionLanes {
  readonly #tails = new Map<string, Promise<void>>()

  /** Whether a run of the session is under way or waits. */
  isBusy(sessionKey: string): boolean {
    return this.#tails.has(sessionKey.toLowerCase())
  }

  /** Does the work when its turn comes; one that is given up while it waits throws the signal's reason and is never begun. */
  async run<Value>(sessionKey: string, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    const lane = sessionKey.toLowerCase()
    const before = this.#tails.get(lane) ?? Promise.resolve()
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const tail = before.then(() => done)
    this.#tails.set(lane, tail)
    try {
      await untilTurn(before, signal)
      return await work()
    } finally {
      resolve()
      if (this.#tails.get(lane) === tail) this.#tails.delete(lane)
    }
  }
}

async function untilTurn(before: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([before, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
