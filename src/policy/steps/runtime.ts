import type { Agent } from '../../config/agents.ts'
import { formatPath } from '../../kernel/path.ts'
import { normalizeChannel } from '../layers/sender.ts'
import type { Matcher } from '../matcher.ts'
import type { Entry, Layer, PolicyInput } from '../types.ts'
import { skipped, stepOf, type Step } from './step.ts'

/** What the channel's runtime cannot carry (policy facts §4, 5). */
export function channelRuntimeStep(input: PolicyInput): Step {
  const { edition, context } = input
  const channel = context.channel === null ? '' : normalizeChannel(context.channel)
  const only = Object.hasOwn(edition.channelRuntime.allowOnly, channel)
    ? new Set(edition.channelRuntime.allowOnly[channel])
    : null
  const never = new Set(
    Object.hasOwn(edition.channelRuntime.deny, channel) ? edition.channelRuntime.deny[channel] : [],
  )
  return stepOf('channel-runtime', 'the channel can carry it', (tool, key) => {
    // MCP tools join later in the system we follow, client tools are the caller's own.
    if (tool.source === 'mcp' || tool.source === 'client') return null
    if (only && !only.has(key)) {
      return {
        effect: 'not-allowed',
        rule: channel,
        reason: `the channel ${channel} offers only ${[...only].join(', ')}`,
        path: null,
      }
    }
    if (!never.has(key)) return null
    return { effect: 'deny', rule: channel, reason: `the channel ${channel} never offers it`, path: null }
  })
}

/** Configured allow entries that may keep a heavy tool in lean mode; profile lists and a lone `*` do not count (ruling 11). */
export function overrideEntries(layers: readonly Layer[]): readonly Entry[] {
  return layers.flatMap((layer) =>
    layer.profile !== undefined || (layer.step === 'sandbox.tools' && layer.allowPath === null)
      ? []
      : (layer.allow ?? []).filter(
          (entry) => entry.text.trim() !== '*' && (entry.path !== null || layer.path === null),
        ),
  )
}

/** Heavy tools that lean mode for local models leaves out unless a configured list names them (policy facts §4, 6). */
export function modelRuntimeStep(
  input: PolicyInput,
  agent: Agent | undefined,
  layers: readonly Layer[],
  matcher: Matcher,
): Step {
  const own = agent?.config.experimental?.localModelLean
  const lean = own ?? input.config.agents?.defaults?.experimental?.localModelLean ?? false
  if (!lean) {
    const entry = skipped('model-runtime', 'lean mode for local models is off')
    return { id: 'model-runtime', check: () => entry }
  }
  const base = own !== undefined && agent ? agent.path : ['agents', 'defaults']
  const path = [...base, 'experimental', 'localModelLean']
  const heavy = new Set(input.edition.leanDeny)
  const named = matcher.plainList(overrideEntries(layers))
  return stepOf('model-runtime', 'lean mode keeps it', (tool, key) => {
    if (tool.source === 'mcp' || tool.source === 'client' || !heavy.has(key) || named.has(key)) return null
    return {
      effect: 'deny',
      rule: 'localModelLean',
      reason: `${formatPath(path)} leaves it out unless a configured list names it`,
      path,
    }
  })
}
