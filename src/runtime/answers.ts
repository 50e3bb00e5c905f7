import { editions, type EditionId } from '../catalog/edition.ts'
import { OpenClawError } from '../kernel/errors.ts'
import type { Notice } from '../kernel/path.ts'
import { diffViews, type SessionDiff } from '../policy/diff.ts'
import type { ExplainResult } from '../policy/explain.ts'
import { effectiveResult, type EffectiveResult } from '../policy/report.ts'
import type { View } from '../policy/view.ts'
import { buildPayload, directBytes } from '../tool-search/payload.ts'
import { caseAgents, type Case } from './case.ts'

/** Notices about one session: inputs, inventory, Tool Search, then the rules of lint. */
export async function caseNotices(each: Case, view: View): Promise<readonly Notice[]> {
  const { lint } = await import('../policy/lint.ts')
  return [...each.notices, ...sessionNotices(each, view), ...lint(view, each.locate)]
}

function sessionNotices(each: Case, view: View): Notice[] {
  const notices: Notice[] = view.inventory.notices.map(({ id, severity, message, path }) => ({
    id,
    severity,
    message,
    location: path && each.locate(path),
  }))
  const { context, toolSearch } = view
  if (context.notStored) {
    notices.push({
      id: 'session-not-stored',
      severity: 'info',
      message: `no session store holds ${context.sessionKey}; it is judged by what the key spells out`,
      location: null,
    })
  }
  for (const { field, value, reason } of view.dropped) {
    notices.push({
      id: 'context-field-dropped',
      severity: 'warning',
      message: `${field} ${JSON.stringify(value)} is not believed: ${reason}`,
      location: null,
    })
  }
  if (toolSearch.fallback) {
    const { from, to, because } = toolSearch.fallback
    notices.push({
      id: 'tool-search-fallback',
      severity: 'warning',
      message: `Tool Search runs in mode ${to} instead of ${from}: ${because}`,
      location: each.locate(['tools', 'toolSearch']),
    })
  }
  const small = smallCatalog(view)
  if (small !== null) {
    notices.push({
      id: 'tool-search-small-catalog',
      severity: 'info',
      message: `Tool Search costs ${small.compact} bytes a request here and all tools at once ${small.direct}: the catalogue is too small to save anything`,
      location: each.locate(['tools', 'toolSearch']),
    })
  }
  return notices
}

/** Bytes with and without Tool Search where it saves nothing; a tool whose schema is not known yet makes no such claim possible. */
function smallCatalog(view: View): { readonly compact: number; readonly direct: number } | null {
  if (!view.toolSearch.enabled) return null
  const { bytes, deferred } = buildPayload(view)
  if (deferred.length === 0 || deferred.some((tool) => tool.parameters === undefined)) return null
  const compact = bytes.tools + bytes.prompt
  const direct = directBytes(view)
  return compact < direct ? null : { compact, direct }
}

/** Answers `tools effective`; the places of hidden tools cost a scan of the file, so they are found only where they will be shown. */
export async function effectiveTools(each: Case, places: boolean): Promise<EffectiveResult> {
  const view = await each.view()
  return effectiveResult(view, await caseNotices(each, view), places ? each.locate : () => null)
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
  return explainTool(view, name, {
    reopen: each.reopen(view),
    locate: each.locate,
    skills,
    isValid: (config) =>
      reportOn(config, { edition: each.edition.id, locate: () => null }).issues.length === 0,
  })
}

/** One row of `tools explain --all-agents`. */
export interface AgentVerdict {
  readonly agentId: string
  readonly sessionKey: string
  readonly verdict: ExplainResult['verdict']
  readonly decidedBy: ExplainResult['decidedBy']
  readonly alsoHiddenBy: ExplainResult['alsoHiddenBy']
}

/** Explains one tool for the main session of every agent. */
export async function explainForAgents(
  each: Case,
  name: string,
  skills: readonly string[],
): Promise<AgentVerdict[]> {
  const rows: AgentVerdict[] = []
  for (const agentId of caseAgents(each)) {
    const view = await each.view(agentId)
    const { verdict, decidedBy, alsoHiddenBy } = await explainInCase(each, name, skills, agentId)
    rows.push({ agentId, sessionKey: view.context.sessionKey, verdict, decidedBy, alsoHiddenBy })
  }
  return rows
}

/** Compares two cases, session by session: one session, or the main session of every agent that either config has. */
export async function diffCases(from: Case, to: Case, allAgents: boolean): Promise<SessionDiff[]> {
  if (!allAgents) return [diffViews(await from.view(), await to.view())]
  const old = new Set(caseAgents(from))
  const sessions: SessionDiff[] = []
  for (const agentId of caseAgents(to)) {
    if (old.has(agentId)) sessions.push(diffViews(await from.view(agentId), await to.view(agentId)))
  }
  return sessions
}

/** Reads the value of `--to-edition`. */
export function requireEdition(id: string): EditionId {
  if (Object.hasOwn(editions, id)) return id as EditionId
  throw new OpenClawError('USAGE', `unknown edition "${id}"`, { hints: Object.keys(editions) })
}
