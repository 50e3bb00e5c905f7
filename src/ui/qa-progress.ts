import { showText } from '../kernel/untrusted-text.ts'
import type { SuiteEvent } from '../qa/run-scenario.ts'
import { describeStream } from './terminal.ts'
import { loadTheme, type Theme } from './theme.ts'

/** Shows what a suite does, beside its answer. */
export interface SuiteProgress {
  readonly onEvent: (event: SuiteEvent) => void
  /** Leaves what was shown last and lets go of the terminal. */
  end(): Promise<void>
}

/** A live view for a person at a terminal, plain lines for everybody else; both on stderr. */
export async function suiteProgress(noColor: boolean): Promise<SuiteProgress> {
  const { stderr } = process
  const { color, interactive } = describeStream(stderr, noColor)
  if (interactive) {
    const { liveSuite } = await import('./ink/suite-view.ts')
    return liveSuite(stderr, color)
  }
  const theme = await loadTheme(color)
  return {
    onEvent: (event) => {
      const line = eventLine(event, theme)
      if (line !== null && !stderr.errored) stderr.write(`${showText(line, color)}\n`)
    },
    end: async () => {},
  }
}

/** One event as a line; null where it says nothing new to somebody who reads line by line. */
export function eventLine(event: SuiteEvent, theme: Theme): string | null {
  switch (event.type) {
    case 'begin':
      return `${event.scenarios.length} ${event.scenarios.length === 1 ? 'scenario' : 'scenarios'}`
    case 'scenario-begin':
    case 'step-begin':
      return null
    case 'step-end': {
      const { id, step } = event
      const mark = step.status === 'pass' ? theme.good('✓') : theme.bad('✗')
      const time = step.ms > 0 ? theme.faint(`  ${step.ms} ms`) : ''
      const why = step.details === undefined ? '' : `\n    ${step.details.replaceAll('\n', '\n    ')}`
      return `${theme.name(id)} ${mark} ${step.name}${time}${why}`
    }
    case 'scenario-end': {
      const { id, result } = event
      const seconds = theme.faint(`${(result.wallMs / 1000).toFixed(1)} s`)
      const words = { pass: theme.good('passed'), fail: theme.bad('failed'), skip: theme.caution('skipped') }
      const [why] = result.details?.split('\n') ?? []
      return `${theme.name(id)} ${words[result.status]} in ${seconds}${why === undefined ? '' : `: ${why}`}`
    }
  }
}
