import type { StoredSession } from '../../sessions/store.ts'
import type { Methods } from '../method.ts'
import { optional, readParams, required, text, whole } from '../params.ts'

/** A stored session as clients get it; nothing of its conversation. */
function shown({ agentId, key, entry }: StoredSession): object {
  return { key, agentId, ...entry }
}

/** Stored sessions: which there are, one of them, a new one. */
export const sessionMethods: Methods = {
  'sessions.list': {
    scope: 'operator.sessions.read',
    run: async (params, { host }) => {
      const { agentId, limit = 200 } = readParams('sessions.list', params, {
        agentId: optional(text(256)),
        limit: optional(whole(1, 10_000)),
      })
      const sessions = await host.listSessions(agentId)
      return { count: sessions.length, sessions: sessions.slice(0, limit).map(shown) }
    },
  },
  'sessions.get': {
    scope: 'operator.sessions.read',
    run: async (params, { host }) => {
      const asked = readParams('sessions.get', params, {
        key: optional(text(1_024)),
        sessionKey: optional(text(1_024)),
        agentId: optional(text(256)),
      })
      const sessionKey = asked.key ?? asked.sessionKey ?? 'main'
      return { session: shown(await host.getSession({ sessionKey, agentId: asked.agentId })) }
    },
  },
  'sessions.create': {
    scope: 'operator.sessions.write',
    run: async (params, { host }) => {
      const { key, ...rest } = readParams('sessions.create', params, {
        key: required(text(512)),
        agentId: optional(text(256)),
        label: optional(text(200)),
        model: optional(text(256)),
      })
      const { session, created } = await host.createSession({ sessionKey: key, ...rest })
      return {
        ok: true,
        key: session.key,
        sessionId: session.entry.sessionId,
        created,
        entry: shown(session),
      }
    },
  },
}
