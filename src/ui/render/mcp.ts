import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import { ago } from '../../mcp/age.ts'
import type { McpItem, McpList, McpProbe, ProbedServer } from '../../runtime/mcp.ts'
import type { Ui } from '../base-command.ts'
import { formatLocation } from './place.ts'
import { renderTable } from './table.ts'

const statusWords: Readonly<Record<McpItem['status'], string>> = {
  connected: 'connected',
  failed: 'failed',
  seen: 'not asked',
  unseen: 'never seen',
  disabled: 'off',
}

function since(time: string | null, now: number): string {
  return time === null ? '–' : ago(Date.parse(time), now)
}

/** What there is to say of a server in one line: why it failed and when, else how it is reached. */
function detail(item: McpItem, now: number): string {
  if (item.cause === null) return item.endpoint
  if (item.status === 'failed') return item.cause.message
  return `the last try, ${since(item.failedAt, now)}, failed: ${item.cause.message}`
}

/** Renders `mcp list`: one line for each server. */
export function renderServers({ items: servers }: McpList, ui: Ui, now: number): string {
  if (servers.length === 0) return ui.theme.caution('No MCP servers are configured.')
  const rows = servers.map((item) => [
    item.name === item.safeName ? item.name : `${showName(item.name, 40)} (${item.safeName})`,
    item.transport ?? '–',
    statusWords[item.status],
    item.seenAt === null ? '–' : String(item.toolCount),
    since(item.seenAt, now),
    detail(item, now),
  ])
  const columns = [
    { title: 'NAME', paint: ui.theme.name },
    { title: 'TRANSPORT' },
    { title: 'STATUS' },
    { title: 'TOOLS' },
    { title: 'SEEN' },
    { title: 'DETAIL' },
  ]
  const width = ui.interactive ? ui.width : Number.MAX_SAFE_INTEGER
  return renderTable(columns, rows, { width, titles: ui.interactive, heading: ui.theme.faint })
}

function headline(server: ProbedServer, ui: Ui, now: number): string {
  const { theme } = ui
  const name = theme.name(showName(server.name))
  if (server.status === 'disabled') return `${name}: ${theme.caution('switched off')}, not asked`
  if (server.status !== 'connected') {
    const known =
      server.seenAt === null ? '' : `; its ${server.toolCount} tools were seen ${since(server.seenAt, now)}`
    return `${name}: ${theme.bad('failed')}: ${server.cause?.message ?? 'not reached'}${known}`
  }
  const { latency, serverInfo } = server
  const facts = [
    server.transport,
    serverInfo && `${serverInfo.name} ${serverInfo.version}`,
    server.toolCount === 1 ? '1 tool' : `${server.toolCount} tools`,
    latency && `${latency.connectMs} ms to connect, ${latency.listMs} ms to list`,
  ].filter((fact) => fact !== null)
  return `${name}: ${theme.good('connected')} ${theme.faint(facts.join(' · '))}`
}

function serverBlock(server: ProbedServer, ui: Ui, now: number): string {
  const { theme } = ui
  const table = { width: Number.MAX_SAFE_INTEGER, titles: false, indent: '  ', heading: theme.faint }
  const lines = [headline(server, ui, now)]
  for (const remark of server.remarks) lines.push(`  ${theme.caution('note:')} ${cleanLine(remark, 200)}`)
  if (server.tools.length > 0) {
    const rows = server.tools.map(({ name, exposure }) => [name, exposure])
    lines.push(renderTable([{ title: 'NAME', paint: theme.name }, { title: 'EXPOSURE' }], rows, table))
  }
  if (server.hidden.length > 0) {
    const rows = server.hidden.map((tool) => {
      const place = tool.location === null ? '' : ` (${formatLocation(tool.location, ui.cwd)})`
      return [tool.id, `${tool.verdict}: ${tool.step}`, `${tool.reason}${place}`]
    })
    lines.push(renderTable([{ title: 'NAME' }, { title: 'STEP' }, { title: 'REASON' }], rows, table))
  }
  return lines.join('\n')
}

/** Renders `mcp probe`: for each server how it answered, what the session gets of it, and why not the rest. */
export function renderProbe(probe: McpProbe, ui: Ui, now: number): string {
  const { theme } = ui
  if (probe.servers.length === 0) return theme.caution('No MCP servers are configured.')
  const lost = probe.servers.filter(({ status }) => status === 'failed').length
  const visible = probe.servers.reduce((sum, { tools }) => sum + tools.length, 0)
  const hidden = probe.servers.reduce((sum, server) => sum + server.hidden.length, 0)
  const counts = [
    `agent ${probe.agentId} gets ${visible} of ${visible + hidden} MCP tools`,
    ...(lost > 0 ? [`${lost} of ${probe.servers.length} servers failed`] : []),
  ]
  const blocks = probe.servers.map((server) => serverBlock(server, ui, now))
  return [...blocks, theme.heading(counts.join('; '))].join('\n\n')
}
