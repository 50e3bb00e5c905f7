import { string as argument } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import { BaseCommand } from '../../../src/ui/base-command.ts'
import { defineFlags, word } from '../../../src/ui/flags.ts'

export default class ApprovalsAllowlistRemove extends BaseCommand<typeof ApprovalsAllowlistRemove> {
  static override summary = 'Take programs off the allowlist, also those that a yes for always has added.'
  static override examples = [
    'openclaw approvals allowlist remove rg',
    "openclaw approvals allowlist remove '~/bin/*' --agent work",
  ]
  static override args = {
    entry: argument({
      required: true,
      description: 'Pattern or id of an entry, or the program it stands for.',
    }),
  }
  static override flags = defineFlags({
    agent: string({
      helpValue: 'ID',
      summary: "Entries of this agent only, '*' for those of every agent; else all.",
    }),
    'arg-pattern': word({
      helpValue: 'REGEX',
      summary: 'Only the entry with this expression for arguments.',
    }),
  })

  protected async execute() {
    const { disallowProgram } = await import('../../../src/runtime/exec-allowlist.ts')
    const { agent, 'arg-pattern': argPattern } = this.flags
    const data = await disallowProgram(this.searchOptions(), this.args.entry, { agent, argPattern })
    return {
      data,
      human: async () => {
        const { renderRemoved } = await import('../../../src/ui/render/allowlist.ts')
        return renderRemoved(data)
      },
    }
  }
}
