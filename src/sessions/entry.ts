import { tryParseSessionKey } from './key.ts'

/** What a session store says about one session, as far as tools depend on it (gateway facts §2.3). */
export interface SessionEntry {
  readonly sessionId?: string
  /** Milliseconds since 1970. */
  readonly updatedAt?: number
  readonly label?: string
  readonly chatType?: string
  readonly channel?: string
  readonly accountId?: string
  readonly threadId?: string
  readonly groupId?: string
  readonly provider?: string
  readonly model?: string
  readonly harness?: string
  readonly spawnedBy?: string
  readonly spawnDepth?: number
  readonly subagentRole?: 'orchestrator' | 'leaf'
  readonly inheritedAllow?: readonly string[]
  readonly inheritedDeny?: readonly string[]
  readonly sandboxRequired?: boolean
  readonly toolsAllow?: readonly string[]
  /** How exec may leave the sandbox, as it was said in the session. */
  readonly elevatedLevel?: string
  /** MCP tools that are switched off for this session only, by server. */
  readonly mcpToolsDeny?: Readonly<Record<string, readonly string[]>>
  /** How the last run of a sub-agent ended, or that it is under way. */
  readonly status?: string
  readonly pinned?: boolean
  readonly archived?: boolean
  /** Groups that people and agents sort sessions into; nothing to do with `groupId`. */
  readonly groups?: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

/** Reads a stored entry of any layout; unknown fields and values of the wrong type are passed over, null when it is no object. */
export function readEntry(value: unknown): SessionEntry | null {
  if (!isFields(value)) return null
  return defined<SessionEntry>({
    sessionId: text(value['sessionId']),
    updatedAt: amount(value['updatedAt']),
    label: text(value['label'], value['displayName'], value['subject']),
    chatType: text(value['chatType']),
    groupId: id(value['groupId']),
    ...readRoute(value),
    ...readModel(value),
    harness: text(value['agentHarnessId']),
    spawnedBy: sessionKey(value['spawnedBy']),
    spawnDepth: amount(value['spawnDepth']),
    subagentRole: (['orchestrator', 'leaf'] as const).find((role) => role === value['subagentRole']),
    inheritedAllow: names(value['inheritedToolAllow']),
    inheritedDeny: names(value['inheritedToolDeny']),
    sandboxRequired: value['sandbox'] === 'required' || undefined,
    toolsAllow: names(inner(value, 'cronRunContinuation')['toolsAllow']),
    elevatedLevel: text(value['elevatedLevel']),
    mcpToolsDeny: namesByKey(inner(value, 'toolOverrides')['mcpToolsDeny']),
    status: text(value['status']),
    pinned: value['pinned'] === true || undefined,
    archived: value['archived'] === true || undefined,
    groups: names(value['groups']),
  })
}

/** Newer entries keep the route under `delivery`, older ones beside it; only an external delivery has a channel. */
function readRoute(entry: Fields): Partial<Record<'channel' | 'accountId' | 'threadId', string | undefined>> {
  const delivery = inner(entry, 'delivery')
  const known = isFields(entry['delivery'])
  if (known && delivery['kind'] !== 'external') return {}
  const context = known ? inner(delivery, 'context') : inner(entry, 'deliveryContext')
  const origin = inner(known ? delivery : entry, 'origin')
  const older = known ? {} : entry
  return {
    channel: text(context['channel'], older['lastChannel'], older['channel'], origin['provider']),
    accountId: id(context['accountId'], older['lastAccountId'], origin['accountId']),
    threadId: id(context['threadId'], older['lastThreadId'], origin['threadId']),
  }
}

/** An override chosen for the session wins over the model its last run used. */
function readModel(entry: Fields): {
  readonly provider: string | undefined
  readonly model: string | undefined
} {
  const override = text(entry['modelOverride'])
  const provider = text(entry['providerOverride'], entry['modelProvider'])
  return override === undefined && text(entry['providerOverride']) === undefined
    ? { provider, model: text(entry['model']) }
    : { provider, model: override }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function inner(fields: Fields, name: string): Fields {
  const value = fields[name]
  return isFields(value) ? value : {}
}

/** The first of the values that is a text with something in it. */
function text(...values: readonly unknown[]): string | undefined {
  const found = values.find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof found === 'string' ? found.trim() : undefined
}

function id(...values: readonly unknown[]): string | undefined {
  return text(...values.map((value) => (typeof value === 'number' ? String(value) : value)))
}

function sessionKey(value: unknown): string | undefined {
  const key = text(value)
  return key === undefined || tryParseSessionKey(key) === null ? undefined : key
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function names(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter((each): each is string => typeof each === 'string')
}

function namesByKey(value: unknown): Readonly<Record<string, readonly string[]>> | undefined {
  if (!isFields(value)) return undefined
  const entries = Object.entries(value).map(([key, list]) => [key, names(list) ?? []] as const)
  return Object.fromEntries(entries)
}

function defined<T extends object>(values: { readonly [K in keyof T]: T[K] | undefined }): T
function defined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
