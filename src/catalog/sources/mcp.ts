import type { Config } from '../../config/types.ts'
import { cleanLine, hasHiddenCharacters, showName } from '../../kernel/untrusted-text.ts'
import { mcpPluginId } from '../names.ts'
import type { InventoryNotices } from '../notices.ts'
import { checkInputSchema } from '../schema-check.ts'
import { isRecord, type ServerSource } from '../source.ts'
import type { McpServerInfo, Tool, ToolDefect } from '../types.ts'
import type { Claims } from './claims.ts'
import { compileFilter, type McpFilter } from './mcp-filter.ts'
import { exposedNames } from './mcp-names.ts'
import { descriptionOf, labelOf } from './tool-text.ts'

const longestRawName = 512
const shownNames = 10

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
  build: McpBuild,
): { info: McpServerInfo; tools: Tool[] } {
  const { notices } = build
  const servers = build.config.mcp?.servers
  const config =
    servers !== undefined && Object.hasOwn(servers, server.name) ? servers[server.name] : undefined
  const raw = rawTools(server, notices)
  const names = exposedNames(safeName, raw.keys(), build.claims)
  const filter = compileFilter(server.name, config?.toolFilter)
  const outage = outageOf(server, config)
  const tools: Tool[] = []
  for (const [rawName, own] of raw) {
    const name = names.get(rawName)
    if (name === undefined) continue
    const defects = toolDefects(rawName, name, own, safeName, server, filter, outage)
    const schema = checkInputSchema(own['inputSchema'] ?? {})
    if ('problem' in schema) {
      defects.push({ step: 'schema', rule: 'schema-quarantined', reason: schema.problem })
      notices.warn('schema-quarantined', `MCP tool ${name} is unavailable: ${schema.problem}`)
    }
    const [defect, ...otherDefects] = defects
    const shown = showName(rawName)
    const annotations = isRecord(own['annotations']) ? own['annotations'] : {}
    tools.push({
      name,
      label: labelOf(shown, own['title'], annotations['title']),
      description: descriptionOf(own['description']),
      source: 'mcp',
      pluginId: mcpPluginId,
      mcpServer: server.name,
      mcpSafeServer: safeName,
      // A quarantined name is never called, so only its visible form is kept.
      mcpToolName: nameDefect(rawName) === null ? rawName : shown,
      ...('problem' in schema ? {} : { parameters: schema.schema }),
      ...(config?.['supportsParallelToolCalls'] === true ? { executionMode: 'parallel' } : {}),
      ...(defect === undefined ? {} : { defect }),
      ...(otherDefects.length === 0 ? {} : { otherDefects }),
    })
  }
  tellRenames(server.name, names, safeName, notices)
  tellOutage(outage, tools.length, notices)
  tellEmptyFilter(server.name, filter, raw, notices)
  const status = server.status
  const seenAt = server.seenAt === undefined ? {} : { seenAt: server.seenAt }
  return { info: { name: server.name, safeName, status, ...seenAt, toolCount: tools.length }, tools }
}

/** The tools a server listed, by raw name; what has no name or repeats one is told and left out. */
function rawTools(
  server: ServerSource,
  notices: InventoryNotices,
): Map<string, Readonly<Record<string, unknown>>> {
  const result = new Map<string, Readonly<Record<string, unknown>>>()
  const who = `MCP server "${showName(server.name)}"`
  let nameless = 0
  for (const item of server.tools) {
    const own = isRecord(item) ? item : { name: item }
    const name = own['name']
    if (typeof name !== 'string' || name.trim() === '') nameless++
    else if (result.has(name)) {
      notices.warn('duplicate-id', `${who} lists the tool "${showName(name)}" twice; the first one counts`)
    } else result.set(name, own)
  }
  if (nameless > 0)
    notices.warn('invalid-tool', `${who}: ${nameless} of its tools have no name and are left out`)
  return result
}

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
  const cause = server.error === undefined ? '' : `: ${cleanLine(server.error, 160)}`
  return { step: 'mcp', rule: 'failed', reason: `${who} could not be reached${cause}` }
}

function toolDefects(
  rawName: string,
  name: string,
  own: Readonly<Record<string, unknown>>,
  safeName: string,
  server: ServerSource,
  filter: McpFilter,
  outage: ToolDefect | null,
): ToolDefect[] {
  const spellings = [rawName, name, `${safeName}__${rawName}`, `${server.name}__${rawName}`]
  const defects = [outage, nameDefect(rawName), filter.defect(spellings)].filter((defect) => defect !== null)
  const { execution } = own
  if (isRecord(execution) && execution['taskSupport'] === 'required') {
    const reason = 'it can only run as a task, which is not supported (execution.taskSupport is "required")'
    defects.push({ step: 'schema', rule: 'task-required', reason })
  }
  return defects
}

function nameDefect(rawName: string): ToolDefect | null {
  const reason =
    rawName.length > longestRawName
      ? `its name is longer than ${longestRawName} characters`
      : hasHiddenCharacters(rawName)
        ? 'its name has invisible or control characters'
        : null
  return reason === null ? null : { step: 'mcp', rule: 'invalid-tool', reason }
}

/** Names what is offered under another name or not at all, and how many tools are not concerned. */
function tellRenames(
  server: string,
  names: ReadonlyMap<string, string>,
  safeName: string,
  notices: InventoryNotices,
): void {
  const who = `MCP server "${showName(server)}"`
  const renamed: string[] = []
  const rejected: string[] = []
  for (const [raw, name] of names) {
    if (nameDefect(raw) !== null) rejected.push(`"${showName(raw, 40)}"`)
    else if (name !== `${safeName}__${raw}`) renamed.push(`"${showName(raw, 40)}" as ${name}`)
  }
  const rest = names.size - renamed.length - rejected.length
  if (rejected.length > 0) {
    const others = `${names.size - rejected.length} other tools stay`
    notices.warn('invalid-tool', `${who}: unusable tool names, unavailable: ${some(rejected)}; ${others}`)
  }
  if (renamed.length > 0) {
    notices.inform(
      'invalid-tool',
      `${who}: tools offered under another name: ${some(renamed)}; ${rest} keep theirs`,
    )
  }
}

function some(items: readonly string[]): string {
  const more = items.length - shownNames
  return items.slice(0, shownNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function tellOutage(outage: ToolDefect | null, count: number, notices: InventoryNotices): void {
  if (outage === null || outage.rule === 'disabled') return
  const message = `${outage.reason}; ${count === 1 ? 'its tool is' : `its ${count} tools are`} unavailable`
  if (outage.rule === 'failed') notices.warn('mcp-unreachable', message)
  else notices.inform('mcp-unreachable', message)
}

function tellEmptyFilter(
  server: string,
  filter: McpFilter,
  raw: ReadonlyMap<string, unknown>,
  notices: InventoryNotices,
): void {
  if (raw.size === 0 || !filter.includesNothing()) return
  const known = some([...raw.keys()].map((name) => showName(name, 40)))
  notices.warn(
    'mcp-filter-matches-nothing',
    `toolFilter.include of MCP server "${showName(server)}" matches none of its ${raw.size} tools; their names are ${known}`,
    filter.includePath,
  )
}
