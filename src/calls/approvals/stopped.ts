import { blocked } from '../blocked.ts'
import type { CallBlocked } from '../types.ts'
import type { ApprovalQuestion, ApprovalVerdict } from './types.ts'

/** How a call ends whose approval was not given; null where it was. */
export function stoppedBy(
  answer: ApprovalVerdict,
  { tool, wanted }: Pick<ApprovalQuestion, 'tool' | 'wanted'>,
): CallBlocked | null {
  const what = wanted.map(({ title }) => title).join('; ')
  switch (answer.verdict) {
    case 'allowed':
      return null
    case 'denied':
      return blocked('approval-denied', `Denied by user: ${what}`)
    case 'expired':
      return blocked('approval-expired', `Approval timed out: ${what}`)
    case 'pending': {
      const { id, expiresAt } = answer
      return blocked('approval-required', `${tool.name} needs an approval: ${what}`, {
        hints: [`openclaw approvals allow ${id}`, `openclaw approvals deny ${id}`],
        data: { approvalId: id, expiresAt, command: `openclaw approvals allow ${id}`, tool },
      })
    }
  }
}
