import { toolKey } from '../../catalog/names.ts'
import type { Tool } from '../../catalog/types.ts'
import { compilePolicy } from '../evaluate.ts'
import type { Decision } from '../types.ts'
import type { View } from '../view.ts'
import { absentTool } from './absent-tool.ts'

/** A tool that was found by name, with its decision, or without one in the inventory (`absent`). */
export interface ResolvedTool {
  readonly decision: Decision
  readonly absent: boolean
  /** Set when the name given is only another spelling of the tool's name. */
  readonly alias: boolean
}

/** Finds a tool by catalogue id: `openclaw:core:exec`, `openclaw:<plugin>:<tool>`, `mcp:<server>:<tool>`, `client:client:<tool>` (contract §5). */
function byCatalogId(view: View, text: string): Decision | undefined {
  const [kind, owner, ...rest] = text.split(':')
  const name = rest.join(':')
  if (!kind || !owner || name === '') return undefined
  const matches = (tool: Tool): boolean => {
    switch (kind.toLowerCase()) {
      case 'openclaw':
        if (tool.name !== name) return false
        return owner === 'core' ? tool.source === 'core' : tool.pluginId === owner || tool.channelId === owner
      case 'mcp':
        return tool.mcpSafeServer === owner && tool.mcpToolName === name
      case 'client':
        return tool.source === 'client' && tool.name === name
      default:
        return false
    }
  }
  return view.decisions.find(({ tool }) => matches(tool))
}

/** Judges a tool as if it were here: `bundle-mcp`, `group:plugins` and plugin ids stand for the tools of the inventory alone. */
function judgeAbsent({ policy }: View, tool: Tool): Decision {
  if (tool.pluginId === undefined) return policy.evaluate(tool)
  const { inventory } = policy.input
  return compilePolicy({
    ...policy.input,
    inventory: { ...inventory, tools: [...inventory.tools, tool] },
  }).evaluate(tool)
}

/** Finds the tool a user means: exact name, then alias or other letter case, then catalogue id, then tools that are known but absent here. */
export function resolveTool(view: View, name: string): ResolvedTool | null {
  const text = name.trim()
  const exact = view.decisions.find(({ tool }) => tool.name === text)
  if (exact) return { decision: exact, absent: false, alias: false }
  const key = toolKey(text, view.edition)
  if (key === '') return null
  const same = view.decisions.find(({ tool }) => toolKey(tool.name, view.edition) === key)
  if (same) return { decision: same, absent: false, alias: text.toLowerCase() !== key }
  const byId = byCatalogId(view, text)
  if (byId) return { decision: byId, absent: false, alias: false }
  const core = /^openclaw:core:(.+)$/is.exec(text)
  const missing = absentTool(view, core ? toolKey(core[1]!, view.edition) : key)
  return missing && { decision: judgeAbsent(view, missing), absent: true, alias: text.toLowerCase() !== key }
}
