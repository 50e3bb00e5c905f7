import type { Path } from '../kernel/path.ts'
import { agentKey } from './agents.ts'
import type { Config } from './types.ts'

/** Places of agents whose id, but for case and outer blanks, an earlier agent of the same roster has; those are not read. */
export function repeatedAgents({ agents }: Config): readonly Path[] {
  const list = (agents?.list ?? []).map(({ id }, index): [string, Path] => [
    id ?? '',
    ['agents', 'list', index, 'id'],
  ])
  const entries = Object.keys(agents?.entries ?? {}).map((id): [string, Path] => [
    id,
    ['agents', 'entries', id],
  ])
  return [list, entries].flatMap(repeated)
}

function repeated(roster: readonly [string, Path][]): Path[] {
  if (roster.length < 2) return []
  const seen = new Set<string>()
  return roster.flatMap(([id, path]) => {
    const key = agentKey(id)
    if (seen.has(key)) return [path]
    seen.add(key)
    return []
  })
}
