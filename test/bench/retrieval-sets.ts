import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { editions } from '../../src/catalog/edition.ts'
import { parseInventory } from '../../src/catalog/inventory-file.ts'
import { openView } from '../../src/runtime/open-view.ts'
import { buildCatalogue, searchDocument } from '../../src/tool-search/catalogue.ts'
import type { SearchDocument } from '../../src/tool-search/document.ts'

export interface BenchQuery {
  readonly query: string
  readonly relevant: readonly string[]
}

export interface BenchSet {
  readonly name: string
  readonly documents: readonly SearchDocument[]
  readonly queries: readonly BenchQuery[]
  /** Ids of the set by catalogue id. */
  readonly setIds: ReadonlyMap<string, string>
}

interface RawTool {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly server?: string
  readonly parameters?: unknown
  readonly src?: string
}

/** Sets the scores are reported for: folder under `dev/` and column name. */
export const setNames = [
  'azure-mcp',
  'livemcpbench',
  'metatool',
  'metatool-multi',
  'sealtools',
  'bfcl',
  'probe-typo-short',
  'probe-multilingual',
]

/** Folder that holds the sets: `directory` itself or its `dev`. */
export function setsRoot(directory: string): string {
  const dev = join(directory, 'dev')
  return existsSync(dev) ? dev : directory
}

/** One set with its tools as `tools search` would see them in an inventory: MCP tools of a server, or tools of one plugin. */
export function readSet(root: string, name: string): BenchSet {
  const tools = readLines(join(root, name, 'catalog.jsonl')).filter(isTool)
  const queries = readLines(join(root, name, 'queries.jsonl')).filter(isQuery)
  return { name, queries, ...toDocuments(tools) }
}

/** The first `count` tools of the haystack that do not come from `exceptSource` and survive the inventory. */
export function readHaystack(directory: string, count: number, exceptSource: string): SearchDocument[] {
  const tools = readLines(join(directory, 'haystack.jsonl')).filter(isTool)
  return toDocuments(tools.filter((tool) => tool.src !== exceptSource)).documents.slice(0, count)
}

function readLines(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
}

/** Documents in the order of the tools; those that the inventory refuses (a built-in name, a broken schema) are missing. */
function toDocuments(tools: readonly RawTool[]): Pick<BenchSet, 'documents' | 'setIds'> {
  const named = nameTools(tools)
  const byOwner = Map.groupBy(named, ({ tool }) => tool.server)
  const own = byOwner.get(undefined) ?? []
  byOwner.delete(undefined)
  const servers = [...byOwner].map(([server, list]) => [
    server,
    list.map(({ tool, name }) => ({
      name,
      description: tool.description,
      ...(tool.parameters === undefined ? {} : { inputSchema: tool.parameters }),
    })),
  ])
  const bench = own.map(({ tool, name }) => ({
    name,
    description: tool.description,
    ...(tool.parameters === undefined || tool.parameters === null ? {} : { parameters: tool.parameters }),
  }))
  const inventory = { plugins: { bench }, mcp: Object.fromEntries(servers) }
  const view = openView({
    config: { tools: { allow: ['group:plugins', 'bundle-mcp'] } },
    edition: editions['2026.7'],
    request: {},
    entry: undefined,
    inventory: parseInventory(inventory, 'bench'),
  })
  const found = new Map(
    buildCatalogue(view).entries.map((entry) => [
      `${entry.tool.mcpServer ?? ''}/${entry.mcp?.toolName ?? entry.name}`,
      searchDocument(entry),
    ]),
  )
  const setIds = new Map<string, string>()
  const documents = named.flatMap(({ tool, name }) => {
    const document = found.get(`${tool.server ?? ''}/${name}`)
    if (document !== undefined) setIds.set(document.id, tool.id)
    return document ?? []
  })
  return { documents, setIds }
}

/** Names as an inventory takes them: safe characters, and no name twice for one owner. */
function nameTools(tools: readonly RawTool[]): { tool: RawTool; name: string }[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    const base = tool.name.replace(/[^A-Za-z0-9_-]/g, '_')
    let name = base
    for (let next = 2; taken.has(`${tool.server ?? ''}/${name}`.toLowerCase()); next += 1)
      name = `${base}_${next}`
    taken.add(`${tool.server ?? ''}/${name}`.toLowerCase())
    return { tool, name }
  })
}

function isTool(value: unknown): value is RawTool {
  return typeof value === 'object' && value !== null && 'id' in value && 'name' in value
}

function isQuery(value: unknown): value is BenchQuery {
  return typeof value === 'object' && value !== null && 'query' in value && 'relevant' in value
}
