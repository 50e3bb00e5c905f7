/** One step into a config value: a key of an object or an index of a list. */
export type Segment = string | number

/** A place in a config value, from the root; `[]` is the root itself. */
export type Path = readonly Segment[]

/** Where a value stands: absolute file, path as `config get` accepts it, 1-based line and column of its first character. */
export interface Location {
  readonly file: string
  readonly path: string
  readonly line: number
  readonly column: number
}

/** What a command noticed about the config or the inventory; ids are those of contract §4. */
export interface Notice {
  readonly id: string
  readonly severity: 'info' | 'warning'
  readonly message: string
  readonly location: Location | null
}

const bareKey = /^[A-Za-z_$*][A-Za-z0-9_$*-]*$/

/** Writes a path as `config get` accepts it: `tools.deny[0]`, `tools.byProvider["openai/gpt-5"].profile`. */
export function formatPath(path: Path): string {
  let text = ''
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`
    else if (bareKey.test(segment)) text += text === '' ? segment : `.${segment}`
    else text += `["${segment.replaceAll(/["\\]/g, '\\$&')}"]`
  }
  return text
}

/** Ids of notices about what was found on this machine (plugins, MCP servers), which no check of the config alone can see. */
const aboutDiscovery: ReadonlySet<string> = new Set([
  'name-conflict',
  'duplicate-id',
  'invalid-tool',
  'plugin-invalid',
  'mcp-stale',
  'mcp-unreachable',
  'mcp-filter-matches-nothing',
  'schema-quarantined',
])

/** The command that writes out every notice with one of these ids. */
export function listingCommand(ids: readonly string[]): string {
  return ids.some((id) => aboutDiscovery.has(id))
    ? 'openclaw tools effective --json'
    : 'openclaw config validate'
}
