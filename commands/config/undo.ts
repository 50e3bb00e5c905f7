import { BaseCommand } from '../../src/ui/base-command.ts'
import { changeOptions, writeAnswer, writerFlags } from '../../src/ui/config-writer.ts'
import { defineFlags } from '../../src/ui/flags.ts'

export default class ConfigUndo extends BaseCommand<typeof ConfigUndo> {
  static override summary =
    'Take the last write of the config back, in every file it changed; again for the one before it.'
  static override examples = ['openclaw config undo', 'openclaw config undo --dry-run']
  static override flags = defineFlags({ ...writerFlags })

  protected async execute() {
    const { flags, signal } = this
    const options = changeOptions(this.searchOptions(), flags, { command: 'config undo', argv: [], signal })
    const { undoWrite } = await import('../../src/runtime/config-edit/undo.ts')
    const outcome = await undoWrite(options)
    if (!flags.json) await this.tell(outcome.result.notices)
    return writeAnswer(outcome)
  }
}
