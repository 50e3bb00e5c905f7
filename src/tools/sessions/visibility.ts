import { agentKey, findAgent } from '../../config/agents.ts'
import { compileGlob } from '../../kernel/glob.ts'
import type { View } from '../../policy/view.ts'

export type VisibilityLevel = 'self' | 'tree' | 'agent' | 'all'

/** As much of a stored session as visibility depends on. */
export interface SeenSession {
  readonly agentId: string
  readonly key: string
  readonly entry: { readonly spawnedBy?: string }
}

/** How far a session sees: `tools.sessions.visibility`, and no further than its own sub-agents from inside a sandbox that asks for that (policy facts §3). */
export function visibilityOf({ config, edition, context }: View): VisibilityLevel {
  const wanted = config.tools?.sessions?.visibility ?? (edition.id === '2026.7' ? 'tree' : 'all')
  const own = findAgent(config, context.agentId)?.config.sandbox?.sessionToolsVisibility
  const inSandbox = own ?? config.agents?.defaults?.sandbox?.sessionToolsVisibility ?? 'spawned'
  return context.sandboxed && inSandbox === 'spawned' && wanted !== 'self' ? 'tree' : wanted
}

/** Whether `tools.agentToAgent` lets two agents reach each other; an empty list lets all, else both must match (policy facts §3). */
export function agentsMayTalk({ config, edition }: View, one: string, other: string): boolean {
  if (agentKey(one) === agentKey(other)) return true
  const { enabled, allow = [] } = config.tools?.agentToAgent ?? {}
  if (edition.id === '2026.7' ? enabled !== true : enabled === false) return false
  const matches = (id: string): boolean =>
    allow.some((entry) => {
      if (entry.includes('*')) return compileGlob(entry.toLowerCase())(id.toLowerCase())
      return entry.trim() !== '' && entry === id
    })
  return allow.length === 0 || (matches(one) && matches(other))
}

/** Tells which of the stored sessions a session may see. Itself and its sub-agents, however deep, are its own in every scope but `self`. */
export function reachFrom(view: View, sessions: readonly SeenSession[]): (session: SeenSession) => boolean {
  const level = visibilityOf(view)
  const { sessionKey, agentId } = view.context
  const own = sessionKey.toLowerCase()
  const spawners = new Map(
    sessions.flatMap(({ key, entry }) =>
      entry.spawnedBy === undefined ? [] : [[key.toLowerCase(), entry.spawnedBy.toLowerCase()] as const],
    ),
  )
  const isBelow = (key: string): boolean => {
    const seen = new Set<string>()
    for (let at = spawners.get(key); at !== undefined && !seen.has(at); at = spawners.get(at)) {
      if (at === own) return true
      seen.add(at)
    }
    return false
  }
  return (session) => {
    const key = session.key.toLowerCase()
    if (key === own) return true
    if (level === 'self') return false
    if (isBelow(key)) return true
    if (level === 'tree') return false
    if (agentKey(session.agentId) === agentKey(agentId)) return true
    return level === 'all' && agentsMayTalk(view, agentId, session.agentId)
  }
}
