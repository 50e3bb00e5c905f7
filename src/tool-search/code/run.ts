import { BridgeQueue, type Bridge } from './bridge.ts'
import { ConsoleLog } from './console-log.ts'
import {
  defaultLimits,
  headStartMs,
  heapSize,
  lastWordsMs,
  refillMs,
  sizeInWords,
  type RunLimits,
} from './limits.ts'
import type { ChildEnd, LockedChild } from './locked-child.ts'
import { watchMemory } from './memory.ts'
import type { CodePool } from './pool.ts'
import { isDeeper, readLine, type ChildMessage } from './protocol.ts'
import { abortion, codeError, type CodeError, type CodeErrorCode, type CodeResult } from './result.ts'
import { refuse } from './snippet.ts'

export interface RunOptions {
  /** The body of an async function; `openclaw` (with a bridge) and `console` are its globals. */
  readonly code: string
  /** Null for a snippet that only computes; a call that reaches the parent nevertheless shows that the child is not intact. */
  readonly bridge: Bridge | null
  readonly pool: CodePool
  readonly signal?: AbortSignal
  /** Limits other than the usual ones. */
  readonly limits?: Partial<RunLimits>
}

/**
 * Runs a snippet in a locked child and never throws: every failure is a result with the console output so far. Calls start when
 * they are awaited; those that start before the snippet's end are waited for, and none starts after it. At the deadline, on
 * abort and on any other early end the calls at work get one abort. The child is dead or killed before the result is there.
 */
export async function runCode({ limits, ...options }: RunOptions): Promise<CodeResult> {
  const run = new Run(options, { ...defaultLimits, ...limits })
  return run.result()
}

type Outcome = { readonly value: unknown } | { readonly error: CodeError }

/** One snippet, and the child it gets. */
class Run {
  readonly #options: Omit<RunOptions, 'limits'>
  readonly #limits: RunLimits
  readonly #queue: BridgeQueue
  readonly #log: ConsoleLog
  readonly #calls = new AbortController()
  readonly #outcome = Promise.withResolvers<Outcome>()
  readonly #notes: string[] = []
  #child: LockedChild | undefined
  #received = 0
  #endsAt = 0
  #isOver = false
  #isCrowded = false
  #stopTimers: (() => void)[] = []

  constructor(options: Omit<RunOptions, 'limits'>, limits: RunLimits) {
    this.#options = options
    this.#limits = limits
    this.#log = new ConsoleLog(limits.logSize)
    this.#queue = new BridgeQueue({
      bridge: options.bridge,
      limits,
      signal: this.#calls.signal,
      answer: (id, ok, json) => this.#child?.send({ t: 'answer', id, ok, json }),
      hasRoom: () => this.#hasRoom(),
    })
  }

  async result(): Promise<CodeResult> {
    const { code, signal, pool } = this.#options
    const refusal = signal?.aborted ? abortion(signal.reason) : refuse(code, this.#limits)
    if (refusal) return this.#report({ error: refusal })
    const onAbort = (): void => this.#end({ error: abortion(signal?.reason) })
    signal?.addEventListener('abort', onAbort, { once: true })
    void this.#start()
    const outcome = await this.#outcome.promise
    signal?.removeEventListener('abort', onAbort)
    for (const stop of this.#stopTimers) stop()
    this.#closeCalls('the run has ended')
    this.#child?.kill()
    // Not at once: starting a process takes longer than many a run.
    setImmediate(() => pool.refill())
    // A value is not kept waiting until its child is gone; a failure can wait.
    if ('error' in outcome) await this.#child?.buried()
    return this.#report(outcome)
  }

  async #start(): Promise<void> {
    const { code, pool, bridge } = this.#options
    const { valueSize, logSize, calls, pending, timeoutMs, memory } = this.#limits
    this.#endsAt = performance.now() + timeoutMs
    this.#after(timeoutMs, () => this.#onDeadline())
    // A run that lasts should not leave the next one without a spare; one that does not should have the processor to itself.
    this.#after(refillMs, () => pool.refill())
    try {
      const child = await pool.acquire()
      this.#child = child
      if (this.#isOver) return child.kill()
      child.listen(
        (line) => this.#onLine(line),
        (size) => this.#onTraffic(size),
      )
      void child.ended.then((how) => this.#onDeath(how))
      const limits = { valueSize, logSize, calls, pending, bridge: bridge !== null }
      const left = this.#endsAt - performance.now() - headStartMs(timeoutMs)
      child.send({ t: 'run', code, timeoutMs: Math.max(1, left), limits })
      this.#stopTimers.push(
        watchMemory(child.pid, memory, (bytes) => {
          const most = `at most ${sizeInWords(memory)} are allowed`
          this.#fail('memory', `the snippet used ${sizeInWords(bytes)} of memory; ${most}`)
        }),
      )
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      this.#fail('unavailable', `the code child cannot be started: ${cause}`)
    }
  }

  #after(milliseconds: number, action: () => void): void {
    const timer = setTimeout(action, milliseconds)
    this.#stopTimers.push(() => clearTimeout(timer))
  }

  #onDeadline(): void {
    const { timeoutMs } = this.#limits
    this.#closeCalls(`the snippet ran out of time (${timeoutMs} ms)`)
    if (!this.#child) return this.#fail('timeout', `no code child was ready within ${timeoutMs} ms`)
    // The child stops a busy snippet by itself, and then hands over what it has printed.
    this.#after(lastWordsMs, () => this.#fail('timeout', this.#timeoutText()))
  }

  #timeoutText(): string {
    return `the snippet was stopped after ${this.#limits.timeoutMs} ms`
  }

  #onTraffic(size: number): void {
    const { traffic } = this.#limits
    this.#received += size
    if (this.#received <= traffic) return
    this.#fail('output_limit', `the snippet wrote more than ${sizeInWords(traffic)}`)
  }

  #onLine(line: string): void {
    // Nothing counts after the end: a child that was broken into could go on talking.
    if (this.#isOver) return
    const { valueSize } = this.#limits
    if (line.length > longestLine(valueSize)) {
      return this.#fail('output_limit', `the snippet wrote a line of ${sizeInWords(line.length)}`)
    }
    const message = readLine(line)
    // A child that had to interrupt itself may have done so within a line.
    const isLate = performance.now() >= this.#endsAt - headStartMs(this.#limits.timeoutMs)
    if (isLate && message === null) return
    if (message) this.#onMessage(message)
    else this.#fail('unavailable', 'the code child broke its protocol: it wrote something else')
  }

  #onMessage(message: ChildMessage): void {
    switch (message.t) {
      case 'log':
        return this.#log.add(message.text)
      case 'full':
        return this.#log.cut()
      case 'call': {
        const problem = this.#queue.take(message)
        return problem === null
          ? undefined
          : this.#fail('unavailable', `the code child broke its protocol: ${problem}`)
      }
      case 'value': {
        this.#noteIdle(message.idle)
        const { depth } = this.#limits
        if (!isDeeper(message.value, depth)) return this.#end({ value: message.value })
        return this.#fail('output_limit', `the returned value is nested more than ${depth} levels deep`)
      }
      case 'failure': {
        this.#noteIdle(message.idle)
        const text = message.message || this.#timeoutText()
        return this.#end({ error: codeError(message.failure, text, message.position) })
      }
      case 'ready':
        return this.#fail('unavailable', 'the code child broke its protocol: it started twice')
    }
  }

  #onDeath({ code, signal, stderr, isKilled }: ChildEnd): void {
    const how = signal ?? `exit code ${code}`
    if (isKilled) return this.#fail('unavailable', 'the pool of code children was closed')
    if (signal === 'SIGXCPU') return this.#fail('timeout', 'the snippet used up its CPU time')
    // V8 aborts when its heap is full, and what else kills a child from outside is a system without memory.
    const isMemory = signal === 'SIGABRT' || signal === 'SIGKILL' || /\bmemory\b/i.test(stderr)
    if (!isMemory) return this.#fail('unavailable', `the code child ended unexpectedly (${how})`)
    this.#fail('memory', `the snippet ran out of memory (${heapSize.oldSpace} MiB of heap; ${how})`)
  }

  #hasRoom(): boolean {
    const child = this.#child
    if (!child || child.unsent <= this.#limits.valueSize) return true
    if (this.#isCrowded) return false
    this.#isCrowded = true
    child.onTaken(() => {
      this.#isCrowded = false
      this.#queue.advance()
    })
    return false
  }

  #closeCalls(reason: string): void {
    if (this.#calls.signal.aborted) return
    const { running, waiting } = this.#queue.close()
    this.#calls.abort(new Error(reason))
    if (running > 0) this.#notes.push(`${counted(running, 'call')} still at work got an abort`)
    if (waiting > 0) this.#notes.push(`${counted(waiting, 'call')} had not begun and did not run`)
  }

  #noteIdle(count: number): void {
    if (count > 0) this.#notes.push(`${counted(count, 'call')} not awaited, so not run`)
  }

  #fail(code: CodeErrorCode, message: string): void {
    this.#end({ error: codeError(code, message) })
  }

  #end(outcome: Outcome): void {
    this.#isOver = true
    this.#outcome.resolve(outcome)
  }

  #report(outcome: Outcome): CodeResult {
    const output = {
      logs: this.#log.lines(),
      ...(this.#log.isCut && { truncated: true as const }),
      ...(this.#notes.length > 0 && { notes: this.#notes }),
      telemetry: this.#queue.counts,
    }
    return 'error' in outcome
      ? { ok: false, error: outcome.error, ...output }
      : { ok: true, value: outcome.value, ...output }
  }
}

/** A line is a value or the arguments of a call, and a little around it. */
function longestLine(valueSize: number): number {
  return valueSize + 1024
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
