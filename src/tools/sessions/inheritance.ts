import { isControlTool } from '../../catalog/controls.ts'
import type { View } from '../../policy/view.ts'

/** What a child session stores of its parent's limits, as it stands in an entry (gateway facts §2.3). */
export interface InheritedPolicy {
  readonly inheritedToolAllow?: readonly string[]
  readonly inheritedToolDeny?: readonly string[]
  readonly inheritedToolPolicyVersion?: 1
  readonly sandbox?: 'required'
}

/**
 * The limits that a sub-agent takes over: what its parent does not see, for whatever reason, it does not see either, whoever the sub-agent is; where
 * rules hide something from the parent, what comes later to be there is hidden, too. A sandboxed parent has sandboxed children.
 */
export function inheritedPolicy({ decisions, context }: View): InheritedPolicy {
  const tools = decisions.filter(({ tool }) => tool.source !== 'client' && !isControlTool(tool))
  const seen = tools.filter(({ verdict }) => verdict === 'visible')
  const unseen = tools.filter(({ verdict }) => verdict !== 'visible')
  const isLimited = tools.some(({ verdict }) => verdict === 'hidden')
  return {
    ...(isLimited && { inheritedToolAllow: names(seen) }),
    ...(unseen.length > 0 && { inheritedToolDeny: names(unseen), inheritedToolPolicyVersion: 1 }),
    ...(context.sandboxed && { sandbox: 'required' }),
  }
}

function names(decisions: View['decisions']): readonly string[] {
  return [...new Set(decisions.map(({ tool }) => tool.name))].toSorted()
}
