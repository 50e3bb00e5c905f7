import type { Tool } from '../catalog/types.ts'
import { findAgent } from '../config/agents.ts'
import { findGroupMatch } from './layers/group.ts'
import { scopeLayer } from './layers/lists.ts'
import { inheritedLayer, ownerLayer, runCapLayer, subagentLayer } from './layers/run.ts'
import { sandboxLayer } from './layers/sandbox.ts'
import { findProviderMatches, scopeLayers } from './layers/scopes.ts'
import { findSenderMatch, normalizeChannel, type SenderMatch } from './layers/sender.ts'
import { matcherOf } from './matcher.ts'
import { capabilityStep } from './steps/capability.ts'
import { listStep } from './steps/lists.ts'
import { pluginStep } from './steps/plugin.ts'
import { defectStep, mcpStep, modelToolsStep, runToolsStep } from './steps/run.ts'
import { channelRuntimeStep, modelRuntimeStep } from './steps/runtime.ts'
import type { CompiledPolicy, Decision, Layer, PolicyInput, StepId, TraceEntry } from './types.ts'

/** Steps whose objection means the tool cannot exist here, rather than that policy took it away (contract §4). */
const unavailableSteps: ReadonlySet<StepId> = new Set([
  'run.tools',
  'model.tools',
  'capability',
  'mcp',
  'schema',
  'tool-search',
])

const hides = (entry: TraceEntry): boolean => entry.outcome !== 'pass' && entry.outcome !== 'skipped'

function isUnavailable(entry: TraceEntry): boolean {
  return unavailableSteps.has(entry.step) || (entry.step === 'plugin' && entry.outcome === 'gate')
}

/** Whether a stored inherited policy stands in for the group and sender steps (edition 2026.9, ruling 12). */
function replacesRequester(input: PolicyInput): boolean {
  const { context, edition } = input
  const child = context.spawnedBy !== null || context.subagentDepth > 0
  return edition.id === '2026.9' && child && context.inherited !== null
}

/** The toolsBySender entry in force: the agent's map first, then the global one; an owner on webchat has none (policy facts §5.2). */
export function findSender(input: PolicyInput): SenderMatch | null {
  const { config, context } = input
  if (context.isOwner === true && context.channel !== null && normalizeChannel(context.channel) === 'webchat')
    return null
  const agent = findAgent(config, context.agentId)
  return (
    (agent &&
      findSenderMatch(
        agent.config.tools?.toolsBySender,
        [...agent.path, 'tools', 'toolsBySender'],
        context,
      )) ??
    findSenderMatch(config.tools?.toolsBySender, ['tools', 'toolsBySender'], context)
  )
}

const listStepIds = [
  'tools.profile',
  'tools.byProvider.profile',
  'tools',
  'tools.byProvider',
  'agent.tools',
  'agent.tools.byProvider',
  'group.tools',
  'sender',
  'sandbox.tools',
  'owner',
  'subagent',
  'inherited',
  'run.toolsAllow',
] as const satisfies readonly StepId[]

/** Compiles the policy of one session; pure, and each decision carries one trace entry per step in pipeline order. */
export function compilePolicy(input: PolicyInput): CompiledPolicy {
  const agent = findAgent(input.config, input.context.agentId)
  const matcher = matcherOf(input.edition, input.inventory)
  const replaced = replacesRequester(input)
  const group = replaced ? null : findGroupMatch(input)
  const sender = replaced ? null : findSender(input)
  const candidates: (Layer | null)[] = [
    ...scopeLayers(input, agent, findProviderMatches(input, agent)),
    group && scopeLayer('group.tools', group.policy, group.path),
    sender && scopeLayer('sender', sender.policy, sender.path),
    sandboxLayer(input, agent, matcher),
    ownerLayer(input),
    subagentLayer(input),
    inheritedLayer(input),
    runCapLayer(input),
  ]
  const layers = candidates.filter((layer): layer is Layer => layer !== null)
  const byStep = new Map(layers.map((layer) => [layer.step, layer]))

  const plugin = pluginStep(input, layers, matcher)
  const pluginIndex = 3
  const steps = [
    runToolsStep(input),
    modelToolsStep(input),
    capabilityStep(input, agent, layers, matcher),
    plugin,
    channelRuntimeStep(input),
    modelRuntimeStep(input, agent, layers, matcher),
    ...listStepIds.map((id) => listStep(id, byStep.get(id) ?? null, matcher)),
    mcpStep(input),
    defectStep('schema'),
    defectStep('tool-search'),
  ]
  const firstList = 6
  const afterLists = firstList + listStepIds.length

  const evaluate = (tool: Tool): Decision => {
    const key = matcher.key(tool)
    const trace = steps.map((step) => step.check(tool, key))
    const hiddenByLists = trace.slice(firstList, afterLists).some(hides)
    trace[pluginIndex] = plugin.settle(trace[pluginIndex]!, hiddenByLists)
    const decisive = trace.findIndex(hides)
    const entry = trace[decisive]
    const verdict = !entry ? 'visible' : isUnavailable(entry) ? 'unavailable' : 'hidden'
    return { tool, verdict, trace, decisive }
  }

  return {
    input,
    layers,
    evaluate,
    matches: (entry, tool, list) => matcher.list([{ text: entry, path: null }], list).has(matcher.key(tool)),
  }
}
