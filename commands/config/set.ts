import { string as argument } from '@oclif/core/args'
import { boolean, string } from '@oclif/core/flags'
import { BaseCommand } from '../../src/ui/base-command.ts'
import { changeOptions, replaceFlag, writeAnswer, writerFlags } from '../../src/ui/config-writer.ts'
import { defineFlags } from '../../src/ui/flags.ts'

export default class ConfigSet extends BaseCommand<typeof ConfigSet> {
  static override summary =
    'Set a value of the config, or add to and remove from a list; everything else stays as it is written.'
  static override examples = [
    'openclaw config set tools.profile coding',
    "openclaw config set 'agents.list[id=work].tools.deny' --append exec --dry-run",
    'openclaw config set tools.toolSearch true --expect-absent',
    'pass show openclaw | openclaw config set gateway.auth.token -',
  ]
  static override args = {
    path: argument({
      description: 'Path such as tools.deny[0]; missing parents are created.',
      required: true,
    }),
    value: argument({ description: 'JSON5, else plain text; - reads it from stdin.' }),
  }
  static override flags = defineFlags({
    append: string({
      summary: 'Add an entry at the end of the list; repeatable.',
      multiple: true,
      helpValue: 'VALUE',
    }),
    remove: string({
      summary: 'Remove the entries that equal this; repeatable.',
      multiple: true,
      helpValue: 'VALUE',
    }),
    'strict-json': boolean({ summary: 'Accept JSON only, no JSON5 and no plain text.' }),
    'expect-current': string({ summary: 'Write only if this is the value now.', helpValue: 'JSON5' }),
    'expect-absent': boolean({ summary: 'Write only if the path is not set now.' }),
    ...replaceFlag,
    ...writerFlags,
  })

  protected async execute() {
    const { flags, args, signal } = this
    const load = this.searchOptions()
    const words = {
      ...args,
      append: flags.append,
      remove: flags.remove,
      strict: flags['strict-json'],
      expectCurrent: flags['expect-current'],
      expectAbsent: flags['expect-absent'],
    }
    const { operate } = await import('../../src/runtime/config-edit/operate.ts')
    const { auditWords, setOperations } = await import('../../src/runtime/config-edit/requests.ts')
    const { createInputs } = await import('../../src/runtime/inputs.ts')
    const operations = await setOperations(
      words,
      createInputs(load.cwd, () => process.stdin),
    )
    const argv = auditWords(words)
    const options = changeOptions(load, flags, { command: 'config set', argv, signal })
    const outcome = await operate(operations, { ...options, replace: flags.replace })
    if (!flags.json) await this.tell(outcome.result.notices)
    return writeAnswer(outcome)
  }
}
