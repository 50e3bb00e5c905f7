import { formatPath } from '../../kernel/path.ts'
import type { CompiledList, Matcher } from '../matcher.ts'
import type { Entry, Layer, StepId, TraceEntry } from '../types.ts'
import { isControlTool } from '../../catalog/controls.ts'
import { objected, passed, skipped, type Step } from './step.ts'

/** Steps whose `list` in results is the bare step id (contract §4). */
const bareSteps: ReadonlySet<StepId> = new Set([
  'tools.profile',
  'tools.byProvider.profile',
  'owner',
  'run.toolsAllow',
])

/** Names the list that decided as `hidden[].step` does: `tools.deny`, `sandbox.tools.allow`, or the bare step. */
export function listName(step: StepId, kind: 'allow' | 'deny'): string {
  return bareSteps.has(step) ? step : `${step}.${kind}`
}

const absent: Readonly<Partial<Record<StepId, string>>> = {
  'tools.profile': 'no profile is set',
  'tools.byProvider.profile': 'no profile is set for this provider',
  tools: 'tools has no allow or deny list',
  'tools.byProvider': 'no entry of tools.byProvider applies',
  'agent.tools': 'the agent has no allow or deny list',
  'agent.tools.byProvider': 'no byProvider entry of the agent applies',
  'group.tools': 'no group policy applies',
  sender: 'no toolsBySender entry applies',
  'sandbox.tools': 'the session is not sandboxed',
  owner: 'the sender is an owner, or unknown',
  subagent: 'the session is not a subagent',
  inherited: 'nothing is inherited from a parent session',
  'run.toolsAllow': 'the run has no tool cap',
}

const ruleOf = (entry: Entry): string => (entry.written ?? entry.text).trim()

function denyReason(entry: Entry, layer: Layer): string {
  const quoted = JSON.stringify(ruleOf(entry))
  if (entry.path) return `${quoted} in ${formatPath(entry.path.slice(0, -1))} denies it`
  switch (layer.step) {
    case 'sandbox.tools':
      return `${quoted} is in the built-in sandbox deny list`
    case 'owner':
      return 'it is for owners only and the sender is not an owner'
    case 'subagent':
      return `${quoted} is never given to a subagent of this role`
    default:
      return `${quoted} in the deny list inherited from the parent session denies it`
  }
}

function allowReason(layer: Layer): string {
  if (layer.profile !== undefined) return `profile ${JSON.stringify(layer.profile)} does not include it`
  const place = layer.allowPath && formatPath(layer.allowPath)
  switch (layer.step) {
    case 'sandbox.tools':
      return place
        ? `the sandbox lists do not include it (${place})`
        : 'the built-in sandbox allow list does not include it'
    case 'inherited':
      return 'the allow list inherited from the parent session does not include it'
    case 'run.toolsAllow':
      return 'the tool cap of this run does not include it'
    default:
      return `${place} does not include it`
  }
}

/** Compiles one layer of allow and deny lists: deny first, then an allow list that has a usable entry must name the tool (policy facts §2). */
export function listStep(id: StepId, layer: Layer | null, matcher: Matcher): Step {
  if (!layer) {
    const entry = skipped(id, absent[id] ?? 'nothing is configured')
    return { id, check: () => entry }
  }
  const deny: CompiledList = matcher.list(layer.deny, 'deny')
  const allow: CompiledList = matcher.list(layer.allow ?? [], 'allow')
  // Only the per-run cap means "nothing" when it is empty.
  const restricts = allow.effective || id === 'run.toolsAllow'
  const pass = passed(id, restricts ? 'allowed' : 'not denied')
  const notDenied = passed(id, 'not denied; allow lists do not apply to it')
  const ownerSkip = skipped(id, 'owner-only names do not apply to MCP tools')
  const notAllowed: TraceEntry = objected(
    id,
    {
      effect: 'not-allowed',
      rule: layer.profile ?? null,
      reason: allowReason(layer),
      path: layer.allowPath,
    },
    listName(id, 'allow'),
  )
  return {
    id,
    check: (tool, key) => {
      // MCP tools join after the owner step in the system we follow (policy facts §4, 9).
      if (id === 'owner' && tool.source === 'mcp') return ownerSkip
      if (deny.effective && deny.has(key)) {
        const entry = deny.first(key)!
        return objected(
          id,
          { effect: 'deny', rule: ruleOf(entry), reason: denyReason(entry, layer), path: entry.path },
          listName(id, 'deny'),
        )
      }
      if (!restricts || allow.has(key)) return pass
      // The caller brings client tools for this very run (ruling 13); controls ride along on every allow list.
      if (tool.source === 'client' || isControlTool(tool)) return notDenied
      return notAllowed
    },
  }
}
