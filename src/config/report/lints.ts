import type { Path } from '../../kernel/path.ts'
import { isRecord } from '../path-value.ts'
import { searchProviders } from '../search-providers.ts'
import { quote } from './describe.ts'
import type { Findings } from './findings.ts'

/** A check whose findings do not make a config invalid. */
export type Lint = (value: Readonly<Record<string, unknown>>, path: Path, findings: Findings) => void

const mcpServer: Lint = (server, path, findings) => {
  const warn = (key: string | null, message: string, severity: 'info' | 'warning' = 'warning') =>
    findings.warn(key === null ? path : [...path, key], { id: 'mcp-config', severity, message })
  const { command, url, transport, type, env } = server
  if (typeof command === 'string') {
    if (url !== undefined) warn('url', 'is not read, because command is set and wins')
    return
  }
  if (typeof url !== 'string') {
    if (url === undefined && command === undefined) {
      warn(null, 'the server has neither command nor url, so it cannot be started')
    }
    return
  }
  const scheme = /^\s*([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    warn(
      'url',
      `${quote(`${scheme}://`)} is not an address a server can be reached at: write http:// or https://`,
    )
  } else if (scheme === undefined && !url.includes('${')) {
    warn('url', 'is not a full address: it must begin with http:// or https://')
  }
  if (env !== undefined) {
    warn(
      'env',
      'is not used: a remote server has no environment here; pass values in headers, or start the server with command',
    )
  }
  if (transport === undefined && type === undefined) {
    warn(
      null,
      'no transport is set, so streamable-http is tried first and sse after it; other versions use sse alone, so name it: transport: "streamable-http"',
      'info',
    )
  }
}

const listAndEntries: Lint = ({ list, entries }, path, findings) => {
  if (!Array.isArray(list) || !isRecord(entries)) return
  if (list.length === 0 || Object.keys(entries).length === 0) return
  findings.warn([...path, 'list'], {
    id: 'shadowed-rule',
    severity: 'warning',
    message: 'is not read, because agents.entries names the agents; move what is still needed there',
  })
}

const webSearchProvider: Lint = (search, path, findings) => {
  for (const provider of searchProviders) {
    if (search[provider] === undefined) continue
    findings.warn([...path, provider], {
      id: 'edition-mismatch',
      severity: 'warning',
      message: `is an older form and not read: settings of a search provider belong in plugins.entries.${provider}.config.webSearch`,
    })
  }
}

/** The lints by the name under which the schema asks for them. */
export const lints: Readonly<Record<string, Lint>> = {
  'mcp-server': mcpServer,
  'agents-list-and-entries': listAndEntries,
  'web-search-provider': webSearchProvider,
}
