import type { Edition } from '../catalog/edition.ts'
import type { Tool, ToolSource } from '../catalog/types.ts'
import type { Location, Notice, Path } from '../kernel/path.ts'
import type { Decision, Effect, TraceEntry } from './types.ts'
import type { Exposure, ToolSearchState, View } from './view.ts'

/** Finds the place of a config path; null for what no file holds. */
export type Locate = (path: Path) => Location | null

/** A visible tool as `tools effective` lists it (contract §3). */
export interface EffectiveTool {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly description: string
  readonly source: ToolSource
  readonly pluginId?: string
  readonly mcpServer?: string
  readonly mcpToolName?: string
  readonly channelId?: string
  readonly exposure: Exposure
  /** What it lacks on this machine before it can do its work; absent where it lacks nothing, or where that is not known. */
  readonly needs?: string
}

/** A tool the session does not have, with the entry that decided (contract §3). */
export interface HiddenTool {
  readonly id: string
  readonly source: ToolSource
  readonly verdict: 'hidden' | 'unavailable'
  readonly step: string
  readonly effect: Effect
  readonly rule: string | null
  readonly reason: string
  readonly location: Location | null
  readonly alsoHiddenBy: readonly string[]
}

/** The answer of `tools effective --json` (contract §3). */
export interface EffectiveResult {
  readonly agentId: string
  readonly sessionKey: string
  readonly profile: string | null
  readonly edition: Edition['id']
  readonly context: {
    readonly provider: string | null
    readonly model: string | null
    readonly channel: string | null
    readonly sender: Readonly<Record<string, string | boolean>> | null
    readonly sandboxed: boolean
    readonly subagentDepth: number
    readonly harness: string
    readonly origin: string
  }
  readonly toolSearch: ToolSearchState
  readonly groups: readonly {
    readonly id: string
    readonly label: string
    readonly source: ToolSource
    readonly tools: readonly EffectiveTool[]
  }[]
  readonly hidden: readonly HiddenTool[]
  readonly notices: readonly Notice[]
}

/** Groups in the order in which they are shown. */
export const sourceGroups: readonly { readonly source: ToolSource; readonly label: string }[] = [
  { source: 'core', label: 'Built-in tools' },
  { source: 'plugin', label: 'Plugin tools' },
  { source: 'channel', label: 'Channel tools' },
  { source: 'mcp', label: 'MCP server tools' },
  { source: 'client', label: 'Client tools' },
]

export const hides = (entry: TraceEntry): boolean => entry.outcome !== 'pass' && entry.outcome !== 'skipped'

/** Names the step of a trace entry as `hidden[].step` does: with the list for steps that have lists. */
export function shownStep(entry: TraceEntry): string {
  return entry.list
}

/** Says of a tool what it lacks to work here; null for nothing. */
export type Lacks = (tool: Tool) => string | null

function effectiveTool(tool: Tool, exposure: Exposure, lacks: Lacks): EffectiveTool {
  const needs = lacks(tool)
  return {
    id: tool.name,
    name: tool.name,
    label: tool.label,
    description: tool.description,
    source: tool.source,
    ...(tool.pluginId !== undefined && tool.source === 'plugin' && { pluginId: tool.pluginId }),
    ...(tool.mcpServer !== undefined && { mcpServer: tool.mcpServer }),
    ...(tool.mcpToolName !== undefined && { mcpToolName: tool.mcpToolName }),
    ...(tool.channelId !== undefined && { channelId: tool.channelId }),
    exposure,
    ...(needs !== null && { needs }),
  }
}

/** One hidden tool with its deciding entry and the later steps that would hide it too. */
export function hiddenTool(decision: Decision, locate: Locate): HiddenTool | null {
  const entry = decision.trace[decision.decisive]
  if (!entry || decision.verdict === 'visible' || entry.outcome === 'pass' || entry.outcome === 'skipped')
    return null
  return {
    id: decision.tool.name,
    source: decision.tool.source,
    verdict: decision.verdict,
    step: shownStep(entry),
    effect: entry.outcome,
    rule: entry.rule,
    reason: entry.reason,
    location: entry.path && locate(entry.path),
    alsoHiddenBy: decision.trace
      .slice(decision.decisive + 1)
      .filter(hides)
      .map(shownStep),
  }
}

/** The profile in force: the provider's, else the agent's or global one. */
function profileOf(view: View): string | null {
  const layer = (step: string) => view.policy.layers.find((each) => each.step === step)
  return layer('tools.byProvider.profile')?.profile ?? layer('tools.profile')?.profile ?? null
}

function senderOf(view: View): EffectiveResult['context']['sender'] {
  const { sender, isOwner } = view.context
  if (!sender && isOwner === null) return null
  return { ...sender, ...(isOwner !== null && { isOwner }) }
}

/** Builds the answer of `tools effective`; a Tool Search control that is off is no part of it. */
export function effectiveResult(
  view: View,
  notices: readonly Notice[],
  locate: Locate,
  lacks: Lacks = () => null,
): EffectiveResult {
  const { context } = view
  const visible = view.decisions.flatMap(({ tool }) => {
    const exposure = view.exposure(tool)
    return exposure ? [effectiveTool(tool, exposure, lacks)] : []
  })
  return {
    agentId: context.agentId,
    sessionKey: context.sessionKey,
    profile: profileOf(view),
    edition: view.edition.id,
    context: {
      provider: context.provider,
      model: context.model,
      channel: context.channel,
      sender: senderOf(view),
      sandboxed: context.sandboxed,
      subagentDepth: context.subagentDepth,
      harness: context.harness,
      origin: context.origin,
    },
    toolSearch: view.toolSearch,
    groups: sourceGroups.flatMap(({ source, label }) => {
      const tools = visible.filter((tool) => tool.source === source)
      return tools.length > 0 ? [{ id: source, label, source, tools }] : []
    }),
    hidden: view.decisions.flatMap((decision) => {
      if (decision.tool.defect?.step === 'tool-search') return []
      return hiddenTool(decision, locate) ?? []
    }),
    notices,
  }
}
