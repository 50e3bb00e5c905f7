import type { Outcome } from '../../runtime/config-edit/change.ts'
import type { Effects } from '../../runtime/config-edit/effects.ts'
import { formatPath } from '../../kernel/path.ts'
import type { Ui } from '../base-command.ts'
import { formatFile, formatLocation } from './place.ts'
import { renderUnifiedDiff } from './unified-diff.ts'

const shownChanges = 12
const shownNames = 12

function changedLines({ edited, result }: Outcome, ui: Ui): string[] {
  const { theme } = ui
  const lines = edited.changes.slice(0, shownChanges).map(({ path, after }) => {
    const name = path.length === 0 ? 'the whole config' : formatPath(path)
    if (after === undefined) {
      // What came from an included file may have gone with the directive that included it.
      const owner = edited.before.locate(path)?.file
      const file = edited.files.find((each) => each.file === owner)?.file ?? result.file
      return `Removed ${theme.name(name)} from ${formatFile(file, ui.cwd)}`
    }
    const location = edited.after.locate(path)
    return `Set ${theme.name(name)} at ${theme.place(location ? formatLocation(location, ui.cwd) : formatFile(result.file, ui.cwd))}`
  })
  const more = edited.changes.length - lines.length
  return more > 0 ? [...lines, `… and ${more} more changes`] : lines
}

/** Gathers what holds for several tools or agents in the same way, so that it is said once. */
class Gathered {
  readonly #names = new Map<string, Map<string, Set<string>>>()

  add(kind: string, name: string, agentId: string): void {
    const names = this.#names.get(kind) ?? new Map<string, Set<string>>()
    const agents = names.get(name) ?? new Set<string>()
    this.#names.set(kind, names.set(name, agents.add(agentId)))
  }

  lines(say: (kind: string, names: string, agents: string) => string): string[] {
    return [...this.#names].flatMap(([kind, names]) => {
      const groups = new Map<string, string[]>()
      for (const [name, agents] of names) {
        const key = `${agents.size === 1 ? 'agent' : 'agents'} ${[...agents].join(', ')}`
        groups.set(key, [...(groups.get(key) ?? []), name])
      }
      return [...groups].map(([agents, list]) => {
        const more = list.length > shownNames ? ` and ${list.length - shownNames} more` : ''
        return say(kind, list.slice(0, shownNames).join(', ') + more, agents)
      })
    })
  }
}

function effectLines({ sessions, stillHidden, unjudged }: Effects, { theme, cwd }: Ui): string[] {
  const [added, removed, moved, masked] = [new Gathered(), new Gathered(), new Gathered(), new Gathered()]
  const roster = sessions.flatMap(({ agent, agentId, added: names }) => {
    if (agent === 'added') return [theme.good(`+ agent ${agentId} with ${names.length} visible tools`)]
    return agent === 'removed' ? [theme.bad(`- agent ${agentId} is no longer configured`)] : []
  })
  for (const { agentId, ...session } of sessions) {
    if (session.agent !== undefined) continue
    for (const name of session.added) added.add('', name, agentId)
    for (const { name, step } of session.removed) removed.add(step, name, agentId)
    for (const { name, from, to } of session.moved) moved.add(`${from} → ${to}`, name, agentId)
  }
  for (const { agentId, name, step, location } of stillHidden) {
    const place = location ? ` at ${theme.place(formatLocation(location, cwd))}` : ''
    masked.add(`${step}${place}`, name, agentId)
  }
  return [
    ...roster,
    ...added.lines((_kind, names, agents) => theme.good(`+ ${names} visible for ${agents}`)),
    ...removed.lines(
      (step, names, agents) => `${theme.bad(`- ${names} hidden for ${agents}`)} ${theme.faint(`(${step})`)}`,
    ),
    ...moved.lines((way, names, agents) => theme.caution(`~ ${names} ${way} for ${agents}`)),
    ...masked.lines(
      (step, names, agents) => `${theme.caution(`! ${names} still hidden for ${agents}`)} by ${step}`,
    ),
    ...(unjudged > 0
      ? [theme.faint(`${unjudged} more agents not compared; openclaw tools diff --all-agents does`)]
      : []),
  ]
}

/** Renders what a writer did, or with a diff what it would do: the changed paths with their places, and what that means for tools. */
export function renderWrite(outcome: Outcome, diff: string | null, ui: Ui): string {
  const { result } = outcome
  const tools = result.tools ? effectLines(result.tools, ui) : []
  if (result.files.length === 0) return 'No change: the config says this already.'
  if (diff !== null) return [renderUnifiedDiff(diff, ui), ...tools].join('\n')
  const backup = result.files.flatMap((file) => (file.backup === null ? [] : [file.backup]))
  return [
    ...changedLines(outcome, ui),
    ...tools,
    ...(backup.length > 0 ? [ui.theme.faint(`openclaw config undo takes this back`)] : []),
  ].join('\n')
}
