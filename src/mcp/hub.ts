import type { Config } from '../config/types.ts'
import { OpenClawError, type ErrorCode } from '../kernel/errors.ts'
import { suggest } from '../kernel/suggest.ts'
import { showName } from '../kernel/untrusted-text.ts'
import type { CallOptions, Connection } from './connection.ts'
import { faultOf, type FaultKind } from './fault.ts'
import { toolResult, type McpToolResult } from './result.ts'
import { readSettings, type ServerSettings, type Surroundings } from './settings.ts'

export interface HubOptions extends Surroundings {
  readonly config: Config
  /** Version of this program, told to servers. */
  readonly version: string
  /** Called with a server's name when it says that its tools have changed; without it connections do not listen for that. */
  readonly onListChanged?: (server: string) => void
}

/** A server's tools and how it was reached. */
export interface Listing {
  readonly tools: readonly unknown[]
  readonly connection: Connection
  /** Milliseconds from the start of dialling to the end of the handshake; 0 on a connection that was there. */
  readonly connectMs: number
  /** Milliseconds for the list. */
  readonly listMs: number
}

interface Entry {
  readonly settings: ServerSettings
  connection: Promise<Connection> | null
}

/** The connections of one process to the servers of its config: made when they are needed, made anew when they have ended, at most one for a server. */
export class McpHub {
  readonly #options: HubOptions
  readonly #entries = new Map<string, Entry>()
  readonly #closed = new AbortController()

  constructor(options: HubOptions) {
    this.#options = options
  }

  /** How a server is dialled. MCP_UNREACHABLE for one that is not configured. */
  settings(server: string): ServerSettings {
    return this.#entry(server).settings
  }

  /** Connects if need be and asks for the tools. MCP_UNREACHABLE with `data.fault` and a message about "it"; the signal's reason when aborted. */
  async list(server: string, { signal, timeoutMs }: CallOptions): Promise<Listing> {
    const start = performance.now()
    const connection = await this.#connect(server, signal)
    const connected = performance.now()
    const tools = await connection.listTools({ signal, timeoutMs })
    const done = performance.now()
    return {
      tools,
      connection,
      connectMs: Math.round(connected - start),
      listMs: Math.round(done - connected),
    }
  }

  /**
   * Calls a tool by the server's own name for it. A call is sent once: what may have been done is not done again. MCP_UNREACHABLE
   * and TIMEOUT name server and cause, TOOL_FAILED what the server refused; a tool that ran and failed is a result with `isError`.
   */
  async callTool(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<McpToolResult> {
    const connection = await this.#connect(server, options.signal).catch((error: unknown) => {
      throw named(error, server, 'MCP_UNREACHABLE')
    })
    try {
      return toolResult(await connection.callTool(tool, args, options), server, tool)
    } catch (error) {
      const kind = faultOf(error)?.kind
      throw named(
        error,
        server,
        kind === undefined ? 'MCP_UNREACHABLE' : (callErrors[kind] ?? 'MCP_UNREACHABLE'),
      )
    }
  }

  /** Ends every connection and every server process. */
  async close(): Promise<void> {
    this.#closed.abort(new OpenClawError('ABORTED', 'the MCP connections are being closed'))
    const open = [...this.#entries.values()].flatMap(({ connection }) => connection ?? [])
    await Promise.allSettled(open.map(async (connection) => (await connection).close()))
  }

  /** Ends the connection to one server, so that its process does not wait for the others. */
  async release(server: string): Promise<void> {
    const entry = this.#entries.get(server)
    const connection = entry?.connection
    if (!entry || !connection) return
    entry.connection = null
    await Promise.allSettled([connection.then((each) => each.close())])
  }

  #entry(server: string): Entry {
    const known = this.#entries.get(server)
    if (known !== undefined) return known
    const servers = this.#options.config.mcp?.servers ?? {}
    const config = Object.hasOwn(servers, server) ? servers[server] : undefined
    if (config === undefined) {
      throw new OpenClawError('MCP_UNREACHABLE', `no MCP server "${showName(server)}" is configured`, {
        hints: suggest(server, Object.keys(servers)),
        data: { server },
      })
    }
    const entry = { settings: readSettings(server, config, this.#options), connection: null }
    this.#entries.set(server, entry)
    return entry
  }

  async #connect(server: string, signal: AbortSignal): Promise<Connection> {
    const entry = this.#entry(server)
    // Whoever waits for a dial of somebody else gives it up only when that one has failed.
    for (let known = entry.connection; known !== null; known = entry.connection) {
      const connection = await known.catch(() => null)
      if (connection?.ended === null) return connection
      if (entry.connection === known) entry.connection = null
    }
    this.#closed.signal.throwIfAborted()
    const dialled = this.#dial(server, entry, signal)
    entry.connection = dialled
    return dialled
  }

  async #dial(server: string, { settings }: Entry, signal: AbortSignal): Promise<Connection> {
    // The protocol library is a third of a second of start-up, and most runs dial nobody.
    const { openConnection } = await import('./connection.ts')
    const { version, onListChanged } = this.#options
    return openConnection(settings, {
      version,
      signal: AbortSignal.any([signal, this.#closed.signal]),
      ...(onListChanged && { onListChanged: () => onListChanged(server) }),
    })
  }
}

/** Faults during a call that say something of the call and not of the server. */
const callErrors: { readonly [Kind in FaultKind]?: ErrorCode } = {
  refused: 'TOOL_FAILED',
  timeout: 'TIMEOUT',
}

/** The same failure with the server's name in front, for readers who did not ask for this server. */
function named(error: unknown, server: string, code: ErrorCode): unknown {
  const fault = faultOf(error)
  if (fault === null) return error
  return new OpenClawError(code, `MCP server "${showName(server)}": ${fault.message}`, {
    ...(code === 'MCP_UNREACHABLE' && { hints: [`openclaw mcp probe ${server}`] }),
    data: { server, fault: fault.kind },
    cause: error,
  })
}
