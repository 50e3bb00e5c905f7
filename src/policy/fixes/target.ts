import type { Tool } from '../../catalog/types.ts'
import { findAgent, type Agent } from '../../config/agents.ts'
import { getIn } from '../../config/path-value.ts'
import type { Path } from '../../kernel/path.ts'
import { matcherOf, type Matcher } from '../matcher.ts'
import type { View } from '../view.ts'
import type { Edit } from './edits.ts'

/** The tool that shall become visible, and where the search for edits stands. */
export interface Target {
  readonly view: View
  readonly tool: Tool
  readonly agent: Agent | undefined
  readonly matcher: Matcher
}

export function targetOf(view: View, tool: Tool): Target {
  return {
    view,
    tool,
    agent: findAgent(view.config, view.context.agentId),
    matcher: matcherOf(view.edition, view.inventory),
  }
}

/** The strings of a list in the config; empty when there is none. */
export function listAt(target: Target, path: Path): readonly string[] {
  const list = getIn(target.view.config, path)
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
}

export const append = (path: Path, value: unknown): Edit => ({ op: 'append', path, value })
export const set = (path: Path, value: unknown): Edit => ({ op: 'set', path, value })

/** The entry that names the tool in an allow list; a name that is a plugin's id, too, means that plugin, so it is written as a pattern. */
export function entryFor({ view, tool }: Target): string {
  return view.policy.matches(tool.name, tool, 'allow') ? tool.name : `${tool.name}*`
}
