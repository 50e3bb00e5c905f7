import { openCase, type Case, type CaseOptions, type CaseQuery } from '../runtime/case.ts'

/** Who asks MCP servers: the version told to them, and the signal that ends the asking. */
export interface Asking {
  readonly version: string
  readonly signal: AbortSignal
}

/** Opens a case, for `--connect` after asking the MCP servers for their tools; without it nothing is dialled. */
export async function openCaseFor(
  options: CaseOptions,
  query: CaseQuery,
  asking: Asking | null,
): Promise<Case> {
  if (asking === null) return openCase(options, query)
  const { dialling } = await import('./progress.ts')
  return dialling(asking, (dial) => openCase({ ...options, dial }, query))
}
