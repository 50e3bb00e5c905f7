import type { AgentEvent, AgentResult } from '../agent/events.ts'
import { takeDirective, type DirectedText, type ElevatedDirective } from '../agent/directives.ts'
import { noUsage } from '../agent/messages.ts'
import { findAgent } from '../config/agents.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { Sender } from '../policy/context.ts'
import type { View } from '../policy/view.ts'
import { tryParseSessionKey } from '../sessions/key.ts'
import { openSessionStore } from '../sessions/store.ts'
import {
  readLevel,
  resolveElevated,
  type ElevatedContext,
  type ElevatedLevel,
  type ResolvedElevated,
} from '../tools/elevated/resolve.ts'
import {
  describeFailures,
  keptReply,
  statusReply,
  whyNoEffect,
  type ElevatedEffect,
} from '../tools/elevated/words.ts'
import { configuredHost } from '../tools/sandbox/exec-host.ts'
import type { AgentSession } from './agent-session.ts'
import { readMessage } from './call-input.ts'
import type { Case, CaseQuery } from './case.ts'

/** What was ordered for the turn that is under way; exec asks for it at every call. */
export interface ElevatedTurn {
  level?: ElevatedLevel
  /** No person began the turn but another agent, a clock or an event: nobody is there who may leave the sandbox, whoever the session belongs to. */
  unattended?: boolean
  /** Who gives the order, where the session is of no channel. */
  readonly origin?: { readonly channel: string; readonly sender: Sender }
}

/** Who is in a session. The other side of a direct chat is named by its key, which counts unless the key was chosen by a caller who does not own the session. */
export function elevatedContext(
  { context }: Pick<View, 'context'>,
  { origin, unattended = false }: ElevatedTurn = {},
): ElevatedContext {
  const { agentId, channel, sender, isOwner, sessionKey } = context
  if (unattended) return { agentId, channel: null, sender: null, peer: null }
  if (channel === null && origin !== undefined) return { agentId, ...origin, peer: null }
  const key = tryParseSessionKey(sessionKey)
  const isOfChannel = key?.peer != null && key.channel === channel
  return { agentId, channel, sender, peer: isOfChannel && isOwner !== false ? key.peer : null }
}

/** What decides whether elevated has an effect in a session. */
export function elevatedEffect(view: View): ElevatedEffect {
  const { context, decisions, config } = view
  const exec = decisions.find(({ tool }) => tool.source === 'core' && tool.name === 'exec')
  const settings = { ...config.tools?.exec, ...findAgent(config, context.agentId)?.config.tools?.exec }
  return {
    sandboxed: context.sandboxed,
    harness: context.harness,
    execVisible: exec?.verdict === 'visible',
    host: configuredHost(view),
    skipsApprovals:
      (settings.mode ?? settings.security ?? 'full') === 'full' && (settings.ask ?? 'off') === 'off',
  }
}

/** The level that a session keeps, as its entry in the store says. */
export async function keptLevel(
  { loaded, config }: Case,
  { context }: Pick<View, 'context'>,
): Promise<string | undefined> {
  if (loaded === null) return undefined
  const { stateDir, home } = loaded
  const store = openSessionStore({ stateDir, homeDir: home, store: config.session?.store })
  const { session } = await store.readSessionEntry(context)
  return session?.entry.elevatedLevel
}

/** What is said to an agent, the order of its first part taken out; a message from a file or a pipe holds no orders. Errors as `readMessage`. */
export async function readDirected(
  message: string | undefined,
  file: string | undefined,
  cwd: string,
  query: CaseQuery,
): Promise<DirectedText> {
  const { text, directive } =
    message === undefined || message === '-' ? noOrder(message) : takeDirective(message)
  if (directive === null) return { text: await readMessage(message, file, cwd, query), directive }
  if (file === undefined) return { text, directive }
  return {
    text: await readMessage(text === '' ? undefined : text, file, cwd, query),
    directive: { ...directive, alone: false },
  }
}

function noOrder(message: string | undefined): DirectedText {
  return { text: message ?? '', directive: null }
}

/** What an order is about. */
interface Ordered {
  readonly each: Case
  readonly view: View
  readonly elevated: ElevatedTurn
}

/**
 * Obeys an order about elevated, where its sender may have it: beside other text for the turn that follows, alone for the session, which keeps it.
 * The answer to an order that stands alone; null where the model is to be asked.
 */
export async function obeyElevated(
  { each, view, elevated }: Ordered,
  directive: ElevatedDirective | null,
  kept: Pick<AgentSession, 'save'>,
  tell: (text: string) => void,
): Promise<string | null> {
  if (directive === null) return null
  const { word, alone } = directive
  const stored = readLevel(await keptLevel(each, view))
  const words = { directive: word ?? undefined, session: stored }
  const resolved = resolveElevated(view.config, elevatedContext(view, elevated), words)
  const effect = elevatedEffect(view)
  if (word === null) return statusReply(resolved, stored, effect)
  const level = readLevel(word)
  if (level === undefined)
    return `"${showName(word)}" is no level of elevated; say /elevated off, on, ask or full.`
  if (!resolved.allowed) return refused(resolved, alone, tell)
  if (!alone) {
    elevated.level = level
    const none = whyNoEffect(level, effect)
    if (none !== null) tell(`elevated ${level} changes nothing here: ${none}`)
    return null
  }
  try {
    await kept.save({ elevatedLevel: level }, true)
  } catch (error) {
    return `Elevated ${level} is not kept: the session store cannot be written (${error instanceof Error ? error.message : String(error)}).`
  }
  return keptReply(level, effect)
}

function refused(
  { failures }: ResolvedElevated,
  alone: boolean,
  tell: (text: string) => void,
): string | null {
  const why = describeFailures(failures)
  if (alone) return `Elevated is not available here, and nothing was changed: ${why}.`
  tell(`elevated is not available to this sender, and the message is answered without it: ${why}`)
  return null
}

/** Answers a message without asking a model, told like any other answer. */
export function answerHere(
  { view, runId }: { readonly view: View; readonly runId: string },
  sessionId: string,
  text: string,
  emit: (event: AgentEvent) => void,
): AgentResult {
  const { agentId, sessionKey, provider, model } = view.context
  emit({ type: 'start', runId, sessionKey, agentId })
  emit({ type: 'text', delta: text })
  const result: AgentResult = {
    runId,
    agentId,
    sessionKey,
    sessionId,
    text,
    provider: provider ?? '',
    model: model ?? '',
    ended: 'stop',
    usage: noUsage,
    turns: [],
    calls: [],
    durationMs: 0,
  }
  emit({ type: 'end', result })
  return result
}
