import type { SessionDiff } from '../../policy/diff.ts'
import { isSame } from '../../policy/diff.ts'
import type { Ui } from '../base-command.ts'

function presence({ agent }: SessionDiff): string {
  if (agent === undefined) return ''
  return agent === 'added' ? ' (only after the change)' : ' (not there after the change)'
}

/** Renders what a change does to each session's tools, a line a tool; sessions that stay the same are only counted. */
export function renderDiff(sessions: readonly SessionDiff[], ui: Ui): string {
  const { theme } = ui
  const changed = sessions.filter((session) => !isSame(session))
  if (changed.length === 0) return 'No tool changes.'
  const parts = changed.map((session) =>
    [
      theme.heading(`Agent ${session.agentId}, session ${session.sessionKey}${presence(session)}`),
      ...session.added.map((name) => theme.good(`  + ${name}`)),
      ...session.removed.map(
        ({ name, step, reason }) => `${theme.bad(`  - ${name}`)}  ${theme.faint(`${step}: ${reason}`)}`,
      ),
      ...session.moved.map(({ name, from, to }) => theme.caution(`  ~ ${name}  ${from} → ${to}`)),
    ].join('\n'),
  )
  const same = sessions.length - changed.length
  if (same > 0) parts.push(theme.faint(`${same} unchanged session${same === 1 ? '' : 's'}`))
  return parts.join('\n\n')
}
