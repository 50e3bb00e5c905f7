import { setTimeout as sleep } from 'node:timers/promises'
import type { McpHub } from '../../mcp/hub.ts'
import type { Case } from '../case.ts'

/** Milliseconds that a turn waits at most; a server that takes longer serves the turns after it. */
const longestMs = 10_000

/** Names of the MCP servers of a config that are switched on and of which no list is remembered. */
function unlisted({ config, discovered }: Case): readonly string[] {
  const seen = new Set(
    (discovered?.servers?.reports ?? []).filter(({ seenAt }) => seenAt !== null).map(({ name }) => name),
  )
  return Object.entries(config.mcp?.servers ?? {}).flatMap(([name, { enabled }]) =>
    enabled === false || seen.has(name) ? [] : [name],
  )
}

/** MCP servers that are being asked for their tools for the first time: a turn that began meanwhile would have none of them. */
export class FirstListing {
  #asking: Promise<unknown> | null = null
  #until = 0

  /** Servers of a config are being asked, until `asking` is over; only those without a remembered list are waited for, as long as the slowest may take to connect. */
  begin(each: Case, hub: McpHub, asking: Promise<unknown>): void {
    const names = unlisted(each)
    if (names.length === 0) return
    const ms = Math.max(...names.map((name) => hub.settings(name).connectMs))
    this.#until = performance.now() + Math.min(ms, longestMs)
    this.#asking = asking
  }

  /** Waits until they have answered, failed or had their time, counted from when they were asked. Throws the reason of the signal. */
  async wait(signal: AbortSignal): Promise<void> {
    const ms = this.#until - performance.now()
    if (this.#asking === null || ms <= 0) return
    const done = new AbortController()
    const patience = sleep(ms, undefined, { signal: AbortSignal.any([signal, done.signal]), ref: false })
    try {
      await Promise.race([this.#asking, patience])
    } catch {
      // The wait was given up; what went wrong with the servers is told elsewhere.
      signal.throwIfAborted()
    } finally {
      done.abort()
    }
    signal.throwIfAborted()
  }
}
