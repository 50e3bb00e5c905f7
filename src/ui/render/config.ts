import type { ConfigItem } from '../../runtime/config-view.ts'
import type { ValidateResult } from '../../runtime/validate.ts'
import type { Ui } from '../base-command.ts'
import { formatLocation } from './place.ts'
import { renderTable } from './table.ts'

/** Renders a config value: text bare, everything else as JSON. */
export function renderValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** Renders `config list`: a line a value, with its place where origins were asked for. */
export function renderConfigList(items: readonly ConfigItem[], origins: boolean, ui: Ui): string {
  const { theme } = ui
  if (!origins)
    return items.map((item) => `${theme.name(item.path)} = ${JSON.stringify(item.value)}`).join('\n')
  return renderTable(
    [{ title: 'PATH', paint: theme.name }, { title: 'ORIGIN', paint: theme.place }, { title: 'VALUE' }],
    items.map((item) => [
      item.path,
      item.location ? formatLocation(item.location, ui.cwd) : item.origin,
      JSON.stringify(item.value),
    ]),
    { width: ui.width, titles: ui.interactive, heading: theme.faint },
  )
}

/** Renders `config validate`: every error with place, path and what was expected. */
export function renderValidation(result: ValidateResult, ui: Ui): string {
  const { theme } = ui
  if (result.valid) return `${theme.good('valid')}  ${result.file}`
  const lines = result.issues.map((issue) => {
    const place = issue.location ? `${theme.place(formatLocation(issue.location, ui.cwd))}: ` : ''
    const path = issue.path === '' ? '' : `${theme.heading(issue.path)}: `
    // Most messages end with their suggestion; a syntax error has it apart.
    const isTold = issue.suggestion === undefined || issue.message.includes(issue.suggestion)
    const hint = isTold ? '' : `\n    ${theme.good('try:')} ${issue.suggestion}`
    const excerpt = issue.excerpt === undefined ? '' : `\n${issue.excerpt}`
    return `${theme.bad('error')} ${place}${path}${issue.message}${excerpt}${hint}`
  })
  const count = result.issues.length
  return [...lines, `${count} error${count === 1 ? '' : 's'} in ${result.file}`].join('\n')
}
