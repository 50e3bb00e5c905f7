import { findAgent } from '../../config/agents.ts'
import type { View } from '../../policy/view.ts'
import type { NeedChecks, UnmetNeed } from '../need.ts'

/** What memory lacks in a session: it can be switched off for an agent, or for all. */
export function memoryNeed(view: View): UnmetNeed | null {
  const { config } = view.policy.input
  const own = findAgent(config, view.context.agentId)?.config.memorySearch?.enabled
  if ((own ?? config.agents?.defaults?.memorySearch?.enabled) !== false) return null
  const path =
    own === undefined ? 'agents.defaults.memorySearch.enabled' : 'memorySearch.enabled of the agent'
  return { needs: `memory search, which ${path} switches off`, path, hints: [`openclaw config get agents`] }
}

const check = ({ view }: { readonly view: View }): UnmetNeed | null => memoryNeed(view)

/** What the memory tools lack. */
export const memoryNeeds: NeedChecks = { memory_search: check, memory_get: check }
