import { string as argument } from '@oclif/core/args'
import { BaseCommand } from '../../src/ui/base-command.ts'
import { changeOptions, writeAnswer, writerFlags } from '../../src/ui/config-writer.ts'
import { defineFlags } from '../../src/ui/flags.ts'

export default class ConfigUnset extends BaseCommand<typeof ConfigUnset> {
  static override summary =
    'Remove a key or a list entry from the config, with the comments that are about it alone.'
  static override examples = [
    'openclaw config unset tools.profile',
    "openclaw config unset 'agents.list[id=work].tools.deny[0]' --dry-run",
    `openclaw config unset 'tools.byProvider["openai/gpt-5"]'`,
  ]
  static override args = {
    path: argument({ description: 'Path such as tools.deny[0].', required: true }),
  }
  static override flags = defineFlags({ ...writerFlags })

  protected async execute() {
    const { flags, args, signal } = this
    const options = changeOptions(this.searchOptions(), flags, {
      command: 'config unset',
      argv: [args.path],
      signal,
    })
    const { operate } = await import('../../src/runtime/config-edit/operate.ts')
    const { parseSteps } = await import('../../src/config/path-syntax.ts')
    const outcome = await operate([{ op: 'unset', steps: parseSteps(args.path) }], {
      ...options,
      replace: true,
    })
    if (!flags.json) await this.tell(outcome.result.notices)
    return writeAnswer(outcome)
  }
}
