import type { Location } from '../../kernel/path.ts'
import type { ExplainResult, HidingStep, TraceLine } from '../../policy/explain.ts'
import type { AgentVerdict } from '../../runtime/answers.ts'
import type { Ui } from '../base-command.ts'
import { formatLocation } from './place.ts'
import { renderTable } from './table.ts'

type Verdict = ExplainResult['verdict']

function paintVerdict(verdict: Verdict, ui: Ui): string {
  const { theme } = ui
  if (verdict === 'visible') return theme.good(verdict)
  return verdict === 'hidden' || verdict === 'unavailable' ? theme.bad(verdict) : theme.caution(verdict)
}

function at(location: Location | null, ui: Ui): string[] {
  if (!location) return []
  return [`    at ${ui.theme.place(formatLocation(location, ui.cwd))}  ${ui.theme.faint(location.path)}`]
}

function stepLines(step: HidingStep, ui: Ui): string[] {
  return [`  ${ui.theme.heading(step.step)}: ${step.reason}`, ...at(step.location, ui)]
}

function fixLines(result: ExplainResult, ui: Ui): string[] {
  const { theme } = ui
  return result.fixes.flatMap((fix) => {
    const reveals = fix.alsoReveals.length > 0 ? [`also reveals ${fix.alsoReveals.join(', ')}`] : []
    const hides = fix.alsoHides.length > 0 ? [`also hides ${fix.alsoHides.join(', ')}`] : []
    const effects = [...reveals, ...hides].join('; ')
    const word = (index: number): string => theme.good(index === 0 ? 'fix:' : 'then:')
    return [
      ...fix.commands.map((command, index) => `${word(index)} ${command}`),
      ...(effects === '' ? [] : [theme.faint(`     ${effects}`)]),
    ]
  })
}

const marks: Readonly<Record<TraceLine['outcome'], string>> = {
  pass: '✓',
  skipped: '·',
  deny: '✗',
  'not-allowed': '✗',
  gate: '✗',
}

function traceTable(trace: readonly TraceLine[], ui: Ui): string {
  const rows = trace.map((line) => [
    marks[line.outcome],
    line.step,
    line.outcome,
    line.location ? `${line.reason} (${formatLocation(line.location, ui.cwd)})` : line.reason,
  ])
  const columns = [{ title: '' }, { title: 'STEP' }, { title: 'OUTCOME' }, { title: 'REASON' }]
  return renderTable(columns, rows, {
    width: Number.MAX_SAFE_INTEGER,
    titles: ui.interactive,
    indent: '  ',
    heading: ui.theme.faint,
  })
}

/** Renders `tools explain`: the verdict, the deciding entry with its place, what else hides it, fixes, and with `full` every step. */
export function renderExplain(result: ExplainResult, full: boolean, session: string, ui: Ui): string {
  const { theme } = ui
  const lines = [`${theme.name(result.tool)} is ${paintVerdict(result.verdict, ui)} in ${session}`]
  if (result.decidedBy) lines.push(...stepLines(result.decidedBy, ui))
  if (result.toolSearch !== undefined) lines.push(`  ${result.toolSearch}`)
  if (result.alsoHiddenBy.length > 0) {
    lines.push(
      '',
      theme.heading('Also hidden by'),
      ...result.alsoHiddenBy.flatMap((step) => stepLines(step, ui)),
    )
  }
  if (full && result.trace.length > 0)
    lines.push('', theme.heading('Every step'), traceTable(result.trace, ui))
  if (result.notes.length > 0)
    lines.push('', ...result.notes.map((note) => `${theme.caution('note:')} ${note}`))
  if (result.missing.length > 0) {
    lines.push(
      '',
      `${theme.caution('unknown:')} the answer may depend on ${result.missing.join(', ')}, which nobody gave`,
    )
  }
  const fixes = fixLines(result, ui)
  if (fixes.length > 0) lines.push('', ...fixes)
  if (result.suggestions.length > 0) lines.push('', `did you mean ${result.suggestions.join(', ')}?`)
  return lines.join('\n')
}

/** Renders `tools explain --all-agents`: one line an agent. */
export function renderAgentMatrix(tool: string, rows: readonly AgentVerdict[], ui: Ui): string {
  const table = renderTable(
    [
      { title: 'AGENT', paint: ui.theme.name },
      { title: tool.toUpperCase() },
      { title: 'STEP' },
      { title: 'REASON' },
    ],
    rows.map(({ agentId, verdict, decidedBy, alsoHiddenBy }) => {
      const place = decidedBy?.location ? ` (${formatLocation(decidedBy.location, ui.cwd)})` : ''
      const more = alsoHiddenBy.length > 0 ? `; also ${alsoHiddenBy.map((step) => step.step).join(', ')}` : ''
      return [agentId, verdict, decidedBy?.step ?? '', decidedBy ? `${decidedBy.reason}${place}${more}` : '']
    }),
    { width: Number.MAX_SAFE_INTEGER, titles: ui.interactive, heading: ui.theme.faint },
  )
  return table
}
