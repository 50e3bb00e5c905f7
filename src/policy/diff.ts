import type { Context } from './context.ts'
import { shownStep } from './report.ts'
import type { Exposure, View } from './view.ts'

type SessionName = Pick<Context, 'agentId' | 'sessionKey'>

/** What a change does to the tools of one session (contract §5, `tools diff`). */
export interface SessionDiff {
  readonly agentId: string
  readonly sessionKey: string
  /** Set where only one of the two configs has the agent. */
  readonly agent?: 'added' | 'removed'
  readonly added: readonly string[]
  readonly removed: readonly { readonly name: string; readonly step: string; readonly reason: string }[]
  /** Tools that stay visible but reach the model in another way. */
  readonly moved: readonly { readonly name: string; readonly from: Exposure; readonly to: Exposure }[]
}

function exposures(view: View | null): Map<string, Exposure> {
  const found = new Map<string, Exposure>()
  if (!view) return found
  for (const { tool } of view.decisions) {
    const exposure = view.exposure(tool)
    if (exposure) found.set(tool.name, exposure)
  }
  return found
}

function removal(view: View | null, name: string): SessionDiff['removed'][number] {
  if (!view)
    return { name, step: 'run.tools', reason: 'its agent is not configured any more, so nothing runs' }
  const decision = view.decisions.find(({ tool }) => tool.name === name)
  const entry = decision?.trace[decision.decisive]
  if (entry) return { name, step: shownStep(entry), reason: entry.reason }
  const renamed = Object.hasOwn(view.edition.aliases, name)
    ? view.edition.aliases[name]
    : Object.hasOwn(view.edition.renamedTools, name)
      ? view.edition.renamedTools[name]
      : undefined
  const absent = `edition ${view.edition.id} has no such tool here`
  return {
    name,
    step: 'capability',
    reason: renamed === undefined ? absent : `${absent}; it is called ${renamed}`,
  }
}

/** Compares the visible tools of one session before and after a change; null where the agent does not exist. Names are sorted. */
export function diffViews(session: SessionName, before: View | null, after: View | null): SessionDiff {
  const old = exposures(before)
  const now = exposures(after)
  const sorted = (names: Iterable<string>): string[] => [...names].toSorted()
  return {
    agentId: session.agentId,
    sessionKey: session.sessionKey,
    ...(!before && { agent: 'added' }),
    ...(!after && { agent: 'removed' }),
    added: sorted(now.keys()).filter((name) => !old.has(name)),
    removed: sorted(old.keys())
      .filter((name) => !now.has(name))
      .map((name) => removal(after, name)),
    moved: sorted(now.keys()).flatMap((name) => {
      const from = old.get(name)
      const to = now.get(name)
      return from !== undefined && to !== undefined && from !== to ? [{ name, from, to }] : []
    }),
  }
}

/** True when the change does nothing to this session. */
export function isSame(diff: SessionDiff): boolean {
  return diff.added.length === 0 && diff.removed.length === 0 && diff.moved.length === 0
}
