import { isControlName } from '../../catalog/controls.ts'
import { isSupplied } from '../../catalog/names.ts'
import type { Tool, ToolDefect } from '../../catalog/types.ts'
import { formatPath } from '../../kernel/path.ts'
import type { View } from '../view.ts'

/** What the built-in tools outside the catalogue wait for. */
const uncatalogued: Readonly<Record<string, string>> = {
  transcripts: 'it exists only where transcripts are enabled',
  crestodian: 'it exists only in setup runs',
  wait: 'it belongs to code mode, which is not run here',
  pdf: 'no model for PDF files is configured',
}

function absent(name: string, defect: ToolDefect, more: Partial<Tool> = {}): Tool {
  return { name, label: name, description: '', source: 'core', ...more, defect }
}

function suppliedTool(view: View, name: string, plugin: string | undefined): Tool {
  if (plugin === undefined) {
    const reason = 'a plugin or provider has to supply it, and none does here'
    return absent(name, { step: 'capability', rule: `provider ${name}`, reason })
  }
  const known = view.inventory.plugins.some(({ id }) => id.toLowerCase() === plugin)
  const reason = known
    ? `the plugin ${plugin} is here but does not offer it`
    : `it comes with the plugin ${plugin}, which is not here: not installed, or not switched on in plugins.entries`
  return absent(
    name,
    { step: 'plugin', rule: 'plugin absent', reason },
    { source: 'plugin', pluginId: plugin },
  )
}

function controlTool(view: View, name: string): Tool {
  const { enabled, mode, because } = view.toolSearch
  const reason = enabled
    ? `Tool Search runs in mode ${mode}, which has other controls`
    : `Tool Search is off${because === undefined ? '' : ` (${because})`}`
  return absent(name, { step: 'tool-search', rule: enabled ? `mode ${mode}` : 'off', reason })
}

/** The tool of a server that has sent no list, so nobody can say whether it has this one; null when its list is known. */
function unlistedTool(view: View, name: string): Tool | null {
  const server = view.inventory.servers
    .filter(({ safeName }) => name.startsWith(`${safeName.toLowerCase()}__`))
    .toSorted((a, b) => b.safeName.length - a.safeName.length)[0]
  if (!server || (server.status === 'connected' && server.toolCount > 0)) return null
  if (server.toolCount > 0 && server.status === 'unknown') return null
  const config = Object.entries(view.config.mcp?.servers ?? {}).find(([id]) => id === server.name)?.[1]
  const off = config?.enabled === false
  const path = ['mcp', 'servers', server.name, 'enabled']
  const reason = off
    ? `its server ${server.name} is switched off by ${formatPath(path)}`
    : server.status === 'failed' || server.status === 'connecting'
      ? `its server ${server.name} is not connected (${server.status})`
      : server.status === 'connected'
        ? `its server ${server.name} is connected and offers no tools`
        : `the tools of its server ${server.name} are not known yet: openclaw mcp probe ${server.name} lists them`
  return absent(
    name,
    { step: 'mcp', rule: off ? 'server disabled' : `server ${server.status}`, reason, ...(off && { path }) },
    { source: 'mcp', pluginId: 'bundle-mcp', mcpServer: server.name, mcpSafeServer: server.safeName },
  )
}

/** A tool that is known by name although this session's inventory lacks it, with the reason as its defect; null for any other name (`key` is normalised). */
export function absentTool(view: View, key: string): Tool | null {
  if (isControlName(key)) return controlTool(view, key)
  const catalogued = view.edition.tools.find(({ id }) => id === key)
  if (catalogued) {
    if (isSupplied(catalogued)) return suppliedTool(view, key, catalogued.plugin)
    return absent(key, { step: 'capability', rule: 'absent', reason: 'it is not offered to this session' })
  }
  if (view.edition.otherCoreTools.includes(key)) {
    const reason = Object.hasOwn(uncatalogued, key) ? uncatalogued[key]! : 'it is not offered to this session'
    return absent(key, { step: 'capability', rule: 'absent', reason })
  }
  return unlistedTool(view, key)
}
