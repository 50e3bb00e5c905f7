import { Command } from '@oclif/core/command'
import type { FlagInput, InferredArgs, InferredFlags } from '@oclif/core/interfaces'
import type { FindOptions } from '../config/find.ts'
import type { ExitCode } from '../kernel/errors.ts'
import type { Notice } from '../kernel/path.ts'
import { showText } from '../kernel/untrusted-text.ts'
import { withinBounds } from './bounds.ts'
import { commonFlags } from './flags.ts'
import { writeJson, writeLines, writeText } from './output.ts'
import { write } from './streams.ts'
import { describeOutput } from './terminal.ts'
import { loadTheme, type Theme } from './theme.ts'
import { toUsageError } from './usage.ts'

/*
 * How to write a command: one file below commands/, at most 80 lines, no logic and no output of its own.
 *
 *   export default class ToolsExample extends BaseCommand<typeof ToolsExample> {
 *     static override summary = 'Say in one line what it does.'
 *     static override examples = ['<%= config.bin %> tools example', …]            // two to four
 *     static override args = { tool: Args.string({ required: true }) }             // Args from '@oclif/core/args'
 *     static override flags = defineFlags({ ...sessionFlags, why: boolean({ summary: '…' }) })
 *
 *     protected async execute() {
 *       const data = ask(this.flags, this.args)
 *       return { data, human: (ui: Ui) => render(data, ui.theme) }
 *     }
 *   }
 *
 * `--json` prints `data` and nothing else; otherwise `human` returns the text for stdout. Anything beside the answer goes to
 * stderr through `this.note`. To fail, throw an OpenClawError: never print, never exit. Heavy modules come in through
 * `await import` inside `execute` or `human`. Lists add `...listFlags` and return `names`; streams return `lines`.
 */

/** What the text of an answer may depend on. */
export interface Ui {
  readonly theme: Theme
  /** Columns that text may use. */
  readonly width: number
  readonly interactive: boolean
  /** Files below it are shown relative to it. */
  readonly cwd: string
  /** The flags that named the config on the command line, as words; a command that is shown must name it, too, or it works on another file. */
  readonly configFlags: readonly string[]
}

/** What a command answers. */
export interface Answer {
  /** The one JSON value of `--json`. */
  readonly data?: unknown
  /** The text of stdout; loaded modules and work that only people need belong here. */
  readonly human?: (ui: Ui) => string | Promise<string>
  /** The text is one value, byte for byte as a script needs it; only a terminal gets it made safe. */
  readonly exact?: boolean
  /** The lines of `--output names`. */
  readonly names?: () => readonly string[]
  /** NDJSON instead of `data` and `human`, written as it comes. */
  readonly lines?: AsyncIterable<unknown> | Iterable<unknown>
  /** 0 unless a negative answer is a failure (contract §1). */
  readonly exitCode?: ExitCode
}

/** A directory that was removed below the shell has no path any more; its old name keeps absolute paths working and relative ones failing as usual. */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return process.env.PWD ?? '/'
  }
}

/** The flags without those variables that are blank, which is how wrappers write what they have not got. */
function withoutBlankVariables(flags: FlagInput = {}): FlagInput {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      const { env, ...rest } = flag
      return [name, env !== undefined && process.env[env]?.trim() === '' ? rest : flag]
    }),
  )
}

/** A repeatable flag that its variable sets comes as one text; every command expects a list. */
function withLists(values: Readonly<Record<string, unknown>>, flags: FlagInput): Record<string, unknown> {
  const isList = (name: string) => {
    const flag = flags[name]
    return flag?.type === 'option' && flag.multiple === true
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isList(name) && typeof value === 'string' ? [value] : value,
    ]),
  )
}

type Flags<C extends typeof Command> = InferredFlags<typeof commonFlags & C['flags']>
type Arguments<C extends typeof Command> = InferredArgs<C['args']>

/** A command with the common flags, the rules for stdout and stderr, and the exit codes of contract §1. */
export abstract class BaseCommand<C extends typeof Command> extends Command {
  static override baseFlags = commonFlags

  declare protected flags: Flags<C>
  declare protected args: Arguments<C>
  /** Aborted by Ctrl-C and by `--timeout`. */
  declare protected signal: AbortSignal
  #fromCommandLine = new Set<string>()

  /** Finds the answer, or throws an OpenClawError. */
  protected abstract execute(): Promise<Answer>

  /** Parses the command line; every mistake in it is USAGE. */
  protected override async init(): Promise<void> {
    const { args, baseFlags, flags, id, strict } = this.ctor
    // A missing argument would otherwise be waited for on stdin.
    for (const arg of Object.values(args)) arg.ignoreStdin = true
    try {
      const parsed = await this.parse({
        args,
        baseFlags: withoutBlankVariables(baseFlags),
        flags: withoutBlankVariables(flags),
        strict,
      })
      // The parser cannot know the subclass; its own statics are what it has just parsed.
      this.flags = withLists(parsed.flags, { ...baseFlags, ...flags }) as Flags<C>
      this.args = parsed.args as Arguments<C>
      for (const token of parsed.raw) if (token.type === 'flag') this.#fromCommandLine.add(token.flag)
    } catch (error) {
      throw toUsageError(error, {
        command: `${this.config.bin} ${id.replaceAll(':', ' ')}`,
        flags: { ...baseFlags, ...flags },
        argv: this.argv,
      })
    }
  }

  /** Runs the command and returns its exit code. */
  override async run(): Promise<ExitCode> {
    const answer = await this.bounds(async (signal) => {
      this.signal = signal
      return this.#print(await this.execute())
    }, this.#common.timeout)
    if (this.#common.debug) this.note(`debug: ${Math.round(process.uptime() * 1000)} ms since the start`)
    return answer.exitCode ?? 0
  }

  /** What ends the work before its own end; servers are ended another way. */
  protected bounds: typeof withinBounds = withinBounds

  /** Whether a flag stands on the command line, and does not only come from its variable. */
  protected readonly isTyped = (flag: string): boolean => this.#fromCommandLine.has(flag)

  /** Where to look for the config. The search ranks the environment itself, so only flags that were typed are flags here. */
  protected searchOptions(): FindOptions {
    const { config: file, 'state-dir': stateDir, profile } = this.#typedPlace()
    return { file, stateDir, profile, env: process.env, cwd: workingDirectory() }
  }

  /** Writes progress, a warning or a hint to stderr. */
  protected note(text: string): void {
    const { color } = describeOutput('stderr', this.#common['no-color'])
    void write('stderr', `${showText(text, color)}\n`)
  }

  /** Writes notices to stderr, at most three of a kind unless asked for all; an answer in JSON carries its own. */
  protected async tell(notices: readonly Notice[], all = false): Promise<void> {
    if (notices.length === 0) return
    const { renderNotices } = await import('./render/place.ts')
    const { color } = describeOutput('stderr', this.#common['no-color'])
    this.note(renderNotices(notices, await loadTheme(color), workingDirectory(), all ? Infinity : 3))
  }

  /** Leaves the report of a failure to the dispatcher. */
  protected override async catch(error: Error): Promise<never> {
    throw error
  }

  get #common(): InferredFlags<typeof commonFlags> & { output?: string } {
    return this.flags
  }

  #typedPlace(): { config?: string; 'state-dir'?: string; profile?: string } {
    const flags = ['config', 'state-dir', 'profile'] as const
    return Object.fromEntries(
      flags.flatMap((flag) => {
        const value = this.isTyped(flag) ? this.#common[flag] : undefined
        return value === undefined ? [] : [[flag, value]]
      }),
    )
  }

  async #print(answer: Answer): Promise<Answer> {
    const { json, output } = this.#common
    if (answer.lines) await writeLines(answer.lines)
    else if (json) await writeJson(answer.data)
    else if (answer.names && output === 'names') await this.#printText(answer.names().join('\n'), true)
    else if (answer.human) {
      const { color, width, interactive } = describeOutput('stdout', this.#common['no-color'])
      const text = await answer.human({
        theme: await loadTheme(color),
        width,
        interactive,
        cwd: workingDirectory(),
        configFlags: Object.entries(this.#typedPlace()).flatMap(([flag, value]) => [`--${flag}`, value]),
      })
      await this.#printText(text, answer.exact === true)
    }
    return answer
  }

  async #printText(text: string, exact: boolean): Promise<void> {
    const { color, interactive } = describeOutput('stdout', this.#common['no-color'])
    await writeText('stdout', exact && !interactive ? text : showText(text, color))
  }
}
