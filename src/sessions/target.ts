import { agentKey, defaultAgentId, requireAgentId } from '../config/agents.ts'
import type { Config } from '../config/types.ts'
import { OpenClawError } from '../kernel/errors.ts'
import { formatSessionKey, parseSessionKey, type SessionKey } from './key.ts'
import type { SessionRequest } from './request.ts'

/** The session that a request names. */
export interface SessionTarget {
  readonly agentId: string
  readonly sessionKey: string
  readonly key: SessionKey
  /** False when the key is the agent's main key because the request names none. */
  readonly keyGiven: boolean
}

/** The key of an agent's main session: `agent:<id>:<session.mainKey>`, or `global` where all agents share one (ruling 18). */
export function mainSessionKey(config: Config, agentId: string): string {
  if (config.session?.scope === 'global') return 'global'
  const mainKey = config.session?.mainKey?.trim().toLowerCase() ?? ''
  return formatSessionKey({ agentId, rest: mainKey === '' ? 'main' : mainKey })
}

/** Finds agent and full key of the session; USAGE for a malformed key or one of another agent, UNKNOWN_AGENT for an agent that is not configured. */
export function resolveTarget(config: Config, request: SessionRequest): SessionTarget {
  const asked = request.sessionKey === undefined ? null : parseSessionKey(request.sessionKey)
  const { agentId } = request
  if (agentId !== undefined && asked?.agentId && agentKey(agentId) !== agentKey(asked.agentId)) {
    throw new OpenClawError(
      'USAGE',
      `the session key "${formatSessionKey(asked)}" belongs to agent "${asked.agentId}", not to "${agentId}"`,
      { hints: [`leave out the agent, or ask for ${formatSessionKey({ agentId, rest: asked.rest })}`] },
    )
  }
  const agent = requireAgentId(config, agentId ?? asked?.agentId ?? defaultAgentId(config))
  const sessionKey = asked === null ? mainSessionKey(config, agent) : scopedKey(config, agent, asked)
  return { agentId: agent, sessionKey, key: parseSessionKey(sessionKey), keyGiven: asked !== null }
}

/** Whether the key is that of the agent's main session. */
export function isMainSession(config: Config, { sessionKey, agentId }: SessionTarget): boolean {
  return sessionKey.toLowerCase() === mainSessionKey(config, agentId).toLowerCase()
}

/** `main` stands for the agent's main session however that is called; the sentinels stay as they are. */
function scopedKey(config: Config, agentId: string, key: SessionKey): string {
  if (key.kind === 'global' || key.kind === 'unknown') return key.kind
  if (key.rest.toLowerCase() === 'main') return mainSessionKey(config, agentId)
  return formatSessionKey({ agentId, rest: key.rest })
}
