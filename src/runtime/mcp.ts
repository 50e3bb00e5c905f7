import { safeServerNames } from '../catalog/sources/mcp-names.ts'
import type { InventorySource } from '../catalog/source.ts'
import type { McpServerConfig } from '../config/types.ts'
import { exitCodes, OpenClawError, toEnvelope, type ExitCode } from '../kernel/errors.ts'
import { formatPath, type Notice } from '../kernel/path.ts'
import { suggest } from '../kernel/suggest.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { Discovery, ServerReport } from '../mcp/discovery.ts'
import { readSettings, type ServerSettings } from '../mcp/settings.ts'
import { hiddenTool, type HiddenTool } from '../policy/report.ts'
import type { Exposure, View } from '../policy/view.ts'
import { openCase, type Case, type CaseOptions, type CaseQuery } from './case.ts'
import type { DiscoveryInput } from './discovery.ts'
import { askServers, serverNotices, type DialOptions } from './mcp-servers.ts'
import { caseNotices } from './notices.ts'

/** A configured MCP server as `mcp list` has it. */
export interface McpItem {
  readonly name: string
  /** The name's part of tool names. */
  readonly safeName: string
  readonly enabled: boolean
  /** The transport that worked, else the one that would be tried first. */
  readonly transport: ServerReport['transport']
  /** Command line or address, without secrets. */
  readonly endpoint: string
  /** `connected` and `failed`: it was asked just now, or is left alone after repeated failures; `seen` and `unseen`: whether it ever answered; `disabled` by config. */
  readonly status: ServerReport['status']
  readonly toolCount: number
  /** ISO time of the newest tool list. */
  readonly seenAt: string | null
  /** Why it failed now, or the last time. */
  readonly cause: { readonly kind: string; readonly message: string } | null
  /** ISO time of that failure. */
  readonly failedAt: string | null
}

/** The answer of `mcp list`; `servers` is the name under which `items` were listed first, for who reads that. */
export interface McpList {
  readonly items: readonly McpItem[]
  readonly servers: readonly McpItem[]
  readonly notices: readonly Notice[]
}

/** A server as `mcp probe` has it: what it said, and what a session gets of it. */
export interface ProbedServer extends McpItem {
  /** Milliseconds for the handshake and for the tool list. */
  readonly latency: ServerReport['latency']
  readonly serverInfo: ServerReport['serverInfo']
  readonly protocolVersion: string | null
  /** What was odd and did no harm. */
  readonly remarks: readonly string[]
  readonly tools: readonly {
    readonly name: string
    readonly mcpToolName: string
    readonly exposure: Exposure
  }[]
  readonly hidden: readonly HiddenTool[]
}

/** The answer of `mcp probe`. */
export interface McpProbe {
  readonly agentId: string
  readonly sessionKey: string
  readonly edition: string
  readonly servers: readonly ProbedServer[]
  readonly notices: readonly Notice[]
  /** Set when a server that was asked for by name cannot be reached. */
  readonly error?: ReturnType<typeof toEnvelope>['error']
}

/** Answers `mcp list`: every configured server, asked now where that is wished, else as it was last seen. */
export async function listServers(options: CaseOptions, dial: DialOptions | null): Promise<McpList> {
  const each = await openCase(options, { request: {} })
  const input = inputOf(each, options, dial ?? undefined)
  const found = await askServers(input)
  const listed = items(each, options, found)
  return { items: listed, servers: listed, notices: [...each.notices, ...serverNotices(found, input)] }
}

/**
 * Answers `mcp probe`: asks the named servers, or all that are not switched off, and says what of them the session gets. Errors:
 * INPUT_INVALID for a server that is not configured; one that cannot be reached is `error` in the answer, and exit code 6.
 */
export async function probeServers(
  options: CaseOptions,
  query: CaseQuery,
  names: readonly string[],
  dial: DialOptions,
): Promise<{ readonly probe: McpProbe; readonly exitCode: ExitCode }> {
  const each = await openCase(options, query)
  const only = names.map((name) => configuredName(each, name))
  const input = inputOf(each, options, { ...dial, insist: true, ...(only.length > 0 && { only }) })
  // An agent that does not exist is found out before anything is started.
  const before = await each.view()
  const found = await askServers(input)
  const view = each.rediscover(before, withServers(each, found))
  const asked = items(each, options, found)
    .map((item, at) => ({ item, report: found.reports[at] }))
    .filter(({ item }) => only.length === 0 || only.includes(item.name))
  const servers = asked.flatMap(({ item, report }) => (report ? [probed(each, view, item, report)] : []))
  const lost = servers.filter(({ name, status }) => only.includes(name) && status !== 'connected')
  const { context, edition } = view
  const notices = [...caseNotices(each, view), ...serverNotices(found, input)]
  const probe = {
    agentId: context.agentId,
    sessionKey: context.sessionKey,
    edition: edition.id,
    servers,
    notices: notices.filter((notice) => isAboutServers(notice.id) && concerns(notice, only)),
  }
  if (lost.length === 0) return { probe, exitCode: exitCodes.ok }
  return { probe: { ...probe, error: toEnvelope(unreachable(lost)).error }, exitCode: exitCodes.unreachable }
}

function unreachable(lost: readonly ProbedServer[]): OpenClawError {
  const told = lost.map(
    ({ name, cause }) => `MCP server "${showName(name)}": ${cause?.message ?? 'not reached'}`,
  )
  return new OpenClawError('MCP_UNREACHABLE', told.join('\n'), {
    data: { servers: lost.map(({ name, cause }) => ({ server: name, fault: cause?.kind ?? null })) },
  })
}

/** Notices that explain what happened to a server's tools; what else is odd about the config is for `tools effective`. */
function isAboutServers(id: string): boolean {
  return (
    id.startsWith('mcp-') ||
    ['schema-quarantined', 'invalid-tool', 'name-conflict', 'env-missing'].includes(id)
  )
}

/** Whether a notice is about one of the servers that were asked for; about any where none was named. */
function concerns({ location, message }: Notice, names: readonly string[]): boolean {
  if (names.length === 0) return true
  return names.some((name) => {
    const path = formatPath(['mcp', 'servers', name])
    const place = location?.path ?? ''
    return message.includes(`"${showName(name)}"`) || place === path || place.startsWith(`${path}.`)
  })
}

function inputOf(each: Case, { cwd, env }: CaseOptions, dial: DialOptions | undefined): DiscoveryInput {
  const { loaded, config, locate } = each
  if (loaded === null) throw new OpenClawError('INTERNAL', 'servers of a config that is not on this machine')
  return { loaded, config, locate, cwd, env, dial }
}

/** The configured server that a name means: its own or its safe one. */
function configuredName(each: Case, name: string): string {
  const names = Object.keys(each.config.mcp?.servers ?? {})
  const safe = safeServerNames(names)
  const meant = names.find((own) => own === name) ?? names.find((own) => safe.get(own) === name)
  if (meant !== undefined) return meant
  const near = suggest(name, names)
  throw new OpenClawError('INPUT_INVALID', `no MCP server "${showName(name)}" is configured`, {
    hints: near.length > 0 ? near.map((own) => `openclaw mcp probe ${own}`) : ['openclaw mcp list'],
    data: { server: name, suggestions: near },
  })
}

function withServers(each: Case, { servers }: Discovery): InventorySource {
  const nothing = { plugins: [], client: [], channel: [], providers: {} }
  return { ...(each.discovered?.source ?? nothing), servers }
}

function items(each: Case, { env, cwd }: CaseOptions, { reports }: Discovery): McpItem[] {
  const servers = each.config.mcp?.servers ?? {}
  const safe = safeServerNames(Object.keys(servers))
  return reports.map((report) => {
    const config: McpServerConfig = servers[report.name] ?? {}
    const settings = readSettings(report.name, config, { env, cwd, home: each.loaded?.home ?? cwd })
    return {
      name: report.name,
      safeName: safe.get(report.name) ?? report.name,
      enabled: config.enabled !== false,
      transport: report.transport ?? firstTransport(settings),
      endpoint: settings.endpoint,
      status: report.status,
      toolCount: report.toolCount,
      seenAt: isoTime(report.seenAt),
      cause: report.cause,
      failedAt: isoTime(report.failedAt),
    }
  })
}

function firstTransport(settings: ServerSettings): ServerReport['transport'] {
  if (settings.kind === 'remote') return settings.transports[0] ?? null
  return settings.kind === 'stdio' ? 'stdio' : null
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

function probed(each: Case, view: View, item: McpItem, report: ServerReport): ProbedServer {
  const decisions = view.decisions.filter(({ tool }) => tool.mcpServer === item.name)
  const { latency, serverInfo, protocolVersion, remarks } = report
  return {
    ...item,
    latency,
    serverInfo: serverInfo && { name: showName(serverInfo.name), version: showName(serverInfo.version) },
    protocolVersion,
    remarks,
    tools: decisions.flatMap(({ tool }) => {
      const exposure = view.exposure(tool)
      return exposure ? [{ name: tool.name, mcpToolName: tool.mcpToolName ?? tool.name, exposure }] : []
    }),
    hidden: decisions.flatMap((decision) => hiddenTool(decision, each.locate) ?? []),
  }
}
