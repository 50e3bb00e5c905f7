import type { Edition } from '../catalog/edition.ts'
import { findAgent } from '../config/agents.ts'
import type { Config } from '../config/types.ts'
import type { Context, Sender } from '../policy/context.ts'
import { normalizeChannel, normalizeE164 } from '../policy/layers/sender.ts'
import type { SessionEntry } from './entry.ts'
import { resolveGroups, type DroppedField } from './groups.ts'
import { parseSessionKey } from './key.ts'
import { resolveLineage } from './lineage.ts'
import { configuredModel, resolveAlias } from './model-choice.ts'
import { judgeOwner } from './owner.ts'
import { overlayRequests, type SessionRequest } from './request.ts'
import { isMainSession, resolveTarget } from './target.ts'

export interface ResolvedSession {
  readonly context: Context
  /** Context fields that nothing says anything about, by their name in a context file. */
  readonly missing: readonly string[]
  readonly dropped: readonly DroppedField[]
}

/**
 * Resolves every field a tool list depends on: the request, else the stored entry, else what the key spells out, else the config (contract §2).
 * `entry` is null when a store was asked and does not have the session, absent when none was asked. Errors as resolveTarget. Pure.
 */
export function resolveContext(options: {
  readonly config: Config
  readonly edition: Edition
  readonly request: SessionRequest
  readonly entry?: SessionEntry | null | undefined
}): ResolvedSession {
  const { config, edition, request } = options
  const entry = options.entry ?? null
  const target = resolveTarget(config, request)
  const { agentId, sessionKey, key, keyGiven } = target
  const said = overlayRequests(
    configuredModel(config, agentId),
    storedRequest(entry),
    resolveAlias(config, request),
  )
  const spawner = said.spawnedBy === undefined ? null : parseSessionKey(said.spawnedBy)
  const shared = config.agents?.defaults
  const lineage = resolveLineage({
    request,
    entry,
    key,
    keyGiven,
    spawner,
    maxSpawnDepth: shared?.subagents?.maxSpawnDepth ?? edition.subagent.defaultMaxSpawnDepth,
  })
  const groups = resolveGroups(request, target, spawner)
  const channel = filled(normalizeChannel(said.channel ?? '')) ?? key.channel ?? spawner?.channel ?? null
  const sender = normalizeSender(said.sender)
  const own = findAgent(config, agentId)?.config.sandbox
  const mode = own?.mode ?? shared?.sandbox?.mode ?? 'off'
  // A session without a key cannot be the main one when it was spawned or belongs to a group.
  const isMain =
    isMainSession(config, target) && (keyGiven || (lineage.depth === 0 && groups.ids.length === 0))
  const context: Context = {
    agentId,
    sessionKey,
    edition: edition.id,
    provider: filled(said.provider),
    model: filled(said.model),
    channel,
    accountId: filled(said.accountId) ?? (channel === key.channel ? key.accountId : null),
    groupIds: groups.ids,
    ...(groups.channel !== null && groups.channel !== channel ? { groupChannel: groups.channel } : {}),
    sender,
    isOwner: said.isOwner ?? judgeOwner(config.commands?.ownerAllowFrom, sender, channel),
    sandboxed: said.sandboxed ?? (mode === 'all' || (mode === 'non-main' && !isMain)),
    workspaceAccess: own?.workspaceAccess ?? shared?.sandbox?.workspaceAccess ?? 'none',
    spawnedBy: said.spawnedBy ?? null,
    subagentDepth: lineage.depth,
    subagentRole: lineage.role,
    inherited: said.inherited?.allow || said.inherited?.deny ? said.inherited : null,
    toolsAllow: said.toolsAllow ?? null,
    ...(entry?.mcpToolsDeny && { mcpToolsDeny: entry.mcpToolsDeny }),
    harness: said.harness ?? 'openclaw',
    supports: { tools: true, vision: true, permission: true, ...said.supports },
    clientCaps: said.clientCaps ?? [],
    disableTools: said.disableTools ?? false,
    ...(said.heartbeat === true && { heartbeat: true as const }),
    origin: originOf(request, entry),
    notStored: keyGiven && options.entry === null,
  }
  return { context, missing: missingFields(context, groups.known), dropped: groups.dropped }
}

function missingFields(context: Context, groupKnown: boolean): string[] {
  const onChannel = context.channel !== null
  const fields: Readonly<Record<string, boolean>> = {
    provider: context.provider === null,
    model: context.model === null,
    channel: !onChannel,
    accountId: onChannel && context.accountId === null,
    groupId: onChannel && !groupKnown,
    sender: context.sender === null,
    'sender.isOwner': context.isOwner === null,
  }
  return Object.keys(fields).filter((name) => fields[name])
}

function originOf(request: SessionRequest, entry: SessionEntry | null): Context['origin'] {
  const said = Object.entries(request).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (said.some((name) => name !== 'sessionKey' && name !== 'agentId')) return 'flags'
  if (entry !== null) return 'session-store'
  return said.length > 0 ? 'flags' : 'defaults'
}

function filled(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}

/** Ids that are phone numbers fill the number, too: channels without ids of their own name people that way. */
function normalizeSender(sender: Sender | undefined): Sender | null {
  const given = Object.entries(sender ?? {}).flatMap(([name, value]: [string, string | undefined]) => {
    const text = filled(value)
    return text === null ? [] : [[name, text] as const]
  })
  if (given.length === 0) return null
  const { e164, ...rest }: Sender = Object.fromEntries(given)
  const id = rest.id ?? ''
  const phone = normalizeE164(e164 ?? (/^\+[\d\s().-]{5,}$/.test(id) ? id : ''))
  return /\d/.test(phone) ? { ...rest, e164: phone } : rest
}

function storedRequest(entry: SessionEntry | null): SessionRequest {
  if (entry === null) return {}
  const { inheritedAllow: allow, inheritedDeny: deny } = entry
  return {
    provider: entry.provider,
    model: entry.model,
    channel: entry.channel,
    accountId: entry.accountId,
    sandboxed: entry.sandboxRequired,
    spawnedBy: entry.spawnedBy,
    inherited: allow || deny ? { ...(allow && { allow }), ...(deny && { deny }) } : undefined,
    toolsAllow: entry.toolsAllow,
    harness: entry.harness === 'codex' ? 'codex' : undefined,
  }
}
