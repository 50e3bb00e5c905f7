import type { Tool } from '../../catalog/types.ts'
import type { Agent } from '../../config/agents.ts'
import { getIn } from '../../config/path-value.ts'
import { formatPath, type Path } from '../../kernel/path.ts'
import { disabledSearchPlugin } from '../../catalog/providers.ts'
import { modelIds } from '../layers/model.ts'
import type { Matcher } from '../matcher.ts'
import type { Layer, PolicyInput } from '../types.ts'
import { overrideEntries } from './runtime.ts'
import { defectOf, gate, stepOf, type Objection, type Step } from './step.ts'

/** What a gate may look at. */
interface Facts {
  readonly input: PolicyInput
  readonly agent: Agent | undefined
  /** Whether configured lists name the tool by name, group or glob and no list denies it. */
  readonly named: (key: string) => boolean
}

type Gate = (facts: Facts) => Objection | null

const all =
  (...gates: readonly Gate[]): Gate =>
  (facts) => {
    for (const each of gates) {
      const objection = each(facts)
      if (objection) return objection
    }
    return null
  }

/** Where a sandbox setting of the session is written: at the agent, else in the defaults. */
function sandboxPath({ input, agent }: Facts, key: 'mode' | 'workspaceAccess'): Path | null {
  if (agent?.config.sandbox?.[key] !== undefined) return [...agent.path, 'sandbox', key]
  const shared = input.config.agents?.defaults?.sandbox?.[key]
  return shared === undefined ? null : ['agents', 'defaults', 'sandbox', key]
}

const writable: Gate = (facts) => {
  const { sandboxed, workspaceAccess } = facts.input.context
  if (!sandboxed || workspaceAccess !== 'ro') return null
  const reason = 'the sandbox mounts the workspace read-only'
  return gate('workspaceAccess', reason, sandboxPath(facts, 'workspaceAccess'))
}

const notSandboxed: Gate = (facts) => {
  const { input, agent } = facts
  if (!input.context.sandboxed) return null
  const mode = agent?.config.sandbox?.mode ?? input.config.agents?.defaults?.sandbox?.mode
  // With the mode off, something else than the config asked for the sandbox.
  const path = mode === 'off' ? null : sandboxPath(facts, 'mode')
  return gate('sandboxed', 'it exists only in sessions that are not sandboxed', path)
}

const notSubagent: Gate = ({ input: { context } }) =>
  context.subagentDepth > 0 ? gate('subagent', 'it is not offered to subagents') : null

const clientCap =
  (cap: string, what: string): Gate =>
  ({ input: { context } }) =>
    context.clientCaps.includes(cap) ? null : gate(`client capability ${cap}`, `the client offers no ${what}`)

const provider =
  (name: keyof PolicyInput['inventory']['providers'], what: string): Gate =>
  ({ input: { inventory } }) =>
    inventory.providers[name] ? null : gate(`provider ${name}`, `no ${what} is configured`)

/** Speech needs no account, so it is a setting that switches it off, or the inventory. */
const speech: Gate = (facts) => {
  const missing = provider('tts', 'speech provider')(facts)
  const path: Path = ['messages', 'tts', 'enabled']
  if (missing === null || getIn(facts.input.config, path) !== false) return missing
  return { ...missing, reason: `${formatPath(path)} is false`, path }
}

const webSearch: Gate = (facts) => {
  const missing = provider('web_search', 'web search provider')(facts)
  const plugin = missing && disabledSearchPlugin(facts.input.config)
  if (missing === null || plugin === null) return missing
  const reason = `the plugin ${plugin}, which brings the chosen search provider, is disabled`
  return { ...missing, reason, path: ['plugins', 'entries', plugin, 'enabled'] }
}

const applyPatch: Gate = ({ input, agent }) => {
  const own = agent?.config.tools?.exec?.applyPatch
  const global = input.config.tools?.exec?.applyPatch
  const pathOf = (field: 'enabled' | 'allowModels'): Path =>
    own?.[field] !== undefined && agent
      ? [...agent.path, 'tools', 'exec', 'applyPatch', field]
      : ['tools', 'exec', 'applyPatch', field]
  if ((own?.enabled ?? global?.enabled) === false) {
    return gate('applyPatch.enabled', 'apply_patch is switched off', pathOf('enabled'))
  }
  const models = own?.allowModels ?? global?.allowModels ?? []
  if (models.length === 0) return null
  const { model, provider: vendor } = input.context
  const ids = modelIds(vendor, model)
  const id = ids[0] ?? ''
  const full = vendor && id !== '' && !id.includes('/') ? `${vendor.trim().toLowerCase()}/${id}` : id
  const listed = models.some((entry) => {
    const wanted = entry.trim().toLowerCase()
    return ids.includes(wanted) || (wanted !== '' && wanted === full)
  })
  return listed
    ? null
    : gate(
        'applyPatch.allowModels',
        `apply_patch is not allowed for the model ${id || '(none)'}`,
        pathOf('allowModels'),
      )
}

const image: Gate = ({ input }) =>
  input.context.supports.vision || input.inventory.providers.image
    ? null
    : gate('vision', 'the model has no vision and no image model is configured')

const webEnabled =
  (kind: 'search' | 'fetch'): Gate =>
  ({ input }) =>
    input.config.tools?.web?.[kind]?.enabled === false
      ? gate(`web.${kind}.enabled`, `tools.web.${kind}.enabled is false`, ['tools', 'web', kind, 'enabled'])
      : null

/** Plans are for the models that keep to them, or for whoever asks by name (policy facts §4.1, ruling 17). */
const updatePlan: Gate = ({ input, named }) => {
  const planTool = input.config.tools?.experimental?.planTool
  const { provider: vendor, model } = input.context
  const strict =
    /^openai(-codex)?$/i.test(vendor?.trim() ?? '') &&
    modelIds(vendor, model).some((id) => id.startsWith('gpt-5'))
  if (planTool === true || (planTool === undefined && strict) || named('update_plan')) return null
  return gate(
    'experimental.planTool',
    'it is offered to GPT-5 models of openai, with tools.experimental.planTool, or when a list names it',
    planTool === undefined ? null : ['tools', 'experimental', 'planTool'],
  )
}

const progressCard: Gate = ({ input }) =>
  input.config.tools?.updatePlan === false
    ? gate('updatePlan', 'tools.updatePlan is false', ['tools', 'updatePlan'])
    : null

const computer: Gate = ({ input: { context } }) =>
  context.supports.vision ? null : gate('vision', 'the model has no vision')

const swarm: Gate = ({ input, agent }) => {
  const own = agent?.config.tools?.swarm?.enabled
  const shared = input.config.tools?.swarm?.enabled
  if ((own ?? shared) === true) return null
  const key: Path = ['tools', 'swarm', 'enabled']
  const path = own !== undefined && agent ? [...agent.path, ...key] : shared === undefined ? null : key
  return gate('swarm', 'tools.swarm is not enabled', path)
}

const heartbeat: Gate = ({ input: { context } }) =>
  context.heartbeat === true ? null : gate('heartbeat', 'it exists only in heartbeat runs')

const publication: Gate = () => gate('publication', 'no GitHub publication is set up for this session')

const common: Readonly<Record<string, Gate>> = {
  write: writable,
  edit: writable,
  apply_patch: all(writable, applyPatch),
  web_search: all(webEnabled('search'), webSearch),
  web_fetch: webEnabled('fetch'),
  image_generate: provider('image_generate', 'image generation provider'),
  video_generate: provider('video_generate', 'video generation provider'),
  music_generate: provider('music_generate', 'music generation provider'),
  pdf: provider('pdf', 'model for PDF files'),
  tts: speech,
  skill_workshop: notSandboxed,
  heartbeat_respond: heartbeat,
}

const gates: Readonly<Record<string, Readonly<Record<string, Gate>>>> = {
  '2026.7': { ...common, image, update_plan: updatePlan },
  '2026.9': {
    ...common,
    view_image: image,
    progress_card: progressCard,
    openclaw: notSandboxed,
    ls: notSandboxed,
    terminal: notSandboxed,
    portal: notSandboxed,
    ask_user: notSubagent,
    secrets: notSubagent,
    screen: clientCap('ui-commands', 'user interface commands'),
    show_widget: clientCap('canvas', 'canvas to show widgets on'),
    suggest_task: clientCap('task-suggestions', 'task suggestions'),
    dismiss_task: clientCap('task-suggestions', 'task suggestions'),
    computer,
    agents_wait: swarm,
    github_identity_status: publication,
    github_publish: publication,
  },
}

/** Whether a core tool can exist in this session at all: models, providers, sandbox, client (policy facts §4.1, rulings 1, 3, 17). */
export function capabilityStep(
  input: PolicyInput,
  agent: Agent | undefined,
  layers: readonly Layer[],
  matcher: Matcher,
): Step {
  const allow = matcher.plainList(overrideEntries(layers))
  const deny = matcher.list(
    layers.flatMap((layer) => layer.deny),
    'deny',
  )
  const facts: Facts = { input, agent, named: (key) => allow.has(key) && !deny.has(key) }
  const table = gates[input.edition.id] ?? common
  const verdict = (tool: Tool): Objection | null => {
    const defect = defectOf(tool, 'capability')
    if (defect) return defect
    if (tool.source !== 'core') return null
    return Object.hasOwn(table, tool.name) ? table[tool.name]!(facts) : null
  }
  return stepOf('capability', 'it can exist here', verdict)
}
