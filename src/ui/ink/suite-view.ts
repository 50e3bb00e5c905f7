import { Box, render, Text } from 'ink'
import { createElement, type ReactElement } from 'react'
import type { SuiteProgress } from '../qa-progress.ts'
import { afterEvent, type SuiteRow } from '../qa-rows.ts'

const marks = { waiting: '·', running: '▸', pass: '✓', fail: '✗', skip: '–' } as const
const colors = { waiting: 'gray', running: 'cyan', pass: 'green', fail: 'red', skip: 'yellow' } as const

/** Keeps one line for each scenario up to date on a terminal. */
export function liveSuite(stream: NodeJS.WriteStream, color: boolean): SuiteProgress {
  let rows: readonly SuiteRow[] = []
  // Plain elements and no JSX: Node runs this file as it is.
  const view = render(createElement(SuiteView, { rows, color }), {
    stdout: stream,
    patchConsole: false,
    exitOnCtrlC: false,
  })
  return {
    onEvent: (event) => {
      rows = afterEvent(rows, event)
      view.rerender(createElement(SuiteView, { rows, color }))
    },
    end: async () => {
      view.unmount()
      await view.waitUntilExit()
    },
  }
}

function SuiteView({
  rows,
  color,
}: {
  readonly rows: readonly SuiteRow[]
  readonly color: boolean
}): ReactElement {
  return createElement(
    Box,
    { flexDirection: 'column' },
    ...rows.map((row) => createElement(RowView, { key: row.id, row, color })),
  )
}

function RowView({ row, color }: { readonly row: SuiteRow; readonly color: boolean }): ReactElement {
  const { id, state, text, done, problems } = row
  const paint = color ? { color: colors[state] } : {}
  const count = done > 0 ? `  ${done} ${done === 1 ? 'step' : 'steps'}` : ''
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(
      Text,
      { wrap: 'truncate-end' },
      createElement(Text, paint, marks[state]),
      ` ${id}`,
      createElement(Text, { dimColor: color }, `${count}  ${text}`),
    ),
    ...problems.map((problem) =>
      createElement(
        Text,
        { key: problem, ...(color && { color: 'red' }), wrap: 'truncate-end' },
        `  ${problem}`,
      ),
    ),
  )
}
