import { existsSync } from 'node:fs'
import type { Running, Returned } from '../../calls/executor.ts'
import type { Args } from '../../calls/types.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import type { CommandGate, CommandQuestion, CommandVerdict } from '../exec-approvals/gate.ts'
import type { CoreTool } from '../family.ts'
import type { CodingToolOptions } from '../options.ts'
import type { CommandPlace } from '../place.ts'
import type { Command } from './command.ts'
import { commandEnvironment } from './environment.ts'
import type { CommandHost } from './host.ts'
import { followUp } from './notice.ts'
import type { CommandRegistry } from './registry.ts'
import { endReport, progressReport, runningReport } from './report.ts'
import { commandSettings, millisecondsOf, type CommandSettings } from './settings.ts'
import { commandDirectory } from './workdir.ts'

/** What the tools of a run stand on. */
export interface CommandParts {
  readonly options: CodingToolOptions
  readonly host: CommandHost
  readonly gate: CommandGate
  /** The run, as the owner of what it starts. */
  readonly owner: object
}

/** Milliseconds between partial results. */
const progressMs = 500
/** Bytes that the system takes as one argument. */
const longestCommand = 128 * 1024 - 1
const longestTimer = 2 ** 31 - 1

/** A call that was looked at: where it would run, as what. */
interface Plan {
  readonly command: string
  readonly place: CommandPlace
  readonly settings: CommandSettings
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly question: CommandQuestion
}

/**
 * The tool that runs shell commands. How a command ended is a result, also where it failed; errors are: INPUT_INVALID for arguments that cannot
 * be meant, TOOL_DENIED (`data.layer` says by what), TOOL_UNAVAILABLE where there is no such place or terminal, TOOL_FAILED where nothing could be started.
 */
export function execTool(parts: CommandParts): CoreTool {
  // What needs an approval when it runs must have been asked for; the answer is bound to these very arguments.
  const asked = new WeakSet<Args>()
  return {
    approval: async (args) => {
      const verdict = await parts.gate.judge((await planOf(args, parts)).question)
      if (verdict.verdict !== 'ask') return null
      asked.add(args)
      return verdict.wanted
    },
    run: async (args, running) => {
      const plan = await planOf(args, parts)
      const verdict = await parts.gate.judge(plan.question)
      if (verdict.verdict === 'deny') throw denied(verdict)
      if (verdict.verdict === 'ask' && !asked.has(args)) throw changed()
      running.signal.throwIfAborted()
      return new Call(args, plan, parts, running).toEnd()
    },
  }
}

async function planOf(args: Args, { options }: CommandParts): Promise<Plan> {
  const { view, env, homeDir, places } = options
  const command = checkedCommand(args['command'])
  const settings = commandSettings(view())
  const { host, elevated, security, ask } = args
  const place = await places.commands({
    ...(isOneOf(host, ['auto', 'sandbox', 'gateway', 'node']) && { host }),
    ...(typeof elevated === 'boolean' && { elevated }),
  })
  const cwd = commandDirectory(place, args['workdir'], homeDir)
  const made = commandEnvironment({
    env,
    vars: view().config.env?.vars ?? {},
    pathPrepend: settings.pathPrepend,
    homeDir,
    given: stringsOf(args['env']),
    pty: args['pty'] === true,
  })
  const question = {
    command,
    workdir: cwd,
    path: made['PATH'] ?? '',
    env: stringsOf(args['env']),
    place,
    ...(isOneOf(security, ['deny', 'allowlist', 'full']) && { security }),
    ...(isOneOf(ask, ['off', 'on-miss', 'always']) && { ask }),
  }
  return { command, place, settings, cwd, env: made, question }
}

/** One call of exec on its way. */
class Call {
  readonly #args: Args
  readonly #plan: Plan
  readonly #parts: CommandParts
  readonly #running: Running

  constructor(args: Args, plan: Plan, parts: CommandParts, running: Running) {
    this.#args = args
    this.#plan = plan
    this.#parts = parts
    this.#running = running
  }

  async toEnd(): Promise<Returned> {
    const { signal } = this.#running
    const registry = await this.#parts.host.registry()
    const command = await this.#start(registry)
    const onAbort = (): void => void command.end('aborted')
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    try {
      await this.#wait(command)
      signal.throwIfAborted()
      // What was ended from here is only over when what it started is, too.
      if (command.reason !== null) await command.end(command.reason)
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
    if (command.status !== 'running') return { result: endReport(command) }
    const { settings } = this.#plan
    await registry.keep(command, followUp(command, settings, this.#parts.options.services))
    return { result: runningReport(command, this.#noteOnFollowing()) }
  }

  #start(registry: CommandRegistry): Promise<Command> {
    const { command, place, cwd, env, settings } = this.#plan
    const { options, owner } = this.#parts
    const { timeout, pty, background } = this.#args
    const shell = shellOf(place)
    return registry.start({
      sessionKey: options.view().context.sessionKey,
      owner,
      text: command,
      cwd,
      backend: place.backend,
      pty: pty === true,
      interactive: background === true,
      command: { file: shell, args: ['-c', '--', command], cwd, env },
      wrap: (planned) => place.wrap(planned),
      timeoutMs: typeof timeout === 'number' ? millisecondsOf(timeout) : settings.timeoutMs,
      stateDir: options.stateDir,
    })
  }

  /** Waits for the end, as long as the call should; tells meanwhile what was written. */
  async #wait(command: Command): Promise<void> {
    const waitMs = this.#waitMs()
    if (waitMs === 0) return
    let told = 0
    const progress = setInterval(() => {
      if (command.output.total === told) return
      told = command.output.total
      this.#running.onUpdate(progressReport(command))
    }, progressMs)
    const late = Promise.withResolvers<void>()
    const timer = waitMs <= longestTimer ? setTimeout(late.resolve, waitMs) : undefined
    try {
      await Promise.race([command.ended, late.promise])
    } finally {
      clearInterval(progress)
      clearTimeout(timer)
    }
  }

  /** Milliseconds until the command goes on in the background. Without the process tool, or in a program that ends with this call, nobody could follow it. */
  #waitMs(): number {
    const { yieldMs, background } = this.#args
    const { host, options } = this.#parts
    if (!canFollow(options)) return Number.POSITIVE_INFINITY
    if (background === true) return 0
    if (typeof yieldMs === 'number') return yieldMs
    return host.lasts === 'call' ? Number.POSITIVE_INFINITY : this.#plan.settings.backgroundMs
  }

  #noteOnFollowing(): string {
    switch (this.#parts.host.lasts) {
      case 'call':
        return 'It ends with this program, which ends with this call; an agent run or a Gateway lasts longer.'
      case 'run':
        return 'Follow it with the process tool (list, poll, log, write, kill); it ends with this run.'
      case 'program':
        return 'Follow it with the process tool (list, poll, log, write, kill).'
    }
  }
}

function canFollow({ view }: CodingToolOptions): boolean {
  return view().decisions.some(({ tool, verdict }) => {
    return tool.source === 'core' && tool.name === 'process' && verdict === 'visible'
  })
}

/** Bash where this machine has it; an image of somebody else has at least sh. */
function shellOf({ backend }: CommandPlace): string {
  hasBash ??= existsSync('/bin/bash')
  return hasBash && backend !== 'docker' ? '/bin/bash' : '/bin/sh'
}

let hasBash: boolean | null = null

function checkedCommand(given: unknown): string {
  const command = typeof given === 'string' ? given : ''
  const problem =
    command.trim() === ''
      ? 'command is empty'
      : command.includes('\0')
        ? 'command has a NUL character in it'
        : Buffer.byteLength(command) > longestCommand
          ? `command is longer than ${longestCommand} bytes; write it to a file and run that`
          : null
  if (problem !== null) throw new OpenClawError('INPUT_INVALID', problem)
  return command
}

function denied({ reason, layer, hints }: Extract<CommandVerdict, { verdict: 'deny' }>): OpenClawError {
  return new OpenClawError('TOOL_DENIED', reason, { hints, data: { tool: 'exec', layer } })
}

function changed(): OpenClawError {
  return new OpenClawError('TOOL_DENIED', 'what may run was changed while this command was on its way', {
    hints: ['call it again; it needs an approval now'],
    data: { tool: 'exec', layer: 'exec-approvals' },
  })
}

function isOneOf<const Known extends string>(value: unknown, known: readonly Known[]): value is Known {
  return known.some((each) => each === value)
}

/** The input's schema lets only texts through. */
function stringsOf(given: unknown): Readonly<Record<string, string>> {
  if (typeof given !== 'object' || given === null) return {}
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
}
