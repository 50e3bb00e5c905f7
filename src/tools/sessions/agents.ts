import { jsonResult } from '../../calls/model-text.ts'
import { agentIds, agentKey, findAgent } from '../../config/agents.ts'
import type { View } from '../../policy/view.ts'
import type { CoreTool } from '../family.ts'
import type { SessionShelf } from './store.ts'

/** What a config says about the sub-agents of an agent; its own settings come before those of all agents. */
export interface SubagentSettings {
  /** Agents that it may spawn. */
  readonly agentIds: readonly string[]
  readonly maxSpawnDepth: number
  readonly maxConcurrent: number
  /** Model of its sub-agents; null for that of their agent. */
  readonly model: string | null
}

/** Sub-agents of one program that run at once where nothing is configured. */
const usualConcurrent = 8

/** Reads `agents.….subagents`; without `allowAgents` an agent may spawn itself alone. */
export function subagentSettings({ config, edition, context }: View): SubagentSettings {
  const shared = config.agents?.defaults?.subagents
  const own = findAgent(config, context.agentId)?.config.subagents
  const allowed = own?.allowAgents ?? shared?.allowAgents ?? []
  const isAny = allowed.some((id) => id.trim() === '*')
  const keys = new Set([context.agentId, ...allowed].map(agentKey))
  const model = own?.model ?? shared?.model
  return {
    agentIds: agentIds(config).filter((id) => isAny || keys.has(agentKey(id))),
    maxSpawnDepth: shared?.maxSpawnDepth ?? edition.subagent.defaultMaxSpawnDepth,
    maxConcurrent: Math.max(1, own?.maxConcurrent ?? shared?.maxConcurrent ?? usualConcurrent),
    model: (typeof model === 'object' ? model.primary : model) ?? null,
  }
}

/** `agents_list`: the agents that this one may spawn. */
export function agentsList(shelf: SessionShelf): CoreTool {
  return {
    run: async () => {
      const { view } = shelf
      const { config, context } = view
      const settings = subagentSettings(view)
      const agents = settings.agentIds.map((id) => {
        const model = findAgent(config, id)?.config.model ?? config.agents?.defaults?.model
        return {
          id,
          self: agentKey(id) === agentKey(context.agentId),
          model: (typeof model === 'object' ? model.primary : model) ?? null,
        }
      })
      const { maxSpawnDepth, maxConcurrent } = settings
      return { result: jsonResult({ agents, depth: context.subagentDepth, maxSpawnDepth, maxConcurrent }) }
    },
  }
}
