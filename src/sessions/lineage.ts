import type { Context } from '../policy/context.ts'
import type { SessionEntry } from './entry.ts'
import type { SessionKey } from './key.ts'
import type { SessionRequest } from './request.ts'

/** Where a session stands below the one that a person talks to. */
export interface Lineage {
  readonly depth: number
  readonly role: Context['subagentRole']
}

/**
 * Depth and role of a session: what the request says, else what is stored, else what the keys spell out.
 * Only `subagent:` and `acp:` keys count as spawned, unless no key was given at all (policy facts §5.5).
 */
export function resolveLineage(options: {
  readonly request: SessionRequest
  readonly entry: SessionEntry | null
  readonly key: SessionKey
  readonly keyGiven: boolean
  readonly spawner: SessionKey | null
  readonly maxSpawnDepth: number
}): Lineage {
  const { request, key, spawner } = options
  const spawned = key.kind === 'subagent' || key.kind === 'acp' || !options.keyGiven
  const entry = spawned ? options.entry : null
  const below = spawned && spawner !== null ? spawner.subagentDepth + 1 : 0
  const depth = request.spawnDepth ?? entry?.spawnDepth ?? Math.max(key.subagentDepth, below)
  const stored = request.spawnDepth === undefined ? entry?.subagentRole : undefined
  const role = request.subagentRole ?? stored ?? roleAt(depth, options.maxSpawnDepth)
  return { role, depth: role === 'main' ? 0 : Math.max(1, depth) }
}

function roleAt(depth: number, maxSpawnDepth: number): Lineage['role'] {
  if (depth === 0) return 'main'
  return depth < maxSpawnDepth ? 'orchestrator' : 'leaf'
}
