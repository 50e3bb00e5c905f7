import { OpenClawError } from '../kernel/errors.ts'
import type { Path } from '../kernel/path.ts'
import { suggest } from '../kernel/suggest.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { AgentConfig, Config } from './types.ts'

/** Id of the agent that exists when a config names none. */
export const mainAgentId = 'main'

/** A configured agent: its id as written, its place in the config and what stands there. */
export interface Agent {
  readonly id: string
  readonly path: Path
  readonly config: AgentConfig
}

// Every question about every agent asks for its entry; collecting thousands anew each time made such answers quadratic.
const collected = new WeakMap<Config, ReadonlyMap<string, Agent>>()

function agentsByKey(config: Config): ReadonlyMap<string, Agent> {
  const known = collected.get(config)
  if (known) return known
  const agents = new Map<string, Agent>()
  for (const agent of declaredAgents(config)) {
    const key = agentKey(agent.id)
    if (key !== '' && !agents.has(key)) agents.set(key, agent)
  }
  collected.set(config, agents)
  return agents
}

/** The configured agents in file order; `agents.entries` wins over `agents.list` when both name agents, a repeated id counts once. */
export function listAgents(config: Config): readonly Agent[] {
  return [...agentsByKey(config).values()]
}

function declaredAgents(config: Config): Agent[] {
  const entries = Object.entries(config.agents?.entries ?? {})
  if (entries.length > 0) {
    return entries.map(([id, value]) => ({
      id,
      path: ['agents', 'entries', id],
      config: value,
    }))
  }
  return (config.agents?.list ?? []).flatMap((value, index) =>
    typeof value.id === 'string'
      ? [{ id: value.id.trim(), path: ['agents', 'list', index], config: value }]
      : [],
  )
}

/** The configured agent of this id, compared without case and outer blanks; undefined also for the implicit `main` of a config without agents. */
export function findAgent(config: Config, id: string): Agent | undefined {
  return agentsByKey(config).get(agentKey(id))
}

/** The agent used when nothing names one: the one marked `default: true`, else `main`, else the first (ruling 18). */
export function defaultAgentId(config: Config): string {
  const agents = listAgents(config)
  const chosen =
    agents.find((agent) => agent.config.default === true) ??
    agents.find((agent) => agentKey(agent.id) === mainAgentId) ??
    agents[0]
  return chosen?.id ?? mainAgentId
}

/** Ids of the agents that exist: the configured ones, or `main` alone. */
export function agentIds(config: Config): readonly string[] {
  const ids = listAgents(config).map((agent) => agent.id)
  return ids.length > 0 ? ids : [mainAgentId]
}

/** The agent's id as configured; UNKNOWN_AGENT with the nearest and all configured ids when there is none of that name. */
export function requireAgentId(config: Config, id: string): string {
  const found = findAgent(config, id)?.id
  if (found !== undefined) return found
  if (agentsByKey(config).size === 0 && agentKey(id) === mainAgentId) return mainAgentId
  const ids = agentIds(config)
  const near = suggest(id, ids)
  const shown =
    ids.length > 20 ? `${ids.slice(0, 20).join(', ')} and ${ids.length - 20} more` : ids.join(', ')
  throw new OpenClawError('UNKNOWN_AGENT', `there is no agent "${showName(id, 200)}"`, {
    hints: [
      ...(near.length > 0 ? [`did you mean ${near.join(', ')}?`] : []),
      agentsByKey(config).size > 0
        ? `configured agents: ${shown}`
        : `no agents are configured, so only "${mainAgentId}" exists`,
    ],
    data: { agentId: id, agents: ids, suggestions: near },
  })
}

/** The form under which two spellings of an agent id are the same agent. */
export function agentKey(id: string): string {
  return id.trim().toLowerCase()
}
