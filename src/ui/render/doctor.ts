import type { DoctorReport } from '../../runtime/doctor.ts'
import type { Ui } from '../base-command.ts'

/** Renders `doctor`: a line a check, then the walls around model-written code. */
export function renderDoctor(report: DoctorReport, ui: Ui): string {
  const { theme } = ui
  const marks = { ok: theme.good('✓'), warning: theme.caution('!'), error: theme.bad('✗') }
  const checks = report.checks.flatMap((check) => [
    `${marks[check.status]} ${theme.heading(check.id)}  ${check.message}`,
    ...(check.hint === undefined ? [] : [`    ${theme.good('try:')} ${check.hint}`]),
  ])
  const walls = report.walls.map(
    (wall) => `  ${wall.holds ? marks.ok : theme.faint('–')} ${wall.id}  ${theme.faint(wall.what)}`,
  )
  return [
    ...checks,
    ...(walls.length > 0 ? ['', theme.heading('Walls around model-written code'), ...walls] : []),
  ].join('\n')
}
