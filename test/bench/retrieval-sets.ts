import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SearchDocument } from '../../src/tool-search/document.ts'
import { searchParameters } from '../../src/tool-search/parameters.ts'

export interface BenchQuery {
  readonly query: string
  readonly relevant: readonly string[]
}

export interface BenchSet {
  readonly name: string
  readonly documents: readonly SearchDocument[]
  readonly queries: readonly BenchQuery[]
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

/** One set with its tools as an inventory would present them: MCP tools of a server (no schemas) or tools of one plugin. */
export function readSet(root: string, name: string): BenchSet {
  const tools = readLines(join(root, name, 'catalog.jsonl')).filter(isTool)
  const queries = readLines(join(root, name, 'queries.jsonl')).filter(isQuery)
  return { name, documents: toDocuments(tools), queries }
}

/** The first `count` tools of the haystack that do not come from `exceptSource`. */
export function readHaystack(directory: string, count: number, exceptSource: string): SearchDocument[] {
  const tools = readLines(join(directory, 'haystack.jsonl')).filter(isTool)
  return toDocuments(tools.filter((tool) => tool.src !== exceptSource).slice(0, count))
}

function readLines(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
}

function toDocuments(tools: readonly RawTool[]): SearchDocument[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    const owner = (tool.server ?? 'bench').replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 30)
    const base = tool.name.replace(/[^A-Za-z0-9_-]/g, '_')
    let name = base
    for (let next = 2; taken.has(`${owner}/${name}`.toLowerCase()); next += 1) name = `${base}_${next}`
    taken.add(`${owner}/${name}`.toLowerCase())
    const common = { id: tool.id, description: tool.description ?? '', sourceName: owner }
    return tool.server === undefined
      ? { ...common, name, source: 'openclaw', parameters: searchParameters(tool.parameters) }
      : { ...common, name: `${owner}__${name}`, source: 'mcp' }
  })
}

function isTool(value: unknown): value is RawTool {
  return typeof value === 'object' && value !== null && 'id' in value && 'name' in value
}

function isQuery(value: unknown): value is BenchQuery {
  return typeof value === 'object' && value !== null && 'query' in value && 'relevant' in value
}
