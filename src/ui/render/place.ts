import { isAbsolute, relative } from 'node:path'
import type { Location, Notice } from '../../kernel/path.ts'
import type { Theme } from '../theme.ts'

/** Writes a place as `file:line:column`, the file relative to the working directory where it lies below it. */
export function formatLocation(location: Location, cwd: string): string {
  const near = relative(cwd, location.file)
  const file = near === '' || near.startsWith('..') || isAbsolute(near) ? location.file : near
  return `${file}:${location.line}:${location.column}`
}

/** Writes notices for stderr, warnings first, each with its id and place. */
export function renderNotices(notices: readonly Notice[], theme: Theme, cwd: string): string {
  const line = (notice: Notice): string => {
    const word = notice.severity === 'warning' ? theme.caution('warning') : theme.faint('note')
    const place = notice.location ? `\n    at ${theme.place(formatLocation(notice.location, cwd))}` : ''
    return `${word} ${theme.faint(`[${notice.id}]`)} ${notice.message}${place}`
  }
  return [
    ...notices.filter((notice) => notice.severity === 'warning'),
    ...notices.filter((notice) => notice.severity === 'info'),
  ]
    .map(line)
    .join('\n')
}
