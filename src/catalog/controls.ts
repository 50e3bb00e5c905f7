import type { Tool } from './types.ts'

/** Names of the Tool Search controls; reserved, so no plugin, MCP or client tool may carry one. */
export const controlNames = ['tool_search_code', 'tool_search', 'tool_describe', 'tool_call'] as const

export type ControlName = (typeof controlNames)[number]

const names: ReadonlySet<string> = new Set(controlNames)

/** True for one of our own Tool Search controls; a lookalike from elsewhere never counts. */
export function isControlTool(tool: Tool): boolean {
  return tool.source === 'core' && names.has(tool.name)
}

/** True for a name that only a control may carry. */
export function isControlName(name: string): boolean {
  return names.has(name.trim().toLowerCase())
}
