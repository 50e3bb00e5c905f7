import { OpenClawError } from '../kernel/errors.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { normalizeChannel } from '../policy/layers/sender.ts'

export type SessionKind =
  | 'main'
  | 'direct'
  | 'group'
  | 'channel'
  | 'room'
  | 'subagent'
  | 'cron'
  | 'hook'
  | 'acp'
  | 'http'
  | 'global'
  | 'unknown'
  | 'other'

/** A session key taken apart; `agentId` and `rest` alone make the key again. */
export interface SessionKey {
  /** Null for the sentinels and for a key that is not scoped to an agent yet. */
  readonly agentId: string | null
  /** Everything after `agent:<id>:`, or the whole key. */
  readonly rest: string
  readonly kind: SessionKind
  /** Lower-cased, aliases resolved. */
  readonly channel: string | null
  readonly accountId: string | null
  /** The other side of a direct chat. */
  readonly peer: string | null
  /** From the most to the least specific; empty outside groups, channels and rooms. */
  readonly groupIds: readonly string[]
  readonly threadId: string | null
  /** Number of `subagent:` segments. */
  readonly subagentDepth: number
}

const routeKinds: Readonly<Record<string, 'direct' | 'group' | 'channel' | 'room'>> = {
  direct: 'direct',
  dm: 'direct',
  group: 'group',
  channel: 'channel',
  room: 'room',
}

const originKinds: Readonly<Record<string, SessionKind>> = {
  cron: 'cron',
  hook: 'hook',
  acp: 'acp',
  openai: 'http',
  'openai-user': 'http',
}

/** Parses every shape of session key; an unprefixed one has no agent yet. A malformed key is a USAGE error (gateway facts §2.1). */
export function parseSessionKey(text: string): SessionKey {
  const key = text.trim()
  if (key === '') throw malformed(text, 'it is empty')
  // oxlint-disable-next-line no-control-regex -- such a key can only be a paste accident, and would garble every message
  if (/[\u0000-\u001f\u007f]/.test(key)) throw malformed(text, 'it contains a control character')
  const sentinel = key.toLowerCase()
  if (sentinel === 'global' || sentinel === 'unknown') {
    return { ...describe(sentinel), agentId: null, kind: sentinel }
  }
  if (!/^agent:/i.test(key)) return { ...describe(key), agentId: null }
  const [, agentId = '', ...segments] = key.split(':')
  const rest = segments.join(':')
  if (agentId.trim() === '') throw malformed(text, 'the agent id is missing')
  if (/^:*$/.test(rest)) throw malformed(text, `nothing follows the agent id "${agentId}"`)
  return { ...describe(rest), agentId }
}

/** Parses a key that no one typed, such as a stored one: null where parseSessionKey would complain. */
export function tryParseSessionKey(text: string): SessionKey | null {
  try {
    return parseSessionKey(text)
  } catch (error) {
    if (error instanceof OpenClawError) return null
    throw error
  }
}

/** Writes a session key; the inverse of parseSessionKey. */
export function formatSessionKey(key: Pick<SessionKey, 'agentId' | 'rest'>): string {
  return key.agentId === null ? key.rest : `agent:${key.agentId}:${key.rest}`
}

/** The ids under which a group may be configured: itself, then without its sender, then without its topic. */
export function groupIdFallbacks(groupId: string): readonly string[] {
  const parts = /^(.+?)(:topic:[^:]+)?(:sender:.+)?$/i.exec(groupId)
  if (!parts) return []
  const [, base = '', topic = ''] = parts
  return [...new Set([groupId, base + topic, base])]
}

function describe(rest: string): Omit<SessionKey, 'agentId'> {
  const suffix = /^(.+):thread:(.+)$/is.exec(rest)
  const body = suffix?.[1] ?? rest
  const segments = body.split(':')
  const isSpawn = (segment: string, index: number): boolean =>
    segment.toLowerCase() === 'subagent' && (segments[index + 1] ?? '') !== ''
  const subagentDepth = segments.filter(isSpawn).length
  const firstSpawn = segments.findIndex(isSpawn)
  const route = readRoute(firstSpawn < 0 ? segments : segments.slice(0, firstSpawn))
  const topic = /:topic:([^:]+)/i.exec(route.groupIds[0] ?? '')?.[1]
  return {
    ...route,
    rest,
    kind: subagentDepth > 0 ? 'subagent' : route.kind,
    threadId: suffix?.[2] ?? topic ?? null,
    subagentDepth,
  }
}

type Route = Pick<SessionKey, 'kind' | 'channel' | 'accountId' | 'peer' | 'groupIds'>

const noRoute: Route = { kind: 'other', channel: null, accountId: null, peer: null, groupIds: [] }

/** Reads `[channel[:account]:]kind:id`. */
function readRoute(segments: readonly string[]): Route {
  const first = segments[0]?.toLowerCase() ?? ''
  if (first === 'main' && segments.length === 1) return { ...noRoute, kind: 'main' }
  if (Object.hasOwn(originKinds, first)) return { ...noRoute, kind: originKinds[first] ?? 'other' }
  const at = [0, 1, 2].find((index) => Object.hasOwn(routeKinds, segments[index]?.toLowerCase() ?? ''))
  if (at === undefined) return noRoute
  const kind = routeKinds[segments[at]?.toLowerCase() ?? ''] ?? 'direct'
  const id = segments.slice(at + 1).join(':')
  if (id === '') return noRoute
  return {
    kind,
    channel: at > 0 ? normalizeChannel(segments[0] ?? '') : null,
    accountId: at > 1 ? (segments[1] ?? null) : null,
    peer: kind === 'direct' ? id : null,
    groupIds: kind === 'direct' ? [] : groupIdFallbacks(id),
  }
}

function malformed(text: string, why: string): OpenClawError {
  return new OpenClawError('USAGE', `malformed session key "${showName(text.trim(), 200)}": ${why}`, {
    hints: [
      'a full key is agent:<agent id>:<rest>, such as agent:main:main or agent:main:telegram:group:-100',
    ],
    data: { sessionKey: text },
  })
}
