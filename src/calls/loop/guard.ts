import { hashValue, sha256 } from '../hash.ts'
import {
  detectAfterCompaction,
  detectLoop,
  isPoll,
  type LoopCall,
  type LoopFinding,
  type LoopRecord,
} from './detect.ts'
import { outcomeText, type CallEnd } from './outcome.ts'
import type { LoopSettings } from './settings.ts'

/** A call that was let through; told how it ended. */
export interface OpenCall {
  settle(end: CallEnd): void
}

export type LoopVerdict =
  | { readonly blocked: LoopFinding }
  | { readonly warning: LoopFinding | null; readonly open: OpenCall }

const mostBlocked = 10

interface Slot extends LoopCall {
  outcome: string | null
}

/**
 * The calls of one run and the judgement of the next one. A run has its own guard: what an earlier run did, such as a heartbeat
 * that does the same every five minutes, is no loop.
 */
export class LoopGuard {
  readonly #settings: LoopSettings
  readonly #history: Slot[] = []
  /** Calls since the last compaction while they are watched. */
  #watched: Slot[] | null = null
  /** Calls that were blocked since the last one that ran; they prove nothing, but a loop goes on through them. */
  #blocked: LoopRecord[] = []
  readonly #size: number

  constructor(settings: LoopSettings) {
    this.#settings = settings
    // A history shorter than the highest threshold could never reach it.
    this.#size = Math.max(settings.historySize, settings.globalCircuitBreakerThreshold)
  }

  /** Judges a call of a tool and remembers it if it may run. */
  check(tool: string, args: Readonly<Record<string, unknown>>): LoopVerdict {
    return this.#judge({ tool, key: this.#key(tool, args), poll: isPoll(tool, args), unknown: false })
  }

  /** Judges a call of a name that is no tool; it counts as made. */
  checkUnknown(name: string): LoopFinding | null {
    const tool = name.slice(0, 200)
    const verdict = this.#judge({ tool, key: `?${tool}`, poll: false, unknown: true })
    return 'blocked' in verdict ? verdict.blocked : null
  }

  /** The history of the run was shortened: the next calls show whether it has lost its thread. */
  compacted(): void {
    if (this.#settings.postCompactionWindow !== null) this.#watched = []
  }

  #key(tool: string, args: Readonly<Record<string, unknown>>): string {
    // Nobody asks for keys while nothing is detected, and arguments may be large.
    return this.#settings.enabled || this.#watched ? `${tool} ${hashValue(args)}` : tool
  }

  #judge(call: LoopCall): LoopVerdict {
    const window = this.#settings.postCompactionWindow
    const lost = this.#watched && window !== null && detectAfterCompaction(this.#watched, call, window)
    const finding = lost || detectLoop([...this.#history, ...this.#blocked], call, this.#settings)
    if (finding?.level === 'critical') {
      this.#blocked.push({ ...call, outcome: null })
      // By twos, so that two calls in turn still look it.
      if (this.#blocked.length > mostBlocked) this.#blocked.splice(0, 2)
      return { blocked: finding }
    }
    this.#blocked = []
    const slot: Slot = { ...call, outcome: null }
    this.#remember(slot)
    return {
      warning: finding,
      open: {
        settle: (end) => {
          if (this.#settings.enabled || this.#watched) slot.outcome = sha256(outcomeText(end))
        },
      },
    }
  }

  #remember(slot: Slot): void {
    this.#history.push(slot)
    if (this.#history.length > this.#size) this.#history.shift()
    if (this.#watched === null) return
    this.#watched.push(slot)
    const [first] = this.#watched
    // One other call shows that the run goes on.
    const window = this.#settings.postCompactionWindow ?? 0
    if (this.#watched.some(({ key }) => key !== first?.key) || this.#watched.length > window)
      this.#watched = null
  }
}
