import { isAbsolute, relative } from 'node:path'
import { listingCommand, type Location, type Notice } from '../../kernel/path.ts'
import type { Theme } from '../theme.ts'

/** Writes a file relative to the working directory where it lies below it. */
export function formatFile(file: string, cwd: string): string {
  const near = relative(cwd, file)
  return near === '' || near.startsWith('..') || isAbsolute(near) ? file : near
}

/** Writes a place as `file:line:column`, the file as `formatFile` does. */
export function formatLocation(location: Location, cwd: string): string {
  return `${formatFile(location.file, cwd)}:${location.line}:${location.column}`
}

/** Writes notices for stderr, warnings first, each with its id and place; of each id `written` are written out and the rest counted, so that one cause cannot bury the others. */
export function renderNotices(
  notices: readonly Notice[],
  theme: Theme,
  cwd: string,
  written: number,
): string {
  const seen = new Map<string, number>()
  const line = (notice: Notice): string => {
    const word = notice.severity === 'warning' ? theme.caution('warning') : theme.faint('note')
    const place = notice.location ? `\n    at ${theme.place(formatLocation(notice.location, cwd))}` : ''
    return `${word} ${theme.faint(`[${notice.id}]`)} ${notice.message}${place}`
  }
  const lines = notices
    .toSorted((a, b) => Number(a.severity === 'info') - Number(b.severity === 'info'))
    .flatMap((notice) => {
      const count = (seen.get(notice.id) ?? 0) + 1
      seen.set(notice.id, count)
      return count > written ? [] : [line(notice)]
    })
  const rest = [...seen].filter(([, count]) => count > written)
  for (const [id, count] of rest) {
    lines.push(theme.faint(`… and ${count - written} more [${id}]; ${listingCommand([id])} lists them`))
  }
  return lines.join('\n')
}
