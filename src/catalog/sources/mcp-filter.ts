import { compileGlob } from '../../kernel/glob.ts'
import type { Path } from '../../kernel/path.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { ToolDefect } from '../types.ts'

interface FilterEntry {
  readonly text: string
  /** Place in its list. */
  readonly at: number
  readonly matches: (name: string) => boolean
}

/** The `toolFilter` of one server, ready to be asked per tool. */
export interface McpFilter {
  /** Why the filter leaves a tool out, or null; `spellings` are the names by which an entry may mean the tool. */
  defect(spellings: () => readonly string[]): ToolDefect | null
  /** True when a non-empty include list selected none of the tools asked about so far. */
  includesNothing(): boolean
  /** Entries of either list that meant none of the tools asked about so far, with their places. */
  idle(): readonly { readonly list: 'include' | 'exclude'; readonly text: string; readonly path: Path }[]
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
  const used = new Set<FilterEntry>()
  const matching = (list: readonly FilterEntry[], names: readonly string[]): readonly FilterEntry[] => {
    const found = list.filter((entry) => names.some(entry.matches))
    for (const entry of found) used.add(entry)
    return found
  }
  const idleIn = (list: 'include' | 'exclude', all: readonly FilterEntry[]) =>
    all.flatMap((entry) =>
      used.has(entry) ? [] : [{ list, text: entry.text, path: [...path, list, entry.at] }],
    )
  return {
    includePath: [...path, 'include'],
    includesNothing: () => include.length > 0 && !included,
    idle: () => [...idleIn('include', include), ...idleIn('exclude', exclude)],
    defect(spellings) {
      if (include.length + exclude.length === 0) return null
      const names = spellings()
      const isIncluded = matching(include, names).length > 0 || include.length === 0
      included ||= isIncluded
      const [entry] = matching(exclude, names)
      if (entry !== undefined) {
        return {
          step: 'mcp',
          rule: entry.text,
          reason: `toolFilter.exclude of MCP server "${showName(server)}" names it`,
          path: [...path, 'exclude', entry.at],
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
  return list.flatMap((text: unknown, at) =>
    typeof text === 'string' ? [{ text, at, matches: compileGlob(text.trim()) }] : [],
  )
}
