import type { TestResult } from '../../policy/test-run.ts'
import type { Ui } from '../base-command.ts'

/** Renders failing cases with their problems, doubtful ones with what is odd, and the totals; other cases are counted only. */
export function renderPolicyTests(result: TestResult, ui: Ui): string {
  const { theme } = ui
  const told = result.cases
    .filter((each) => !each.ok || each.warnings)
    .map((each) =>
      [
        `${each.ok ? theme.caution('!') : theme.bad('✗')} ${each.name}  ${theme.faint(each.file)}`,
        ...[...each.problems, ...(each.warnings ?? [])].map((text) => `    ${text}`),
      ].join('\n'),
    )
  const totals = `${result.passed} passed, ${result.failed} failed`
  return [...told, result.failed === 0 ? theme.good(totals) : theme.bad(totals)].join('\n')
}
