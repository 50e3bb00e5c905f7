import { string as argument } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { BaseCommand } from '../../src/ui/base-command.ts'
import { changeOptions, replaceFlag, writeAnswer, writerFlags } from '../../src/ui/config-writer.ts'
import { defineFlags } from '../../src/ui/flags.ts'

export default class ConfigApply extends BaseCommand<typeof ConfigApply> {
  static override summary = 'Carry out operations, one JSON object a line, as one write: all of them or none.'
  static override examples = [
    'openclaw tools explain exec --json | jq -c ".fixes[0].edits[]" | openclaw config apply -',
    'openclaw config apply --file operations.ndjson --dry-run',
    `echo '{"op":"append","path":"tools.deny","value":"exec"}' | openclaw config apply -`,
  ]
  static override args = {
    file: argument({ description: 'File of operations; - is stdin, which is also read without it.' }),
  }
  static override flags = defineFlags({
    file: string({ summary: 'The same as the argument.', helpValue: 'FILE' }),
    ...replaceFlag,
    ...writerFlags,
  })

  protected async execute() {
    const { flags, args, signal } = this
    const load = this.searchOptions()
    const file = args.file ?? flags.file ?? '-'
    const { operate } = await import('../../src/runtime/config-edit/operate.ts')
    const { readOperations } = await import('../../src/runtime/config-edit/requests.ts')
    const { createInputs } = await import('../../src/runtime/inputs.ts')
    const inputs = createInputs(load.cwd, () => process.stdin)
    const operations = readOperations(await inputs.readText(file, 'list of operations'))
    const options = changeOptions(load, flags, { command: 'config apply', argv: [file], signal })
    const outcome = await operate(operations, { ...options, replace: flags.replace })
    if (!flags.json) await this.tell(outcome.result.notices)
    return writeAnswer(outcome)
  }
}
