import type { Log } from '../../gateway/log.ts'
import type { McpHub } from '../../mcp/hub.ts'
import type { Case } from '../case.ts'
import type { ConfigState } from './config-state.ts'
import { FirstListing } from './first-listing.ts'

export interface ListingOptions {
  readonly config: ConfigState
  /** The config in force, with the connections to its MCP servers. */
  readonly now: () => { readonly hub: McpHub | null; readonly each: Case }
  readonly version: string
  /** Fires when the server ends. */
  readonly signal: AbortSignal
  readonly log: Log
}

/** Brings the tool lists of MCP servers into force. */
export class Listing {
  readonly #options: ListingOptions
  readonly #first = new FirstListing()
  /** Whether what the servers said last is in force. */
  #isInForce = true
  #asking = 0

  constructor(options: ListingOptions) {
    this.#options = options
  }

  /** Asks servers in the background, all of them or some by name; what they say comes into force when it is there. */
  async ask(only?: readonly string[]): Promise<void> {
    const { now, signal, log } = this.#options
    const { hub, each } = now()
    if (hub === null) return
    this.#isInForce = false
    this.#asking += 1
    const asking = this.#untilInForce(hub, only)
    this.#first.begin(each, hub, asking)
    try {
      await asking
    } catch (error) {
      if (signal.aborted) return
      const reason = error instanceof Error ? error.message : ''
      log('warn', `the MCP servers of ${each.file} were not asked: ${reason}`)
    } finally {
      this.#asking -= 1
    }
  }

  /** Asks again where what the servers said never came into force, and nobody is asking. */
  askIfLost(): void {
    if (!this.#isInForce && this.#asking === 0) void this.ask()
  }

  /** Waits, for some seconds at most, for servers that are being asked for the first time. Throws the reason of the signal. */
  wait(signal: AbortSignal): Promise<void> {
    return this.#first.wait(signal)
  }

  /** Asks again where another config with the same servers has come meanwhile. */
  async #untilInForce(hub: McpHub, only: readonly string[] | undefined): Promise<void> {
    const { config, now, version, signal } = this.#options
    while (now().hub === hub && !signal.aborted) {
      this.#isInForce = await config.dial({ version, signal, hub, ...(only && { only }) })
      if (this.#isInForce) return
      await config.refresh()
    }
  }
}
