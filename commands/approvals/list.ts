import { listApprovals } from '../../src/runtime/approvals.ts'
import { BaseCommand, type Ui } from '../../src/ui/base-command.ts'
import { defineFlags, listFlags } from '../../src/ui/flags.ts'

export default class ApprovalsList extends BaseCommand<typeof ApprovalsList> {
  static override summary = 'List calls that wait for a yes, and the answers that still count.'
  static override examples = [
    'openclaw approvals list',
    'openclaw approvals list --json | jq -r ".items[] | select(.state == \\"pending\\") | .id"',
  ]
  static override flags = defineFlags({ ...listFlags })

  protected async execute() {
    const data = listApprovals(this.searchOptions())
    return {
      data,
      names: () => data.items.map(({ id }) => id),
      human: async (ui: Ui) => {
        const { renderApprovals } = await import('../../src/ui/render/approvals.ts')
        return renderApprovals(data.items, ui, Date.now())
      },
    }
  }
}
