import { OpenClawError } from '../kernel/errors.ts'
import { showName } from '../kernel/untrusted-text.ts'
import { nearTools, otherKind } from '../policy/explain/other-kind.ts'
import { resolveTool, type ResolvedTool } from '../policy/explain/resolve-name.ts'
import { shownStep } from '../policy/report.ts'
import type { View } from '../policy/view.ts'
import { catalogueEntry, type Catalogue, type CatalogueEntry } from './catalogue.ts'
import { findByServerName, findEntry, suggestEntries, unknownTool } from './resolve.ts'

/**
 * Resolves what a person wrote as id or name of a tool: besides what a model may write, other spellings, the name a server itself uses,
 * and tools that are not behind Tool Search. Errors: TOOL_DENIED and TOOL_UNAVAILABLE with the deciding step (`data.step`) for a tool
 * the session does not have, AMBIGUOUS_TOOL, UNKNOWN_TOOL with suggestions.
 */
export function resolveForOperator(
  view: View,
  catalogue: Catalogue,
  selector: string,
  skills: () => readonly string[],
): CatalogueEntry {
  const found = findEntry(catalogue, selector)
  if (found !== null) return found
  const resolved = resolveTool(view, selector)
  if (resolved !== null && !resolved.absent) return usable(view, resolved)
  const byServer = findByServerName(catalogue, selector)
  if (byServer !== null) return byServer
  if (resolved !== null) return usable(view, resolved)
  throw unknownName(view, catalogue, selector, skills)
}

function usable(view: View, { decision }: ResolvedTool): CatalogueEntry {
  const { tool, verdict, trace, decisive } = decision
  if (view.exposure(tool) !== null) return catalogueEntry(tool)
  const entry = trace[decisive]
  const step = entry === undefined ? null : shownStep(entry)
  const why = entry === undefined ? '' : `: ${entry.reason}`
  throw new OpenClawError(
    verdict === 'hidden' ? 'TOOL_DENIED' : 'TOOL_UNAVAILABLE',
    `${tool.name} is ${verdict} in this session, at ${step ?? 'no step'}${why}`,
    {
      hints: [`openclaw tools explain ${tool.name}`],
      data: { tool: tool.name, verdict, step, reason: entry?.reason ?? null },
    },
  )
}

function unknownName(
  view: View,
  catalogue: Catalogue,
  selector: string,
  skills: () => readonly string[],
): OpenClawError {
  const other = otherKind(view, selector, skills())
  if (other !== null) {
    return new OpenClawError('UNKNOWN_TOOL', `unknown tool "${showName(selector.trim())}": ${other.note}`, {
      hints: other.suggestions,
      data: { isA: other.isA, suggestions: other.suggestions },
    })
  }
  const name = selector.trim().toLowerCase()
  const owner = view.inventory.plugins.find(({ id, unregistered = [] }) =>
    unregistered.some((own) => [own, `openclaw:${id}:${own}`].some((way) => way.toLowerCase() === name)),
  )
  if (owner !== undefined) {
    const reason = `the code of the plugin ${showName(owner.id)} does not register it in this session`
    return new OpenClawError('TOOL_UNAVAILABLE', `${showName(selector.trim())} is unavailable: ${reason}`, {
      hints: [`openclaw plugins inspect ${owner.id} --runtime`],
      data: { tool: showName(selector.trim()), verdict: 'unavailable', step: 'plugin', reason },
    })
  }
  const near = nearTools(view, selector)
  return unknownTool(catalogue, selector, near.length > 0 ? near : suggestEntries(catalogue, selector))
}
