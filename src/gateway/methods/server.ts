import type { Methods } from '../method.ts'
import { optional, flag, readParams } from '../params.ts'

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
    run: (params, { host, facts }) => {
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
