import type { Theme } from '../theme.ts'

/** Colours a unified diff: what goes, what comes, and where. */
export function renderUnifiedDiff(diff: string, theme: Theme): string {
  return diff
    .split('\n')
    .map((line) => {
      if (line.startsWith('--- ') || line.startsWith('+++ ')) return theme.heading(line)
      if (line.startsWith('@@')) return theme.name(line)
      if (line.startsWith('+')) return theme.good(line)
      return line.startsWith('-') ? theme.bad(line) : line
    })
    .join('\n')
}
