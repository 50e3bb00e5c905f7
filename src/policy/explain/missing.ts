import { toolKey } from '../../catalog/names.ts'
import { findAgent } from '../../config/agents.ts'
import type { GroupConfig, ProviderToolPolicy, ToolPolicy } from '../../config/types.ts'
import type { Context, Sender } from '../context.ts'
import { compilePolicy } from '../evaluate.ts'
import { findChannel, findGroupMatch } from '../layers/group.ts'
import { parseSenderKey, type SenderKey } from '../layers/sender.ts'
import type { Decision } from '../types.ts'
import type { View } from '../view.ts'

/** Most alternatives that are tried per field: beyond that the config has so many rules that one of them surely matters. */
const mostTries = 64

type SenderMap = Readonly<Record<string, ToolPolicy | null>>
type ProviderMap = Readonly<Record<string, ProviderToolPolicy>>

const isVisible = (decision: Decision): boolean => decision.verdict === 'visible'

/** Whether the tool's answer differs in the same session with some of its context replaced. */
function differs(view: View, decision: Decision, change: Partial<Context>): boolean {
  const { input } = view.policy
  const policy = compilePolicy({ ...input, context: { ...input.context, ...change } })
  return isVisible(policy.evaluate(decision.tool)) !== isVisible(decision)
}

function senderOf(key: SenderKey): { readonly sender: Sender; readonly channel?: string } | null {
  switch (key.type) {
    case '*':
      return null
    case 'channel':
      return { sender: { id: key.value }, channel: key.channel ?? '' }
    default:
      return { sender: { [key.type]: key.value } }
  }
}

/** One key per distinct policy: senders under equal policies get equal answers. */
function distinctKeys(map: SenderMap | undefined): SenderKey[] {
  const keys = new Map<string, SenderKey>()
  for (const [key, policy] of Object.entries(map ?? {})) {
    const parsed = policy && parseSenderKey(key)
    if (parsed) keys.set(JSON.stringify([policy, parsed.type === 'channel']), parsed)
  }
  return [...keys.values()]
}

/** The groups of the session's channel and of each of its accounts. */
function groupsOf(view: View): Readonly<Record<string, GroupConfig>>[] {
  const channel = findChannel(view)?.config
  const accounts = Object.values(channel?.accounts ?? {})
  return [channel?.groups, ...accounts.map(({ groups }) => groups)].filter((groups) => groups !== undefined)
}

/** The toolsBySender maps a sender of this session is looked up in. */
function senderMaps(view: View): (SenderMap | undefined)[] {
  const agent = findAgent(view.config, view.context.agentId)
  const own = agent?.config.tools?.toolsBySender
  const inGroup = view.context.groupIds.length > 0
  const groupMaps = inGroup
    ? groupsOf(view).flatMap((groups) => Object.values(groups).map((group) => group?.toolsBySender))
    : []
  return [own, view.config.tools?.toolsBySender, ...groupMaps]
}

function senderMatters(view: View, decision: Decision): boolean {
  const keys = senderMaps(view).flatMap(distinctKeys)
  if (keys.length > mostTries) return true
  return keys.some((key) => {
    const found = senderOf(key)
    if (!found) return false
    const { channel } = view.context
    // A key for another channel than the session's can never match in it.
    if (found.channel !== undefined && channel !== null && found.channel !== channel) return false
    return differs(view, decision, { sender: found.sender, channel: channel ?? found.channel ?? null })
  })
}

/** A sender id is known, but keys of the form `channel:<channel>:<id>` need the channel, too. */
function channelMatters(view: View, decision: Decision): boolean {
  const id = view.context.sender?.id?.trim().toLowerCase()
  if (id === undefined || view.context.channel !== null) return false
  const keys = senderMaps(view).flatMap((map) => Object.keys(map ?? {}).map(parseSenderKey))
  return keys
    .filter((key) => key?.type === 'channel' && key.value === id)
    .slice(0, mostTries)
    .some((key) => differs(view, decision, { channel: key?.channel ?? null }))
}

function ownerMatters(view: View, decision: Decision): boolean {
  if (view.context.isOwner !== null || decision.verdict === 'unavailable') return false
  const name = toolKey(decision.tool.name, view.edition)
  return decision.tool.source !== 'mcp' && view.edition.ownerOnly.includes(name)
}

interface Model {
  readonly provider: string
  readonly model: string | null
}

function modelOf(key: string): Model {
  const text = key.trim().toLowerCase()
  const slash = text.indexOf('/', 1)
  return slash < 0
    ? { provider: text, model: null }
    : { provider: text.slice(0, slash), model: text.slice(slash + 1) }
}

function modelFields(view: View, decision: Decision): string[] {
  const { provider, model } = view.context
  if (provider !== null && model !== null) return []
  const agent = findAgent(view.config, view.context.agentId)
  const maps: (ProviderMap | undefined)[] = [view.config.tools?.byProvider, agent?.config.tools?.byProvider]
  const own = agent?.config.tools?.exec?.applyPatch?.allowModels
  const patchModels =
    decision.tool.name === 'apply_patch'
      ? (own ?? view.config.tools?.exec?.applyPatch?.allowModels ?? [])
      : []
  const keys = [...maps.flatMap((map) => Object.keys(map ?? {})), ...patchModels]
  // update_plan is for GPT-5 models of openai unless the config says otherwise (policy facts §4.1).
  if (decision.tool.name === 'update_plan' && view.edition.id === '2026.7') keys.push('openai/gpt-5')
  const fields = new Set<string>()
  for (const key of keys.slice(0, mostTries)) {
    const wanted = modelOf(key)
    if (provider !== null && provider.trim().toLowerCase() !== wanted.provider) continue
    const byProvider = provider === null && differs(view, decision, { provider: wanted.provider })
    if (byProvider) fields.add('provider')
    else if (wanted.model !== null && model === null && differs(view, decision, wanted)) {
      if (provider === null) fields.add('provider')
      fields.add('model')
    }
  }
  return [...fields]
}

/** Whether the answer would be another one in a group of the channel; asked only where nothing says that the session is a direct chat. */
function groupMatters(view: View, decision: Decision): boolean {
  if (view.context.channel === null || !view.missing.includes('groupId')) return false
  const ids = [...new Set(groupsOf(view).flatMap((groups) => Object.keys(groups)))].slice(0, mostTries)
  return ids.some((id) => {
    const change = { groupIds: [id] }
    const { input } = view.policy
    const match = findGroupMatch({ ...input, context: { ...input.context, ...change } })
    return match !== null && differs(view, decision, change)
  })
}

/** Groups may be those of an account; without one the default account is taken. */
function accountMatters(view: View, decision: Decision): boolean {
  if (view.context.accountId !== null || view.context.groupIds.length === 0) return false
  const accounts = Object.keys(findChannel(view)?.config.accounts ?? {}).slice(0, mostTries)
  return accounts.some((accountId) => differs(view, decision, { accountId }))
}

/** Context fields nobody gave on which the answer for this tool depends, found by trying the values the config distinguishes. */
export function missingFields(view: View, decision: Decision): string[] {
  const fields: string[] = []
  if (view.context.sender === null && senderMatters(view, decision)) fields.push('sender')
  if (ownerMatters(view, decision)) fields.push('sender.isOwner')
  if (channelMatters(view, decision)) fields.push('channel')
  if (groupMatters(view, decision)) fields.push('groupId')
  if (accountMatters(view, decision)) fields.push('accountId')
  fields.push(...modelFields(view, decision))
  return fields
}
