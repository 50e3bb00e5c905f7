import { mcpPluginId } from '../catalog/names.ts'
import type { McpServerInfo, Tool } from '../catalog/types.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { compilePolicy } from '../policy/evaluate.ts'
import { hides } from '../policy/report.ts'
import type { Decision } from '../policy/types.ts'
import type { View } from '../policy/view.ts'
import { words } from './tokenize.ts'

/** A server whose tools the session would have, if only it answered. */
export interface MissingServer {
  readonly name: string
  readonly safeName: string
  /** What is wrong with it, in words that follow its name. */
  readonly state: string
}

const states: Readonly<Record<McpServerInfo['status'], string>> = {
  failed: 'could not be reached',
  connecting: 'is still connecting',
  unknown: 'has not told its tools yet',
  connected: 'is connected',
}

/**
 * MCP servers that are configured, give no tools now, and whose tools policy would let through; one that policy keeps out altogether
 * is left unnamed, because its absence is no outage.
 */
export function missingServers(view: View): MissingServer[] {
  return view.inventory.servers.flatMap((server): MissingServer[] => {
    const { name, safeName, status } = server
    const config = view.config.mcp?.servers
    const own = config !== undefined && Object.hasOwn(config, name) ? config[name] : undefined
    const silent = status === 'failed' || status === 'connecting' || server.toolCount === 0
    if (own?.enabled === false || status === 'connected' || !silent || !isLetThrough(view, server)) return []
    return [{ name: showName(name), safeName, state: states[status] }]
  })
}

/** Whether policy would show at least one tool of the server: one it has told before, one an allow list names, or any at all. */
function isLetThrough(view: View, server: McpServerInfo): boolean {
  const told = view.decisions.filter(({ tool }) => tool.mcpServer === server.name)
  if (told.length > 0) return told.some(onlyOutage)
  const prefix = `${server.safeName}__`
  const named = view.policy.layers
    .flatMap(({ allow }) => allow ?? [])
    .map(({ text }) => text.trim())
    .filter((text) => text.startsWith(prefix) && !text.includes('*'))
  const guesses = [`${prefix}any-tool`, ...named.slice(0, 16)].map((name) => placeholder(name, server))
  // Entries such as `bundle-mcp` select the tools that are in the inventory, so the guesses have to be in it.
  const { input } = view.policy
  const tools = [...input.inventory.tools, ...guesses]
  const policy = compilePolicy({ ...input, inventory: { ...input.inventory, tools } })
  return guesses.some((guess) => onlyOutage(policy.evaluate(guess)))
}

function onlyOutage({ trace }: Decision): boolean {
  return trace.every((entry) => !hides(entry) || entry.step === 'mcp')
}

function placeholder(name: string, { name: mcpServer, safeName }: McpServerInfo): Tool {
  return {
    name,
    label: name,
    description: '',
    source: 'mcp',
    pluginId: mcpPluginId,
    mcpServer,
    mcpSafeServer: safeName,
  }
}

/** The first of the servers that a query names: all words of its name, or its name as the prefix of a tool. */
export function namedServer(query: string, servers: readonly MissingServer[]): MissingServer | undefined {
  if (servers.length === 0) return undefined
  const text = query.slice(0, 8_192)
  const asked = new Set(words(text).flatMap(({ whole, text: plain, parts }) => [plain, whole, ...parts]))
  return servers.find(({ name, safeName }) => {
    const own = words(name).flatMap(({ whole, parts }) => (parts.length === 0 ? [whole] : parts))
    return (
      (own.length > 0 && own.every((word) => asked.has(word))) ||
      text.includes(`${safeName}__`) ||
      text.includes(`mcp:${safeName}:`)
    )
  })
}
