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

/** Background commands of one session that run at the same time, and finished ones that are remembered, of one session and of all. */
const mostRunning = 64
const mostFinished = 50
const mostFinishedOfAll = 200
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

/** What a run that is not over has started. */
interface Run {
  /** Beginning of the marks of its commands. */
  readonly mark: string
  /** Those that run, or left somebody in their group, and were not handed to the background. */
  readonly commands: Set<Command>
  /** Marks of those that were. */
  readonly handedOn: Set<string>
}

/** The commands of one program: those that run, those in the background by session, and what they left. */
export class CommandRegistry {
  readonly #mark = randomBytes(12).toString('hex')
  readonly #background = new Map<string, Command>()
  readonly #runs = new Map<object, Run>()
  readonly #running = new Set<Command>()
  #guard: Guard | null = null
  #begun = 0
  #started = 0
  #isClosed = false

  /** Starts a command. Errors: ABORTED when the program ends, TOOL_FAILED with the system's words where it cannot be started, TOOL_UNAVAILABLE without a terminal. */
  async start(order: CommandOrder): Promise<Command> {
    if (this.#isClosed) throw new OpenClawError('ABORTED', 'the program is ending')
    this.#started += 1
    const id = `exec-${randomBytes(4).toString('hex')}`
    // Ends with a dot, so that no mark is the beginning of another.
    const { command, wrap, timeoutMs, stateDir, ...facts } = order
    const run = this.#runOf(facts.owner)
    const mark = `${run.mark}${this.#started}.`
    const env = { ...command.env, OPENCLAW_SHELL: 'exec', [markVariable]: mark }
    const planned = wrap({ ...command, env })
    const output = new Output(new Spill(stateDir, id))
    let made: Command | null = null
    const onOutput = (chunk: Buffer): void => (made === null ? output.push(chunk) : made.take(chunk))
    this.#watchEnd()
    const child = await this.#startChild(planned, order, onOutput)
    made = new Command({ ...facts, id, mark }, child, output, timeoutMs)
    this.#take(made, run)
    if (this.#isClosed) await made.end('aborted', 0)
    return made
  }

  /** Keeps a command for its session after the call that started it. Error: TOOL_FAILED where the session has too many; the command is ended then. */
  async keep(command: Command, { cleanupMs, onEnd }: Afterlife): Promise<void> {
    const { id, sessionKey, owner, mark } = command.facts
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
    const run = this.#runOf(owner)
    run.commands.delete(command)
    run.handedOn.add(mark)
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
    const { id, mark, owner } = command.facts
    this.#background.delete(id)
    this.#runs.get(owner)?.handedOn.delete(mark)
    void command.end('killed')
  }

  /** Ends what a run has started and not handed to the background, with what those commands left behind. */
  async endRun(owner: object): Promise<void> {
    const run = this.#runs.get(owner)
    this.#runs.delete(owner)
    if (run === undefined) return
    await this.#end([...run.commands])
    // Somebody who left the group of a command that has ended.
    const owns = (mark: string): boolean => mark.startsWith(run.mark) && !run.handedOn.has(mark)
    await endFamily(() => ({ owns, leaders: new Set(), output: null }), usualGraceMs)
  }

  /** Ends everything; nothing starts any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    const owned = [...this.#runs.values()].flatMap(({ commands }) => [...commands])
    await this.#end([...new Set([...this.#background.values(), ...this.#running, ...owned])])
    if (this.#started > 0) await endFamily(() => this.#everything, usualGraceMs)
    this.#background.clear()
    this.#runs.clear()
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

  #runOf(owner: object): Run {
    const known = this.#runs.get(owner)
    if (known !== undefined) return known
    this.#begun += 1
    const mark = `${this.#mark}.${this.#begun}.`
    const made: Run = { mark, commands: new Set(), handedOn: new Set() }
    this.#runs.set(owner, made)
    return made
  }

  #take(command: Command, run: Run): void {
    run.commands.add(command)
    this.#running.add(command)
    this.#guard?.add(command.pid)
    void this.#untake(command, run)
  }

  async #untake(command: Command, run: Run): Promise<void> {
    await command.ended
    this.#running.delete(command)
    if (command.hasGroup) return
    this.#guard?.remove(command.pid)
    run.commands.delete(command)
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
    return { owns: (mark) => mark.startsWith(`${this.#mark}.`), leaders: new Set(), output: null }
  }

  #trim(sessionKey: string): void {
    const dropOldest = (commands: readonly Command[], most: number): void => {
      const finished = commands.filter(({ status }) => status !== 'running')
      for (const command of finished.slice(0, Math.max(0, finished.length - most))) this.forget(command)
    }
    dropOldest(this.list(sessionKey), mostFinished)
    dropOldest([...this.#background.values()], mostFinishedOfAll)
  }
}
