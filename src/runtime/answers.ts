import type { Tool } from '../catalog/types.ts'
import type { ExplainResult } from '../policy/explain.ts'
import { effectiveResult, type EffectiveResult } from '../policy/report.ts'
import { caseAgents, type Case } from './case.ts'
import { needsOf } from './needs.ts'
import { caseNotices } from './notices.ts'

/** Answers `tools effective`; the places of hidden tools cost a scan of the file, so they are found only where they will be shown. */
export async function effectiveTools(each: Case, places: boolean): Promise<EffectiveResult> {
  const view = await each.view()
  const needs = needsOf(each, view)
  const lacks = (tool: Tool) => needs(tool)?.needs ?? null
  return effectiveResult(view, caseNotices(each, view), places ? each.locate : () => null, lacks)
}

/** Explains one tool in the session asked about, or in that of one agent. */
export async function explainInCase(
  each: Case,
  name: string,
  skills: readonly string[],
  agentId?: string,
): Promise<ExplainResult> {
  const { explainTool } = await import('../policy/explain.ts')
  const { reportOn } = await import('../config/report/report.ts')
  const view = await each.view(agentId)
  const result = explainTool(view, name, {
    reopen: each.reopen(view),
    locate: each.locate,
    skills,
    isValid: (config) =>
      reportOn(config, { edition: each.edition.id, locate: () => null }).issues.length === 0,
  })
  const own = view.inventory.tools.find((tool) => tool.name === result.tool)
  const needs = own === undefined ? null : needsOf(each, view)(own)
  return needs === null ? result : { ...result, needs }
}

/** One row of `tools explain --all-agents`. */
export interface AgentVerdict {
  readonly agentId: string
  readonly sessionKey: string
  readonly verdict: ExplainResult['verdict']
  readonly decidedBy: ExplainResult['decidedBy']
  readonly alsoHiddenBy: ExplainResult['alsoHiddenBy']
}

/** The answer of `tools explain --all-agents`; suggestions and notes are about a name that no agent has a tool of. */
export interface AgentsResult {
  readonly tool: string
  readonly known: boolean
  readonly agents: readonly AgentVerdict[]
  readonly suggestions: readonly string[]
  readonly notes: readonly string[]
}

const unknown = { verdict: 'unknown', decidedBy: null, alsoHiddenBy: [] } as const

/** Judges one tool for the main session of every agent. */
export async function explainForAgents(
  each: Case,
  name: string,
  skills: readonly string[],
): Promise<AgentsResult> {
  const { judgeTool } = await import('../policy/explain.ts')
  const agents: AgentVerdict[] = []
  for (const agentId of caseAgents(each)) {
    const view = await each.view(agentId)
    const { verdict, decidedBy, alsoHiddenBy } = judgeTool(view, name, each.locate) ?? unknown
    agents.push({ agentId, sessionKey: view.context.sessionKey, verdict, decidedBy, alsoHiddenBy })
  }
  const known = agents.some((row) => row.verdict !== 'unknown')
  const { suggestions, notes } = known
    ? { suggestions: [], notes: [] }
    : await explainInCase(each, name, skills, agents[0]?.agentId)
  return { tool: name, known, agents, suggestions, notes }
}
