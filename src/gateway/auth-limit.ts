/** How many failures a client may make; times in milliseconds. */
export interface AuthLimitSettings {
  readonly maxAttempts: number
  readonly windowMs: number
  readonly lockoutMs: number
  readonly exemptLoopback: boolean
}

/** Limits unless the config says otherwise (gateway facts §1.7). */
export const usualAuthLimit: AuthLimitSettings = {
  maxAttempts: 10,
  windowMs: 60_000,
  lockoutMs: 300_000,
  exemptLoopback: true,
}

/** Addresses that are remembered; whoever has more of them at hand cannot fill the memory. */
const mostAddresses = 10_000

interface Attempts {
  failures: number[]
  lockedUntil: number
}

/** Counts failed logins by address and locks an address out for a while after too many. */
export class AuthLimit {
  readonly #settings: AuthLimitSettings
  readonly #clock: () => number
  readonly #records = new Map<string, Attempts>()

  constructor(settings: AuthLimitSettings, clock: () => number) {
    this.#settings = settings
    this.#clock = clock
  }

  /** Milliseconds an address has to wait, 0 where it may try. */
  waitMs(address: string): number {
    if (this.#exempts(address)) return 0
    return Math.max(0, (this.#records.get(address)?.lockedUntil ?? 0) - this.#clock())
  }

  /** Notes a failure. */
  fail(address: string): void {
    if (this.#exempts(address)) return
    const now = this.#clock()
    const { windowMs, maxAttempts, lockoutMs } = this.#settings
    const known = this.#records.get(address)
    const failures = [...(known?.failures ?? []).filter((at) => now - at < windowMs), now]
    const isLocked = failures.length >= maxAttempts
    // Set anew, so that the map stays in the order of the last failures.
    this.#records.delete(address)
    this.#records.set(address, {
      failures: isLocked ? [] : failures,
      lockedUntil: isLocked ? now + lockoutMs : (known?.lockedUntil ?? 0),
    })
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= mostAddresses) break
      this.#records.delete(oldest)
    }
  }

  /** Forgets the failures of an address that has got in. */
  succeed(address: string): void {
    this.#records.delete(address)
  }

  #exempts(address: string): boolean {
    return this.#settings.exemptLoopback && isLoopback(address)
  }
}

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.\d+\.\d+\.\d+$|^::1$|^\[::1\]$|^localhost$/i.test(address)
}
