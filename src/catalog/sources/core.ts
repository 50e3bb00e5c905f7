import { coreToolSpec } from '../core-tools/all.ts'
import type { Edition, EditionId } from '../edition.ts'
import { isSupplied } from '../names.ts'
import type { Providers, Tool } from '../types.ts'

/** Built-in tools outside the catalogue that a session may have; the other ones need a mode or service which this tool does not model. */
const uncatalogued = [{ id: 'pdf', description: 'Read and extract PDFs' }] as const

/** Catalogue tools that a provider can supply without a plugin. */
const providerSupplied = ['code_execution', 'x_search'] as const

/** The built-in tools of an edition in catalogue order, before any gate; `code_execution` and `x_search` only where a provider supplies them. */
export function coreTools(edition: Edition, providers: Providers): Tool[] {
  const supplied = new Set<string>(providerSupplied.filter((id) => providers[id] === true))
  const tools: Tool[] = []
  for (const { id, description, ...tool } of edition.tools) {
    if (!isSupplied({ id, ...tool }) || supplied.has(id)) tools.push(coreTool(id, description, edition.id))
  }
  for (const { id, description } of uncatalogued) {
    if (edition.otherCoreTools.includes(id)) tools.push(coreTool(id, description, edition.id))
  }
  return tools
}

function coreTool(name: string, description: string, edition: EditionId): Tool {
  return { name, label: name, description, source: 'core', ...coreToolSpec(name, edition) }
}
