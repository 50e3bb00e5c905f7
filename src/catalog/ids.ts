import type { Tool } from './types.ts'

/** Owner of a tool as catalogue ids name it (contract §5): `core`, the plugin's or channel's id, the safe server name, or `client`. */
export function sourceName(tool: Tool): string {
  switch (tool.source) {
    case 'core':
      return 'core'
    case 'plugin':
      return tool.pluginId ?? 'core'
    case 'channel':
      return tool.channelId ?? 'core'
    case 'mcp':
      return tool.mcpSafeServer ?? tool.pluginId ?? 'mcp'
    case 'client':
      return 'client'
  }
}

/** Catalogue id of a tool (contract §5); an MCP tool's own name follows its server's safe name. */
export function catalogId(tool: Tool): string {
  const owner = sourceName(tool)
  if (tool.source === 'mcp') return `mcp:${owner}:${tool.mcpToolName ?? tool.name}`
  return tool.source === 'client' ? `client:client:${tool.name}` : `openclaw:${owner}:${tool.name}`
}
