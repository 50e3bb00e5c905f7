import type { EffectiveResult, HiddenTool } from '../../policy/report.ts'
import type { Ui } from '../base-command.ts'
import { formatLocation } from './place.ts'
import { renderTable } from './table.ts'

/** How much of the answer is printed. */
export interface EffectiveDetail {
  /** Print the hidden tools with one reason each. */
  readonly why: boolean
  /** Print hidden and unavailable tools beside the visible ones. */
  readonly all: boolean
}

function headline(result: EffectiveResult, ui: Ui): string {
  const { context, toolSearch } = result
  const model = [context.provider, context.model].filter((part) => part !== null).join('/')
  const search = toolSearch.enabled ? `on (${toolSearch.mode} mode)` : 'off'
  const facts = [
    `profile ${result.profile ?? 'none'}`,
    ...(model === '' ? [] : [`model ${model}`]),
    ...(context.channel === null ? [] : [`channel ${context.channel}`]),
    ...(context.sandboxed ? ['sandboxed'] : []),
    ...(context.subagentDepth > 0 ? [`subagent depth ${context.subagentDepth}`] : []),
    `Tool Search ${search}`,
    `edition ${result.edition}`,
  ]
  return `${ui.theme.heading(`Agent ${result.agentId}`)}, session ${result.sessionKey}\n${ui.theme.faint(facts.join(' · '))}`
}

function hiddenRows(hidden: readonly HiddenTool[], cwd: string): string[][] {
  return hidden.map((tool) => [
    tool.id,
    tool.step,
    tool.location ? `${tool.reason} (${formatLocation(tool.location, cwd)})` : tool.reason,
  ])
}

/** Renders `tools effective`: a table per group, then how many tools are hidden, or why each one is. */
export function renderEffective(result: EffectiveResult, detail: EffectiveDetail, ui: Ui): string {
  const { theme } = ui
  const table = { width: ui.width, titles: ui.interactive, indent: '  ', heading: theme.faint }
  const parts = ui.interactive ? [headline(result, ui)] : []
  for (const group of result.groups) {
    const rows = group.tools.map((tool) => [
      tool.name,
      tool.exposure,
      tool.needs === undefined ? tool.description : `${tool.description} (needs ${tool.needs})`,
    ])
    const title = theme.heading(`${group.label} (${group.tools.length})`)
    const columns = [{ title: 'NAME', paint: theme.name }, { title: 'EXPOSURE' }, { title: 'DESCRIPTION' }]
    parts.push(`${title}\n${renderTable(columns, rows, table)}`)
  }
  if (result.groups.length === 0) parts.push(theme.caution('No tools.'))
  const count = result.hidden.length
  if (count > 0 && (detail.why || detail.all)) {
    const columns = [{ title: 'NAME', paint: theme.name }, { title: 'STEP' }, { title: 'REASON' }]
    const wide = { ...table, width: Number.MAX_SAFE_INTEGER }
    parts.push(
      `${theme.heading(`Hidden (${count})`)}\n${renderTable(columns, hiddenRows(result.hidden, ui.cwd), wide)}`,
    )
  } else if (count > 0) parts.push(`${count} hidden – openclaw tools explain NAME`)
  return parts.join('\n\n')
}
