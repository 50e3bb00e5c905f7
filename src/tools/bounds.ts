import type { Context } from '../policy/context.ts'
import type { View } from '../policy/view.ts'

/** What runs are kept to that a session causes beside its own, as by a job or a message to another session, so that it does not get more by them than it has. */
export interface Bounds {
  /** Names of tools; absent where the session has what its agent has. */
  readonly toolsAllow?: readonly string[]
  readonly sandboxed?: true
}

/** Whether a session may have less than its agent: one of a group, of somebody who is not the owner, of a sub-agent, or one in a sandbox. */
export function isBound(context: Context): boolean {
  const { groupIds, subagentDepth, toolsAllow, inherited, isOwner, sender, sandboxed } = context
  const isLess = toolsAllow !== null || inherited !== null || isOwner === false || sandboxed
  return isLess || groupIds.length > 0 || subagentDepth > 0 || sender !== null
}

/** Whether a session is to leave alone what belongs to other sessions of its agent; an owner who is named is still the owner. */
export function isKeptToItself(context: Context): boolean {
  return isBound(context.isOwner === true ? { ...context, sender: null } : context)
}

/** What runs that a session causes are kept to. `isForeign` where they are runs of another agent, or ask another model, for which other rules count. */
export function boundsOf({ context, decisions }: View, isForeign = false): Bounds {
  const { sandboxed, ...rest } = context
  const isLess = isForeign || isBound({ ...rest, sandboxed: false })
  const visible = decisions.flatMap(({ tool, verdict }) => (verdict === 'visible' ? [tool.name] : []))
  return { ...(isLess && { toolsAllow: [...new Set(visible)] }), ...(sandboxed && { sandboxed: true }) }
}

/** What is within both bounds. */
export function withinBoth(one: Bounds, other: Bounds): Bounds {
  const [first, second] = [one.toolsAllow, other.toolsAllow]
  const toolsAllow =
    first === undefined || second === undefined
      ? (first ?? second)
      : first.filter((name) => second.includes(name))
  return {
    ...(toolsAllow !== undefined && { toolsAllow }),
    ...((one.sandboxed === true || other.sandboxed === true) && { sandboxed: true }),
  }
}

/** Whether all that is within some bounds is within others, too. */
export function isWithin(inner: Bounds, outer: Bounds): boolean {
  if (outer.sandboxed === true && inner.sandboxed !== true) return false
  const { toolsAllow } = outer
  return toolsAllow === undefined || inner.toolsAllow?.every((name) => toolsAllow.includes(name)) === true
}
