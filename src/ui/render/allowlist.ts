import { cleanLine, showName } from '../../kernel/untrusted-text.ts'
import type { AddedEntry, Allowlist, AllowlistItem, RemovedEntries } from '../../runtime/exec-allowlist.ts'
import type { Ui } from '../base-command.ts'
import { renderTable } from './table.ts'

function owner(agent: string): string {
  return agent === '*' ? 'every agent' : `agent ${showName(agent)}`
}

function what({ pattern, argPattern }: AllowlistItem): string {
  const program = cleanLine(pattern, 200)
  return argPattern === null ? program : `${program} with arguments that fit ${cleanLine(argPattern, 200)}`
}

/** Renders `approvals allowlist list`: one line for each entry. */
export function renderAllowlist({ file, items }: Allowlist, ui: Ui): string {
  if (items.length === 0) return ui.theme.faint(`No program is on the allowlist of ${cleanLine(file, 400)}.`)
  const columns = [
    { title: 'AGENT' },
    { title: 'PATTERN', paint: ui.theme.name },
    { title: 'ARGUMENTS' },
    { title: 'ADDED' },
    { title: 'LAST USED' },
  ]
  const day = (time: string | null): string => time?.slice(0, 10) ?? '–'
  const rows = items.map(({ agent, pattern, argPattern, addedAt, lastUsedAt }) => [
    showName(agent),
    cleanLine(pattern, 200),
    argPattern === null ? 'any' : cleanLine(argPattern, 120),
    day(addedAt),
    day(lastUsedAt),
  ])
  const width = ui.interactive ? ui.width : Number.MAX_SAFE_INTEGER
  return renderTable(columns, rows, { width, titles: ui.interactive, heading: ui.theme.faint })
}

/** Says what may run from now on. */
export function renderAdded({ entry, added }: AddedEntry): string {
  return added
    ? `${owner(entry.agent)} may run ${what(entry)}`
    : `${owner(entry.agent)} may run ${what(entry)} already`
}

/** Says what may not run any more. */
export function renderRemoved({ removed }: RemovedEntries): string {
  return removed.map((each) => `${what(each)} is off the allowlist of ${owner(each.agent)}`).join('\n')
}
