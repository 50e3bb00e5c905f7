import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import { decideApproval } from '../../src/runtime/approvals.ts'
import { BaseCommand } from '../../src/ui/base-command.ts'
import { defineFlags } from '../../src/ui/flags.ts'

export default class ApprovalsAllow extends BaseCommand<typeof ApprovalsAllow> {
  static override summary = 'Let a waiting call run: once, or always with the same arguments.'
  static override examples = [
    'openclaw approvals allow 3f9a1c20',
    'openclaw approvals allow 3f9a1c20 --always',
  ]
  static override args = { id: string({ required: true, description: 'Id of the approval.' }) }
  static override flags = defineFlags({
    always: boolean({
      summary:
        'Never ask this agent again: for the same arguments, or, of a command, for the programs that it runs.',
    }),
  })

  protected async execute() {
    const answer = this.flags.always ? 'allow-always' : 'allow-once'
    const data = await decideApproval(this.searchOptions(), this.args.id, answer)
    return {
      data,
      human: async () => {
        const { renderDecision } = await import('../../src/ui/render/approvals.ts')
        return renderDecision(data, Date.now())
      },
    }
  }
}
