import type { SuiteEvent } from '../qa/run-scenario.ts'

/** A scenario as the view shows it. */
export interface SuiteRow {
  readonly id: string
  readonly state: 'waiting' | 'running' | 'pass' | 'fail' | 'skip'
  /** What is done now, or how long all of it took. */
  readonly text: string
  readonly done: number
  readonly problems: readonly string[]
}

/** The rows after one more event. Pure. */
export function afterEvent(rows: readonly SuiteRow[], event: SuiteEvent): readonly SuiteRow[] {
  if (event.type === 'begin') {
    return event.scenarios.map(({ id }) => ({ id, state: 'waiting', text: '', done: 0, problems: [] }))
  }
  return rows.map((row) => (row.id === event.id ? changed(row, event) : row))
}

function changed(row: SuiteRow, event: Exclude<SuiteEvent, { type: 'begin' }>): SuiteRow {
  switch (event.type) {
    case 'scenario-begin':
      return { ...row, state: 'running' }
    case 'step-begin':
      return { ...row, text: event.name }
    case 'step-end': {
      const { name, status, details = '' } = event.step
      const problems =
        status === 'fail' ? [...row.problems, `${name}: ${details.split('\n')[0]}`] : row.problems
      return { ...row, done: row.done + 1, problems }
    }
    case 'scenario-end': {
      const { status, wallMs, details } = event.result
      const text = status === 'skip' ? `skipped: ${details ?? ''}` : `${(wallMs / 1000).toFixed(1)} s`
      return { ...row, state: status, text }
    }
  }
}
