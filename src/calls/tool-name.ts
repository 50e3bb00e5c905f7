import { catalogId } from '../catalog/ids.ts'
import type { Tool } from '../catalog/types.ts'
import type { ToolName } from './types.ts'

/** A tool as answers and logs name it. */
export function nameOf(tool: Tool): ToolName {
  const { name, source } = tool
  return { id: catalogId(tool), name, source: source === 'mcp' || source === 'client' ? source : 'openclaw' }
}
