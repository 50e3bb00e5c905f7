import type { PluginDiagnostic } from '../../plugins/diagnostic.ts'
import type { PluginInspection, PluginToolItem } from '../../runtime/plugin-inspect.ts'
import type { PluginItem, PluginList } from '../../runtime/plugin-list.ts'
import { showName } from '../../kernel/untrusted-text.ts'
import type { HidingStep } from '../../policy/explain.ts'
import type { Ui } from '../base-command.ts'
import { formatFile, formatLocation } from './place.ts'
import { renderTable } from './table.ts'

/** A file as a person must see it; folders can be called anything. */
function shownFile(file: string, cwd: string): string {
  return showName(formatFile(file, cwd), 400)
}

function because(step: HidingStep, cwd: string): string {
  return step.location ? `${step.reason} (${formatLocation(step.location, cwd)})` : step.reason
}

function whereFrom(item: PluginItem, cwd: string): string {
  if (item.path !== null) return shownFile(item.path, cwd)
  if (item.origin === 'inventory') return 'from the inventory'
  return item.status === 'not-installed' ? 'named in the config, not installed here' : 'named in the config'
}

/** Renders diagnostics, errors first, each with its place. */
function renderDiagnostics(diagnostics: readonly PluginDiagnostic[], ui: Ui): string {
  const { theme } = ui
  const words = { error: theme.bad('error'), warning: theme.caution('warning'), info: theme.faint('note') }
  return (['error', 'warning', 'info'] as const)
    .flatMap((severity) => diagnostics.filter((each) => each.severity === severity))
    .map(({ severity, message, location, file }) => {
      const place = location ? formatLocation(location, ui.cwd) : shownFile(file, ui.cwd)
      return `${words[severity]} ${message}\n    at ${theme.place(place)}`
    })
    .join('\n')
}

/** Renders `plugins list`: a row per plugin, then what is wrong with any of them. */
export function renderPluginList({ items, diagnostics }: PluginList, ui: Ui): string {
  const { theme } = ui
  if (items.length === 0 && diagnostics.length === 0) {
    return 'No plugins. They lie in plugins/ of the state dir, or where plugins.load.paths points.'
  }
  const rows = items.map((item) => [
    item.id,
    item.version ?? '–',
    item.status,
    String(item.tools),
    item.off === null ? whereFrom(item, ui.cwd) : because(item.off, ui.cwd),
  ])
  const columns = [
    { title: 'ID', paint: theme.name },
    { title: 'VERSION' },
    { title: 'STATUS' },
    { title: 'TOOLS' },
    { title: 'FROM, OR WHY IT IS OFF' },
  ]
  const table = renderTable(columns, rows, {
    width: Number.MAX_SAFE_INTEGER,
    titles: ui.interactive,
    heading: theme.faint,
  })
  const told = [...diagnostics, ...items.flatMap((item) => item.diagnostics)]
  const problems = told.filter(({ severity }) => severity !== 'info')
  return [items.length === 0 ? '' : table, problems.length === 0 ? '' : renderDiagnostics(problems, ui)]
    .filter((part) => part !== '')
    .join('\n\n')
}

function toolRow({ name, verdict, decidedBy, optional, description }: PluginToolItem, cwd: string): string[] {
  const state = optional ? `${verdict}, optional` : verdict
  return [name, state, decidedBy === null ? description : `${decidedBy.step}: ${because(decidedBy, cwd)}`]
}

const backendWords = {
  channel: 'channel',
  provider: 'model provider',
  webSearch: 'web search',
  media: 'media',
} as const

/** Renders `plugins inspect`: the plugin, its tools in the session, skills, hooks, back ends and everything that is wrong. */
export function renderPluginInspection(plugin: PluginInspection, ui: Ui): string {
  const { theme } = ui
  const version = plugin.version === null ? '' : ` ${plugin.version}`
  const title = plugin.name === plugin.id ? '' : ` (${plugin.name})`
  const fields: [string, string][] = [
    ['status', plugin.off === null ? plugin.status : `${plugin.status}: ${because(plugin.off, ui.cwd)}`],
    ['from', whereFrom({ ...plugin, tools: plugin.tools.length }, ui.cwd)],
    ...(plugin.entry === null ? [] : [['code', shownFile(plugin.entry, ui.cwd)] as [string, string]]),
  ]
  const parts = [
    [
      `${theme.heading(plugin.id)}${title}${version}`,
      ...(plugin.description === null ? [] : [`  ${plugin.description}`]),
      ...fields.map(([name, text]) => `  ${theme.faint(`${name}:`)} ${text}`),
    ].join('\n'),
  ]
  if (plugin.tools.length > 0) {
    const columns = [
      { title: 'NAME', paint: theme.name },
      { title: 'VERDICT' },
      { title: 'DESCRIPTION, OR WHY NOT' },
    ]
    const rows = plugin.tools.map((tool) => toolRow(tool, ui.cwd))
    const options = {
      width: Number.MAX_SAFE_INTEGER,
      titles: ui.interactive,
      indent: '  ',
      heading: theme.faint,
    }
    const where = plugin.runtime?.loaded ? 'as its code registers them' : 'as its manifest declares them'
    parts.push(
      `${theme.heading(`Tools (${plugin.tools.length})`)} ${theme.faint(`in ${plugin.sessionKey}, ${where}`)}\n${renderTable(columns, rows, options)}`,
    )
  }
  if (plugin.skills.length > 0) {
    const rows = plugin.skills.map(({ name, file }) => `  ${theme.name(name)}  ${shownFile(file, ui.cwd)}`)
    parts.push([theme.heading(`Skills (${plugin.skills.length})`), ...rows].join('\n'))
  }
  const { hooks = [], backends = [], output = [] } = plugin.runtime ?? {}
  if (hooks.length > 0) {
    const rows = hooks.map(
      ({ event, priority, timeoutMs }) => `  ${event}  priority ${priority}, at most ${timeoutMs} ms`,
    )
    parts.push([theme.heading(`Hooks (${hooks.length})`), ...rows].join('\n'))
  }
  if (backends.length > 0) {
    const rows = backends.map(({ kind, id }) => `  ${backendWords[kind]}  ${theme.name(id)}`)
    parts.push([theme.heading(`Back ends (${backends.length})`), ...rows].join('\n'))
  }
  if (output.length > 0) {
    parts.push([theme.heading('Printed by its code'), ...output.map((line) => `  ${line}`)].join('\n'))
  }
  if (plugin.diagnostics.length > 0) parts.push(renderDiagnostics(plugin.diagnostics, ui))
  return parts.join('\n\n')
}
