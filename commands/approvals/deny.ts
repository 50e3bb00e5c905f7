import { string } from '@oclif/core/args'
import { decideApproval } from '../../src/runtime/approvals.ts'
import { BaseCommand } from '../../src/ui/base-command.ts'

export default class ApprovalsDeny extends BaseCommand<typeof ApprovalsDeny> {
  static override summary = 'Refuse a waiting call, or take back a yes that was for always.'
  static override examples = ['openclaw approvals deny 3f9a1c20', 'openclaw approvals deny 3f9a1c20 --json']
  static override args = { id: string({ required: true, description: 'Id of the approval.' }) }

  protected async execute() {
    const data = await decideApproval(this.searchOptions(), this.args.id, 'deny')
    return {
      data,
      human: async () => {
        const { renderDecision } = await import('../../src/ui/render/approvals.ts')
        return renderDecision(data, Date.now())
      },
    }
  }
}
