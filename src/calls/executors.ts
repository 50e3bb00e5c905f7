import type { Tool } from '../catalog/types.ts'
import { jsonCopy } from '../kernel/stable-json.ts'
import type { McpHub } from '../mcp/hub.ts'
import type { Tool as PluginTool } from '../plugins/authoring.ts'
import { answerable } from '../plugins/strays.ts'
import type { Executor, FindExecutor, NoExecutor } from './executor.ts'

/** What can run tools in a run; whatever is absent runs nothing. */
export interface ExecutorParts {
  /** Live tools of a plugin by its id (lower case) and the tool's name. */
  readonly pluginTool?: (pluginId: string, name: string) => PluginTool | undefined
  /** Connections to the servers of this config. */
  readonly hub?: McpHub
  /** Tools that this program brings for a bundled plugin (lower case) that has no code of its own here. */
  readonly bundled?: (pluginId: string, name: string) => Executor | undefined
  /** Built-in tools by name; the Tool Search controls among them. */
  readonly core?: (name: string) => Executor | NoExecutor | undefined
  /** Tools that whoever asked for the run offers and runs itself. */
  readonly client?: (tool: Tool) => Executor | undefined
  /** Why nothing but the controls can run, as where an inventory file stands in for this machine. */
  readonly declaredOnly?: string
}

/** Finds the executor of a tool by its source. */
export function findExecutor(parts: ExecutorParts): FindExecutor {
  return (tool) => {
    const core = tool.source === 'core' ? parts.core?.(tool.name) : undefined
    if (core !== undefined) return core
    if (parts.declaredOnly !== undefined) return { unavailable: parts.declaredOnly }
    switch (tool.source) {
      case 'core':
        return { unavailable: 'this program has no implementation of that built-in tool' }
      case 'plugin':
        return pluginExecutor(tool, parts)
      case 'mcp':
        return mcpExecutor(tool, parts)
      case 'channel':
        return { unavailable: `the channel ${tool.channelId ?? ''} is not connected to this program` }
      case 'client':
        return (
          parts.client?.(tool) ?? {
            unavailable: 'a client tool runs in the client that offers it, and none is connected',
          }
        )
    }
  }
}

function pluginExecutor(tool: Tool, { pluginTool, bundled }: ExecutorParts): Executor | NoExecutor {
  const id = tool.pluginId ?? ''
  const live = pluginTool?.(id.toLowerCase(), tool.name)
  if (live === undefined) {
    const own = bundled?.(id.toLowerCase(), tool.name)
    if (own !== undefined) return own
    return {
      unavailable: `the plugin ${id} does not provide it now`,
      hints: [`openclaw plugins inspect ${id}`],
    }
  }
  return {
    run: async (args, { callId, signal, onUpdate }) => {
      // Its own copy: the checked arguments are frozen, and plugins may well fill in theirs.
      const own = jsonCopy(args) as never
      return { result: await answerable(id, () => live.execute(callId, own, signal, onUpdate)) }
    },
  }
}

function mcpExecutor(tool: Tool, { hub }: ExecutorParts): Executor | NoExecutor {
  const { mcpServer, mcpToolName } = tool
  if (hub === undefined || mcpServer === undefined || mcpToolName === undefined) {
    return { unavailable: 'no connection to its MCP server can be made' }
  }
  return {
    run: async (args, { signal }) => {
      const { isError, ...result } = await hub.callTool(mcpServer, mcpToolName, args, { signal })
      return { result, failed: isError }
    },
  }
}
