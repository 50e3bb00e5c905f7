import { catalogId, sourceName } from '../catalog/ids.ts'
import type { Tool } from '../catalog/types.ts'
import type { View } from '../policy/view.ts'
import type { SearchDocument } from './document.ts'
import { isCatalogued } from './exposure.ts'
import { cachedIndex } from './index-cache.ts'
import type { SearchIndex } from './index.ts'
import { searchParameters } from './parameters.ts'

/** One tool that a search can find. */
export interface CatalogueEntry {
  /** Contract §5: `openclaw:<owner>:<name>`, `mcp:<server>:<the server's own name for it>` or `client:client:<name>`. */
  readonly id: string
  readonly source: 'openclaw' | 'mcp' | 'client'
  readonly sourceName: string
  readonly name: string
  readonly mcp?: { readonly serverName: string; readonly toolName: string }
  readonly tool: Tool
}

/** What one session can search: visible tools only, so nothing hidden can be a hit, a suggestion or a guess. */
export interface Catalogue {
  /** In order of id. */
  readonly entries: readonly CatalogueEntry[]
  readonly byId: ReadonlyMap<string, CatalogueEntry>
  /** More than one tool under a name makes the name ambiguous. */
  readonly byName: ReadonlyMap<string, readonly CatalogueEntry[]>
  /** Ids that several tools claimed; the first in order of inventory has it, the others cannot be reached. */
  readonly duplicateIds: readonly string[]
  /** Visible tools outside the catalogue, by name: the model has their schema in the request and calls them directly. */
  readonly direct: ReadonlyMap<string, Tool>
}

/** A tool with the id and owner that searches, descriptions and calls name it by. */
export function catalogueEntry(tool: Tool): CatalogueEntry {
  const { source, name } = tool
  return {
    id: catalogId(tool),
    source: source === 'mcp' || source === 'client' ? source : 'openclaw',
    sourceName: sourceName(tool),
    name,
    ...(source === 'mcp' && {
      mcp: { serverName: tool.mcpServer ?? sourceName(tool), toolName: tool.mcpToolName ?? name },
    }),
    tool,
  }
}

/** The tools of a judged session that Tool Search looks through, also while it is off (then: those that it would defer). */
export function buildCatalogue(view: View): Catalogue {
  const facts = { edition: view.edition.id, state: view.toolSearch }
  const found = new Map<string, CatalogueEntry>()
  const byName = new Map<string, CatalogueEntry[]>()
  const direct = new Map<string, Tool>()
  const duplicateIds = new Set<string>()
  for (const { tool } of view.decisions) {
    if (view.exposure(tool) === null) continue
    if (!isCatalogued(tool, facts)) {
      direct.set(tool.name, tool)
      continue
    }
    const entry = catalogueEntry(tool)
    if (found.has(entry.id)) {
      duplicateIds.add(entry.id)
      continue
    }
    found.set(entry.id, entry)
    const named = byName.get(entry.name)
    if (named === undefined) byName.set(entry.name, [entry])
    else named.push(entry)
  }
  return {
    entries: [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    byId: found,
    byName,
    duplicateIds: [...duplicateIds],
    direct,
  }
}

/** What the ranker reads of a tool. The schemas of MCP servers and clients stay unread: their authors are strangers (tool search facts §1.7). */
export function searchDocument(entry: CatalogueEntry, ownerTitle?: string): SearchDocument {
  const { id, name, source, sourceName: owner, tool } = entry
  return {
    id,
    name,
    description: tool.description,
    source,
    sourceName: owner,
    ...(hasTitle(entry) && { label: tool.label }),
    ...(ownerTitle !== undefined && ownerTitle !== owner && { serverTitle: ownerTitle }),
    ...(isReadByParameters(entry) && { parameters: searchParameters(tool.parameters) }),
  }
}

/** Built-in tools are few and well described; by the words of their many settings they would be a hit for nearly everything. */
function isReadByParameters({ source, tool }: CatalogueEntry): boolean {
  return source === 'openclaw' && tool.source !== 'core'
}

/** Everything the ranker reads of the tools, as one text: as good as the documents to tell one catalogue from another, and cheaper. */
function contentOf(entries: readonly CatalogueEntry[], titles: ReadonlyMap<string, string>): string {
  return entries
    .map((entry) => {
      const { id, name, sourceName: owner, tool } = entry
      const schema = isReadByParameters(entry) ? JSON.stringify(tool.parameters) : ''
      return [id, name, tool.label, titles.get(owner) ?? '', tool.description, schema ?? ''].join('\n')
    })
    .join('\0')
}

/** The index of some tools of a session, with the state directory (or nothing) as its cache. */
export function indexOf(
  view: View,
  entries: readonly CatalogueEntry[],
  stateDir: string | null,
): SearchIndex {
  const titles = ownerTitles(view)
  return cachedIndex(
    {
      count: entries.length,
      content: () => contentOf(entries, titles),
      documents: () => entries.map((entry) => searchDocument(entry, titles.get(entry.sourceName))),
    },
    stateDir,
  )
}

/** Whether a tool has a title that tells more than its name; without one the label repeats the name. */
export function hasTitle({ name, mcp, tool }: CatalogueEntry): boolean {
  return tool.label !== name && tool.label !== mcp?.toolName
}

/** Titles of the owners of tools by `sourceName`, where a plugin or server has one besides its id. */
function ownerTitles(view: View): ReadonlyMap<string, string> {
  const titles = new Map<string, string>()
  for (const { id, name } of view.inventory.plugins) if (name !== undefined) titles.set(id, name)
  for (const { name, safeName } of view.inventory.servers) titles.set(safeName, name)
  return titles
}
