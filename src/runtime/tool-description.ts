import { OpenClawError } from '../kernel/errors.ts'
import { buildCatalogue } from '../tool-search/catalogue.ts'
import { describeFully, type Description } from '../tool-search/descriptor.ts'
import { resolveForOperator } from '../tool-search/operator.ts'
import type { Case } from './case.ts'

/** A described tool, and whether the model has its schema anyway because it is not behind Tool Search. */
export interface DescribedTool {
  readonly description: Description
  readonly outsideCatalogue: boolean
}

/** Describes one tool of a session by id or name. Errors: TOOL_DENIED, TOOL_UNAVAILABLE, AMBIGUOUS_TOOL, UNKNOWN_TOOL. */
export async function describeTool(
  each: Case,
  selector: string,
  skills: () => readonly string[],
): Promise<DescribedTool> {
  if (selector.trim() === '') throw new OpenClawError('USAGE', 'the id or name of a tool must not be empty')
  const view = await each.view()
  const catalogue = buildCatalogue(view)
  const entry = resolveForOperator(view, catalogue, selector, skills)
  return {
    description: describeFully(entry, view.edition.id),
    outsideCatalogue: !catalogue.byId.has(entry.id),
  }
}
