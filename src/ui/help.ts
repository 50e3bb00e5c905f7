import type { Command } from '@oclif/core/command'
import { Config } from '@oclif/core/config'
import { CommandHelp, Help } from '@oclif/core/help'
import { settings } from '@oclif/core/settings'
import { writeJson, writeText } from './output.ts'
import type { Program } from './program.ts'
import { describeOutput } from './terminal.ts'

/** A command's help in the order people read it: what it does, how to call it, examples, then every flag. */
class OrderedCommandHelp extends CommandHelp {
  protected override defaultUsage(): string {
    const args = Object.values(this.command.args).map((arg) => this.arg(arg) + (arg.multiple ? '...' : ''))
    return [this.command.id, ...args, '[flags]'].join(' ')
  }

  protected override sections(): ReturnType<CommandHelp['sections']> {
    const order = ['USAGE', 'EXAMPLES', 'DESCRIPTION', 'ARGUMENTS', 'FLAGS']
    return super
      .sections()
      .filter((section) => order.includes(section.header))
      .toSorted((a, b) => order.indexOf(a.header) - order.indexOf(b.header))
  }
}

class ProgramHelp extends Help {
  protected override CommandHelpClass = OrderedCommandHelp
  #text: string[] = []

  protected override log(...lines: string[]): void {
    this.#text.push(...lines)
  }

  /** The help of a command or topic by its id, of the whole program for any other. */
  async about(id: string): Promise<string> {
    const command = this.config.findCommand(id)
    const topic = this.config.findTopic(id)
    if (command) await this.showCommandHelp(command)
    else if (topic) await this.showTopicHelp(topic)
    else await this.showRootHelp()
    return this.#text.join('\n').trimEnd()
  }

  override formatRoot(): string {
    const start: [string, string][] = [
      ['openclaw tools effective', 'Which tools does this session have?'],
      ['openclaw tools explain exec', 'Why is exec hidden, and what would change that?'],
      ['openclaw config validate', 'Is the config right, and does it say what was meant?'],
    ]
    return [
      this.config.pjson.description ?? '',
      this.section('USAGE', '$ openclaw TOPIC COMMAND [flags]'),
      this.section('START HERE', start),
    ].join('\n\n')
  }

  protected override async showRootHelp(): Promise<void> {
    await super.showRootHelp()
    const pages: [string, string][] = [
      ['openclaw TOPIC --help', 'The commands of a topic.'],
      ['openclaw TOPIC COMMAND --help', 'What a command does, with examples and every flag.'],
      ['openclaw help notices', 'What each notice means and what to do about it.'],
      ['openclaw help files', 'What the files look like that commands read.'],
      ['openclaw help exit-codes', 'How a command ends.'],
      ['openclaw help environment', 'The variables that are read.'],
    ]
    this.log(this.section('MORE HELP', pages))
  }
}

function summaryOf(command: Command.Loadable): { command: string; summary: string } {
  return { command: `openclaw ${command.id.replaceAll(':', ' ')}`, summary: command.summary ?? '' }
}

function describeCommand(command: Command.Loadable): object {
  return {
    ...summaryOf(command),
    arguments: Object.values(command.args).map(({ name, required, description }) => ({
      name,
      required: required === true,
      description,
    })),
    flags: Object.values(command.flags).map((flag) => ({
      name: flag.name,
      type: flag.type,
      summary: flag.summary ?? flag.description,
      env: flag.env,
      options: flag.type === 'option' ? flag.options : undefined,
      multiple: flag.type === 'option' ? flag.multiple : undefined,
    })),
    examples: command.examples,
  }
}

/** Shows the help of the program, of one topic or of one command; as JSON `{ commands }` or one command with its flags. */
export async function showHelp(words: readonly string[], program: Program, json: boolean): Promise<void> {
  // Sources and bundles are loaded as they are; oclif must not look for a compiler.
  settings.enableAutoTranspile = false
  const config = await Config.load({ root: program.root, ...(program.pjson && { pjson: program.pjson }) })
  const id = words.join(':')
  if (json) {
    const command = config.findCommand(id)
    const below = config.commands.filter((other) => id === '' || other.id.startsWith(`${id}:`))
    await writeJson(command ? describeCommand(command) : { commands: below.map(summaryOf) })
    return
  }
  const { color, width } = describeOutput('stdout', false)
  const help = new ProgramHelp(config, {
    maxWidth: Math.min(width, 120),
    stripAnsi: !color,
    flagSortOrder: 'none',
  })
  await writeText('stdout', await help.about(id))
}
