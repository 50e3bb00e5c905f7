import type { Edition } from '../../src/catalog/edition.ts'
import type { Inventory, Tool } from '../../src/catalog/types.ts'
import { findAgent } from '../../src/config/agents.ts'
import type { Config } from '../../src/config/types.ts'
import type { Context } from '../../src/policy/context.ts'
import { naiveGone } from './naive-gates.ts'
import { clean, get, ofGroup, ofProvider, ofSender, plain, type List, type Lists } from './naive-lookups.ts'

/** `also` widens `allow` but selects no plugin tools, `open` marks an alsoAllow alone, `own` is what the user wrote. */
type Layer = { allow: List; also?: List; deny: List; open?: boolean; own?: List }

const fits = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`, 's').test(name)
const hits = (patterns: List, name: string): boolean => patterns?.some((each) => fits(each, name)) === true

function pick(lists: Lists | null | undefined): Layer {
  const [allow, also, deny] = [clean(lists?.allow), clean(lists?.alsoAllow), clean(lists?.deny)]
  return { allow: [...allow, ...also], deny, open: allow.length === 0 && also.length > 0 }
}

/** Names of the tools a session can see, straight from the policy facts and rulings; plain, slow, without a trace. */
export function naiveVisible(config: Config, edition: Edition, inventory: Inventory, context: Context) {
  const [newer, shared] = [edition.id === '2026.9', config.tools ?? {}]
  const settings = findAgent(config, context.agentId)?.config
  const agent = settings?.tools ?? {}
  const owned = inventory.tools.filter((tool) => tool.pluginId !== undefined)
  const alias = (name: string): string => get(edition.aliases, plain(name)) ?? plain(name)
  const members = (entry: string): List => get(edition.groups, alias(entry)) ?? [alias(entry)]
  /** What an entry stands for: a plugin's tools, a group, renamed tools, or itself (facts 2, rulings 9 and 10). */
  const expand = (entry: string, deny: boolean): List => {
    const tools = owned.filter((tool) => entry === 'group:plugins' || plain(tool.pluginId) === entry)
    const itself = tools.length > 0 && !deny ? [] : (members(entry) ?? [])
    const renamed = get(edition.policyRenames, alias(entry)) ?? []
    return [...tools.map((tool) => alias(tool.name)), ...itself, ...renamed]
  }
  const denies = (list: List, name: string) => list?.some((each) => hits(expand(each, true), name)) === true
  const allows = (list: List, name: string): boolean =>
    list?.some((each) => hits(expand(each, false), name)) || (name === 'apply_patch' && allows(list, 'write'))
  /** Plugin ids count for nothing where a default deny is lifted or a list must name a tool. */
  const names = (list: List, name: string) => list?.some((each) => hits(members(each), name)) === true

  const profile = (id: string | undefined, also: List): Layer => {
    const base = get(edition.profiles, id ?? '')
    const added = inventory.tools.filter((tool) => newer && tool.profiles?.includes(id ?? ''))
    return { allow: base && [...base, ...added.map((tool) => plain(tool.name))], also, deny: [], own: [] }
  }
  const [all, mine] = [ofProvider(shared.byProvider, context), ofProvider(agent.byProvider, context)]
  const exempt = context.isOwner === true && plain(context.channel) === 'webchat'
  const sender = ofSender(agent.toolsBySender, context) ?? ofSender(shared.toolsBySender, context)

  const box = { ...shared.sandbox?.tools, ...agent.sandbox?.tools }
  const lifted = [...clean(box.allow), ...clean(box.alsoAllow)]
  const base = box.allow ? clean(box.allow) : edition.sandbox.allow
  const out = box.deny ? clean(box.deny) : edition.sandbox.deny.filter((entry) => !names(lifted, entry))
  const sandbox: Layer = {
    allow: base.length > 0 ? [...base, ...clean(box.alsoAllow), edition.sandbox.imageTool] : [],
    deny: newer && denies(out, 'image') ? [...out, 'view_image'] : out,
    own: base.length > 0 ? lifted : [],
  }
  const spawn = pick(shared.subagents?.tools)
  const lifts = edition.subagent.explicitAllowLifts ? spawn.allow?.map(alias) : []
  const { always, leafOnly } = edition.subagent
  const barred = context.subagentRole === 'leaf' ? [...always, ...leafOnly] : always
  const stays = barred.filter((id) => !lifts?.includes(id))
  const child: Layer = { allow: spawn.open ? [] : spawn.allow, deny: [...stays, ...(spawn.deny ?? [])] }
  const inherits = newer && context.inherited && (context.subagentDepth > 0 || context.spawnedBy !== null)

  const layers: Layer[] = [
    profile(agent.profile ?? shared.profile, agent.alsoAllow ?? shared.alsoAllow),
    profile(mine?.profile ?? all?.profile, mine?.alsoAllow ?? all?.alsoAllow),
    ...[shared, all, agent, mine, context.inherited].map(pick),
    ...(inherits ? [] : [pick(ofGroup(config, context)), pick(exempt ? null : sender)]),
    ...(context.sandboxed ? [sandbox] : []),
    ...(context.isOwner === false ? [{ allow: [], deny: edition.ownerOnly }] : []),
    ...(context.subagentDepth > 0 ? [child] : []),
  ]
  const cap = context.toolsAllow && clean(context.toolsAllow)
  const selected = [...layers.flatMap((layer) => layer.allow ?? []), ...(cap ?? [])]
  const own = [...layers.flatMap((layer) => layer.own ?? layer.allow ?? []), ...(cap ?? [])]
  const specific = own.filter((entry) => entry !== '*')
  const isNamed = (name: string) => names(specific, name)
  const gone = naiveGone(config, edition, inventory, context, isNamed)
  const denied = layers.flatMap((layer) => layer.deny ?? []).flatMap((entry) => members(entry) ?? [])

  const { allow = [], deny = [], entries = {}, enabled = true } = config.plugins ?? {}
  const loads = (tool: Tool): boolean => {
    const id = plain(tool.pluginId)
    const off = Object.entries(entries).some(([key, entry]) => plain(key) === id && entry.enabled === false)
    const unlisted = clean(deny).includes(id) || (clean(allow).length > 0 && !clean(allow).includes(id))
    const shut = hits(denied, id) || denied.some((word) => fits(word, 'group:plugins'))
    const wanted = [id, '*', 'group:plugins']
    const named = selected.some((each) => wanted.includes(each) || alias(each) === alias(tool.name))
    const free = !tool.optional && (selected.length === 0 || layers.some((layer) => layer.open))
    const installed = inventory.plugins.some((plugin) => plain(plugin.id) === id && plugin.enabled)
    return enabled && installed && !off && !unlisted && !shut && (named || free)
  }
  const lean = settings?.experimental?.localModelLean ?? config.agents?.defaults?.experimental?.localModelLean
  const visible = (tool: Tool): boolean => {
    const [name, channel] = [alias(tool.name), plain(context.channel)]
    const control = tool.source === 'core' && /^tool_(search|search_code|describe|call)$/.test(name)
    // A cap that names `message` carries it past both profiles (facts 5, steps 1 and 2).
    const forced = name === 'message' && cap?.includes(name) && hits(expand(name, false), name)
    const passes = (layer: Layer, at: number): boolean =>
      !layer.allow?.length ||
      layer.open === true ||
      (at < 2 && forced === true) ||
      allows([...layer.allow, ...clean(layer.also)], name)
    if (context.disableTools || !context.supports.tools || tool.defect) return false
    if (layers.some((layer) => denies(layer.deny, name))) return false
    if (tool.source === 'client') return true
    if (!control && !(layers.every(passes) && (cap === null || allows(cap, name)))) return false
    const only = tool.source === 'mcp' ? undefined : get(edition.channelRuntime.allowOnly, channel)
    if ((only && !only.includes(name)) || get(edition.channelRuntime.deny, channel)?.includes(name))
      return false
    if (lean && edition.leanDeny.includes(name) && !isNamed(name)) return false
    return tool.source === 'core' ? !gone.includes(name) : tool.source !== 'plugin' || loads(tool)
  }
  return new Set(inventory.tools.filter(visible).map((tool) => tool.name))
}
