import type { Agent } from '../../config/agents.ts'
import { getIn, isRecord } from '../../config/path-value.ts'
import type { Config } from '../../config/types.ts'
import type { Path } from '../../kernel/path.ts'

/** A settings section with the tools whose work it describes. */
export interface Section {
  /** Path below `tools` of the config or of an agent. */
  readonly path: Path
  readonly tools: readonly string[]
  /** Also possible under an agent's `tools`. */
  readonly perAgent: boolean
}

/** Sections of `tools` that set up tools and never make one visible. */
export const sections: readonly Section[] = [
  { path: ['exec'], tools: ['exec', 'process'], perAgent: true },
  { path: ['exec', 'applyPatch'], tools: ['apply_patch'], perAgent: true },
  { path: ['fs'], tools: ['read', 'write', 'edit', 'apply_patch'], perAgent: true },
  { path: ['web', 'search'], tools: ['web_search'], perAgent: false },
  { path: ['web', 'fetch'], tools: ['web_fetch'], perAgent: false },
  { path: ['web', 'x_search'], tools: ['x_search'], perAgent: false },
  { path: ['message'], tools: ['message'], perAgent: true },
  { path: ['agentToAgent'], tools: ['sessions_send'], perAgent: false },
  { path: ['sessions_spawn'], tools: ['sessions_spawn'], perAgent: false },
]

/** Places of the sections that set up a tool and are present, the agent's first. */
export function sectionsOf(config: Config, agent: Agent | undefined, toolName: string): Path[] {
  return sections.flatMap((section) => {
    if (!section.tools.includes(toolName)) return []
    const places: Path[] = [
      ...(section.perAgent && agent ? [[...agent.path, 'tools', ...section.path]] : []),
      ['tools', ...section.path],
    ]
    return places.filter((path) => isFilled(getIn(config, path)))
  })
}

function isFilled(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0
}
