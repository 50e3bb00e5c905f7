import { cleanLine, cleanText, showName } from '../../kernel/untrusted-text.ts'
import type { LogItem, SessionLogAnswer, SessionSummary } from '../../runtime/session-log.ts'
import { sessionItem, type FoundSession, type SessionItem } from '../../runtime/sessions.ts'
import type { Ui } from '../base-command.ts'
import { renderTable } from './table.ts'

const longestLine = 2_000

/** Renders `sessions list`: one line for each, the latest first. */
export function renderSessions(items: readonly SessionItem[], ui: Ui): string {
  if (items.length === 0) return ui.theme.faint('No sessions are stored.')
  const columns = [
    { title: 'KEY', paint: ui.theme.name },
    { title: 'KIND' },
    { title: 'MODEL' },
    { title: 'UPDATED' },
    { title: 'LABEL' },
  ]
  const rows = items.map(({ key, kind, provider, model, updatedAt, label }) => [
    showName(key, 120),
    kind,
    cleanLine([provider, model].filter((part) => part !== null).join('/'), 60) || '–',
    updatedAt ?? '–',
    cleanLine(label ?? '', 60),
  ])
  const width = ui.interactive ? ui.width : Number.MAX_SAFE_INTEGER
  return renderTable(columns, rows, { width, titles: ui.interactive, heading: ui.theme.faint })
}

/** Renders `sessions show`. */
export function renderSession({ key, agentId, stored, logs }: FoundSession, ui: Ui): string {
  const facts = stored === null ? { agentId } : sessionItem(stored)
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    name === 'key' || value === null
      ? []
      : [`${ui.theme.faint(`${name}:`)} ${cleanLine(String(value), 300)}`],
  )
  const files = logs.map(({ kind, file, bytes }) => `${ui.theme.faint(`${kind}:`)} ${file} (${bytes} bytes)`)
  return [ui.theme.name(showName(key, 200)), ...lines, ...files].join('\n')
}

function itemLines(item: LogItem, ui: Ui): string[] {
  const { theme } = ui
  const at = theme.faint(item.timestamp ?? '–')
  const text = item.text === undefined ? '' : cleanText(item.text, longestLine)
  if (item.role === undefined) {
    const what = item.customType ?? item.type
    const data = item.data === undefined ? '' : ` ${cleanLine(JSON.stringify(item.data), 300)}`
    return [`${at} ${theme.faint(`${showName(what)}${data}`)}`]
  }
  const calls = (item.calls ?? []).map(
    ({ name, arguments: args }) =>
      `${at} ${theme.name(showName(name ?? '?'))} ${cleanLine(JSON.stringify(args), 300)}`,
  )
  if (item.role === 'toolResult') {
    const mark = item.isError ? theme.bad('failed') : theme.good('returned')
    return [`${at} ${theme.name(showName(item.toolName ?? '?'))} ${mark} ${cleanLine(text, 300)}`]
  }
  return [...(text === '' ? [] : [`${at} ${item.role}: ${text}`]), ...calls]
}

/** Renders `sessions log`: one line for each entry. */
export function renderLog({ items, earlier }: SessionLogAnswer, ui: Ui): string {
  const before = earlier > 0 ? [ui.theme.faint(`${earlier} earlier entries; --limit N shows more`)] : []
  return [...before, ...items.flatMap((item) => itemLines(item, ui))].join('\n')
}

/** Renders `sessions log --summary` as answers to what people ask of it. */
export function renderSummary(summary: SessionSummary, ui: Ui): string {
  const { theme } = ui
  const { schemasUpFront, sent, searches, describes, finalCalls, finalTool, sources, policy } = summary
  const size = sent === null ? '' : ` (${sent.toolBytes} bytes of tools, ${sent.promptBytes} of prompt)`
  const from = Object.entries(sources).flatMap(([source, count]) => (count > 0 ? [`${count} ${source}`] : []))
  const rules = Object.entries(policy).map(([kind, count]) => `${count} ${kind}`)
  const row = (name: string, value: string): string => `${theme.faint(`${name}:`)} ${value}`
  return [
    theme.name(showName(summary.key, 200)),
    row('schemas up front', schemasUpFront === null ? 'not recorded' : `${schemasUpFront}${size}`),
    row('searches', String(searches)),
    row('describes', String(describes)),
    row('tools called', finalCalls.length === 0 ? 'none' : `${finalCalls.length} (${from.join(', ')})`),
    ...(finalTool === null
      ? []
      : [
          row(
            'last',
            `${showName(finalTool.id ?? finalTool.name, 200)} from ${finalTool.source}, ${finalTool.status}, by ${finalTool.via}`,
          ),
        ]),
    ...(rules.length === 0 ? [] : [row('stopped by rules', rules.join(', '))]),
  ].join('\n')
}
