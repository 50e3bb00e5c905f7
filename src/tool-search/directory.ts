import type { Tool } from '../catalog/types.ts'
import { cleanLine } from '../kernel/untrusted-text.ts'

/** Longest directory in characters, and the shortest it shrinks to in a small context window (tool search facts §1.1, §1.12). */
export const directoryLimits = { maxChars: 18_000, minChars: 768 } as const

/** Description lengths that are tried in turn before rows are left out; 0 = name and owner only. */
const descriptionLengths = [180, 64, 0] as const

/** Names and owners that can stand in the prompt without quoting; anything else could forge a line. */
const identifier = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/

const heading = 'Available deferred-schema tools:'

export interface DirectoryOptions {
  /** Bound in characters for the whole text. */
  readonly maxChars: number
  /** Shorter descriptions are tried before rows are dropped (edition 2026.9). */
  readonly shrink: boolean
  /** Tools that are searchable but never listed: MCP and client tools. */
  readonly unlisted: number
}

interface Row {
  readonly name: string
  readonly owner: string | null
  readonly description: string
}

function rowsOf(tools: readonly Tool[]): Row[] {
  const counts = new Map<string, number>()
  for (const tool of tools) counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1)
  return tools
    .filter((tool) => identifier.test(tool.name) && counts.get(tool.name) === 1)
    .map((tool) => {
      const owner = tool.source === 'core' ? 'core' : (tool.pluginId ?? tool.channelId ?? '')
      return { name: tool.name, owner: identifier.test(owner) ? owner : null, description: tool.description }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

function printRow({ name, owner, description }: Row, length: number): string {
  const head = owner === null ? `- ${name}` : `- ${name} (${owner})`
  if (length === 0) return head
  const text = cleanLine(description, length) || 'No description.'
  return `${head}: ${text}`
}

function footer(omitted: number, unlisted: number): string {
  const lines: string[] = []
  if (omitted > 0) lines.push(`${omitted} more tools are not listed; find them with tool_search.`)
  else if (unlisted > 0)
    lines.push(`${unlisted} more tools of MCP servers and the client can be found with tool_search.`)
  lines.push('Read a schema with tool_describe before the first call, then call through tool_call.')
  return lines.join('\n')
}

function fit(
  rows: readonly Row[],
  length: number,
  { maxChars, unlisted }: DirectoryOptions,
  hiddenRows: number,
): { text: string; shown: number } {
  const lines = rows.map((row) => printRow(row, length))
  const compose = (shown: number): string => {
    const omitted = rows.length - shown + hiddenRows
    return [
      heading,
      ...lines.slice(0, shown),
      '',
      footer(omitted === 0 ? 0 : omitted + unlisted, unlisted),
    ].join('\n')
  }
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (compose(middle).length <= maxChars) low = middle
    else high = middle - 1
  }
  return { text: compose(low), shown: low }
}

/** The directory of deferred tools for the prompt: trusted tools by name, bounded, byte-stable for the same tools in any order; MCP and client text never enters it (tool search facts §1.12). */
export function directoryText(tools: readonly Tool[], options: DirectoryOptions): string {
  const rows = rowsOf(tools)
  const hiddenRows = tools.length - rows.length
  if (rows.length === 0 && hiddenRows === 0 && options.unlisted === 0) return `${heading} none.`
  const lengths = options.shrink ? descriptionLengths : descriptionLengths.slice(0, 1)
  let best = { text: '', shown: -1 }
  for (const length of lengths) {
    const attempt = fit(rows, length, options, hiddenRows)
    if (attempt.shown > best.shown) best = attempt
    if (best.shown === rows.length) break
  }
  return best.text
}
