import { randomBytes } from 'node:crypto'
import { OpenClawError } from '../../kernel/errors.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { PlannedCommand } from '../place.ts'
import { startPiped, type Child } from './child.ts'
import { Command, type CommandFacts } from './command.ts'
import { endFamily, killNow, usualGraceMs } from './ending.ts'
import { markVariable, type Lineage } from './family-tree.ts'
import { Guard } from './guard.ts'
import { Output } from './output.ts'
import { Spill } from './spill.ts'

/** Background commands of one session that run at the same time, and finished ones that are remembered. */
const mostRunning = 64
const mostFinished = 100
const longestTimer = 2 ** 31 - 1

/** A command that is to be started. */
export interface CommandOrder extends Omit<CommandFacts, 'id' | 'mark'> {
  /** Before the sandbox is put around it. */
  readonly command: PlannedCommand
  readonly wrap: (command: PlannedCommand) => PlannedCommand
  /** Milliseconds it may run; infinite for no end. */
  readonly timeoutMs: number
  /** Where output that is too much for memory goes. */
  readonly stateDir: string
}

/** How a command lives on when its call is over. */
export interface Afterlife {
  /** Milliseconds it stays listed when it has ended. */
  readonly cleanupMs: number
  /** Called when it ends. */
  readonly onEnd: (command: Command) => void
}

/** The commands of one program: those that run, those in the background by session, and what they left. */
export class CommandRegistry {
  readonly #mark = randomBytes(12).toString('hex')
  readonly #background = new Map<string, Command>()
  /** What runs that are not over have started and not handed on: the command, or its mark alone when it has ended, as somebody who left its group may live on. */
  readonly #owned = new Map<object, Map<string, Command | null>>()
  readonly #running = new Set<Command>()
  #guard: Guard | null = null
  #started = 0
  #isClosed = false

  /** Starts a command. Errors: ABORTED when the program ends, TOOL_FAILED with the system's words where it cannot be started, TOOL_UNAVAILABLE without a terminal. */
  async start(order: CommandOrder): Promise<Command> {
    if (this.#isClosed) throw new OpenClawError('ABORTED', 'the program is ending')
    this.#started += 1
    const id = `exec-${randomBytes(4).toString('hex')}`
    // Ends with a dot, so that no mark is the beginning of another.
    const mark = `${this.#mark}.${this.#started}.`
    const { command, wrap, timeoutMs, stateDir, ...facts } = order
    const env = { ...command.env, OPENCLAW_SHELL: 'exec', [markVariable]: mark }
    const planned = wrap({ ...command, env })
    const output = new Output(new Spill(stateDir, id))
    let made: Command | null = null
    const onOutput = (chunk: Buffer): void => (made === null ? output.push(chunk) : made.take(chunk))
    this.#watchEnd()
    const child = await this.#startChild(planned, order, onOutput)
    made = new Command({ ...facts, id, mark }, child, output, timeoutMs)
    this.#take(made)
    if (this.#isClosed) await made.end('aborted', 0)
    return made
  }

  /** Keeps a command for its session after the call that started it. Error: TOOL_FAILED where the session has too many; the command is ended then. */
  async keep(command: Command, { cleanupMs, onEnd }: Afterlife): Promise<void> {
    const { id, sessionKey, owner } = command.facts
    const running = this.list(sessionKey).filter(({ status }) => status === 'running').length
    if (running >= mostRunning) {
      await command.end('killed')
      throw new OpenClawError(
        'TOOL_FAILED',
        `${mostRunning} commands of this session run in the background`,
        {
          hints: ['end some with the process tool: list, then kill'],
          data: { running },
        },
      )
    }
    this.#background.set(id, command)
    this.#owned.get(owner)?.delete(command.facts.mark)
    const ended = (): void => {
      onEnd(command)
      this.#trim(sessionKey)
      if (cleanupMs <= longestTimer) setTimeout(() => this.forget(command), cleanupMs).unref()
    }
    if (command.status === 'running') command.onEnd = ended
    else ended()
  }

  /** The commands that a session has in the background, the oldest first. */
  list(sessionKey: string): readonly Command[] {
    return [...this.#background.values()].filter(({ facts }) => facts.sessionKey === sessionKey)
  }

  /** A command by its id, if it is the session's. */
  find(sessionKey: string, id: string): Command | undefined {
    const found = this.#background.get(id)
    return found?.facts.sessionKey === sessionKey ? found : undefined
  }

  /** Drops a command that has ended; what it left running is ended. */
  forget(command: Command): void {
    if (this.#background.get(command.facts.id) !== command) return
    this.#background.delete(command.facts.id)
    void command.end('killed')
  }

  /** Ends what a run has started and not handed to the background, with what those commands left behind. */
  async endRun(owner: object): Promise<void> {
    const owned = this.#owned.get(owner)
    this.#owned.delete(owner)
    if (owned === undefined) return
    await this.#end([...owned.values()].filter((command) => command !== null))
    await endFamily(() => ({ owns: (mark) => owned.has(mark), leaders: new Set() }), usualGraceMs)
  }

  /** Ends everything; nothing starts any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    const owned = [...this.#owned.values()].flatMap((commands) => [...commands.values()])
    const all = new Set([...this.#background.values(), ...this.#running, ...owned])
    await this.#end([...all].filter((command) => command !== null))
    if (this.#started > 0) await endFamily(() => this.#everything, usualGraceMs)
    this.#background.clear()
    this.#owned.clear()
    process.removeListener('exit', this.#killAll)
    const guard = this.#guard
    this.#guard = null
    await guard?.end()
  }

  async #end(commands: readonly Command[]): Promise<void> {
    await Promise.all(commands.map((command) => command.end('killed')))
  }

  async #startChild(
    planned: PlannedCommand,
    { pty, interactive }: CommandOrder,
    onOutput: (chunk: Buffer) => void,
  ): Promise<Child> {
    try {
      if (!pty) return await startPiped(planned, interactive, onOutput)
      const { startInTerminal } = await import('./terminal.ts')
      return await startInTerminal(planned, onOutput)
    } catch (error) {
      if (error instanceof OpenClawError) throw error
      const why = cleanLine(error instanceof Error ? error.message : String(error), 500)
      throw new OpenClawError('TOOL_FAILED', `the command could not be started: ${why}`, { cause: error })
    }
  }

  #take(command: Command): void {
    const { owner, mark } = command.facts
    const owned = this.#owned.get(owner) ?? new Map<string, Command | null>()
    this.#owned.set(owner, owned.set(mark, command))
    this.#running.add(command)
    this.#guard?.add(command.pid)
    void this.#untake(command, owned)
  }

  async #untake(command: Command, owned: Map<string, Command | null>): Promise<void> {
    await command.ended
    this.#running.delete(command)
    if (command.hasGroup) return
    this.#guard?.remove(command.pid)
    const { mark } = command.facts
    if (owned.has(mark)) owned.set(mark, null)
  }

  #watchEnd(): void {
    if (this.#guard !== null) return
    this.#guard = new Guard(`${this.#mark}.`)
    process.on('exit', this.#killAll)
  }

  /** A process that ends has no time for more. */
  readonly #killAll = (): void => {
    for (const command of this.#running) command.kill()
    killNow(this.#everything)
  }

  get #everything(): Lineage {
    return { owns: (mark) => mark.startsWith(`${this.#mark}.`), leaders: new Set() }
  }

  #trim(sessionKey: string): void {
    const finished = this.list(sessionKey).filter(({ status }) => status !== 'running')
    for (const command of finished.slice(0, Math.max(0, finished.length - mostFinished))) this.forget(command)
  }
}
