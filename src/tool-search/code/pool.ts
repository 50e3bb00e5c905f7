import { ownChild, type ChildFile } from './child-file.ts'
import { launchers, type Launcher } from './launcher.ts'
import { LockedChild } from './locked-child.ts'
import { isolationSupport } from './support.ts'

export interface PoolOptions {
  /** Children kept ready, 2 if not given; 0 starts one when it is asked for. */
  readonly size?: number
  /** The program of the children, if not this program's own. */
  readonly child?: ChildFile
  /** Ways to start it, if not all that this system may have. */
  readonly launchers?: readonly Launcher[]
}

/** The longest delay of a timer in milliseconds. */
const longest = 2 ** 31 - 1

/** Waits for something that does not keep the program alive by itself. */
async function held<Value>(promise: Promise<Value>): Promise<Value> {
  const timer = setInterval(() => {}, longest)
  try {
    return await promise
  } finally {
    clearInterval(timer)
  }
}

interface Spare {
  readonly child: Promise<LockedChild>
  isReady: boolean
}

/**
 * Children that have started and locked themselves before anybody needs them. Each is handed out once. Nothing is started
 * before the first is asked for, and spares do not keep the program alive. A child that cannot be started is an error whose
 * message says why.
 */
export class CodePool {
  readonly #size: number
  readonly #file: ChildFile | undefined
  #launchers: readonly Launcher[] | undefined
  #spares: Spare[] = []
  readonly #unburied = new Set<LockedChild>()
  #isClosed = false

  constructor({ size = 2, child, launchers: ways }: PoolOptions = {}) {
    this.#size = size
    this.#file = child
    this.#launchers = ways
  }

  /** A locked child for one run, the readiest there is; the caller has to kill it. */
  acquire(): Promise<LockedChild> {
    return held(this.#acquire())
  }

  #acquire(): Promise<LockedChild> {
    const index = Math.max(
      this.#spares.findIndex(({ isReady }) => isReady),
      0,
    )
    const [spare] = this.#spares.splice(index, 1)
    // A spare may have died since; one more start is worth it.
    return spare ? spare.child.catch(() => this.#start()) : this.#start()
  }

  /** Starts what is missing to the full number of spares. */
  refill(): void {
    while (!this.#isClosed && this.#spares.length < this.#size) {
      const spare: Spare = { child: this.#start(), isReady: false }
      this.#spares.push(spare)
      void this.#keep(spare)
    }
  }

  /** Settles when all spares are ready (or could not be started). */
  async ready(): Promise<void> {
    this.refill()
    await held(Promise.allSettled(this.#spares.map(({ child }) => child)))
  }

  /** Kills all children, also those in use, and settles when the last process has ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    await held(Promise.allSettled(this.#spares.map(({ child }) => child)))
    this.#spares = []
    for (const child of this.#unburied) child.kill()
    await Promise.all([...this.#unburied].map((child) => child.buried()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Forgets a spare when it could not be started or has died. Nothing replaces it before the next run: its end may have a cause. */
  async #keep(spare: Spare): Promise<void> {
    try {
      const child = await spare.child
      spare.isReady = true
      await child.ended
    } catch {
      // The next run starts a child itself and says why it cannot.
    }
    this.#spares = this.#spares.filter((each) => each !== spare)
  }

  async #start(): Promise<LockedChild> {
    const support = isolationSupport()
    if (!support.supported) throw new Error(support.because)
    const file = this.#file ?? ownChild()
    this.#launchers ??= launchers(file)
    for (;;) {
      const [launcher, ...weaker] = this.#launchers
      if (!launcher || this.#isClosed) throw new Error('the pool is closed')
      const child = new LockedChild(file, launcher)
      this.#unburied.add(child)
      void child.ended.then(() => this.#unburied.delete(child))
      const failure = await child.start()
      if (!failure) return child
      if (!failure.isRefused || weaker.length === 0) throw new Error(failure.because)
      // A system may have the program for a wall and still refuse it.
      if (this.#launchers[0] === launcher) this.#launchers = weaker
    }
  }
}
