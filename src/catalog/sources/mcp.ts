import type { Config } from '../../config/types.ts'
import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import { mcpPluginId } from '../names.ts'
import type { InventoryNotices } from '../notices.ts'
import { checkInputSchema } from '../schema-check.ts'
import { isRecord, type ServerSource } from '../source.ts'
import type { McpServerInfo, Tool, ToolDefect } from '../types.ts'
import type { Claims } from './claims.ts'
import { carried } from './given-tool.ts'
import { compileFilter, type McpFilter } from './mcp-filter.ts'
import { listedTools, some, type ListedTool } from './mcp-listing.ts'
import { descriptionOf, labelOf } from './tool-text.ts'

export interface McpBuild {
  readonly config: Config
  readonly claims: Claims
  readonly notices: InventoryNotices
}

type ServerConfig = NonNullable<NonNullable<Config['mcp']>['servers']>[string]

/** One server's tools under the names a model sees, and the server itself; a bad name or schema takes out one tool, never the server. */
export function mcpTools(
  server: ServerSource,
  safeName: string,
  { config, claims, notices }: McpBuild,
): { info: McpServerInfo; tools: Tool[] } {
  const servers = config.mcp?.servers
  const own = servers !== undefined && Object.hasOwn(servers, server.name) ? servers[server.name] : undefined
  const listed = listedTools(server, safeName, claims, notices)
  const filter = compileFilter(server.name, own?.toolFilter)
  const outage = outageOf(server, own)
  const executionMode = own?.['supportsParallelToolCalls'] === true ? ('parallel' as const) : undefined
  const tools = listed.map((tool): Tool => {
    const defects = defectsOf(tool, safeName, server.name, filter, outage)
    const schema = checkInputSchema(tool.own['inputSchema'])
    if ('problem' in schema) {
      defects.push({ step: 'schema', rule: 'schema-quarantined', reason: schema.problem })
      notices.warn('schema-quarantined', `MCP tool ${tool.name} is unavailable: ${schema.problem}`)
    }
    const annotations = isRecord(tool.own['annotations']) ? tool.own['annotations'] : {}
    return {
      name: tool.name,
      label: labelOf(showName(tool.rawName), tool.own['title'], annotations['title']),
      description: descriptionOf(tool.own['description']),
      source: 'mcp',
      pluginId: mcpPluginId,
      mcpServer: server.name,
      mcpSafeServer: safeName,
      // A quarantined tool is never called, so its name is the harmless one.
      mcpToolName: tool.nameDefect === null ? tool.rawName : tool.name.slice(safeName.length + '__'.length),
      ...('schema' in schema && { parameters: schema.schema }),
      ...(executionMode && { executionMode }),
      ...carried(defects),
    }
  })
  tellOutage(outage, tools.length, notices)
  if (server.seenAt !== undefined && outage?.rule !== 'disabled') {
    const when =
      server.lastSeen === undefined ? `as seen at ${server.seenAt}` : `as last seen ${server.lastSeen}`
    notices.inform('mcp-stale', `the tools of MCP server "${showName(server.name)}" are ${when}`)
  }
  tellEmptyFilter(server.name, filter, listed, notices)
  const { name, status, seenAt } = server
  const info = {
    name,
    safeName,
    status,
    ...(seenAt === undefined ? {} : { seenAt }),
    toolCount: tools.length,
  }
  return { info, tools }
}

/** A server without which all its tools are unavailable, as their defect. */
function outageOf(server: ServerSource, config: ServerConfig | undefined): ToolDefect | null {
  const who = `MCP server "${showName(server.name)}"`
  if (config?.enabled === false) {
    const path = ['mcp', 'servers', server.name, 'enabled']
    return { step: 'mcp', rule: 'disabled', reason: `${who} is switched off`, path }
  }
  if (server.enabled === false) return { step: 'mcp', rule: 'disabled', reason: `${who} is switched off` }
  if (server.status === 'connecting') {
    return { step: 'mcp', rule: 'connecting', reason: `${who} is still connecting` }
  }
  if (server.status !== 'failed') return null
  const cause = server.error === undefined ? '' : `: ${cleanLine(server.error, 400)}`
  return { step: 'mcp', rule: 'failed', reason: `${who} could not be reached${cause}` }
}

function defectsOf(
  { rawName, name, own, nameDefect }: ListedTool,
  safeName: string,
  server: string,
  filter: McpFilter,
  outage: ToolDefect | null,
): ToolDefect[] {
  const defects: ToolDefect[] = []
  if (outage !== null) defects.push(outage)
  if (nameDefect !== null) defects.push(nameDefect)
  const filtered = filter.defect(() => [rawName, name, `${safeName}__${rawName}`, `${server}__${rawName}`])
  if (filtered !== null) defects.push(filtered)
  const { execution } = own
  if (isRecord(execution) && execution['taskSupport'] === 'required') {
    const reason = 'it can only run as a task, which is not supported (execution.taskSupport is "required")'
    defects.push({ step: 'schema', rule: 'task-required', reason })
  }
  return defects
}

function tellOutage(outage: ToolDefect | null, count: number, notices: InventoryNotices): void {
  if (outage === null || outage.rule === 'disabled') return
  const tools = count === 1 ? 'its tool is' : `its ${count} tools are`
  const message = count === 0 ? outage.reason : `${outage.reason}; ${tools} unavailable`
  if (outage.rule === 'failed') notices.warn('mcp-unreachable', message)
  else notices.inform('mcp-unreachable', message)
}

function tellEmptyFilter(
  server: string,
  filter: McpFilter,
  listed: readonly ListedTool[],
  notices: InventoryNotices,
): void {
  if (listed.length === 0) return
  const known = some(listed.map((tool) => showName(tool.rawName, 40)))
  if (!filter.includesNothing()) {
    for (const { list, text, path } of filter.idle()) {
      notices.warn(
        'mcp-filter-matches-nothing',
        `"${showName(text)}" in toolFilter.${list} of MCP server "${showName(server)}" matches none of its tools; known names: ${known}`,
        path,
      )
    }
    return
  }
  const which = `none of its ${listed.length === 1 ? 'one tool' : `${listed.length} tools`}`
  notices.warn(
    'mcp-filter-matches-nothing',
    `toolFilter.include of MCP server "${showName(server)}" matches ${which}; known names: ${known}`,
    filter.includePath,
  )
}
