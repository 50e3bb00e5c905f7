import type { ListedScenario } from '../../runtime/qa.ts'
import type { SuiteResult } from '../../qa/summary.ts'
import type { Ui } from '../base-command.ts'

/** Renders the end of a suite: what failed or was skipped and why, the totals, and where the reports are. */
export function renderSuite(result: SuiteResult, { theme }: Ui): string {
  const { scenarios, counts, files } = result
  const marks = { pass: theme.good('✓'), fail: theme.bad('✗'), skip: theme.caution('–') }
  const told = scenarios.flatMap(({ id, status, details }) =>
    details === undefined ? [] : [`${marks[status]} ${id}\n    ${details.replaceAll('\n', '\n    ')}`],
  )
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  const totals = `${counts.passed} passed, ${counts.failed} failed${skipped}`
  return [
    ...told,
    counts.failed === 0 ? theme.good(totals) : theme.bad(totals),
    `report: ${theme.place(files.report)}`,
  ].join('\n')
}

/** Renders `qa list`: each scenario with what it asserts. */
export function renderScenarios(items: readonly ListedScenario[], { theme }: Ui): string {
  return items
    .map(({ id, title, checks }) =>
      [`${theme.name(id)}  ${title}`, ...checks.map((check) => theme.faint(`    ${check.title}`))].join('\n'),
    )
    .join('\n\n')
}
