import type { ChannelConfig, GroupConfig, ToolPolicy } from '../../config/types.ts'
import type { Path } from '../../kernel/path.ts'
import type { PolicyInput } from '../types.ts'
import { findSenderMatch, normalizeChannel, type SenderMatch } from './sender.ts'

type Groups = Readonly<Record<string, GroupConfig>>

/** The one group policy that applies: a group's sender entry or its tools, specific before `*`, never merged (policy facts §5.3). */
export interface GroupMatch {
  readonly groupKey: string
  readonly sender: SenderMatch | null
  readonly path: Path
  readonly policy: ToolPolicy
}

/** The channel of the config that holds the groups of a session. */
export function findChannel(
  input: Pick<PolicyInput, 'config' | 'context'>,
): { readonly id: string; readonly config: ChannelConfig } | null {
  const channels = input.config.channels
  // The group may live on another channel than the one the message came through.
  const channel = input.context.groupChannel ?? input.context.channel
  if (!channels || channel === null) return null
  const wanted = normalizeChannel(channel)
  const id = Object.keys(channels).find((key) => normalizeChannel(key) === wanted)
  const config = id === undefined ? undefined : channels[id]
  return id === undefined || !config ? null : { id, config }
}

/** Groups of the account replace those of the channel; with a single account only if it names any. */
function findGroups(input: PolicyInput): { readonly groups: Groups; readonly path: Path } | null {
  const channel = findChannel(input)
  if (!channel) return null
  const base: Path = ['channels', channel.id]
  const accounts = channel.config.accounts ?? {}
  const wanted = (input.context.accountId ?? channel.config.defaultAccount ?? 'default').trim().toLowerCase()
  const accountKey = Object.keys(accounts).find((key) => key.trim().toLowerCase() === wanted)
  const own = accountKey === undefined ? undefined : accounts[accountKey]?.groups
  const several = Object.keys(accounts).length > 1
  if (own && accountKey !== undefined && (several || Object.keys(own).length > 0)) {
    return { groups: own, path: [...base, 'accounts', accountKey, 'groups'] }
  }
  return channel.config.groups ? { groups: channel.config.groups, path: [...base, 'groups'] } : null
}

/** Finds the group policy of a session; null outside groups and where no group entry says anything. */
export function findGroupMatch(input: PolicyInput): GroupMatch | null {
  if (input.context.groupIds.length === 0) return null
  const found = findGroups(input)
  if (!found) return null
  for (const id of [...input.context.groupIds, '*']) {
    const key = Object.hasOwn(found.groups, id)
      ? id
      : Object.keys(found.groups).find((each) => each.trim().toLowerCase() === id.trim().toLowerCase())
    const group = key === undefined ? undefined : found.groups[key]
    if (key === undefined || !group) continue
    const path = [...found.path, key]
    const sender = findSenderMatch(group.toolsBySender, [...path, 'toolsBySender'], input.context)
    if (sender) return { groupKey: key, sender, path: sender.path, policy: sender.policy }
    if (group.tools) return { groupKey: key, sender: null, path: [...path, 'tools'], policy: group.tools }
  }
  return null
}
