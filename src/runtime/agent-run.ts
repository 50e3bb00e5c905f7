import { dirname } from 'node:path'
import { makeDirectory } from '../config/make-directory.ts'
import type { ElevatedDirective } from '../agent/directives.ts'
import type { AgentEvent, AgentResult } from '../agent/events.ts'
import type { SessionLanes } from '../agent/lanes.ts'
import { usualLimits } from '../agent/limits.ts'
import { runAgent } from '../agent/run.ts'
import { withLock } from '../config/write/lock.ts'
import type { View } from '../policy/view.ts'
import { createRedactor } from '../telemetry/redaction.ts'
import { withEvents } from '../tools/system-events.ts'
import { agentJournal, type Transcript } from './agent-journal.ts'
import { laneFile, openAgentSession } from './agent-session.ts'
import type { Case, CaseOptions } from './case.ts'
import { answerHere, obeyElevated } from './elevated.ts'
import { candidatesOf, modelRefs } from './model-candidates.ts'
import type { ToolSession } from './tool-session.ts'

/** A session whose tools a run may use; its guarded path writes into the transcript of the run. */
export type RunSession = Pick<
  ToolSession,
  | 'each'
  | 'view'
  | 'backends'
  | 'run'
  | 'runId'
  | 'services'
  | 'elevated'
  | 'refresh'
  | 'writeNested'
  | 'endTurn'
>

/** What an agent is asked, and by whom it is heard. */
export interface RunRequest {
  readonly text: string
  /** What of it was an order about elevated, and is not in the text any more; null where a person gave none, absent where no person speaks. */
  readonly directive?: ElevatedDirective | null | undefined
  readonly emit: (event: AgentEvent) => void
  readonly signal: AbortSignal
  readonly options: Pick<CaseOptions, 'env' | 'cwd'>
  /** Version of this program, told to providers. */
  readonly version: string
  /** Says what is beside the answer. */
  readonly tell: (text: string) => void
  /** False asks the model for whole answers. */
  readonly stream?: boolean | undefined
  /** Requests to the model at most. */
  readonly maxTurns?: number | undefined
}

const patienceMs = 300

/** Does work when no other run of the session is under way, in this program or another one, whose end is noticed however it ended. Throws the signal's reason when it is given up. */
export async function inLane<Value>(
  { each, view }: { readonly each: Case; readonly view: View },
  lanes: SessionLanes,
  { signal, tell }: Pick<RunRequest, 'signal' | 'tell'>,
  work: () => Promise<Value>,
): Promise<Value> {
  const file = laneFile(each, view)
  makeDirectory(dirname(file))
  const timer = setTimeout(() => tell('waiting for another run of this session'), patienceMs)
  try {
    return await lanes.run(view.context.sessionKey, signal, () =>
      withLock(file, { signal, limitMs: Number.POSITIVE_INFINITY }, () => {
        clearTimeout(timer)
        return work()
      }),
    )
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Answers one message in a session, from its history to the end of the run; to be called in its lane. Errors: PROVIDER_FAILED, CONFIG_INVALID for a model that cannot be asked as it is configured, and the signal's reason. */
export async function answerIn(
  session: RunSession,
  transcript: Transcript,
  request: RunRequest,
): Promise<AgentResult> {
  const { text, emit, signal, options, version, tell, stream = true, maxTurns } = request
  const { each, view, runId, services } = session
  const { agentId, sessionKey } = view.context
  const kept = await openAgentSession(each, view, tell)
  await kept.save({})
  session.elevated.unattended = request.directive === undefined
  const reply = await obeyElevated(session, request.directive ?? null, kept, tell)
  if (reply !== null) return answerHere(session, kept.sessionId, reply, emit)
  const refs = modelRefs(each, view)
  transcript.open(kept.transcript, kept.sessionId, options.cwd)
  const inbox = services.sessions?.enter(sessionKey, view.context.subagentDepth > 0, signal)
  try {
    const result = await runAgent({
      runId,
      agentId,
      sessionKey,
      sessionId: kept.sessionId,
      text: withEvents(services.systemEvents?.take(sessionKey) ?? [], text),
      history: kept.history,
      candidates: candidatesOf(
        refs,
        () => session.each,
        options,
        version,
        () => session.backends,
      ),
      openTurn: async (ref) => ({ view: await session.refresh(ref), tools: session.run }),
      journal: agentJournal(transcript, session, createRedactor(each.config, each.loaded?.authored)),
      emit,
      signal,
      stream,
      ...(inbox && { inbox }),
      limits: { ...usualLimits, ...(maxTurns !== undefined && { turns: maxTurns }) },
    })
    const { input, output, totalTokens } = result.usage
    await kept.save({ inputTokens: input, outputTokens: output, totalTokens })
    inbox?.leave(true)
    return result
  } finally {
    inbox?.leave(false)
    transcript.close()
  }
}
