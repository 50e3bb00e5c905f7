import type { TestResult } from '../../policy/test-run.ts'
import type { Ui } from '../base-command.ts'

/** Renders failing cases with their problems and the totals; passing cases are counted only. */
export function renderPolicyTests(result: TestResult, ui: Ui): string {
  const { theme } = ui
  const failures = result.cases
    .filter((each) => !each.ok)
    .map((each) =>
      [
        `${theme.bad('✗')} ${each.name}  ${theme.faint(each.file)}`,
        ...each.problems.map((problem) => `    ${problem}`),
      ].join('\n'),
    )
  const totals = `${result.passed} passed, ${result.failed} failed`
  return [...failures, result.failed === 0 ? theme.good(totals) : theme.bad(totals)].join('\n')
}
