/** What search knows of one tool. Callers leave `parameters` out for sources whose schemas must not be read (MCP, client). */
export interface SearchDocument {
  readonly id: string
  readonly name: string
  readonly label?: string
  readonly description: string
  readonly source: 'openclaw' | 'mcp' | 'client'
  /** Owner: `core`, a plugin id, the safe server name or `client`. */
  readonly sourceName: string
  readonly serverTitle?: string
  readonly parameters?: readonly SearchParameter[]
}

export interface SearchParameter {
  readonly name: string
  readonly description?: string
  /** Values the parameter may take, when it lists them. */
  readonly values?: readonly string[]
}

/** Name of a tool without the `<server>__` prefix that MCP tools carry. */
export function bareName(document: SearchDocument): string {
  const prefix = `${document.sourceName}__`
  return document.source === 'mcp' && document.name.length > prefix.length && document.name.startsWith(prefix)
    ? document.name.slice(prefix.length)
    : document.name
}

/** Key of the source a tool belongs to: `<source>:<owner>`. */
export function sourceKey(document: SearchDocument): string {
  return `${document.source}:${document.sourceName}`
}
