import { sourceGroups, type EffectiveResult, type EffectiveTool } from '../../policy/report.ts'
import { deniedInSession } from '../../policy/steps/run.ts'
import type { View } from '../../policy/view.ts'

/** A tool that only the session's own settings switch off (gateway facts §1.5). */
interface DeniedTool extends Omit<EffectiveTool, 'exposure'> {
  readonly deniedBySession: true
}

/**
 * Lists MCP tools that are switched off for this session only beside those it has, so that whoever switched them off can switch them on again;
 * what policy takes away for another reason, too, stays out.
 */
export function withSessionDenied(view: View, result: EffectiveResult): object {
  if (view.context.mcpToolsDeny === undefined) return result
  const denied = view.decisions.flatMap(({ tool, trace }): DeniedTool[] => {
    const objections = trace.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped')
    if (objections.length !== 1 || !deniedInSession(view.context, tool)) return []
    const { name, label, description, source, mcpServer, mcpToolName } = tool
    return [
      {
        id: name,
        name,
        label,
        description,
        source,
        ...(mcpServer !== undefined && { mcpServer }),
        ...(mcpToolName !== undefined && { mcpToolName }),
        deniedBySession: true,
      },
    ]
  })
  if (denied.length === 0) return result
  const groups = sourceGroups.flatMap(({ source, label }) => {
    const known = result.groups.find(({ id }) => id === source)
    if (source !== 'mcp') return known ?? []
    return { id: source, label, source, tools: [...(known?.tools ?? []), ...denied] }
  })
  return { ...result, groups }
}
