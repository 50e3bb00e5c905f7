import type { AgentEvent, AgentResult } from '../agent/events.ts'
import { SessionLanes } from '../agent/lanes.ts'
import { usualLimits } from '../agent/limits.ts'
import { runAgent } from '../agent/run.ts'
import { withLock } from '../config/write/lock.ts'
import type { Notice } from '../kernel/path.ts'
import { createRedactor } from '../telemetry/redaction.ts'
import { agentJournal, Transcript } from './agent-journal.ts'
import { laneFile, openAgentSession } from './agent-session.ts'
import { candidatesOf, modelRefs } from './model-candidates.ts'
import { ToolSession, withToolSession, type ToolSessionOptions } from './tool-session.ts'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** A message for an agent, and how it is to be answered. */
export interface AgentMessage extends Omit<ToolSessionOptions, 'journal' | 'follow'> {
  readonly text: string
  readonly emit: (event: AgentEvent) => void
  /** False asks the model for whole answers. */
  readonly stream?: boolean
  /** Requests to the model at most. */
  readonly maxTurns?: number | undefined
  /** Lanes of this process; other processes are waited for in any case. */
  readonly lanes?: SessionLanes
}

/** The answer of `openclaw agent`. */
export interface AgentAnswer extends AgentResult {
  readonly notices: readonly Notice[]
  /** Calls that wait for an approval, with the command that would give it. */
  readonly pending: readonly { readonly approvalId: string; readonly command: string }[]
}

const waitedMs = 300

/** Says a message to a session and answers with what its agent does about it; runs of one session wait for each other. Errors: those of opening the case, PROVIDER_FAILED, and the signal's reason. */
export async function answerMessage(message: AgentMessage): Promise<AgentAnswer> {
  const { tell, dial, lanes = new SessionLanes() } = message
  const { signal } = dial
  const transcript = new Transcript(tell)
  const journal = () => ({ target: transcript.target, close: () => {} })
  return withToolSession({ ...message, journal, follow: true }, async (session) => {
    const { sessionKey } = session.view.context
    return lanes.run(sessionKey, signal, () =>
      holdingLane(session, message, () => answerInLane(session, transcript, message)),
    )
  })
}

/** Waits for the other programs that run this session; their end is noticed however they ended. */
async function holdingLane<Value>(
  session: ToolSession,
  { tell, dial: { signal } }: AgentMessage,
  work: () => Promise<Value>,
): Promise<Value> {
  const file = laneFile(session.each, session.view)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const timer = setTimeout(() => tell('waiting for another run of this session'), waitedMs)
  try {
    return await withLock(file, { signal, limitMs: Number.POSITIVE_INFINITY }, () => {
      clearTimeout(timer)
      return work()
    })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function answerInLane(
  session: ToolSession,
  transcript: Transcript,
  message: AgentMessage,
): Promise<AgentAnswer> {
  const { text, emit, options, dial, tell, stream = true, maxTurns } = message
  const { signal, version } = dial
  const { each } = session
  const refs = modelRefs(each, session.view)
  await session.dial(session.undialled)
  signal.throwIfAborted()
  const { agentId, sessionKey } = session.view.context
  const kept = await openAgentSession(each, session.view, tell)
  await kept.save({})
  transcript.open(kept.transcript, kept.sessionId, options.cwd)
  try {
    const result = await runAgent({
      runId: session.runId,
      agentId,
      sessionKey,
      sessionId: kept.sessionId,
      text,
      history: kept.history,
      candidates: candidatesOf(refs, () => session.each, options, version),
      openTurn: async (ref) => ({ view: await session.refresh(ref), tools: session.run }),
      journal: agentJournal(transcript, session, createRedactor(each.config, each.loaded?.authored)),
      emit,
      signal,
      stream,
      limits: { ...usualLimits, ...(maxTurns !== undefined && { turns: maxTurns }) },
    })
    const { input, output, totalTokens } = result.usage
    await kept.save({ inputTokens: input, outputTokens: output, totalTokens })
    return { ...result, notices: session.notices, pending: session.pending }
  } finally {
    transcript.close()
  }
}

/** The exit code of an answer: a run that was stopped by a limit, or whose answer was filtered, did not do what was asked. */
export function endedWell({ ended }: AgentResult): boolean {
  return ended === 'stop' || ended === 'length'
}
