import type { Agent } from '../../config/agents.ts'
import type { ProviderToolPolicy } from '../../config/types.ts'
import type { Path } from '../../kernel/path.ts'
import type { Layer, PolicyInput, StepId } from '../types.ts'
import { modelIds } from './model.ts'
import { builtInEntries, entriesAt, scopeLayer } from './lists.ts'

type ProviderMap = Readonly<Record<string, ProviderToolPolicy>>

/** A byProvider entry that applies to the session's model, with its place. */
export interface ProviderMatch {
  readonly key: string
  readonly path: Path
  readonly policy: ProviderToolPolicy
}

/** Lower-cases a byProvider key; the first slash that is not at the start parts provider and model. */
function canonicalKey(key: string): string {
  return key.trim().toLowerCase()
}

/** Finds the byProvider entry of a session: `provider/model`, else `provider`; the first hit alone, never merged (policy facts §5.1). */
export function findProviderMatch(
  map: ProviderMap | undefined,
  path: Path,
  provider: string | null,
  model: string | null,
): ProviderMatch | null {
  if (!map || provider === null || provider.trim() === '') return null
  const wantedProvider = provider.trim().toLowerCase()
  const wanted = [...modelIds(provider, model).map((id) => `${wantedProvider}/${id}`), wantedProvider]
  for (const key of wanted) {
    const found = Object.hasOwn(map, key) ? key : Object.keys(map).find((each) => canonicalKey(each) === key)
    if (found !== undefined) return { key: found, path: [...path, found], policy: map[found] ?? {} }
  }
  return null
}

/** The byProvider entries that apply, of the config as a whole and of the agent. */
export interface ProviderMatches {
  readonly global: ProviderMatch | null
  readonly agent: ProviderMatch | null
}

export function findProviderMatches(input: PolicyInput, agent: Agent | undefined): ProviderMatches {
  const { provider, model } = input.context
  return {
    global: findProviderMatch(input.config.tools?.byProvider, ['tools', 'byProvider'], provider, model),
    agent: agent
      ? findProviderMatch(
          agent.config.tools?.byProvider,
          [...agent.path, 'tools', 'byProvider'],
          provider,
          model,
        )
      : null,
  }
}

interface ProfileSource {
  readonly profile: string | undefined
  readonly alsoAllow: readonly string[] | undefined
  readonly path: Path
}

/** A run that is capped to the message tool must be able to answer through it, whatever the profile; a plugin of that id is not meant. */
function capNamesMessage({ context, inventory }: PolicyInput): boolean {
  return (
    context.toolsAllow?.some((name) => name.trim().toLowerCase() === 'message') === true &&
    !inventory.tools.some((tool) => tool.pluginId?.trim().toLowerCase() === 'message')
  )
}

/** Builds a profile layer: the nearer profile replaces the farther one, and so does the nearer alsoAllow, even when empty (ruling 19). */
function profileLayer(step: StepId, input: PolicyInput, sources: readonly ProfileSource[]): Layer | null {
  const chosen = sources.find((source) => source.profile !== undefined)
  if (!chosen?.profile || !Object.hasOwn(input.edition.profiles, chosen.profile)) return null
  const id = chosen.profile
  const also = sources.find((source) => source.alsoAllow !== undefined)
  const own = [
    ...input.edition.profiles[id]!,
    // Manifests may join their tools to a profile from edition 2026.9 on.
    ...(input.edition.id === '2026.9'
      ? input.inventory.tools.filter((tool) => tool.profiles?.includes(id)).map((tool) => tool.name)
      : []),
    ...(capNamesMessage(input) ? ['message'] : []),
    // A heartbeat has to be able to say how it went (policy facts §5).
    ...(input.context.heartbeat === true ? ['heartbeat_respond'] : []),
  ]
  return {
    step,
    path: chosen.path,
    profile: id,
    allow: [...builtInEntries(own), ...entriesAt(also?.alsoAllow, [...(also?.path ?? []), 'alsoAllow'])],
    allowPath: [...chosen.path, 'profile'],
    implicitAllowAll: false,
    deny: [],
  }
}

/** The layers of the two profiles and of the global, agent and byProvider lists, in pipeline order. */
export function scopeLayers(
  input: PolicyInput,
  agent: Agent | undefined,
  matches: ProviderMatches,
): (Layer | null)[] {
  const tools = input.config.tools
  const agentTools = agent?.config.tools
  const agentPath: Path = agent ? [...agent.path, 'tools'] : []
  const profiles: ProfileSource[] = [
    { profile: agentTools?.profile, alsoAllow: agentTools?.alsoAllow, path: agentPath },
    { profile: tools?.profile, alsoAllow: tools?.alsoAllow, path: ['tools'] },
  ]
  const providerProfiles: ProfileSource[] = [matches.agent, matches.global].flatMap((match) =>
    match ? [{ profile: match.policy.profile, alsoAllow: match.policy.alsoAllow, path: match.path }] : [],
  )
  return [
    profileLayer('tools.profile', input, profiles),
    profileLayer('tools.byProvider.profile', input, providerProfiles),
    scopeLayer('tools', tools, ['tools']),
    matches.global && scopeLayer('tools.byProvider', matches.global.policy, matches.global.path),
    scopeLayer('agent.tools', agentTools, agentPath),
    matches.agent && scopeLayer('agent.tools.byProvider', matches.agent.policy, matches.agent.path),
  ]
}
