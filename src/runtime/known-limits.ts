import { OpenClawError } from '../kernel/errors.ts'
import type { Context } from '../policy/context.ts'
import type { View } from '../policy/view.ts'
import type { Case } from './case.ts'

/** As `refuseUnknownLimits`, by what opening a case has told of the stores. */
export function requireKnownLimits({ notices }: Case, { context }: View): void {
  const problem = notices.find(({ id }) => id === 'session-store-unreadable')
  refuseUnknownLimits(problem?.message ?? null, context)
}

/** Refuses to run tools of a sub-agent whose store cannot be read: what it took over from its parent stands there, and is not known to be nothing. Error: INPUT_INVALID. */
export function refuseUnknownLimits(
  problem: string | null,
  { sessionKey, subagentDepth }: Pick<Context, 'sessionKey' | 'subagentDepth'>,
): void {
  if (problem === null || subagentDepth === 0) return
  throw new OpenClawError(
    'INPUT_INVALID',
    `what the sub-agent ${sessionKey} may do is not known: ${problem}`,
    { hints: ['mend the store, or move it away'], data: { sessionKey } },
  )
}
