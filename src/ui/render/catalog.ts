import type { CatalogResult } from '../../catalog/catalog.ts'
import type { Ui } from '../base-command.ts'
import { renderTable } from './table.ts'

/** Renders `tools catalog`: a table per group with the profiles that list each tool. */
export function renderCatalog(result: CatalogResult, ui: Ui): string {
  const { theme } = ui
  return result.groups
    .map((group) => {
      const rows = group.tools.map((tool) => [
        tool.id,
        tool.defaultProfiles.join(', ') || '–',
        tool.description,
      ])
      const columns = [{ title: 'NAME', paint: theme.name }, { title: 'PROFILES' }, { title: 'DESCRIPTION' }]
      const table = renderTable(columns, rows, {
        width: ui.width,
        titles: ui.interactive,
        indent: '  ',
        heading: theme.faint,
      })
      return `${theme.heading(`${group.label} (${group.tools.length})`)}\n${table}`
    })
    .join('\n\n')
}
