import { toolKey } from '../../catalog/names.ts'
import type { Tool } from '../../catalog/types.ts'
import { findAgent, type Agent } from '../../config/agents.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import { findProviderMatches } from '../layers/scopes.ts'
import { hides } from '../report.ts'
import type { Decision, Entry, Layer, StepId, TraceEntry } from '../types.ts'
import type { View } from '../view.ts'
import { outsideOpenclaw } from './openclaw-group.ts'
import { sectionsOf } from './sections.ts'

/** What a sentence may look at. */
interface Facts {
  readonly view: View
  readonly tool: Tool
  readonly visible: boolean
  readonly decisive: TraceEntry | null
  readonly hiding: readonly TraceEntry[]
  readonly agent: Agent | undefined
}

type Rule = (facts: Facts) => string | null

const quote = (entry: Entry): string => JSON.stringify(entry.text.trim())
const listOf = (path: Path): string => formatPath(path.slice(0, -1))

const hiddenAt = (facts: Facts, step: StepId): TraceEntry | undefined =>
  facts.hiding.find((entry) => entry.step === step)

/** Entries of configured allow and alsoAllow lists that name the tool, without the `*` that alsoAllow stands for. */
function grants(facts: Facts, wanted: (layer: Layer) => boolean = () => true): Entry[] {
  const { policy } = facts.view
  return policy.layers
    .filter(wanted)
    .flatMap((layer) => layer.allow ?? [])
    .filter((entry) => entry.path !== null && policy.matches(entry.text, facts.tool, 'allow'))
}

const sectionGrantsNothing: Rule = ({ view, tool, visible, decisive, agent }) => {
  if (visible || decisive?.outcome === 'gate') return null
  const [path] = sectionsOf(view.config, agent, tool.name)
  return path
    ? `${formatPath(path)} only sets how the tool works; a section never makes a tool visible`
    : null
}

const agentAlsoAllowReplaces: Rule = (facts) => {
  const { view, agent, tool } = facts
  if (!agent) return null
  const matches = findProviderMatches(view.policy.input, agent)
  const scopes = [
    {
      step: 'tools.profile' as const,
      own: { policy: agent.config.tools, path: [...agent.path, 'tools'] },
      global: { policy: view.config.tools, path: ['tools'] },
    },
    { step: 'tools.byProvider.profile' as const, own: matches.agent, global: matches.global },
  ]
  for (const { step, own, global } of scopes) {
    if (!own?.policy?.alsoAllow || !global?.policy?.alsoAllow || !hiddenAt(facts, step)) continue
    const lost = global.policy.alsoAllow.find((text) => view.policy.matches(text, tool, 'allow'))
    if (lost === undefined) continue
    const [place, other] = [own, global].map(({ path }) => formatPath([...path, 'alsoAllow']))
    return `${place} replaces ${other}, so the entry ${JSON.stringify(lost)} there does not count for this agent`
  }
  return null
}

const allowNarrows: Rule = (facts) => {
  const atProfile = hiddenAt(facts, 'tools.profile') ?? hiddenAt(facts, 'tools.byProvider.profile')
  if (!atProfile) return null
  const entry = grants(facts, (layer) => layer.profile === undefined).find(
    ({ path }) => path?.at(-2) === 'allow',
  )
  if (!entry?.path) return null
  return `${quote(entry)} in ${listOf(entry.path)} does not add to the profile: allow only narrows, alsoAllow adds`
}

const globSkipsPlugins: Rule = (facts) => {
  const entry = facts.decisive
  if (entry?.step !== 'plugin' || entry.outcome !== 'not-allowed' || facts.tool.source !== 'plugin')
    return null
  const [broad] = grants(facts)
  return broad?.path
    ? `${quote(broad)} in ${listOf(broad.path)} does not select it: patterns and groups of built-in tools in an allow list leave plugin tools out; name the tool, its plugin or group:plugins`
    : null
}

const denyWins: Rule = (facts) => {
  if (facts.decisive?.outcome !== 'deny') return null
  if (facts.decisive.path === null && facts.decisive.step !== 'inherited') return null
  const [entry] = grants(facts)
  return entry?.path
    ? `${quote(entry)} in ${listOf(entry.path)} cannot bring it back: deny wins over every allow and alsoAllow`
    : null
}

const elevatedCannotRestore: Rule = (facts) => {
  const elevated = facts.view.config.tools?.elevated ?? facts.agent?.config.tools?.elevated
  const withExec = facts.tool.name === 'exec' || facts.tool.name === 'process'
  return !facts.visible && withExec && elevated
    ? 'tools.elevated lets an allowed exec run outside the sandbox; it never restores a hidden one'
    : null
}

const openclawGroup: Rule = ({ view, tool, visible, hiding }) => {
  const members = view.edition.groups['group:openclaw'] ?? []
  if (tool.source !== 'core' && !view.edition.tools.some(({ id }) => id === tool.name)) return null
  if (members.includes(toolKey(tool.name, view.edition))) return null
  const names = (entries: readonly Entry[] | null): Entry | undefined =>
    entries?.find((entry) => entry.path && toolKey(entry.text, view.edition) === 'group:openclaw')
  const entry = view.policy.layers
    .map((layer) => {
      const blamed = hiding.some(({ step, outcome }) => step === layer.step && outcome === 'not-allowed')
      return blamed ? names(layer.allow) : visible ? names(layer.deny) : undefined
    })
    .find((each) => each !== undefined)
  return entry?.path
    ? `group:openclaw in ${listOf(entry.path)} is not every tool: ${outsideOpenclaw(view.edition)} are outside`
    : null
}

const emptyAllow: Rule = ({ view, visible, agent }) => {
  if (!visible) return null
  const scopes = [
    { list: agent?.config.tools?.allow, path: agent && [...agent.path, 'tools', 'allow'] },
    { list: view.config.tools?.allow, path: ['tools', 'allow'] },
  ]
  const empty = scopes.find(({ list }) => list?.length === 0)
  return empty?.path ? `${formatPath(empty.path)} is empty, which means no restriction` : null
}

const sandboxLists: Rule = (facts) => {
  const entry = hiddenAt(facts, 'sandbox.tools')
  if (!entry) return null
  const base =
    'the sandbox has lists of its own (tools.sandbox.tools): sandbox settings say where a tool runs, policy says whether the session has it'
  const own = facts.agent?.config.tools?.sandbox?.tools
  const global = facts.view.config.tools?.sandbox?.tools
  const field = (['alsoAllow', 'allow'] as const).find(
    (each) =>
      own?.[each] && global?.[each]?.some((text) => facts.view.policy.matches(text, facts.tool, 'allow')),
  )
  if (!field || !facts.agent) return base
  const place = formatPath([...facts.agent.path, 'tools', 'sandbox', 'tools', field])
  return `${place} replaces tools.sandbox.tools.${field}, which names it; sandbox lists are not merged`
}

const subagentDefaults: Rule = (facts) => {
  const entry = hiddenAt(facts, 'subagent')
  if (entry?.outcome !== 'deny' || entry.path) return null
  return facts.view.edition.subagent.explicitAllowLifts
    ? 'subagents lose it by default; its exact name in tools.subagents.tools.allow or alsoAllow lifts that (groups and patterns do not)'
    : `subagents never get it in edition ${facts.view.edition.id}; no list lifts that`
}

const ownerOnly: Rule = (facts) =>
  hiddenAt(facts, 'owner')
    ? 'the owner check removes it, not a profile or list: owners are the senders in commands.ownerAllowFrom'
    : null

const serverHealth: Rule = ({ view, tool, visible, decisive }) => {
  if (visible || tool.source !== 'mcp' || !decisive || decisive.step === 'mcp') return null
  const server = view.inventory.servers.find(({ name }) => name === tool.mcpServer)
  return server?.status === 'connected'
    ? `the server ${server.name} is connected; a healthy server says nothing about visibility, policy decides that`
    : null
}

const unreachableServer: Rule = ({ view, tool, decisive }) => {
  const isDown = decisive?.step === 'mcp' && /(?:^| )(?:failed|connecting)$/.test(decisive.rule ?? '')
  const name = tool.mcpServer
  if (!isDown || name === undefined || !Object.hasOwn(view.config.mcp?.servers ?? {}, name)) return null
  return `openclaw mcp probe ${name} asks the server again and says what went wrong`
}

const wholeServer: Rule = ({ tool, decisive }) =>
  tool.source === 'mcp' && decisive?.outcome === 'not-allowed' && tool.mcpSafeServer !== undefined
    ? `the entry ${tool.mcpSafeServer}__* stands for all tools of this server, bundle-mcp for those of every server`
    : null

/** In an allow list the id of a plugin means that plugin, whatever tool has the same name (ruling 9). */
const pluginTakesName: Rule = ({ view, tool, hiding }) => {
  const key = toolKey(tool.name, view.edition)
  const isTaken = view.inventory.tools.some((each) => each.pluginId?.trim().toLowerCase() === key)
  if (!isTaken || tool.pluginId?.trim().toLowerCase() === key) return null
  for (const { step, outcome } of hiding) {
    if (outcome !== 'not-allowed') continue
    const layer = view.policy.layers.find((each) => each.step === step)
    const entry = layer?.allow?.find(({ text }) => toolKey(text, view.edition) === key)
    if (!entry) continue
    const place = entry.path ? listOf(entry.path) : `profile ${layer?.profile}`
    return `${quote(entry)} in ${place} means the plugin of that id, so the tool of the same name is not in the list; the entry ${tool.name}* is the tool`
  }
  return null
}

const optionalTool: Rule = ({ tool, decisive }) =>
  tool.optional && decisive?.step === 'plugin' && decisive.outcome === 'not-allowed'
    ? 'an optional plugin tool stays off until a list names it; profile full names everything, no profile names nothing'
    : null

const plain = (text: string): string => text.replaceAll(/[^a-z0-9]/g, '')

/** What people call a provider by its product. */
const products = new Map([
  ['claude', 'anthropic'],
  ['gemini', 'google'],
  ['chatgpt', 'openai'],
  ['grok', 'xai'],
])

/** Whether one of two different provider ids may be meant by the other: bedrock and amazon-bedrock, z.ai and zai, claude and anthropic. */
function isNear(one: string, other: string): boolean {
  const [a, b] = [one, other].map((id) => id.split(/[-_.]/).map((part) => products.get(part) ?? part))
  if (a === undefined || b === undefined) return false
  return (
    plain(one) === plain(other) ||
    (a.length === 1 && b.includes(a[0] ?? '')) ||
    (b.length === 1 && a.includes(b[0] ?? ''))
  )
}

const otherProviderKey: Rule = ({ view, tool, agent }) => {
  const provider = view.context.provider?.trim().toLowerCase()
  if (!provider) return null
  const maps = [
    { map: view.config.tools?.byProvider, path: ['tools', 'byProvider'] },
    { map: agent?.config.tools?.byProvider, path: [...(agent?.path ?? []), 'tools', 'byProvider'] },
  ]
  for (const { map, path } of maps) {
    for (const [key, policy] of Object.entries(map ?? {})) {
      const owner = key.trim().toLowerCase().split('/', 1)[0] ?? ''
      const concerns = (policy.deny ?? []).some((text) => view.policy.matches(text, tool, 'deny'))
      if (
        owner !== provider &&
        isNear(owner, provider) &&
        (concerns || policy.profile || (policy.allow ?? []).length > 0)
      ) {
        return `${formatPath([...path, key])} does not apply: the provider of this session is ${provider}, and provider ids have no aliases`
      }
    }
  }
  return null
}

const catalogIsNotEffective: Rule = ({ view, tool, visible, decisive }) => {
  const catalogued = view.edition.tools.some(({ id }) => id === tool.name)
  return !visible && catalogued && decisive?.outcome === 'gate'
    ? 'tools catalog lists everything that could exist; only tools effective says what this session has'
    : null
}

const rules: readonly Rule[] = [
  denyWins,
  pluginTakesName,
  allowNarrows,
  agentAlsoAllowReplaces,
  sectionGrantsNothing,
  globSkipsPlugins,
  optionalTool,
  sandboxLists,
  subagentDefaults,
  ownerOnly,
  elevatedCannotRestore,
  openclawGroup,
  emptyAllow,
  wholeServer,
  serverHealth,
  unreachableServer,
  otherProviderKey,
  catalogIsNotEffective,
]

/** Sentences on known confusions that touch this decision (issue scope: explain), most telling first. */
export function wordsFor(view: View, decision: Decision): string[] {
  const facts: Facts = {
    view,
    tool: decision.tool,
    visible: decision.verdict === 'visible',
    decisive: decision.trace[decision.decisive] ?? null,
    hiding: decision.trace.filter(hides),
    agent: findAgent(view.config, view.context.agentId),
  }
  return rules.flatMap((rule) => rule(facts) ?? [])
}
