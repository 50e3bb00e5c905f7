import type { HostState } from '../host.ts'
import type { Methods, Services } from '../method.ts'
import { optional, flag, readParams } from '../params.ts'

/** What a server says of itself: the payload of `status`; times are ISO and milliseconds. */
export interface ServerStatus extends Omit<HostState, 'config'> {
  readonly version: string
  readonly url: string
  readonly authMode: string
  readonly pid: number
  readonly node: string
  readonly startedAt: string
  readonly uptimeMs: number
  readonly connections: number
  readonly rssBytes: number
  /** Of the config in force. */
  readonly configHash: string
}

/** Whether the server is well, and what it is. */
export const serverMethods: Methods = {
  health: {
    scope: 'operator.read',
    run: (params, { host, facts }) => {
      readParams('health', params, { probe: optional(flag) })
      const { problem, mcpServers, revision } = host.state
      const now = Date.now()
      return {
        ok: true,
        ts: now,
        uptimeMs: now - facts.startedAt,
        version: host.version,
        config: { ok: problem === null, problem, revision },
        mcp: mcpServers,
      }
    },
  },
  status: {
    scope: 'operator.read',
    run: (params, { host, facts }: Services): ServerStatus => {
      readParams('status', params, {})
      const { config: _config, ...state } = host.state
      return {
        version: host.version,
        url: facts.url(),
        authMode: facts.authMode,
        pid: process.pid,
        node: process.version,
        startedAt: new Date(facts.startedAt).toISOString(),
        uptimeMs: Date.now() - facts.startedAt,
        connections: facts.connections(),
        rssBytes: process.memoryUsage.rss(),
        ...state,
        configHash: host.configHash,
      }
    },
  },
}
