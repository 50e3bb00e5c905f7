import type { Location } from '../../kernel/path.ts'
import type { ExplainResult, HidingStep, TraceLine } from '../../policy/explain.ts'
import { shellQuote } from '../../policy/fixes/edits.ts'
import type { AgentsResult } from '../../runtime/answers.ts'
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
  const place = ui.configFlags.map((each) => ` ${shellQuote(each)}`).join('')
  return result.fixes.flatMap((fix) => {
    const reveals = fix.alsoReveals.length > 0 ? [`also reveals ${fix.alsoReveals.join(', ')}`] : []
    const hides = fix.alsoHides.length > 0 ? [`also hides ${fix.alsoHides.join(', ')}`] : []
    const effects = [...reveals, ...hides].join('; ')
    const word = (index: number): string => theme.good(index === 0 ? 'fix:' : 'then:')
    return [
      ...fix.commands.map((command, index) => `${word(index)} ${command}${place}`),
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

/** The flags that say what a context field would. */
const contextFlags: Readonly<Record<string, string>> = {
  sender: '--sender KIND:VALUE',
  'sender.isOwner': '--owner or --no-owner',
  channel: '--channel ID',
  accountId: '--account ID',
  groupId: '--group ID',
  provider: '--provider ID',
  model: '--model ID',
}

function missingLine(missing: readonly string[], ui: Ui): string {
  const flags = missing.map((field) => contextFlags[field] ?? `--context with ${field}`)
  return `${ui.theme.caution('unknown:')} the answer may depend on ${missing.join(', ')}; say it with ${flags.join(', ')}`
}

/** What is left to say of a name that is no tool: near names, or where to look. */
function otherNameLines(suggestions: readonly string[], notes: readonly string[], ui: Ui): string[] {
  if (suggestions.length > 0) return [`did you mean ${suggestions.join(', ')}?`]
  return notes.length > 0
    ? []
    : [`${ui.theme.good('try:')} openclaw tools catalog lists every tool there could be`]
}

/** Renders `tools explain`: the verdict, the deciding entry with its place, what else hides it, fixes, and with `full` every step. */
export function renderExplain(result: ExplainResult, full: boolean, session: string, ui: Ui): string {
  const { theme } = ui
  const lines = [`${theme.name(result.tool)} is ${paintVerdict(result.verdict, ui)} in ${session}`]
  if (result.decidedBy) lines.push(...stepLines(result.decidedBy, ui))
  if (result.toolSearch !== undefined) lines.push(`  ${result.toolSearch}`)
  if (result.needs !== undefined) {
    const { needs, hints } = result.needs
    lines.push(
      `  ${theme.caution('needs')} ${needs}`,
      ...hints.map((hint) => `${theme.good('try:')} ${hint}`),
    )
  }
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
  if (result.missing.length > 0) lines.push('', missingLine(result.missing, ui))
  const fixes = fixLines(result, ui)
  if (fixes.length > 0) lines.push('', ...fixes)
  const rest = result.known ? [] : otherNameLines(result.suggestions, result.notes, ui)
  if (rest.length > 0) lines.push('', ...rest)
  return lines.join('\n')
}

/** Renders `tools explain --all-agents`: one line an agent. */
export function renderAgentMatrix(result: AgentsResult, ui: Ui): string {
  const { theme } = ui
  if (!result.known) {
    const { suggestions, notes } = result
    return [
      `${theme.name(result.tool)} is ${paintVerdict('unknown', ui)} to every agent`,
      ...notes.map((note) => `${theme.caution('note:')} ${note}`),
      ...otherNameLines(suggestions, notes, ui),
    ].join('\n')
  }
  return renderTable(
    [{ title: 'AGENT', paint: theme.name }, { title: 'VERDICT' }, { title: 'STEP' }, { title: 'REASON' }],
    result.agents.map(({ agentId, verdict, decidedBy, alsoHiddenBy }) => {
      const place = decidedBy?.location ? ` (${formatLocation(decidedBy.location, ui.cwd)})` : ''
      const more = alsoHiddenBy.length > 0 ? `; also ${alsoHiddenBy.map((step) => step.step).join(', ')}` : ''
      return [agentId, verdict, decidedBy?.step ?? '', decidedBy ? `${decidedBy.reason}${place}${more}` : '']
    }),
    { width: Number.MAX_SAFE_INTEGER, titles: ui.interactive, heading: theme.faint },
  )
}
