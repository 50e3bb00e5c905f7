import { agentKey, findAgent, requireAgentId } from '../../config/agents.ts'
import type { Config } from '../../config/types.ts'
import type { SessionRef } from '../../gateway/host.ts'
import { OpenClawError } from '../../kernel/errors.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import { parseSessionKey } from '../../sessions/key.ts'
import { isMainSession, resolveTarget, type SessionTarget } from '../../sessions/target.ts'

const mostTargets = 4_096

/** A session as callers write it. */
export interface KnownTarget {
  readonly target: SessionTarget
  readonly isMain: boolean
}

/** The sessions that callers mean under one config, worked out once for every way to write one. */
export class SessionTargets {
  readonly #config: Config
  readonly #known = new Map<string, KnownTarget>()

  constructor(config: Config) {
    this.#config = config
  }

  /** Errors: USAGE for a malformed key or another agent than the key's, UNKNOWN_AGENT. */
  find(ref: SessionRef): KnownTarget {
    const written = `${ref.agentId ?? ''}\n${ref.sessionKey ?? ''}`
    const known = this.#known.get(written)
    if (known !== undefined) return known
    const target = targetOf(this.#config, ref)
    const made = { target, isMain: isMainSession(this.#config, target) }
    if (this.#known.size >= mostTargets) this.#known.clear()
    this.#known.set(written, made)
    return made
  }
}

/** The agent's id as configured; UNKNOWN_AGENT in the words that clients know. */
export function knownAgent(config: Config, agentId: string): string {
  try {
    return requireAgentId(config, agentId)
  } catch (error) {
    if (!(error instanceof OpenClawError)) throw error
    const { hints, data } = error
    throw new OpenClawError('UNKNOWN_AGENT', `unknown agent id "${showName(agentId)}"`, { hints, data })
  }
}

/** The session that a caller means; the words are those clients know (gateway facts §1.5). */
export function targetOf(config: Config, { sessionKey, agentId }: SessionRef): SessionTarget {
  const agent = agentId === undefined ? undefined : knownAgent(config, agentId)
  if (sessionKey === undefined) return resolveTarget(config, { agentId: agent })
  const key = parseSessionKey(sessionKey)
  if (agent !== undefined && key.agentId !== null && agentKey(key.agentId) !== agentKey(agent)) {
    throw new OpenClawError(
      'USAGE',
      `agent id "${showName(agent)}" does not match session agent "${showName(key.agentId)}"`,
      { data: { agentId: agent, sessionAgentId: key.agentId } },
    )
  }
  if (key.agentId !== null && findAgent(config, key.agentId) === undefined) knownAgent(config, key.agentId)
  return resolveTarget(config, { sessionKey, agentId: agent })
}

/** The error of a session that is not stored. */
export function unknownSession({ sessionKey }: SessionRef, target: SessionTarget): OpenClawError {
  const shown = showName(sessionKey ?? target.sessionKey, 200)
  return new OpenClawError('UNKNOWN_SESSION', `unknown session key "${shown}"`, {
    hints: ['sessions.list names the stored ones', 'sessions.create makes one'],
    data: { sessionKey: target.sessionKey, agentId: target.agentId },
  })
}
