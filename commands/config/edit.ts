import type { OpenClawError } from '../../src/kernel/errors.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { changeOptions, writerFlags } from '../../src/ui/config-writer.ts'
import { defineFlags } from '../../src/ui/flags.ts'

export default class ConfigEdit extends BaseCommand<typeof ConfigEdit> {
  static override summary =
    'Open a copy of the config in $VISUAL or $EDITOR, check what comes back, show the diff and write it.'
  static override examples = ['openclaw config edit', 'EDITOR="code --wait" openclaw config edit --dry-run']
  static override flags = defineFlags({ ...writerFlags })

  protected async execute() {
    const { flags, signal } = this
    const options = changeOptions(this.searchOptions(), flags, { command: 'config edit', argv: [], signal })
    const { editConfig } = await import('../../src/runtime/config-edit/edit-session.ts')
    const outcome = await editConfig(options, async (error: OpenClawError) => {
      const { askAgain } = await import('../../src/ui/ask.ts')
      return askAgain(error, signal)
    })
    if (!flags.json) await this.tell(outcome.result.notices)
    const { diffOf } = await import('../../src/runtime/config-edit/file-diff.ts')
    const diff = diffOf(outcome.edited)
    return {
      data: { ...outcome.result, diff },
      human: async (ui: Ui) => {
        const { renderWrite } = await import('../../src/ui/render/config-write.ts')
        return renderWrite(outcome, diff, ui)
      },
    }
  }
}
