import { findAgent } from '../../config/agents.ts'
import type { Config, GroupConfig, ProviderToolPolicy, ToolPolicy } from '../../config/types.ts'
import type { Path } from '../../kernel/path.ts'
import { listNames, type ListName } from './list-names.ts'

export type ScopeKind = 'tools' | 'agent' | 'provider' | 'sender' | 'group' | 'sandbox' | 'subagents'

/** An object of the config that holds allow, alsoAllow and deny lists. */
export interface Scope {
  readonly kind: ScopeKind
  readonly path: Path
  readonly policy: ToolPolicy
  /** True below the agent. */
  readonly own: boolean
}

/** One filled or empty list of a scope. */
export interface ListRef {
  readonly scope: Scope
  readonly name: ListName
  readonly path: Path
  readonly entries: readonly string[]
}

type SenderMap = Readonly<Record<string, ToolPolicy | null>>

/** A toolsBySender map with its place. */
export interface SenderMapRef {
  readonly path: Path
  readonly map: SenderMap
  readonly own: boolean
  /** The group the map belongs to, for maps of a group. */
  readonly group?: GroupConfig
}

/** The groups of one channel or of one of its accounts. */
export interface GroupsRef {
  readonly path: Path
  readonly groups: Readonly<Record<string, GroupConfig>>
  /** Groups of the channel that an account's groups stand in for. */
  readonly replaces?: { readonly path: Path; readonly groups: Readonly<Record<string, GroupConfig>> }
}

type Raw = {
  readonly byProvider?: Readonly<Record<string, ProviderToolPolicy>> | undefined
  readonly toolsBySender?: SenderMap | undefined
  readonly sandbox?: { readonly tools?: ToolPolicy | undefined } | undefined
}

function below(tools: (ToolPolicy & Raw) | undefined, path: Path, own: boolean): Scope[] {
  if (!tools) return []
  return [
    { kind: own ? 'agent' : 'tools', path, policy: tools, own },
    ...Object.entries(tools.byProvider ?? {}).map(([key, policy]): Scope => {
      return { kind: 'provider', path: [...path, 'byProvider', key], policy, own }
    }),
    ...(tools.sandbox?.tools
      ? [{ kind: 'sandbox' as const, path: [...path, 'sandbox', 'tools'], policy: tools.sandbox.tools, own }]
      : []),
  ]
}

/** Groups of every channel and account. */
export function groupRefs(config: Config): GroupsRef[] {
  return Object.entries(config.channels ?? {}).flatMap(([id, channel]) => {
    const base: Path = ['channels', id]
    const own = channel.groups ? { path: [...base, 'groups'], groups: channel.groups } : undefined
    const accounts = Object.entries(channel.accounts ?? {}).flatMap(([account, { groups }]) =>
      groups
        ? [{ path: [...base, 'accounts', account, 'groups'], groups, ...(own && { replaces: own }) }]
        : [],
    )
    return [...(own ? [own] : []), ...accounts]
  })
}

/** Every toolsBySender map: the agent's, the global one, those of groups. */
export function senderMaps(config: Config, agentId: string): SenderMapRef[] {
  const agent = findAgent(config, agentId)
  const maps: SenderMapRef[] = []
  const own = agent?.config.tools?.toolsBySender
  if (agent && own) maps.push({ path: [...agent.path, 'tools', 'toolsBySender'], map: own, own: true })
  const global = config.tools?.toolsBySender
  if (global) maps.push({ path: ['tools', 'toolsBySender'], map: global, own: false })
  for (const { path, groups } of groupRefs(config)) {
    for (const [key, group] of Object.entries(groups)) {
      const map = group?.toolsBySender
      if (map) maps.push({ path: [...path, key, 'toolsBySender'], map, own: false, group })
    }
  }
  return maps
}

/** The scopes that may concern an agent: global ones, its own, those of channels. */
export function scopesOf(config: Config, agentId: string): Scope[] {
  const agent = findAgent(config, agentId)
  const subagents = config.tools?.subagents?.tools
  const senders = senderMaps(config, agentId).flatMap(({ path, map, own }) =>
    Object.entries(map).flatMap(([key, policy]): Scope[] =>
      policy ? [{ kind: 'sender', path: [...path, key], policy, own }] : [],
    ),
  )
  const groups = groupRefs(config).flatMap(({ path, groups: all }) =>
    Object.entries(all).flatMap(([key, group]): Scope[] =>
      group?.tools ? [{ kind: 'group', path: [...path, key, 'tools'], policy: group.tools, own: false }] : [],
    ),
  )
  return [
    ...below(config.tools, ['tools'], false),
    ...(subagents
      ? [{ kind: 'subagents' as const, path: ['tools', 'subagents', 'tools'], policy: subagents, own: false }]
      : []),
    ...(agent ? below(agent.config.tools, [...agent.path, 'tools'], true) : []),
    ...senders,
    ...groups,
  ]
}

/** The lists that a scope has, in the order allow, alsoAllow, deny. */
export function listsOf(scope: Scope): ListRef[] {
  return listNames.flatMap((name) => {
    const entries = scope.policy[name]
    return entries ? [{ scope, name, path: [...scope.path, name], entries }] : []
  })
}
