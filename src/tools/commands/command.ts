import type { Child, Exit } from './child.ts'
import { endFamily, killNow, usualGraceMs } from './ending.ts'
import { outputOf, relatives, send, type Lineage } from './family-tree.ts'
import type { Output } from './output.ts'

/** Why a command was ended from here. */
export type EndReason = 'killed' | 'timeout' | 'aborted'

export type CommandStatus = 'running' | 'completed' | 'failed' | 'killed' | 'timeout'

/** What is known of a command when it starts. */
export interface CommandFacts {
  /** Name for the session that it belongs to. */
  readonly id: string
  readonly sessionKey: string
  /** The run that started it. */
  readonly owner: object
  readonly text: string
  readonly cwd: string
  readonly backend: string
  readonly mark: string
  readonly pty: boolean
  /** Whether its input was left open. */
  readonly interactive: boolean
}

/** Milliseconds that output may still come after the end, when somebody else holds the pipe. */
const drainMs = 200
/** The longest that a timer takes. */
const longestTimer = 2 ** 31 - 1

/** Whether a group has a member that is more than waiting to be reaped. */
function hasLiving(group: number): boolean {
  if (!send(-group, 0)) return false
  return (
    process.platform !== 'linux' ||
    relatives({ owns: () => false, leaders: new Set([group]), output: null }).length > 0
  )
}

/** A command that was started: what it wrote, whether it still runs, and how to end it with everything that it started. */
export class Command {
  readonly facts: CommandFacts
  readonly output: Output
  readonly startedAt = performance.now()
  /** Done when it has ended and what it wrote has been read. */
  readonly ended: Promise<void>
  /** Runs when it has ended. */
  onEnd: (() => void) | null = null
  /** Place in the output that the session has seen. */
  seen = 0
  readonly #child: Child
  #exit: Exit | null = null
  #endedAt: number | null = null
  #reason: EndReason | null = null
  #ending: Promise<void> | null = null
  #isGroupGone = false
  #isDrained = false
  /** Its end of the output, which tells those who have left everything else behind. */
  readonly #outputEnd: string | null
  readonly #waiting = new Set<() => void>()

  constructor(facts: CommandFacts, child: Child, output: Output, timeoutMs: number) {
    this.facts = facts
    this.output = output
    this.#child = child
    this.#outputEnd = outputOf(child.pid)
    const timer =
      timeoutMs <= longestTimer ? setTimeout(() => void this.end('timeout'), timeoutMs) : undefined
    this.ended = this.#watch(timer)
  }

  get pid(): number {
    return this.#child.pid
  }

  get status(): CommandStatus {
    if (this.#exit === null || this.#endedAt === null) return 'running'
    if (this.#reason !== null) return this.#reason === 'timeout' ? 'timeout' : 'killed'
    if (this.#exit.signal !== null) return 'killed'
    return this.#exit.code === 0 ? 'completed' : 'failed'
  }

  get exit(): Exit {
    return this.#exit ?? { code: null, signal: null }
  }

  get durationMs(): number {
    return Math.round((this.#endedAt ?? performance.now()) - this.startedAt)
  }

  /** How what belongs to it is recognised. */
  get lineage(): Lineage {
    const { mark } = this.facts
    return {
      owns: (found) => found === mark,
      leaders: this.hasGroup ? new Set([this.pid]) : new Set(),
      output: this.#isDrained ? null : this.#outputEnd,
    }
  }

  /** Whether anybody of its process group lives. Once it is empty its number may be given to others. */
  get hasGroup(): boolean {
    if (this.#exit !== null && !this.#isGroupGone) this.#isGroupGone = !hasLiving(this.pid)
    return !this.#isGroupGone
  }

  /** Why it was ended from here; null where it was not. */
  get reason(): EndReason | null {
    return this.#reason
  }

  /** Whether somebody waits for its output at this moment. */
  get isWatched(): boolean {
    return this.#waiting.size > 0
  }

  /** Writes to its input; false where that is closed. */
  write(data: string): boolean {
    return this.status === 'running' && this.#child.write(data)
  }

  endInput(): void {
    this.#child.endInput()
  }

  /** Takes output as it comes. */
  take(chunk: Buffer): void {
    this.output.push(chunk)
    this.#wake()
  }

  /** Waits until there is output behind a place, it has ended, or some time is over. */
  async more(place: number, waitMs: number, signal: AbortSignal): Promise<void> {
    if (this.status !== 'running' || this.output.total > place || waitMs <= 0 || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, waitMs)
    this.#waiting.add(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    this.#waiting.delete(resolve)
    clearTimeout(timer)
  }

  /** Ends it with everything that it started: asks first, kills after `graceMs`; done when nothing of it is left. */
  end(reason: EndReason, graceMs: number = usualGraceMs): Promise<void> {
    if (this.#exit === null) this.#reason ??= reason
    this.#ending ??= this.#endAll(graceMs)
    return this.#ending
  }

  /** Kills all of it within this very call, for a program that is about to be gone. */
  kill(): void {
    killNow(this.lineage)
  }

  /** Stops listening to what outlived it. */
  release(): void {
    this.#child.release()
    this.output.close()
  }

  async #endAll(graceMs: number): Promise<void> {
    await endFamily(() => this.lineage, graceMs)
    // Nobody is left who could write, but for one that hides its mark.
    this.release()
    await this.ended
  }

  async #watch(timer: NodeJS.Timeout | undefined): Promise<void> {
    this.#exit = await this.#child.exited
    clearTimeout(timer)
    const late = Promise.withResolvers<void>()
    const drain = setTimeout(late.resolve, drainMs)
    await Promise.race([this.#drain(), late.promise])
    clearTimeout(drain)
    this.#endedAt = performance.now()
    this.#wake()
    this.onEnd?.()
  }

  async #drain(): Promise<void> {
    await this.#child.drained
    this.#isDrained = true
    this.output.close()
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
  }
}
