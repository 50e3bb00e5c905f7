import { OpenClawError } from '../kernel/errors.ts'
import type { View } from '../policy/view.ts'
import type { Case } from './case.ts'

/** Refuses to run tools of a sub-agent whose store cannot be read: what it took over from its parent stands there, and is not known to be nothing. Error: INPUT_INVALID. */
export function requireKnownLimits({ notices }: Case, { context }: View): void {
  const problem = notices.find(({ id }) => id === 'session-store-unreadable')
  if (problem === undefined || context.subagentDepth === 0) return
  throw new OpenClawError(
    'INPUT_INVALID',
    `what the sub-agent ${context.sessionKey} may do is not known: ${problem.message}`,
    { hints: ['mend the store, or move it away'], data: { sessionKey: context.sessionKey } },
  )
}
