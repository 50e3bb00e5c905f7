import type { StoredApproval, StoredWanted } from '../../calls/approvals/types.ts'
import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import { readRemembered } from '../../tools/exec-approvals/remembered.ts'
import type { Ui } from '../base-command.ts'
import { renderTable } from './table.ts'

const minute = 60_000

/** How long something still counts, for people. */
function left(expiresAt: string | null, now: number): string {
  if (expiresAt === null) return 'until denied'
  const ms = Date.parse(expiresAt) - now
  if (ms <= 0) return 'over'
  return ms < 2 * minute ? `${Math.ceil(ms / 1000)} s` : `${Math.floor(ms / minute)} min`
}

function whatFor({ args, wanted }: StoredApproval): string {
  const titles = wanted.map(({ title }) => cleanLine(title, 80)).join('; ')
  const shown = args === null ? '(long arguments)' : cleanLine(JSON.stringify(args) ?? '', 120)
  return `${titles} ${shown}`
}

/** Renders `approvals list`: one line for each. */
export function renderApprovals(items: readonly StoredApproval[], ui: Ui, now: number): string {
  if (items.length === 0) return ui.theme.faint('No call waits for an approval.')
  const columns = [
    { title: 'ID', paint: ui.theme.name },
    { title: 'STATE' },
    { title: 'TOOL' },
    { title: 'SESSION' },
    { title: 'LEFT' },
    { title: 'WHAT' },
  ]
  const rows = items.map((item) => [
    item.id,
    item.state,
    showName(item.tool.name),
    showName(item.sessionKey, 60),
    left(item.expiresAt, now),
    whatFor(item),
  ])
  const width = ui.interactive ? ui.width : Number.MAX_SAFE_INTEGER
  return renderTable(columns, rows, { width, titles: ui.interactive, heading: ui.theme.faint })
}

/** What a lasting yes lets run, whatever the arguments of the call. */
export function patternsIn(wanted: readonly Pick<StoredWanted, 'remember'>[]): readonly string[] {
  return wanted
    .flatMap(({ remember }) => readRemembered(remember)?.entries ?? [])
    .map(({ pattern, argPattern }) =>
      cleanLine(argPattern === undefined ? pattern : `${pattern} with just these arguments`, 200),
    )
}

/** Says what an answer means from now on. */
export function renderDecision({ id, state, tool, expiresAt, wanted }: StoredApproval, now: number): string {
  const name = showName(tool.name)
  const patterns = patternsIn(wanted)
  if (state === 'always' && patterns.length > 0)
    return `${id}: ${name} may run ${patterns.join(', ')} from now on; openclaw approvals deny ${id} takes it back`
  if (state === 'always') return `${id}: ${name} may always be called with these arguments by this agent`
  if (state === 'denied') return `${id}: ${name} is denied`
  return `${id}: ${name} may be called once with these arguments, within ${left(expiresAt, now)}`
}
