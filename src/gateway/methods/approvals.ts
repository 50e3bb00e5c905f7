import { OpenClawError } from '../../kernel/errors.ts'
import type { GatewayHost } from '../host.ts'
import type { Methods } from '../method.ts'
import { flag, optional, readParams, required, text } from '../params.ts'
import type { ApprovalAnswer } from '../../calls/approvals/types.ts'

/** Answers a question; an id that nobody knows has a code of its own in the protocol. */
async function decide(host: GatewayHost, id: string, answer: ApprovalAnswer): Promise<object> {
  try {
    return { approval: await host.decideApproval(id, answer) }
  } catch (error) {
    const isUnknown = error instanceof OpenClawError && error.data['state'] === undefined
    if (!isUnknown) throw error
    const { code, message, hints, data } = error
    throw new OpenClawError(code, message, { hints, data: { ...data, rpcCode: 'APPROVAL_NOT_FOUND' } })
  }
}

/** Questions of tools that wait for a yes or no. */
export const approvalMethods: Methods = {
  'approvals.list': {
    scope: 'operator.approvals',
    run: (params, { host }) => {
      readParams('approvals.list', params, {})
      return { items: host.approvals() }
    },
  },
  'approvals.allow': {
    scope: 'operator.approvals',
    run: (params, { host }) => {
      const { id, always } = readParams('approvals.allow', params, {
        id: required(text(64)),
        always: optional(flag),
      })
      return decide(host, id, always === true ? 'allow-always' : 'allow-once')
    },
  },
  'approvals.deny': {
    scope: 'operator.approvals',
    run: (params, { host }) => {
      const { id } = readParams('approvals.deny', params, { id: required(text(64)) })
      return decide(host, id, 'deny')
    },
  },
}
