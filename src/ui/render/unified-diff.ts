import type { Ui } from '../base-command.ts'
import { formatFile } from './place.ts'

/** Colours a unified diff: what goes, what comes, and where; file names are relative where they lie below the working directory. */
export function renderUnifiedDiff(diff: string, { theme, cwd }: Pick<Ui, 'theme' | 'cwd'>): string {
  return diff
    .split('\n')
    .map((line) => {
      const [, mark, file] = /^(---|\+\+\+) (\/.*)$/.exec(line) ?? []
      if (mark !== undefined && file !== undefined) return theme.heading(`${mark} ${formatFile(file, cwd)}`)
      if (line.startsWith('@@')) return theme.name(line)
      if (line.startsWith('+')) return theme.good(line)
      if (line.startsWith('-')) return theme.bad(line)
      // A blank line has nothing behind it, as everywhere else; patch(1) reads it all the same.
      return line === ' ' ? '' : line
    })
    .join('\n')
}
