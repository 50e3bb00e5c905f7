import type { AgentEvent, AgentResult } from '../agent/events.ts'
import { SessionLanes } from '../agent/lanes.ts'
import type { Notice } from '../kernel/path.ts'
import { Transcript } from './agent-journal.ts'
import { answerIn, inLane, type RunRequest } from './agent-run.ts'
import { withToolSession, type ToolSessionOptions } from './tool-session.ts'

/** A message for an agent, and how it is to be answered. */
export interface AgentMessage
  extends
    Omit<ToolSessionOptions, 'journal' | 'follow'>,
    Pick<RunRequest, 'text' | 'directive' | 'stream' | 'maxTurns'> {
  readonly emit: (event: AgentEvent) => void
}

/** The answer of `openclaw agent`. */
export interface AgentAnswer extends AgentResult {
  readonly notices: readonly Notice[]
  /** Calls that wait for an approval, with the command that would give it. */
  readonly pending: readonly { readonly approvalId: string; readonly command: string }[]
}

/** Says a message to a session and answers with what its agent does about it; runs of one session wait for each other. Errors: those of opening the case and of `answerIn`. */
export async function answerMessage({ directive, ...message }: AgentMessage): Promise<AgentAnswer> {
  // What is left is also what turns of other sessions are begun with; the order is for this one alone.
  const { tell, dial, options } = message
  const { signal, version } = dial
  const transcript = new Transcript(tell)
  const journal = () => ({ target: transcript.target, close: () => {} })
  return withToolSession({ ...message, journal, follow: true }, (session) =>
    inLane(session, new SessionLanes(), { signal, tell }, async () => {
      await session.dial(session.undialled)
      signal.throwIfAborted()
      const result = await answerIn(session, transcript, { ...message, directive, signal, version, options })
      return { ...result, notices: session.notices, pending: session.log.pending }
    }),
  )
}

/** Whether a run did what was asked: not one that was stopped by a limit, or whose answer was filtered. */
export function endedWell({ ended }: AgentResult): boolean {
  return ended === 'stop' || ended === 'length'
}
