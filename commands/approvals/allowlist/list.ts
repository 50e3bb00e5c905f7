import { string } from '@oclif/core/flags'
import { BaseCommand, type Ui } from '../../../src/ui/base-command.ts'
import { defineFlags, listFlags } from '../../../src/ui/flags.ts'

export default class ApprovalsAllowlistList extends BaseCommand<typeof ApprovalsAllowlistList> {
  static override summary = 'List the programs that commands of exec may start without a question.'
  static override examples = [
    'openclaw approvals allowlist list',
    'openclaw approvals allowlist list --agent work --json',
  ]
  static override flags = defineFlags({
    ...listFlags,
    agent: string({
      helpValue: 'ID',
      summary: "Entries of this agent only; '*' for those of every agent.",
    }),
  })

  protected async execute() {
    const { listAllowed } = await import('../../../src/runtime/exec-allowlist.ts')
    const data = await listAllowed(this.searchOptions(), this.flags.agent)
    return {
      data,
      names: () => data.items.map(({ pattern }) => pattern),
      human: async (ui: Ui) => {
        const { renderAllowlist } = await import('../../../src/ui/render/allowlist.ts')
        return renderAllowlist(data, ui)
      },
    }
  }
}
