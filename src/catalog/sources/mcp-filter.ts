import { compileGlob } from '../../kernel/glob.ts'
import type { Path } from '../../kernel/path.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { ToolDefect } from '../types.ts'

interface FilterEntry {
  readonly text: string
  readonly matches: (name: string) => boolean
}

/** The `toolFilter` of one server, ready to be asked per tool. */
export interface McpFilter {
  /** Why the filter leaves a tool out, or null; `spellings` are the names by which an entry may mean the tool. */
  defect(spellings: () => readonly string[]): ToolDefect | null
  /** True when a non-empty include list selected none of the tools asked about so far. */
  includesNothing(): boolean
  readonly includePath: Path
}

/** Compiles `mcp.servers.<name>.toolFilter` (ruling 15): include, then exclude wins; an empty include list selects everything, `*` is the only wildcard. */
export function compileFilter(
  server: string,
  filter: { readonly include?: readonly string[]; readonly exclude?: readonly string[] } | undefined,
): McpFilter {
  const path: Path = ['mcp', 'servers', server, 'toolFilter']
  const include = entries(filter?.include)
  const exclude = entries(filter?.exclude)
  let included = false
  return {
    includePath: [...path, 'include'],
    includesNothing: () => include.length > 0 && !included,
    defect(spellings) {
      if (include.length + exclude.length === 0) return null
      const names = spellings()
      const isIncluded = include.length === 0 || include.some((entry) => names.some(entry.matches))
      included ||= isIncluded
      const index = exclude.findIndex((entry) => names.some(entry.matches))
      const entry = exclude[index]
      if (entry !== undefined) {
        return {
          step: 'mcp',
          rule: entry.text,
          reason: `toolFilter.exclude of MCP server "${showName(server)}" names it`,
          path: [...path, 'exclude', index],
        }
      }
      if (isIncluded) return null
      return {
        step: 'mcp',
        rule: 'toolFilter.include',
        reason: `toolFilter.include of MCP server "${showName(server)}" does not name it`,
        path: [...path, 'include'],
      }
    },
  }
}

function entries(list: unknown): readonly FilterEntry[] {
  if (!Array.isArray(list)) return []
  return list
    .filter((item) => typeof item === 'string')
    .map((text) => ({ text, matches: compileGlob(text.trim()) }))
}
