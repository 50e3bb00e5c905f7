import type { View } from '../../policy/view.ts'

/** What a child session stores of its parent's limits, as it stands in an entry (gateway facts §2.3). */
export interface InheritedPolicy {
  readonly inheritedToolAllow?: readonly string[]
  readonly inheritedToolDeny?: readonly string[]
  readonly inheritedToolPolicyVersion?: 1
  readonly sandbox?: 'required'
}

/**
 * The limits that a sub-agent takes over: what its parent sees it may see, and what a rule hides from the parent stays hidden, whoever the
 * sub-agent is. Nothing is stored where no rule hides anything. A sandboxed parent has sandboxed children.
 */
export function inheritedPolicy({ decisions, context }: View): InheritedPolicy {
  const sandbox = context.sandboxed ? ({ sandbox: 'required' } as const) : {}
  const hidden = decisions.filter(({ verdict }) => verdict === 'hidden')
  if (hidden.length === 0) return sandbox
  const seen = decisions.filter(({ verdict }) => verdict === 'visible')
  const names = (list: typeof decisions): readonly string[] =>
    [...new Set(list.map(({ tool }) => tool.name))].toSorted()
  return {
    ...sandbox,
    inheritedToolAllow: names(seen),
    inheritedToolDeny: names(hidden),
    inheritedToolPolicyVersion: 1,
  }
}
