import type { SearchResult } from '../../runtime/tool-search.ts'
import type { Description } from '../../tool-search/descriptor.ts'
import type { Ui } from '../base-command.ts'
import { cutText, renderTable } from './table.ts'

/** Columns for a signature in a table; `tools describe` shows all of it. */
const inputColumns = 40

/** Renders `tools search`: a table of the hits; nothing when there are none. */
export function renderSearch(result: SearchResult, ui: Ui): string {
  if (result.hits.length === 0) return ''
  const { theme } = ui
  const columns = [{ title: 'ID', paint: theme.name }, { title: 'INPUT' }, { title: 'DESCRIPTION' }]
  const rows = result.hits.map(({ id, input, description }) => [
    cutText(id, 100),
    cutText(input, inputColumns),
    description,
  ])
  return renderTable(columns, rows, { width: ui.width, titles: ui.interactive, heading: theme.faint })
}

/** What stands beside the hits of `tools search`, for stderr. */
export function searchHints({ hits, total, limit, note, hiddenMatches }: SearchResult): string[] {
  const hints: string[] = []
  if (note !== undefined) hints.push(note.message)
  if (total > hits.length)
    hints.push(`${hits.length} of ${total} tools that match; --limit shows more than ${limit}`)
  if (hiddenMatches.length > 0 && note?.code !== 'hidden-by-policy') {
    const names = hiddenMatches.map(({ name, step }) => `${name} (${step})`).join(', ')
    hints.push(`matches that this session does not have: ${names}; openclaw tools explain NAME says why`)
  }
  if (hits.length > 0) hints.push('openclaw tools describe ID shows the full input schema')
  return hints
}

/** Renders `tools describe`: the tool, its signature, and its schemas as JSON. */
export function renderDescription(tool: Description, ui: Ui): string {
  const { theme } = ui
  const title = [tool.name, tool.mcp?.toolName].includes(tool.label) ? '' : ` – ${tool.label}`
  const lines = [`${theme.name(tool.id)}${title}`]
  if (tool.mcp) lines.push(theme.faint(`${tool.mcp.toolName} of the MCP server ${tool.mcp.serverName}`))
  lines.push(theme.faint(`name ${tool.name}`))
  if (tool.description !== '') lines.push('', tool.description)
  lines.push('', `${theme.heading('input')} ${tool.input}`)
  if (tool.output !== undefined) lines.push(`${theme.heading('output')} ${tool.output}`)
  lines.push('', theme.heading('parameters'), json(tool.parameters))
  if (tool.outputSchema !== undefined) lines.push('', theme.heading('outputSchema'), json(tool.outputSchema))
  return lines.join('\n')
}

const unseen =
  // oxlint-disable-next-line no-control-regex
  /[\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

/** JSON escapes the control characters of ASCII itself; the rest of what a terminal obeys or a reader does not see is escaped here. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(unseen, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}
