import { isRecord } from '../../config/path-value.ts'
import { cleanLine } from '../../kernel/untrusted-text.ts'
import type { Ui } from '../base-command.ts'

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

function counted(connections: unknown): string {
  return connections === 1
    ? '1 connection'
    : `${typeof connections === 'number' ? connections : '–'} connections`
}

/** Renders `gateway status`: one fact a line. What a server says of itself is not trusted to be well-formed. */
export function renderStatus(status: unknown, { theme }: Ui): string {
  const facts = isRecord(status) ? status : {}
  const text = (name: string): string => cleanLine(String(facts[name] ?? '–'), 200)
  const list = (name: string): string => {
    const value = facts[name]
    return Array.isArray(value) ? value.map((each) => cleanLine(String(each), 80)).join(', ') : ''
  }
  const uptime = typeof facts['uptimeMs'] === 'number' ? duration(facts['uptimeMs']) : '–'
  const lines = [
    `${theme.good('running')} at ${theme.name(text('url'))} for ${uptime} (version ${text('version')}, pid ${text('pid')}, ${counted(facts['connections'])})`,
    `config ${text('configFile')}, edition ${text('edition')}, agents ${list('agents')}`,
  ]
  if (typeof facts['problem'] === 'string') {
    lines.push(theme.caution(`the newest config is not in force: ${text('problem')}`))
  }
  const waits = list('restartNeeded')
  if (waits !== '') lines.push(theme.caution(`changed, in force after a restart: ${waits}`))
  const servers = facts['mcpServers']
  if (Array.isArray(servers) && servers.length > 0) {
    const told = servers
      .filter(isRecord)
      .map(({ name, status: state }) => `${String(name)} (${String(state)})`)
    lines.push(`MCP servers ${cleanLine(told.join(', '), 500)}`)
  }
  return lines.join('\n')
}
